// Power and the SMs' clock under loads of one kind each: rates, the board's power (NVML, every 5 ms) and the
// clock (a thread on a stream of its own notes %clock64 and %globaltimer every 50 us; the driver's reading
// does not show it), from 0.5 s of rest on. data/h100_sxm_power.csv.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/power.cu \
//        validate/measure/tensor_map.cu -o power -lnvidia-ml && ./power
#include <nvml.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "validate/microbench/tensor/power_loads.cuh"

using namespace gpumodel;
using namespace gpumodel::microbench;

namespace {

__global__ void watch(unsigned long long* out, int samples, volatile int* started) {
    for (int i = 0; i < samples; ++i) {
        unsigned long long t, c, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(c)::"memory");
        out[2 * i] = t;
        out[2 * i + 1] = c;
        if (i == 0) {
            *started = 1;
        }
        do {
            __nanosleep(2000);
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 50000);
    }
}

#if !defined(NVML_FI_DEV_POWER_INSTANT)
#define NVML_FI_DEV_POWER_INSTANT 186
#endif
nvmlDevice_t board;
double watts() {
    nvmlFieldValue_t field{};
    field.fieldId = NVML_FI_DEV_POWER_INSTANT;
    if (nvmlDeviceGetFieldValues(board, 1, &field) == NVML_SUCCESS && field.nvmlReturn == NVML_SUCCESS) {
        return field.value.uiVal / 1e3;
    }
    unsigned mw = 0;
    nvmlDeviceGetPowerUsage(board, &mw);
    return mw / 1e3;
}

cudaStream_t work, beside;
unsigned long long* samples;
volatile int* started;
constexpr int most = 40000;
double seconds_each = 1.2;

double mhz_between(const std::vector<unsigned long long>& s, double from_ms, double to_ms) {
    const int from = std::min<int>(int(s.size()) / 2 - 2, int(from_ms * 20)),
              to = std::min<int>(int(s.size()) / 2 - 1, int(to_ms * 20));
    return 1e3 * double(s[2 * to + 1] - s[2 * from + 1]) / double(s[2 * to] - s[2 * from]);
}

