// What a warp group's products of each type take from the clock: data/h200_sxm_type_clock.csv.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/type_clock.cu \
//        validate/measure/{fill,tensor_map}.cu -o type_clock && ./type_clock > type_clock.csv
//   loop     two groups of a block per SM go round 192 KiB of operands, with pauses after each sixteen
//            products; every block notes its own cycles and nanoseconds
//   product  whole products in series of 41 launches, as times are measured; a thread beside them notes its
//            SM's cycles and nanoseconds every 3 us. It asks for the same shared memory as they do: on an SM
//            that has to divide its memory otherwise no block starts until that thread has ended
// Each begins after 20 ms of rest; mhz_* are means from 0 to 0.3 ms, 0.3 to 1, 1 to 2, 2 to 4 after its
// begin, of loops over all blocks. fill: part of the tensor pipes' time that products take (N / 2 cycles
// each), of loops from 0.3 to 4 ms, of products over the median launch.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <optional>
#include <vector>

#include "validate/microbench/tensor/group_types.cuh"

using namespace gpumodel::microbench;
using gpumodel::measure::Element;

namespace {

constexpr std::array<double, 5> spans_ms{0, 0.3, 1, 2, 4};
constexpr int rounds = 3;
int sms = 0;

void rest() {
    const timespec time = {0, 20000000};
    nanosleep(&time, nullptr);
}

const char* words_of(Values values) {
    return values == zeros ? "zeros" : "random";
}

// The last sample that is no later than this.
template <class T>
std::size_t before(const std::vector<T>& samples, double ms) {
    std::size_t i = 0;
    while (i + 1 < samples.size() && double(samples[i + 1].ns - samples[0].ns) <= 1e6 * ms) {
        ++i;
    }
    return i;
}

// Empty where nothing was noted between the two.
template <class T>
std::optional<double> mhz(const std::vector<T>& samples, double from_ms, double to_ms) {
    const auto from = before(samples, from_ms), to = before(samples, to_ms);
    const bool covered = double(samples.back().ns - samples[0].ns) >= 0.95e6 * to_ms;
    if (from >= to || !covered) {
        return {};
    }
    return 1e3 * double(samples[to].cycles - samples[from].cycles) /
           double(samples[to].ns - samples[from].ns);
}

void print_spans(const std::vector<std::vector<Mark>>& blocks) {
    for (std::size_t i = 0; i + 1 < spans_ms.size(); ++i) {
        double sum = 0;
        int count = 0;
        for (const auto& samples : blocks) {
            if (const auto value = mhz(samples, spans_ms[i], spans_ms[i + 1])) {
                sum += *value;
                ++count;
            }
        }
        count > 0 ? std::printf(",%.0f", sum / count) : std::printf(",");
    }
}

// Of both groups' products, 128 cycles each.
double fill_of(const std::vector<std::vector<Mark>>& blocks) {
    double sum = 0;
    for (const auto& samples : blocks) {
        const auto& from = samples[before(samples, spans_ms[1])];
        const auto& to = samples.back();
        sum += 2.0 * 128 * (to.products - from.products) / double(to.cycles - from.cycles);
    }
    return sum / double(blocks.size());
}

template <int TYPE, bool PAUSES>
void loop(const char* name, Values values, int pause) {
    using Tile = LoopTile<TYPE>;
    constexpr int marks_of_block = 256, shared = Tile::stages * Tile::stage_bytes + 1024;
    static Mark* marks = nullptr;
    static unsigned* out = nullptr;
    if (marks == nullptr) {
        CHECK(cudaMalloc(&marks, sizeof(Mark) * sms * marks_of_block));
        CHECK(cudaMalloc(&out, sizeof(unsigned) * sms * 256));
        CHECK(cudaFuncSetAttribute(type_load<TYPE, PAUSES>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared));
    }
    // 4.2 ms: sixteen products of both groups take 4096 cycles, or one's and the pause
    const int trips = int(4.2e-3 * 1.75e9 / std::max(4096, 2048 + pause));
    const auto go = [&](int count) {
        type_load<TYPE, PAUSES><<<sms, 256, shared>>>(marks, marks_of_block, out, count, values, pause);
        CHECK(cudaDeviceSynchronize());
    };
    for (int round = 0; round < rounds; ++round) {
        go(trips / 4);
        rest();
        go(trips);
        const int noted = std::min(marks_of_block, (trips - 1) / marks_apart + 1);
        std::vector<std::vector<Mark>> blocks;
        for (int block = 0; block < sms; ++block) {
            blocks.emplace_back(noted);
            CHECK(cudaMemcpy(blocks.back().data(), marks + block * marks_of_block, sizeof(Mark) * noted,
                             cudaMemcpyDeviceToHost));
        }
        std::printf("loop,%s,%s,%d,,,,,,%.3f", name, words_of(values), pause, fill_of(blocks));
        print_spans(blocks);
        std::printf("\n");
    }
    std::fflush(stdout);
}

template <int TYPE>
void loops(const char* name) {
    for (const Values values : {random_values, zeros}) {
        loop<TYPE, false>(name, values, 0);
    }
    for (const int pause : {1000, 2000, 3000, 4000, 6000, 10000}) {
        loop<TYPE, true>(name, random_values, pause);
    }
}

__global__ void watch(Mark* out, int samples, volatile int* started) {
    for (int i = 0; i < samples; ++i) {
        unsigned long long t, c, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(c)::"memory");
        out[i].ns = t;
        out[i].cycles = c;
        if (i == 0) {
            *started = 1;
        }
        do {
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 3000);
    }
}

