// The peak that a launch is laid beside is that of the unit which does its work. Oracle: FLOP per cycle and
// SM of NVIDIA's white papers (V100: 64 FP32 and 32 FP64 FMA units, eight tensor cores of 64 FMA; A100:
// tensor cores of 4 x 256 FMA FP16, half in TF32, twice in INT8, 4 x 16 in FP64; H100: twice those; GA10x:
// 128 FP32, 4 x 128 FMA FP16), dense.
#include "model/launch/compute_peak.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arch_specs/loader.h"

using namespace gpumodel;

namespace {

// A warp runs them once in each of `trips` trips.
KernelProgram executing(const std::vector<std::pair<OpClass, double>>& ops, std::int64_t trips = 1) {
    Segment segment;
    segment.thread_end = 32;
    for (const auto& [op, count] : ops) {
        segment.ops[static_cast<std::size_t>(op)] = count;
    }
    Interval interval;
    interval.segments.push_back(segment);
    Loop loop;
    loop.trips = trips;
    loop.body.emplace_back(interval);
    KernelProgram program;
    program.body.emplace_back(loop);
    return program;
}

struct Published {
    std::string arch;
    OpClass op;
    std::string unit;
    double flops_per_cycle;  // of an SM
};

}  // namespace

TEST_CASE("peaks are those of the white papers", "[unit][peak]") {
    const std::vector<Published> rows{
        {"v100_sxm2", OpClass::ffma, "FP32", 128},
        {"v100_sxm2", OpClass::dfma, "FP64", 64},
        {"v100_sxm2", OpClass::hfma, "FP16", 256},
        {"v100_sxm2", OpClass::hmma_884_f32, "tensor FP16, FP32 sums", 1024},
        {"v100_sxm2", OpClass::hmma_884_f16, "tensor FP16, FP16 sums", 1024},
        {"a100_sxm4_40gb", OpClass::ffma, "FP32", 128},
        {"a100_sxm4_40gb", OpClass::hmma_16816_f32, "tensor FP16, FP32 sums", 2048},
        {"a100_sxm4_40gb", OpClass::hmma_1688_tf32, "tensor TF32", 1024},
        {"a100_sxm4_40gb", OpClass::dmma_884, "tensor FP64", 128},
        {"a100_sxm4_40gb", OpClass::imma_16832, "tensor INT8", 4096},
        {"rtx_a6000", OpClass::ffma, "FP32", 256},
        {"rtx_a6000", OpClass::hmma_16816_f32, "tensor FP16, FP32 sums", 1024},
        {"h200_sxm", OpClass::ffma, "FP32", 256},
        {"h200_sxm", OpClass::dfma, "FP64", 128},
    };
    for (const auto& row : rows) {
        const auto arch = load_arch(row.arch);
        const auto peak = busiest_peak(executing({{row.op, 1}}), arch);
        INFO(row.arch << ' ' << to_string(row.op));
        CHECK(peak.unit == row.unit);
        const bool slow = peak.formula.find("clock.tensor") != std::string::npos;
        const double hz = slow ? *arch.clock.tensor_hz : arch.clock.sm_hz;
        CHECK(peak.flops_per_second == Approx(row.flops_per_cycle * arch.sm_count * hz));
    }
    const auto v100 = load_arch("v100_sxm2");
    CHECK(busiest_peak(executing({{OpClass::ffma, 1}}), v100).flops_per_second == v100.peak_fp32_flops);
    CHECK(busiest_peak(executing({{OpClass::iadd, 9}}), v100).flops_per_second == v100.peak_fp32_flops);
}

TEST_CASE("the unit is the one with the most operations, loops and warps counted", "[unit][peak]") {
    const auto arch = load_arch("a100_sxm4_40gb");
    // a product of 16 x 8 x 16 is 4096 FLOP, an FFMA of a warp 64, an addition 32
    CHECK(busiest_peak(executing({{OpClass::hmma_16816_f32, 1}, {OpClass::ffma, 63}}), arch).unit ==
          "tensor FP16, FP32 sums");
    CHECK(busiest_peak(executing({{OpClass::hmma_16816_f32, 1}, {OpClass::ffma, 65}}), arch).unit == "FP32");
    CHECK(busiest_peak(executing({{OpClass::dfma, 10}, {OpClass::fadd, 19}}), arch).unit == "FP64");
    CHECK(
        busiest_peak(executing({{OpClass::dfma, 10}, {OpClass::fadd, 11}, {OpClass::fmul, 11}}), arch).unit ==
        "FP32");
    auto program = executing({{OpClass::dfma, 1}}, 100);
    program.body.push_back(executing({{OpClass::ffma, 99}}).body.front());
    CHECK(busiest_peak(program, arch).unit == "FP64");
    auto twice = executing({{OpClass::dfma, 1}});
    std::get<Interval>(std::get<Loop>(twice.body.front()).body.front()).segments.front().thread_end = 64;
    twice.body.push_back(executing({{OpClass::ffma, 1.5}}).body.front());
    CHECK(busiest_peak(twice, arch).unit == "FP64");
}

TEST_CASE("products of warp groups have the FLOP of their type", "[unit][peak]") {
    const auto arch = load_arch("h200_sxm");
    const auto with = [](int k) {
        auto program = executing({{OpClass::group_mma, 1}});
        Instruction in;
        in.op = OpClass::group_mma;
        in.group.columns = 128;
        in.flops = static_cast<std::uint16_t>(128 * k);  // 2 x 64 N K by 128 threads
        std::get<Interval>(std::get<Loop>(program.body.front()).body.front()).segments.front().code = {in};
        return program;
    };
    // H100's white paper: 4096 dense FP16 operations per cycle and SM, half in TF32, twice in FP8
    const double fp16 = 4096 * arch.sm_count * *arch.clock.tensor_hz;
    CHECK(busiest_peak(with(16), arch).unit == "tensor FP16, warp groups");
    CHECK(busiest_peak(with(16), arch).flops_per_second == Approx(fp16));
    CHECK(busiest_peak(with(8), arch).flops_per_second == Approx(fp16 / 2));
    CHECK(busiest_peak(with(32), arch).flops_per_second == Approx(fp16 * 2));
    CHECK(busiest_peak(with(32), arch).unit == "tensor, warp groups");
    // integers are no floating-point operations of the code; as many as in FP8
    CHECK(busiest_peak(with(0), arch).flops_per_second == Approx(fp16 * 2));
    CHECK(busiest_peak(with(0), arch).unit == "tensor, warp groups");
}

TEST_CASE("a unit that the spec has no rate for has no peak", "[unit][peak]") {
    const auto k40 = load_arch("k40");
    CHECK(busiest_peak(executing({{OpClass::hmma_16816_f32, 1}}), k40).flops_per_second == 0);
    CHECK(tensor_peaks(k40).empty());
    CHECK(tensor_peaks(load_arch("a100_sxm4_40gb")).size() == 5);
}
