// What all SMs together read from L2 by tensor copies, and by 16-byte loads: each block its own 128 KiB again
// and again, boxes spread over some MiB, the same boxes by all or by groups of blocks in step. Time, SM
// clock, bytes. data/h100_sxm_copy_rates.csv; reads that reach L2 by a profiler over `./copy_rates few`.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/copy_rates.cu \
//        validate/measure/tensor_map.cu -o copy_rates
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "validate/kernels/wgmma_tile.cuh"
#include "validate/measure/cuda_status.cuh"
#include "validate/measure/tensor_map.cuh"

using namespace gpumodel::kernels;

#define CHECK(x) gpumodel::measure::require((x), #x)

namespace {

// Which box is a reader's i-th: its own ones in turn; `sharers` blocks in a row read the same ones in step;
// or one anywhere (a multiplicative walk, another begin for each reader).
struct Walk {
    unsigned boxes, own, sharers;  // own: boxes of a reader, 0 where it reads anywhere
    __device__ unsigned box(unsigned block, unsigned i) const {
        const unsigned reader = block / sharers;
        return own > 0 ? (reader * own + i % own) % boxes
                       : (reader * 2654435761u % 1048573u + i * 61u) % boxes;
    }
};

struct Stamp {
    unsigned long long cycles, ns;
};
__device__ Stamp stamp() {
    Stamp s;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(s.cycles)::"memory");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(s.ns)::"memory");
    return s;
}

template <int BOX_ROWS, int DEPTH>
__global__ void __launch_bounds__(32)
    copies(const __grid_constant__ TensorMap map, Walk walk, int rounds, Stamp* stamps) {
#if defined(GPUMODEL_WGMMA)
    extern __shared__ __align__(1024) unsigned char ring_space[];
    constexpr unsigned bytes = BOX_ROWS * 128;
    const unsigned base = shared_address(ring_space), full = base + DEPTH * bytes;
    if (threadIdx.x == 0) {
        for (int s = 0; s < DEPTH; ++s) {
            barrier_init(full + 8 * s, 1);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        if (blockIdx.x == 0) {
            stamps[0] = stamp();
        }
        for (int i = 0; i < rounds; ++i) {
            const int s = i % DEPTH;
            if (i >= DEPTH) {
                barrier_wait(full + 8 * s, unsigned(i / DEPTH - 1) & 1);
            }
            barrier_expect(full + 8 * s, bytes);
            copy_box(base + s * bytes, map, 0, int(walk.box(blockIdx.x, i)) * BOX_ROWS, full + 8 * s);
        }
        for (int i = rounds - DEPTH; i < rounds; ++i) {
            barrier_wait(full + 8 * (i % DEPTH), unsigned(i / DEPTH) & 1);
        }
        if (blockIdx.x == 0) {
            stamps[1] = stamp();
        }
    }
#endif
}

// As much in flight: 1024 threads, eight vectors each, a box of 16 KiB at a time.
__global__ void __launch_bounds__(1024)
    loads(const uint4* from, Walk walk, int rounds, Stamp* stamps, unsigned* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        stamps[0] = stamp();
    }
    unsigned sum = 0;
    for (int i = 0; i < rounds; i += 8) {
        uint4 v[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            v[k] = __ldcg(from + walk.box(blockIdx.x, i + k) * 1024u + threadIdx.x);
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        stamps[1] = stamp();
    }
    if (sum == 1) {
        *out = sum;
    }
}

// Of a matrix of 64 columns.
TensorMap map_of(void* p, int rows, int box_rows) {
    const auto& map = gpumodel::measure::tensor_map(p, gpumodel::measure::Element::f16, rows, 64, box_rows);
    TensorMap made;
    static_assert(sizeof(map) == sizeof(made));
    std::memcpy(&made, &map, sizeof(made));
    return made;
}

void* data;
Stamp* stamps;
unsigned* out;
bool few = false;

template <class Launch>
void timed(const char* kind, const char* order, int mib, int box_bytes, int in_flight, int sharers, int sms,
           int rounds, const Launch& launch) {
    cudaEvent_t e[8];
    for (auto& x : e) {
        CHECK(cudaEventCreate(&x));
    }
    const int launches = few ? 1 : 7;
    CHECK(cudaEventRecord(e[0]));
    for (int i = 0; i < launches; ++i) {
        launch();
        CHECK(cudaEventRecord(e[i + 1]));
    }
    CHECK(cudaDeviceSynchronize());
    Stamp s[2];
    CHECK(cudaMemcpy(s, stamps, sizeof(s), cudaMemcpyDeviceToHost));
    std::vector<float> us;
    for (int i = 1; i < launches; ++i) {
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, e[i], e[i + 1]));
        us.push_back(1e3f * ms);
    }
    if (few) {
        return;
    }
    std::sort(us.begin(), us.end());
    const double t = us[us.size() / 2], cycles = double(s[1].cycles - s[0].cycles),
                 ns = double(s[1].ns - s[0].ns);
    const double bytes = double(sms) * rounds * box_bytes;
    std::printf("%s,%s,%d,%d,%d,%d,%d,%d,%.2f,%.0f,%.1f,%.1f\n", kind, order, mib, box_bytes, in_flight,
                sharers, sms, rounds, t, 1e3 * cycles / ns, bytes / (t - 3) / 1e3,
                double(rounds) * box_bytes / cycles);
    std::fflush(stdout);
}

