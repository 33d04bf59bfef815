// The analytic model: published ladders' order, bounds that hold by arithmetic, monotonicity.
#include "model/analytic/predict.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "arch_specs/loader.h"
#include "traces/codegen/make_program.h"

using namespace gpumodel;

namespace {

Prediction predict(const ArchSpec& arch, const std::string& kernel, ProblemShape shape = {},
                   const ParamValues& params = {}, int registers = 0) {
    const auto* family = find_family(kernel);
    REQUIRE(family != nullptr);
    auto lowered = make_program(*family, resolve_params(*family, params), shape, target_of(arch));
    INFO(kernel << ": " << lowered.infeasible_reason);
    REQUIRE(lowered.program.has_value());
    if (registers > 0) {
        lowered.program->resources.registers_per_thread = registers;
    }
    return predict_analytic(*lowered.program, arch);
}

double seconds(const ArchSpec& arch, const std::string& kernel, ProblemShape shape = {}) {
    const auto p = predict(arch, kernel, shape);
    REQUIRE(p.status == Status::ok);
    return p.time_seconds;
}

}  // namespace

TEST_CASE("the published ladder of the A6000 comes out in order", "[published]") {
    const auto a6000 = load_arch("rtx_a6000");
    const std::vector<std::string> ladder{"naive",       "coalesced",  "smem",      "blocktile1d",
                                          "blocktile2d", "vectorized", "autotuned", "warptile"};
    std::vector<double> times;
    for (const auto& kernel : ladder) {
        times.push_back(seconds(a6000, kernel));
    }
    for (std::size_t i = 1; i < times.size(); ++i) {
        INFO(ladder[i - 1] << " " << times[i - 1] << " s, " << ladder[i] << " " << times[i] << " s");
        CHECK(times[i] < times[i - 1]);
    }
    CHECK(times[0] > 4 * times[1]);  // naive is far behind: 309 against 1987 GFLOP/s published
    CHECK(times[1] > 0);
}

TEST_CASE("the worklog's arithmetic: 137 GFLOP, 268 MB, 4.5 ms and 0.34 ms", "[published]") {
    const auto a6000 = load_arch("rtx_a6000");
    const auto p = predict(a6000, "naive", {4092, 4092, 4092});
    CHECK(p.flops / 1e9 == Approx(137).epsilon(0.005));
    // three matrices read and one written
    const double bytes = 4.0 * 4092 * 4092 * 4;
    CHECK(bytes / 1e6 == Approx(268).epsilon(0.005));
    CHECK(p.effective_bytes == Approx(bytes));
    CHECK(p.flops / 30e12 * 1e3 == Approx(4.5).epsilon(0.03));
    CHECK(bytes / a6000.dram.bandwidth_bytes_per_second * 1e3 == Approx(0.34).epsilon(0.03));
}

TEST_CASE("the worklog's shared-memory kernel reaches 66 % occupancy with its 37 registers", "[published]") {
    const auto p = predict(load_arch("rtx_a6000"), "smem", {4096, 4096, 4096}, {}, 37);
    CHECK(p.resources.static_shared_bytes == 8192);
    CHECK(p.occupancy.active_warps == 32);
    CHECK(p.occupancy.occupancy == Approx(32.0 / 48));
}

TEST_CASE("Kepler warp tiling stays below the published SGEMM bounds", "[published]") {
    // Zhang et al. 2017: 132 FFMA per clock and SMX is the highest rate quoted for compiler-style code
    // (Lai and Seznec), 88 % of the peak the best hand-scheduled kernel reached.
    const auto k40 = load_arch("k40");
    const auto p = predict(k40, "warptile");
    CHECK(p.flops_per_second() < 0.88 * k40.peak_fp32_flops);
    CHECK(p.flops_per_second() < 2 * 186.35 * k40.sm_count * k40.clock.sm_hz);
    CHECK(p.flops_per_second() > 0.2 * k40.peak_fp32_flops);
    const auto gtx680 = predict(load_arch("gtx_680"), "blocktile2d", {4096, 4096, 4096}, {}, 63);
    CHECK(gtx680.fraction_of_peak() < 0.576);  // Lai and Seznec, CGO 2013
}

