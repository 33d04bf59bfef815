#include "validate/calibrate/pipe_lanes.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "synthetic.h"

namespace pipe_lanes_test {

using namespace gpumodel;
using synthetic::key_named;
using synthetic::measured_on;
using synthetic::row;

namespace {

ArchSpec h200(const std::vector<Override>& overrides = {}) {
    return load_arch("h200_sxm", overrides, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
}

// What the generation before has: half the FP32 lanes.
const std::vector<Override> half_of_fp32{{"sm.pipes.fma.lanes", "64"},
                                         {"sm.ops.ffma.throughput", "64 lanes/clk"},
                                         {"sm.ops.fadd.throughput", "64 lanes/clk"},
                                         {"sm.ops.fmul.throughput", "64 lanes/clk"},
                                         {"sm.ops.hfma.throughput", "64 lanes/clk"}};

MicrobenchmarkRow throughput(const char* op, double lanes) {
    return row("pipe_throughput", {{"OP", op}, {"WARPS", "32"}}, lanes);
}

double lanes_of(const ArchSpec& arch, Pipe pipe) {
    return *arch.sm.pipe_lanes[static_cast<std::size_t>(pipe)];
}

}  // namespace

TEST_CASE("a pipe twice as wide as in the base is found, and its classes' throughputs with it",
          "[calibrate]") {
    const auto truth = h200();
    const auto base = h200(half_of_fp32);
    const auto result = calibrate(measured_on(truth, base, 0.003, 1), base);
    const auto& lanes = key_named(result, "sm.pipes.fma.lanes");
    CHECK(lanes.status == KeyStatus::changed);
    CHECK(lanes.base == 64);
    CHECK(lanes.value == 128);
    CHECK(lanes.benchmarks == std::vector<std::string>{"pipe_throughput"});
    for (const auto* op : {"ffma", "fadd", "fmul"}) {
        INFO(op);
        CHECK(key_named(result, fmt::format("sm.ops.{}.throughput", op)).value == Approx(128).epsilon(0.02));
    }
    CHECK(lanes_of(result.arch, Pipe::fma) == 128);
    // asked for by its throughput alone, the class needs its pipe all the same
    const auto one = calibrate(measured_on(truth, base, 0.003, 1), base, {"sm.ops.ffma.throughput"});
    CHECK(one.keys.size() == 2);
    CHECK(lanes_of(one.arch, Pipe::fma) == 128);
}

TEST_CASE("a pipe is widened to whole lanes per scheduler, and only by a row clearly above it",
          "[calibrate]") {
    const auto widened = [](std::vector<MicrobenchmarkRow> rows) {
        auto arch = h200(half_of_fp32);
        MicrobenchmarkFile file;
        file.rows = std::move(rows);
        const auto keys = widen_pipes(file, arch);
        CHECK(keys.size() == (lanes_of(arch, Pipe::fma) > 64 ? 1U : 0U));
        return lanes_of(arch, Pipe::fma);
    };
    CHECK(widened({throughput("ffma", 127.2)}) == 128);
    CHECK(widened({throughput("ffma", 63.9), throughput("fadd", 95.5)}) == 96);  // the fastest class says it
    CHECK(widened({throughput("ffma", 66.5)}) == 64);                            // noise
    CHECK(widened({throughput("ffma", 31)}) == 64);  // a slower class says nothing of its pipe
    CHECK(widened({}) == 64);
    // rows of other benchmarks and of classes that the base lacks
    CHECK(widened({row("pipe_latency", {{"OP", "ffma"}}, 500), throughput("no_such_class", 500)}) == 64);
}

}  // namespace pipe_lanes_test
