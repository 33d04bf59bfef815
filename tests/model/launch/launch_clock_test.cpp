// The SM clock of launches with matrix products.
#include <catch2/catch.hpp>

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