// `launch` puts one launch on `work`, of which each does `amount` units; `gap` is launched `gap_launches`
// times between two.
void load(const std::string& name, const std::string& values, double amount, const std::string& unit,
          const std::function<void()>& launch, int gap_launches = 0, const std::function<void()>& gap = {}) {
    cudaEvent_t e0, e1;
    CHECK(cudaEventCreate(&e0));
    CHECK(cudaEventCreate(&e1));
    launch();
    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaEventRecord(e0, work));
    launch();
    CHECK(cudaEventRecord(e1, work));
    CHECK(cudaStreamSynchronize(work));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, e0, e1));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    *started = 0;
    const int count = std::min(most, int(seconds_each * 20000));
    watch<<<1, 1, 0, beside>>>(samples, count, started);
    while (*started == 0) {
    }
    std::atomic<bool> over{false};
    std::vector<std::pair<double, double>> power;
    const auto begin = std::chrono::steady_clock::now();
    const auto since = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::thread meter([&] {
        while (!over) {
            const double w = watts();
            power.emplace_back(since(), w);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    // batches of about 20 ms, two of them in the queue
    const int batch = std::max(1, int(20 / ms));
    std::vector<cudaEvent_t> marks;
    double launches = 0;
    std::vector<double> at;
    while (since() < seconds_each) {
        for (int i = 0; i < batch; ++i) {
            launch();
            for (int g = 0; g < gap_launches; ++g) {
                gap();
            }
        }
        launches += batch;
        cudaEvent_t mark;
        CHECK(cudaEventCreate(&mark));
        CHECK(cudaEventRecord(mark, work));
        marks.push_back(mark);
        if (marks.size() > 2) {
            CHECK(cudaEventSynchronize(marks[marks.size() - 3]));
        }
    }
    CHECK(cudaStreamSynchronize(work));
    over = true;
    meter.join();
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned long long> s(2 * count);
    CHECK(cudaMemcpy(s.data(), samples, 16 * count, cudaMemcpyDeviceToHost));
    // the rate of the first tenth of a second and of the second half
    const auto rate = [&](size_t from, size_t to) {
        float t = 0;
        CHECK(cudaEventElapsedTime(&t, marks[from], marks[to]));
        return amount * batch * double(to - from) / (t / 1e3);
    };
    const size_t n = marks.size();
    double mean = 0, highest = 0, first = 0;
    int readings = 0;
    for (const auto& [t, w] : power) {
        if (t > seconds_each / 2) {
            mean += w;
            ++readings;
        }
        if (t < 0.1) {
            first = std::max(first, w);
        }
        highest = std::max(highest, w);
    }
    std::printf("%s,%s,%.4g,%.4g,%s,%.1f,%.1f,%.1f", name.c_str(), values.c_str(),
                rate(0, std::min<size_t>(n - 1, 4)), rate(n / 2, n - 1), unit.c_str(),
                mean / std::max(1, readings), first, highest);
    const double edges[] = {0.3, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000};
    for (int i = 0; i + 1 < 12; ++i) {
        std::printf(",%.0f", mhz_between(s, edges[i], edges[i + 1]));
    }
    std::printf("\n");
    std::fflush(stdout);
    for (auto& mark : marks) {
        cudaEventDestroy(mark);
    }
}

const char* words_of(Values values) {
    return values == zeros ? "zeros" : "random";
}

// `gaps`: empty launches between two of the product, each some 2.3 us.
void time_product(const Tile& tile, int m, int n, int depth, Values values, int gaps = 0) {
    Product product(tile, m, n, depth, values);
    load(
        std::string(tile.label) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
            std::to_string(depth) + (gaps ? " " + std::to_string(gaps) + " empty launches between" : ""),
        words_of(values), 2.0 * m * n * depth, "FLOP/s", [&] { product.launch(work); }, gaps,
        [] { copy_load<<<1, 32, 0, work>>>(kernels::TensorMap{}, 128, 0); });
}

template <int N, int TYPE, bool PAUSES = false>
void groups(const char* name, float* out, Values values, int pause) {
    const int shared = 16384 + 128 * N + 1024, rounds = 2000;
    CHECK(cudaFuncSetAttribute(group_load<N, TYPE, PAUSES>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared));
    load(std::string(name) + (pause ? " pause " + std::to_string(pause) : ""), words_of(values),
         132.0 * 2 * rounds * 16 * 2 * 64 * N * 16, "FLOP/s",
         [&] { group_load<N, TYPE, PAUSES><<<132, 256, shared, work>>>(out, rounds, values, pause); });
}

}  // namespace

int main(int argc, char** argv) {
    nvmlInit();
    nvmlDeviceGetHandleByIndex(0, &board);
    if (argc > 1) {
        seconds_each = std::atof(argv[1]);
    }
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&samples, 16 * most));
    CHECK(cudaMallocHost((void**)&started, 4));
    cudaDeviceProp props;
    CHECK(cudaGetDeviceProperties(&props, 0));
    unsigned limit = 0;
    nvmlDeviceGetEnforcedPowerLimit(board, &limit);
    std::printf("# gpu: %s\n# power limit: %.0f W\n", props.name, limit / 1e3);
    std::printf(
        "load,values,rate_first_80ms,rate_second_half,unit,watts_second_half,watts_highest_first_100ms,watts_"
        "highest,"
        "mhz_1ms,mhz_2ms,mhz_4ms,mhz_8ms,mhz_16ms,mhz_32ms,mhz_64ms,mhz_128ms,mhz_256ms,mhz_512ms,mhz_"
        "1000ms\n");
    float *out, *big;
    CHECK(cudaMalloc(&out, 1 << 24));
    const size_t big_bytes = size_t(2) << 30;
    CHECK(cudaMalloc(&big, big_bytes));
    load("idle", "", 1, "launches/s", [&] {
        copy_load<<<1, 32, 0, work>>>(kernels::TensorMap{}, 128, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    for (const Values values : {random_values, zeros}) {
        const std::string v = words_of(values);
        load("ffma", v, 264.0 * 1024 * 2000 * 64 * 2, "FLOP/s",
             [&] { ffma_load<<<264, 1024, 0, work>>>(out, 2000, values); });
        if (values == random_values) {
            load("imad", v, 264.0 * 1024 * 2000 * 64, "op/s",
                 [&] { imad_load<<<264, 1024, 0, work>>>((int*)out, 2000); });
        }
        load("shared reads 16 B", v, 264.0 * 1024 * 2000 * 8 * 16, "B/s",
             [&] { shared_load<<<264, 1024, 32768, work>>>(out, 2000, values); });
        fill<<<1024, 256>>>((unsigned short*)big, big_bytes / 2, 5, values, false);
        CHECK(cudaDeviceSynchronize());
        load("L2 reads 24 MiB 16 B", v, 40.0 * (24 << 20), "B/s",
             [&] { read_load<<<264, 1024, 0, work>>>(out, (float4*)big, (24 << 20) / 16, 40); });
        load("DRAM reads 2 GiB 16 B", v, double(big_bytes), "B/s",
             [&] { read_load<<<264, 1024, 0, work>>>(out, (float4*)big, big_bytes / 16, 1); });
        for (const int mib : {24, 4}) {
            const int rows = (mib << 20) / 128;
            const auto& encoded = measure::tensor_map(big, measure::Element::f16, rows, 64, 128);
            kernels::TensorMap map;
            static_assert(sizeof(encoded) == sizeof(map));
            std::memcpy(&map, &encoded, sizeof(map));
            CHECK(cudaFuncSetAttribute(copy_load, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       8 * 16384 + 1024));
            load("tensor copies " + std::to_string(mib) + " MiB", v, 132.0 * 4000 * 16384, "B/s",
                 [&] { copy_load<<<132, 32, 8 * 16384 + 1024, work>>>(map, rows, 4000); });
        }
        load("mma.sync 16x8x16 f16", v, 132.0 * 8 * 4000 * 16 * 4096, "FLOP/s",
             [&] { mma_load<0><<<132, 256, 0, work>>>(out, 4000, values); });
        load("mma.sync 16x8x16 bf16", v, 132.0 * 8 * 4000 * 16 * 4096, "FLOP/s",
             [&] { mma_load<1><<<132, 256, 0, work>>>(out, 4000, values); });
        groups<256, 0>("wgmma 64x256x16 f16", out, values, 0);
        groups<256, 1>("wgmma 64x256x16 bf16", out, values, 0);
        groups<128, 0>("wgmma 64x128x16 f16", out, values, 0);
        groups<64, 0>("wgmma 64x64x16 f16", out, values, 0);
        for (const int pause : {1000, 2000, 4000, 8000}) {
            groups<256, 0, true>("wgmma 64x256x16 f16", out, values, pause);
        }
    }
    for (const auto& tile : tiles) {
        for (const Values values : {random_values, zeros}) {
            time_product(tile, 4096, 4096, 4096, values);
        }
    }
    for (const int size : {8192, 2048, 1024}) {
        time_product(tiles[0], size, size, size, random_values);
    }
    for (const int gaps : {40, 100}) {
        time_product(tiles[0], 4096, 4096, 4096, random_values, gaps);
    }
}