template <int BOX_ROWS, int DEPTH>
void copy_rows(const char* order, int mib, int own_kib, int sharers, int sms) {
    const int bytes = BOX_ROWS * 128, shared = DEPTH * (bytes + 8) + 1024;
    const auto map = map_of(data, (mib << 20) / 128, BOX_ROWS);
    CHECK(cudaFuncSetAttribute(copies<BOX_ROWS, DEPTH>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const Walk walk{unsigned((mib << 20) / bytes), unsigned((own_kib << 10) / bytes), unsigned(sharers)};
    const int rounds = 8 << 20 >> (BOX_ROWS == 32 ? 12 : BOX_ROWS == 64 ? 13 : 14);
    timed("copies", order, mib, bytes, DEPTH * bytes, sharers, sms, rounds,
          [&] { copies<BOX_ROWS, DEPTH><<<sms, 32, shared>>>(map, walk, rounds, stamps); });
}
void load_rows(const char* order, int mib, int own_kib, int sharers, int sms) {
    const Walk walk{unsigned((mib << 20) / 16384), unsigned((own_kib << 10) / 16384), unsigned(sharers)};
    const int rounds = 512;
    timed("loads", order, mib, 16384, 131072, sharers, sms, rounds,
          [&] { loads<<<sms, 1024>>>((const uint4*)data, walk, rounds, stamps, out); });
}

}  // namespace

int main(int argc, char**) {
    few = argc > 1;
    CHECK(cudaMalloc(&data, 256 << 20));
    CHECK(cudaMemset(data, 1, 256 << 20));
    CHECK(cudaMalloc(&stamps, 2 * sizeof(Stamp)));
    CHECK(cudaMalloc(&out, 4));
    if (!few) {
        cudaDeviceProp props;
        CHECK(cudaGetDeviceProperties(&props, 0));
        std::printf(
            "# gpu: "
            "%s\nkind,order,mib,box_bytes,in_flight,sharers,sms,boxes,us,mhz,gb_per_s,bytes_per_clk_of_block_"
            "0\n",
            props.name);
    }
    for (const int sms : {132, 66, 16, 1}) {
        if (few && sms != 132) {
            continue;
        }
        copy_rows<128, 8>("own", 17, 128, 1, sms);
        load_rows("own", 17, 128, 1, sms);
        for (const int mib : {1, 4, 8, 16, 24, 32}) {
            copy_rows<128, 8>("spread", mib, 0, 1, sms);
            load_rows("spread", mib, 0, 1, sms);
        }
        if (sms == 1) {
            continue;
        }
        for (const int sharers : {2, 4, 8, 16, 33, 132}) {
            copy_rows<128, 8>("spread", 8, 0, sharers, sms);
            load_rows("spread", 8, 0, sharers, sms);
        }
    }
    copy_rows<128, 2>("spread", 8, 0, 1, 132);
    copy_rows<128, 4>("spread", 8, 0, 1, 132);
    copy_rows<64, 4>("spread", 8, 0, 1, 132);
    copy_rows<64, 8>("spread", 8, 0, 1, 132);
    copy_rows<64, 16>("spread", 8, 0, 1, 132);
    copy_rows<32, 4>("spread", 8, 0, 1, 132);
    copy_rows<32, 8>("spread", 8, 0, 1, 132);
    copy_rows<32, 32>("spread", 8, 0, 1, 132);
    copy_rows<128, 4>("own", 17, 128, 1, 132);
    copy_rows<64, 16>("own", 17, 128, 1, 132);
}