TEST_CASE("no prediction is faster than any of its bounds", "[property]") {
    for (const auto* name : {"k40", "v100_sxm2", "rtx_a6000", "h200_sxm", "gtx_280", "gtx_480", "t4"}) {
        const auto arch = load_arch(name);
        for (const auto& family : generated_families()) {
            if (arch.cc.number() < family.min_compute_capability) {
                continue;
            }
            const auto params = resolve_params(family, {});
            auto lowered = make_program(family, params, family.default_shape, target_of(arch));
            if (!lowered.program) {
                continue;
            }
            const auto p = predict_analytic(*lowered.program, arch);
            if (p.status != Status::ok) {
                CHECK_FALSE(p.reason.empty());
                continue;
            }
            INFO(name << " " << family.name);
            CHECK(std::isfinite(p.time_seconds));
            CHECK(p.cycles > 0);
            for (const auto& bound : p.bounds) {
                if (bound.name != "launch") {
                    INFO(bound.name);
                    CHECK(p.cycles >= bound.cycles * (1 - 1e-9));
                }
            }
            if (p.flops > 0) {
                CHECK(p.fraction_of_peak() < 1);
            }
            CHECK(p.achieved_occupancy <= p.occupancy.occupancy + 1e-12);
            CHECK(p.achieved_occupancy > 0);
        }
    }
}

TEST_CASE("time grows with the problem and in steps of whole blocks", "[property]") {
    const auto arch = load_arch("k40");
    double last = 0;
    for (const std::int64_t size : {256, 512, 1024, 2048, 4096, 8192}) {
        const double now = seconds(arch, "warptile", {size, size, size});
        CHECK(now > last);
        last = now;
    }
    // one block more than the SMs hold at once costs a round of its own
    const int blocks = predict(arch, "warptile", {1024, 1024, 1024}).waves.blocks_per_sm;
    REQUIRE(blocks >= 2);
    const auto full = predict(arch, "warptile", {128 * 15 * blocks, 128, 1024});
    const auto more = predict(arch, "warptile", {128 * (15 * blocks + 1), 128, 1024});
    REQUIRE(full.waves.blocks_per_sm == blocks);
    CHECK(full.waves.tail_blocks == 0);
    CHECK(more.waves.tail_blocks == 1);
    CHECK(more.cycles > 1.3 * full.cycles);
}

TEST_CASE("a launch that does not fit is infeasible with the reason", "[unit]") {
    const auto* family = find_family("warptile");
    const auto arch = load_arch("sm_35");
    auto lowered = make_program(*family, resolve_params(*family, {}), {}, target_of(arch));
    REQUIRE(lowered.program);
    lowered.program->resources.registers_per_thread = 300;
    const auto p = predict_analytic(*lowered.program, arch);
    CHECK(p.status == Status::infeasible);
    CHECK(p.reason.find("300") != std::string::npos);
    CHECK(p.reason.find("255") != std::string::npos);
}

TEST_CASE("overlap interpolates between one customer and saturation", "[unit]") {
    CHECK(overlap(1, 10, 100) == Approx(100));
    CHECK(overlap(100, 10, 100) == Approx(1000).epsilon(0.03));
    for (int n = 1; n < 50; ++n) {
        CHECK(overlap(n + 1, 10, 100) > overlap(n, 10, 100));
        CHECK(overlap(n, 10, 100) >= std::max(100.0, 10.0 * n) * (1 - 1e-12));
    }
}

TEST_CASE("the model never asks what a kernel is called", "[unit]") {
    for (const auto* folder : {"launch", "memory", "analytic", "report"}) {
        const std::string base = std::string(GPUMODEL_SOURCE_DIR) + "/model/" + folder;
        std::istringstream files(MODEL_SOURCES);
        for (std::string path; std::getline(files, path, '|');) {
            if (path.rfind(base, 0) != 0) {
                continue;
            }
            std::ifstream in(path);
            REQUIRE(in);
            const std::string text((std::istreambuf_iterator<char>(in)), {});
            for (const auto& family : families()) {
                INFO(path << " names " << family.name);
                CHECK(text.find('"' + family.name + '"') == std::string::npos);
            }
        }
    }
}
