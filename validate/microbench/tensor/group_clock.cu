// What a warp group's products take from the clock: series of launches as the measured times are taken (an
// event behind each), with random, small and zero operands, and the SMs' clock meanwhile: a thread on a
// stream of its own notes %clock64 and %globaltimer every 3 us. data/h100_sxm_group_clock.csv.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/group_clock.cu \
//        validate/measure/tensor_map.cu -o group_clock && ./group_clock
// ./group_clock counting: two launches of each and nothing else, for a profiler
// (data/h100_sxm_group_counters.csv)
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "validate/microbench/tensor/group_products.cuh"

using namespace gpumodel::microbench;

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
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 3000);
    }
}

double mhz(const std::vector<unsigned long long>& s, size_t from, size_t to) {
    return from < to ? 1e3 * double(s[2 * to + 1] - s[2 * from + 1]) / double(s[2 * to] - s[2 * from]) : 0;
}

bool counting = false;

void series(const Tile& tile, int m, int n, int depth, Values values, int launches) {
    static cudaStream_t work = nullptr, beside = nullptr;
    static unsigned long long* samples = nullptr;
    static volatile int* started = nullptr;
    constexpr int most = 20000;
    if (work == nullptr) {
        CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&samples, 16 * most));
        CHECK(cudaMallocHost((void**)&started, 4));
    }
    Product product(tile, m, n, depth, values);
    std::vector<cudaEvent_t> events(launches + 1);
    for (auto& event : events) {
        CHECK(cudaEventCreate(&event));
    }
    const auto go = [&](int count) {
        CHECK(cudaEventRecord(events[0], work));
        for (int i = 1; i <= count; ++i) {
            product.launch(work);
            CHECK(cudaEventRecord(events[i], work));
        }
    };
    go(2);
    CHECK(cudaDeviceSynchronize());
    if (counting) {
        return;
    }
    float us = 0;
    CHECK(cudaEventElapsedTime(&us, events[1], events[2]));
    const int count = std::min(most, int((1e3 * us * launches + 200) / 3));
    const timespec rest = {0, 20000000}, moment = {0, 30000};
    nanosleep(&rest, nullptr);
    *started = 0;
    watch<<<1, 1, 0, beside>>>(samples, count, started);
    while (*started == 0) {
    }
    nanosleep(&moment, nullptr);
    go(launches);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned long long> s(2 * count);
    CHECK(cudaMemcpy(s.data(), samples, 16 * count, cudaMemcpyDeviceToHost));
    std::vector<float> times;
    for (int i = 0; i < launches; ++i) {
        CHECK(cudaEventElapsedTime(&us, events[i], events[i + 1]));
        times.push_back(1e3f * us);
    }
    const float last = times.back();
    std::nth_element(times.begin(), times.begin() + launches / 2, times.end());
    const char* named[] = {"zeros", "nine values", "random"};
    std::printf("%s,%d,%d,%d,%s,%d,%.3f,%.3f,%.0f,%.0f,%.0f\n", tile.name, m, n, depth, named[values],
                launches, times[launches / 2], last, mhz(s, 0, 8), mhz(s, count / 3, 2 * count / 3),
                mhz(s, 2 * count / 3, count - 40 > 2 * count / 3 ? count - 40 : count - 1));
    std::fflush(stdout);
    for (auto& event : events) {
        cudaEventDestroy(event);
    }
}

int main(int argc, char**) {
    counting = argc > 1;
    std::printf("kernel,M,N,K,data,launches,us_median,us_last,idle_mhz,middle_mhz,last_mhz\n");
    for (const auto& tile : tiles) {
        for (const Values values : {random_values, nine_values, zeros}) {
            if (counting && values != random_values) {
                continue;
            }
            for (const int launches : {41, 400}) {
                if (counting && launches != 41) {
                    continue;
                }
                series(tile, 1024, 1024, 1024, values, launches);
                series(tile, 2048, 2048, 2048, values, launches);
                series(tile, 4096, 4096, 4096, values, launches);
                series(tile, 4096, 1024, 8192, values, launches);
            }
        }
    }
}