// FLOP of one SM in a cycle.
double flops_per_cycle(Element element) {
    return 4096.0 * 2 / bytes_of(element);
}

struct Watch {
    cudaStream_t work = nullptr, beside = nullptr;
    Mark* samples = nullptr;
    int* started = nullptr;
    static constexpr int most = 20000;
    Watch() {
        CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&samples, sizeof(Mark) * most));
        CHECK(cudaMallocHost((void**)&started, sizeof(int)));
        CHECK(cudaFuncSetAttribute(watch, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   cudaSharedmemCarveoutMaxShared));
    }
    void begin(int count) {
        volatile int* flag = started;
        *flag = 0;
        watch<<<1, 1, 0, beside>>>(samples, count, flag);
        while (*flag == 0) {
        }
    }
};

constexpr int launches = 41;

// Microseconds of each.
std::vector<float> timed(TypeProduct& product, cudaStream_t work, int count) {
    static std::array<cudaEvent_t, launches + 1> events{};
    for (auto& event : events) {
        if (event == nullptr) {
            CHECK(cudaEventCreate(&event));
        }
    }
    CHECK(cudaEventRecord(events[0], work));
    for (int i = 1; i <= count; ++i) {
        product.launch(work);
        CHECK(cudaEventRecord(events[i], work));
    }
    CHECK(cudaStreamSynchronize(work));
    std::vector<float> times(count);
    for (int i = 0; i < count; ++i) {
        CHECK(cudaEventElapsedTime(&times[i], events[i], events[i + 1]));
        times[i] *= 1e3F;
    }
    return times;
}

void series(const TypeTile& tile, int m, int n, int k, Values values) {
    static Watch watch;
    TypeProduct product(tile, m, n, k, values != zeros);
    const float us = timed(product, watch.work, 2)[1];
    const int count = std::clamp(int((us * launches + 100) / 3), 20, Watch::most);
    rest();
    watch.begin(count);
    auto times = timed(product, watch.work, launches);
    CHECK(cudaDeviceSynchronize());
    std::vector<std::vector<Mark>> samples(1, std::vector<Mark>(count));
    CHECK(cudaMemcpy(samples[0].data(), watch.samples, sizeof(Mark) * count, cudaMemcpyDeviceToHost));
    std::nth_element(times.begin(), times.begin() + launches / 2, times.end());
    const double median = times[launches / 2];
    const double all = double(samples[0].back().ns - samples[0][0].ns) / 1e6;
    const auto middle = mhz(samples[0], all / 3, 2 * all / 3);
    const double cycles = median * middle.value_or(0);
    std::printf("product,%s,%s,,%d,%d,%d,%.3f,%.0f,%.3f", tile.name, words_of(values), m, n, k, median,
                middle.value_or(0), 2.0 * m * n * k / (cycles * sms * flops_per_cycle(tile.element)));
    print_spans(samples);
    std::printf("\n");
    std::fflush(stdout);
}

