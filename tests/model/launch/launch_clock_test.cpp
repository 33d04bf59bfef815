// The SM clock of launches with matrix products.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "arch_specs/loader.h"
#include "model/launch/matrix_products.h"

using namespace gpumodel;

namespace {

KernelProgram executing(OpClass op) {
    Segment segment;
    segment.ops[static_cast<std::size_t>(op)] = 1;
    Interval interval;
    interval.segments.push_back(segment);
    Loop loop;
    loop.body.emplace_back(interval);
    KernelProgram program;
    program.body.emplace_back(loop);
    return program;
}

double clock_of(OpClass op, const ArchSpec& arch) {
    return launch_clock(arch, executing(op));
}

}  // namespace

TEST_CASE("matrix products take an H200 to the tensor clock, those in FP64 do not", "[unit][clock]") {
    // validate/data/h200_sxm_tensor_micro.csv, clock_under_load: FFMA 1980 MHz, mma.sync and wgmma 1800
    const auto h200 = load_arch("h200_sxm");
    CHECK(clock_of(OpClass::ffma, h200) == Approx(1.98e9));
    CHECK(clock_of(OpClass::hmma_16816_f32, h200) == Approx(1.8e9));
    CHECK(clock_of(OpClass::imma_16832, h200) == Approx(1.8e9));
    CHECK(clock_of(OpClass::group_mma, h200) == Approx(1.8e9));
    CHECK(clock_of(OpClass::dmma_16816, h200) == Approx(1.98e9));
}

TEST_CASE("the tensor clock is an upper limit, and none where the spec has none", "[unit][clock]") {
    auto slow = load_arch("h200_sxm", {{"clock.sm", "1.5 GHz"}});
    CHECK(clock_of(OpClass::hmma_16816_f32, slow) == 1.5e9);
    slow.clock.tensor_hz.reset();
    slow.clock.sm_hz = 1.98e9;
    CHECK(clock_of(OpClass::hmma_16816_f32, slow) == 1.98e9);
}

namespace {

struct PowerRow {
    double flops_per_second = 0, mhz = 0;  // in the first 80 ms; in the first millisecond
};

// validate/data/h100_sxm_power.csv by load and values.
std::map<std::pair<std::string, std::string>, PowerRow> power_rows() {
    std::map<std::pair<std::string, std::string>, PowerRow> rows;
    std::ifstream file(GPUMODEL_SOURCE_DIR "/validate/data/h100_sxm_power.csv");
    for (std::string line; std::getline(file, line);) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f.size() > 8 && f[4] == "FLOP/s") {
            rows[{f[0], f[1]}] = {std::stod(f[2]), std::stod(f[8])};
        }
    }
    return rows;
}

}  // namespace

// Of a product of 4096 cubed whose load names its tile, "ws 128x256x64 s4 ...": 16-bit operands.
ProductLoad load_of(const std::string& name, const PowerRow& row) {
    constexpr double side = 4096, flops_per_cycle = 132 * 4096, element_bytes = 2;
    const auto tile = name.substr(name.find(' ') + 1);
    const double rows = std::stod(tile), columns = std::stod(tile.substr(tile.find('x') + 1));
    const double bytes = side * side / (rows * columns) * (rows + columns) * side * element_bytes;
    const double seconds = 2 * side * side * side / row.flops_per_second;
    return {row.flops_per_second / (flops_per_cycle * 1e6 * row.mhz), bytes / 132, seconds * 1e6 * row.mhz};
}

// Whole products, with TMA copies beside them. Nothing was fitted to these.
TEST_CASE("the clock droops as an H100's does under warp groups' products", "[unit][clock]") {
    const auto h100 = load_arch("h100_sxm");
    const auto rows = power_rows();
    double sum = 0;
    int count = 0;
    for (const auto& [key, random] : rows) {
        const auto zeros = rows.find({key.first, "zeros"});
        const bool whole_product = key.first.find("4096x4096x4096") != std::string::npos;
        if (!whole_product || key.second != "random" || zeros == rows.end()) {
            continue;
        }
        auto program = executing(OpClass::group_mma);
        const bool bf16 = key.first.find("bf16") != std::string::npos;
        CHECK(program.mnemonics.intern(bf16 ? "HGMMA.64x256x16.F32.BF16" : "HGMMA.64x256x16.F32") == 0);
        const auto load = load_of(key.first, random);
        const double kept = drooping_clock(h100, program, load) / launch_clock(h100, program);
        INFO(key.first << ": fill " << load.fill << ", " << kept << ", measured "
                       << random.mhz / zeros->second.mhz);
        CHECK(kept == Approx(random.mhz / zeros->second.mhz).epsilon(0.05));
        sum += std::abs(kept * zeros->second.mhz / random.mhz - 1);
        ++count;
    }
    REQUIRE(count == 5);
    CHECK(sum / count < 0.03);
}

TEST_CASE("other launches keep their clock, and nothing droops where nobody has measured it",
          "[unit][clock]") {
    const auto h100 = load_arch("h100_sxm");
    const ProductLoad full{1, 0, 1e9};
    CHECK(drooping_clock(h100, executing(OpClass::hmma_16816_f32), full) == 1.8e9);
    CHECK(drooping_clock(h100, executing(OpClass::ffma), full) == 1.98e9);
    CHECK(drooping_clock(h100, executing(OpClass::group_mma), {0, 0, 1e9}) == 1.8e9);
    const auto multiplying = [](const char* mnemonic) {
        auto program = executing(OpClass::group_mma);
        CHECK(program.mnemonics.intern(mnemonic) == 0);
        return program;
    };
    const auto tf32 = multiplying("HGMMA.64x256x8.F32.TF32");
    CHECK(drooping_clock(h100, tf32, full) == Approx(1.8e9 * (1 - 0.181 + 0.125)).epsilon(0.001));
    CHECK(drooping_clock(h100, multiplying("IGMMA.64x256x32.S8.S8"), full) == 1.8e9);
    auto unknown = h100;
    unknown.sm.group_products.clock_droop.reset();
    unknown.sm.group_products.clock_droop_bf16.reset();
    CHECK(drooping_clock(unknown, tf32, full) == drooping_clock(h100, tf32, full));
    CHECK(drooping_clock(unknown, executing(OpClass::group_mma), full) == 1.8e9);
}

TEST_CASE("the clock droops further the more comes into SMs, and not within a launch's first 15 us",
          "[unit][clock]") {
    const auto h200 = load_arch("h200_sxm");
    const auto program = executing(OpClass::group_mma);
    const auto clock = [&](double fill, double bytes_per_cycle, double seconds) {
        return drooping_clock(
            h200, program, {fill, bytes_per_cycle * seconds * 1.98e9, seconds * launch_clock(h200, program)});
    };
    CHECK(clock(0.8, 40, 1e-2) < clock(0.8, 20, 1e-2));
    CHECK(clock(0.8, 40, 14e-6) == 1.8e9);
    CHECK(clock(0.8, 40, 30e-6) > clock(0.8, 40, 200e-6));
    auto zeros = h200;  // as --set sm.group_products.clock_droop=0
    zeros.sm.group_products.clock_droop = 0;
    CHECK(drooping_clock(zeros, program, {0.8, 1e7, 1e6}) == 1.8e9);
}
