// Power and the SMs' clock under loads of one kind each (measure/power_meter.cuh): data/h100_sxm_power.csv;
// `more`: of further instructions, of L1 and of writes (data/h200_sxm_energy.csv); `double`: of FP64 products
// (data/h200_sxm_double_energy.csv).
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/power.cu \
//        validate/measure/{power_meter,tensor_map}.cu -o power && ./power [seconds [more|double]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "validate/measure/power_meter.cuh"
#include "validate/microbench/tensor/double_product_loads.cuh"
#include "validate/microbench/tensor/more_power_loads.cuh"
#include "validate/microbench/tensor/power_loads.cuh"

using namespace gpumodel;
using namespace gpumodel::microbench;

namespace {

cudaStream_t work;
std::unique_ptr<measure::PowerMeter> meter;

// `launch` puts one launch on `work`, of which each does `amount` units; `gap` is launched `gap_launches`
// times between two.
void load(const std::string& name, const std::string& values, double amount, const std::string& unit,
          const std::function<void()>& launch, int gap_launches = 0, const std::function<void()>& gap = {}) {
    const auto reading = meter->run(work, launch, [&] {
        for (int g = 0; g < gap_launches; ++g) {
            gap();
        }
    });
    std::printf("%s,%s,%.4g,%.4g,%s%s\n", name.c_str(), values.c_str(),
                amount * reading.launches_per_second_first, amount * reading.launches_per_second,
                unit.c_str(), measure::power_cells(reading).c_str());
    std::fflush(stdout);
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

template <int KIND>
void other_products(const char* name, float* out, double depth) {
    load(name, "random", 132.0 * 8 * 4000 * 16 * 2 * 16 * 8 * depth, "FLOP/s",
         [&] { other_mma_load<KIND><<<132, 256, 0, work>>>(out, 4000); });
}

template <int DEPTH>
void double_products(const char* name, float* out, int rows) {
    load(name, "random", 132.0 * 8 * 2000 * 16 * 2 * rows * 8 * DEPTH, "FLOP/s",
         [&] { double_product_load<DEPTH><<<132, 256, 0, work>>>((double*)out, 2000); });
}

void double_loads(float* out) {
    load("dfma", "random", 264.0 * 1024 * 1000 * 64 * 2, "FLOP/s",
         [&] { double_load<<<264, 1024, 0, work>>>((double*)out, 1000); });
    double_products<4>("mma.sync 8x8x4 f64", out, 8);
    double_products<16>("mma.sync 16x8x16 f64", out, 16);
}

void more_loads(float* out, float* big, size_t big_bytes) {
    constexpr double threads = 264.0 * 1024;
    load("sleeping warps", "", threads, "threads/s",
         [&] { sleep_load<<<264, 1024, 0, work>>>(out, 2000000); });
    load("spinning warps", "", threads, "threads/s",
         [&] { spin_load<<<264, 1024, 0, work>>>(out, 2000000); });
    load("steady ffma", "random", threads * 2000 * 64 * 2, "FLOP/s",
         [&] { steady_ffma_load<<<264, 1024, 0, work>>>(out, 2000); });
    load("add and xor", "random", threads * 2000 * 64 * 2, "op/s",
         [&] { add_xor_load<<<264, 1024, 0, work>>>((unsigned*)out, 2000); });
    load("index arithmetic", "", threads * 2000 * 64 * 2, "op/s",
         [&] { index_load<<<264, 1024, 0, work>>>((unsigned*)out, 2000); });
    load("outer products ffma", "random", 132.0 * 4 * 256 * 200 * 512 * 2, "FLOP/s",
         [&] { outer_load<<<132 * 4, 256, 0, work>>>(out, 200); });
    load("hfma2", "random", threads * 2000 * 64 * 4, "FLOP/s",
         [&] { half_load<<<264, 1024, 0, work>>>(out, 2000); });
    load("dfma", "random", threads * 1000 * 64 * 2, "FLOP/s",
         [&] { double_load<<<264, 1024, 0, work>>>((double*)out, 1000); });
    load("ex2", "random", threads * 500 * 64, "op/s", [&] { sine_load<<<264, 1024, 0, work>>>(out, 500); });
    other_products<0>("mma.sync 16x8x8 tf32", out, 8);
    other_products<1>("mma.sync 16x8x32 s8", out, 32);
    load("shared writes 16 B", "random", threads * 2000 * 8 * 16, "B/s",
         [&] { shared_write_load<<<264, 1024, 32768, work>>>(out, 2000); });
    fill<<<1024, 256>>>((unsigned short*)big, big_bytes / 2, 5, random_values, false);
    CHECK(cudaDeviceSynchronize());
    load("L1 reads 16 B", "random", threads * 2000 * 8 * 16, "B/s",
         [&] { l1_load<4><<<264, 1024, 0, work>>>((unsigned*)out, (unsigned*)big, 2000); });
    load("L1 reads 4 B", "random", threads * 2000 * 8 * 4, "B/s",
         [&] { l1_load<1><<<264, 1024, 0, work>>>((unsigned*)out, (unsigned*)big, 2000); });
    load("L1 reads 4 B broadcast", "random", threads * 2000 * 8 * 4, "B/s",
         [&] { l1_broadcast_load<<<264, 1024, 0, work>>>((unsigned*)out, (unsigned*)big, 2000); });
    const auto shared = [&](const char* name, auto* kernel, double bytes) {
        load(name, "random", threads * 2000 * 8 * bytes, "B/s",
             [=] { kernel<<<264, 1024, 32768, work>>>((unsigned*)out, 2000); });
    };
    shared("shared reads 16 B volatile", shared_pattern_load<4, 0>, 16);
    shared("shared reads 16 B broadcast", shared_pattern_load<4, 1>, 16);
    shared("shared reads 4 B", shared_pattern_load<1, 0>, 4);
    shared("shared reads 4 B broadcast", shared_pattern_load<1, 1>, 4);
    shared("shared reads 4 B eight to a bank", shared_pattern_load<1, 2>, 4);
    shared("ldmatrix x4", matrix_load, 16);
    load("L2 writes 16 MiB 16 B", "random", 40.0 * (16 << 20), "B/s",
         [&] { write_load<<<264, 1024, 0, work>>>((float4*)big, (16 << 20) / 16, 40); });
    load("DRAM writes 2 GiB 16 B", "random", double(big_bytes), "B/s",
         [&] { write_load<<<264, 1024, 0, work>>>((float4*)big, big_bytes / 16, 1); });
    load("DRAM copies 1 GiB 16 B", "random", double(big_bytes), "B/s (read + written)", [&] {
        copy_words_load<<<264, 1024, 0, work>>>((float4*)big, (float4*)big + big_bytes / 32, big_bytes / 32);
    });
}

}  // namespace

int main(int argc, char** argv) {
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    meter = std::make_unique<measure::PowerMeter>(argc > 1 ? std::atof(argv[1]) : 1.2);
    cudaDeviceProp props;
    CHECK(cudaGetDeviceProperties(&props, 0));
    std::printf("# gpu: %s\n# power limit: %.0f W\n", props.name, meter->limit_watts());
    std::printf("load,values,rate_first_80ms,rate_second_half,unit%s\n", measure::power_columns().c_str());
    float *out, *big;
    CHECK(cudaMalloc(&out, 1 << 24));
    const size_t big_bytes = size_t(2) << 30;
    CHECK(cudaMalloc(&big, big_bytes));
    load("idle", "", 1, "launches/s", [&] {
        copy_load<<<1, 32, 0, work>>>(kernels::TensorMap{}, 128, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    if (argc > 2 && std::string(argv[2]) == "more") {
        more_loads(out, big, big_bytes);
        return 0;
    }
    if (argc > 2 && std::string(argv[2]) == "double") {
        double_loads(out);
        return 0;
    }
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