using namespace gpumodel::kernels;
// Without a cluster: the name alone would be either.
using Linear = void (*)(int, int, int, TensorMap, TensorMap, float*);
// clang-format off
const TypeTile type_tiles[] = {
    {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=f16",
     (const void*)(Linear)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 0>, 128, 256, 64, 4, 384, true, Element::f16},
    {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=bf16",
     (const void*)(Linear)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 1>, 128, 256, 64, 4, 384, true, Element::bf16},
    {"wgmma_warp_specialized BM=128;BN=256;BK=32;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=tf32",
     (const void*)(Linear)wgmma_warp_specialized<128, 256, 32, 4, 2, 0, 8, 2>, 128, 256, 32, 4, 384, true, Element::tf32},
    {"wgmma_warp_specialized BM=128;BN=256;BK=128;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=int8",
     (const void*)(Linear)wgmma_warp_specialized<128, 256, 128, 4, 2, 0, 8, 3>, 128, 256, 128, 4, 384, true, Element::s8},
    {"wgmma_warp_specialized BM=64;BN=128;BK=32;STAGES=6;CONSUMERS=1;PERSISTENT=0;RASTER=8;TYPE=tf32",
     (const void*)(Linear)wgmma_warp_specialized<64, 128, 32, 6, 1, 0, 8, 2>, 64, 128, 32, 6, 256, true, Element::tf32},
    {"wgmma_warp_specialized BM=64;BN=128;BK=128;STAGES=6;CONSUMERS=1;PERSISTENT=0;RASTER=8;TYPE=int8",
     (const void*)(Linear)wgmma_warp_specialized<64, 128, 128, 6, 1, 0, 8, 3>, 64, 128, 128, 6, 256, true, Element::s8},
    {"wgmma_tma BM=128;BN=128;BK=64;STAGES=4;TYPE=f16",
     (const void*)wgmma_tma<128, 128, 64, 4, 0>, 128, 128, 64, 4, 128, false, Element::f16},
    {"wgmma_tma BM=128;BN=128;BK=32;STAGES=4;TYPE=tf32",
     (const void*)wgmma_tma<128, 128, 32, 4, 2>, 128, 128, 32, 4, 128, false, Element::tf32},
    {"wgmma_tma BM=128;BN=128;BK=128;STAGES=4;TYPE=int8",
     (const void*)wgmma_tma<128, 128, 128, 4, 3>, 128, 128, 128, 4, 128, false, Element::s8}};
// clang-format on

}  // namespace

int main() {
    cudaDeviceProp props;
    CHECK(cudaGetDeviceProperties(&props, 0));
    sms = props.multiProcessorCount;
    std::printf("# gpu: %s\n", props.name);
    std::printf("what,name,values,pause,M,N,K,us_median,mhz_middle,fill,mhz_0.3ms,mhz_1ms,mhz_2ms,mhz_4ms\n");
    loops<0>("f16");
    loops<1>("bf16");
    loops<2>("tf32");
    loops<3>("int8");
    for (const auto& tile : type_tiles) {
        for (const Values values : {random_values, zeros}) {
            series(tile, 2048, 2048, 2048, values);
            series(tile, 4096, 4096, 4096, values);
            series(tile, 4096, 1024, 8192, values);
        }
    }
}
