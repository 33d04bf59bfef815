// Times the launches of kernels.cuh: a csv of what `gpumodel validate --measurements` reads.
//   nvcc -std=c++17 -O3 -arch=sm_90 run.cu -o atomics && ./atomics > ../../data/h200_sxm_atomics.csv
// time_us: the median of back-to-back launches, an event between every two, after one to warm up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels.cuh"

namespace gpumodel::atomics {
namespace {

constexpr std::size_t array_bytes = std::size_t{64} << 20;
void* arrays[2];

void require(cudaError_t status, const std::string& what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what.c_str(), cudaGetErrorString(status));
        std::exit(2);
    }
}

// `values` go before `numbers` among the arguments.
void time(const char* name, const void* kernel, int grid, int block, int pointers, std::vector<int> numbers) {
    std::vector<void*> values;
    std::string text;
    for (int i = 0; i < pointers; ++i) {
        values.push_back(&arrays[i]);
        text += text.empty() ? "ptr:64MiB" : ",ptr:64MiB";
    }
    for (auto& number : numbers) {
        values.push_back(&number);
        text += "," + std::to_string(number);
    }
    for (void* array : arrays) {
        require(cudaMemset(array, 0, array_bytes), "clear");
    }
    static std::vector<cudaEvent_t> events(16);
    if (events[0] == nullptr) {
        for (auto& event : events) {
            require(cudaEventCreate(&event), "event");
        }
    }
    std::vector<float> times;
    const auto run = [&](std::size_t launches) {
        cudaEventRecord(events[0]);
        for (std::size_t i = 1; i <= launches; ++i) {
            require(cudaLaunchKernel(kernel, dim3(grid), dim3(block), values.data(), 0, nullptr), name);
            cudaEventRecord(events[i]);
        }
        require(cudaDeviceSynchronize(), name);
        times.clear();
        for (std::size_t i = 0; i < launches; ++i) {
            float ms = 0;
            cudaEventElapsedTime(&ms, events[i], events[i + 1]);
            times.push_back(1000 * ms);
        }
    };
    run(2);
    run(times.back() > 5e3F ? 3 : 15);
    std::sort(times.begin(), times.end());
    std::printf("%s,\"%d,1,1\",\"%d,1,1\",0,\"%s\",%.3f,%.3f,%.3f\n", name, grid, block, text.c_str(),
                times[times.size() / 2], times.front(), times.back());
}

struct Words {
    int shift, mask, stride;
};
constexpr int every_thread = (1 << 18) - 1;
constexpr Words all_places[] = {{0, 0, 1},  {0, 1, 1},   {0, 3, 1},           {0, 7, 1},
                                {0, 31, 1}, {0, 63, 1},  {0, 3, 32},          {0, 63, 32},
                                {5, 31, 1}, {5, 63, 32}, {0, every_thread, 1}};
constexpr Words some_places[] = {{0, 0, 1},   {0, 3, 1},  {0, 31, 1},
                                 {0, 63, 32}, {5, 31, 1}, {0, every_thread, 1}};
constexpr Words shared_places[] = {{0, 0, 1},  {0, 1, 1},  {0, 3, 1},   {0, 15, 1},
                                   {0, 31, 1}, {0, 15, 2}, {0, 31, 32}, {5, 31, 1}};

int rounds_of(int lanes) {
    return lanes <= 2048 ? 128 : lanes <= 1 << 14 ? 32 : 4;
}

template <class Places>
void contention(const char* name, const void* kernel, const Places& places, const std::vector<int>& lanes,
                int fewer = 1, int bytes = 4) {
    for (const int count : lanes) {
        const int block = std::min(count, 256);
        for (const Words w : places) {
            const int stride = std::min(w.stride, 128 / bytes);  // another line
            time(name, kernel, count / block, block, 1,
                 {w.shift, w.mask, stride, std::max(1, rounds_of(count) / fewer)});
        }
    }
}

void shared(const char* name, const void* kernel) {
    for (const int block : {32, 256, 1024}) {
        for (const Words w : shared_places) {
            time(name, kernel, 132, block, 1, {w.shift, w.mask, w.stride, 64});
        }
    }
}

#define ATOMICS_OF(KERNEL) #KERNEL, reinterpret_cast < const void*>(&KERNEL)

void uses() {
    for (const int n : {1 << 14, 1 << 20, 1 << 22}) {
        const int grid = std::min(n / 256, 1056);
        for (const int mask : {7, 255, 1023}) {
            time(ATOMICS_OF(use_histogram), grid, 256, 1, {mask, n});
            time(ATOMICS_OF(use_histogram_shared), grid, 256, 1, {mask, n});
        }
        for (const int mask : {255, 65535, (1 << 22) - 1}) {
            time(ATOMICS_OF(use_scatter_f32), grid, 256, 1, {mask, n});
        }
        time(ATOMICS_OF(use_warp_sums), n / 256, 256, 2, {n});
        time(ATOMICS_OF(use_maximum), grid, 256, 2, {n});
        time(ATOMICS_OF(use_queue), n / 256, 256, 1, {n});
    }
}

void all() {
    const std::vector<int> every{1, 32, 256, 2048, 1 << 14, 1 << 18}, some{1, 32, 2048, 1 << 18};
    contention(ATOMICS_OF(red_add_i32), all_places, every);
    contention(ATOMICS_OF(atom_add_i32), all_places, every);
    contention(ATOMICS_OF(red_add_f32), all_places, every);
    contention(ATOMICS_OF(red_max_i32), some_places, some);
    contention(ATOMICS_OF(red_add_u64), some_places, some, 1, 8);
    contention(ATOMICS_OF(red_add_f64), some_places, some, 1, 8);
    contention(ATOMICS_OF(red_add_f16x2), some_places, some);
    contention(ATOMICS_OF(red_add_f32x4), some_places, some, 1, 16);
    contention(ATOMICS_OF(atom_exch_i32), some_places, some);
    contention(ATOMICS_OF(atom_cas_i32), some_places, some);
    contention(ATOMICS_OF(atom_add_u64), some_places, some, 1, 8);
    contention(ATOMICS_OF(atom_cas_u64), some_places, some, 1, 8);
    contention(ATOMICS_OF(atom_add_f32), some_places, some);
    contention(ATOMICS_OF(atom_add_f64), some_places, some, 1, 8);
    contention(ATOMICS_OF(atom_chain_i32), some_places, {1, 32, 2048});
    contention(ATOMICS_OF(cas_loop_f32), some_places, {1, 32, 256, 2048, 1 << 14}, 8);
    contention(ATOMICS_OF(generic_add_i32), some_places, some);
    contention(ATOMICS_OF(generic_add_u64), some_places, some, 1, 8);
    contention(ATOMICS_OF(generic_add_f32), some_places, some);
    contention(ATOMICS_OF(generic_add_f64), some_places, some, 1, 8);
    contention(ATOMICS_OF(generic_add_f16x2), some_places, some);
    contention(ATOMICS_OF(generic_add_bf16x2), some_places, some);
    shared(ATOMICS_OF(shared_inc_i32));
    shared(ATOMICS_OF(shared_add_i32));
    shared(ATOMICS_OF(shared_max_i32));
    shared(ATOMICS_OF(shared_atom_i32));
    shared(ATOMICS_OF(shared_exch_i32));
    shared(ATOMICS_OF(shared_cas_i32));
    shared(ATOMICS_OF(shared_add_u64));
    shared(ATOMICS_OF(shared_add_f32));
    shared(ATOMICS_OF(shared_sum_f32));
    shared(ATOMICS_OF(shared_add_f64));
    uses();
}

}  // namespace
}  // namespace gpumodel::atomics

int main() {
    for (void*& array : gpumodel::atomics::arrays) {
        gpumodel::atomics::require(cudaMalloc(&array, gpumodel::atomics::array_bytes), "allocate");
    }
    std::printf("kernel,grid,block,shared_bytes,args,time_us,min_us,max_us\n");
    gpumodel::atomics::all();
    return 0;
}
