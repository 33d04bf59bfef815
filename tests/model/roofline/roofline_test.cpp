// Ceilings against what makers and papers print; points against intensities worked out by hand.
#include "model/roofline/roofline.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "traces/codegen/make_program.h"

using namespace gpumodel;

namespace {

Prediction predicted(const ArchSpec& arch, const char* family_name, std::int64_t size,
                     const ParamValues& params = {}) {
    const auto& family = *find_family(family_name);
    auto made = make_program(family, resolve_params(family, params), {size, size, size}, target_of(arch));
    REQUIRE(made.program);
    return predict_analytic(*made.program, arch);
}

Roofline roofline_of(const char* arch_name, const char* family, std::int64_t size,
                     const ParamValues& params = {}) {
    const auto arch = load_arch(arch_name);
    return make_roofline(arch, {predicted(arch, family, size, params)});
}

const RooflinePoint* point(const RooflineKernel& kernel, RoofLevel level) {
    for (const auto& p : kernel.points) {
        if (p.level == level) {
            return &p;
        }
    }
    return nullptr;
}

double ceiling(const Roofline& r, RoofLevel level) {
    for (const auto& b : r.bandwidths) {
        if (b.level == level) {
            return b.roof.rate;
        }
    }
    return 0;
}

// A launch of which nothing but the counters is known.
Prediction counted(double seconds, double flops, std::vector<Counter> counters) {
    Prediction p;
    p.kernel = "counted";
    p.time_seconds = seconds;
    p.flops = flops;
    p.counters = std::move(counters);
    return p;
}

}  // namespace

TEST_CASE("ceilings are the makers' peaks", "[roofline]") {
    struct Published {
        const char* arch;
        double fp32, dram;
    };
    // product specifications and datasheets
    const auto peak = GENERATE(Published{"v100_sxm2", 15.7e12, 900e9}, Published{"h200_sxm", 67e12, 4.8e12},
                               Published{"k40", 4.29e12, 288e9}, Published{"a100_sxm4_40gb", 19.5e12, 1555e9},
                               Published{"rtx_3090", 35.6e12, 936e9});
    const auto r = make_roofline(load_arch(peak.arch), {});
    INFO(peak.arch);
    CHECK(r.fp32.rate == Approx(peak.fp32).epsilon(0.005));
    CHECK(ceiling(r, RoofLevel::dram) == Approx(peak.dram).epsilon(0.005));
}

TEST_CASE("a V100 at its boost clock has the published ceilings to rounding", "[roofline]") {
    const auto r = make_roofline(load_arch("v100_sxm2"), {});
    CHECK(r.fp32.rate == Approx(15.7e12).epsilon(0.003));
    CHECK(r.fp32_without_fma.value().rate == Approx(r.fp32.rate / 2));
    // 80 SMs * 4 schedulers * 1.53 GHz, Ding and Williams 2019
    CHECK(r.issue.rate == Approx(489.6e9));
    // 128 B/clk * 80 * 1.53 GHz
    CHECK(ceiling(r, RoofLevel::shared) == Approx(15.667e12).epsilon(1e-3));
    CHECK(r.bandwidths.back().ridge == Approx(15.667e12 / 898e9).epsilon(1e-3));
    CHECK(r.bandwidths.back().ridge_without_fma == Approx(r.bandwidths.back().ridge / 2));
}

TEST_CASE("Kepler's schedulers have two dispatch units", "[roofline]") {
    const auto r = make_roofline(load_arch("k40"), {});
    CHECK(r.issue.rate == Approx(15 * 4 * 2 * 745e6));
}

TEST_CASE("levels that the GPU does not have are named, not drawn", "[roofline]") {
    const auto kepler = make_roofline(load_arch("k40"), {});
    CHECK(ceiling(kepler, RoofLevel::l1) == 0);
    REQUIRE(kepler.missing.size() == 1);
    CHECK(kepler.missing[0].name == "L1");
    const auto tesla = make_roofline(load_arch("gtx_280"), {});
    CHECK(tesla.bandwidths.size() == 2);
    CHECK(tesla.missing.size() == 2);
}

TEST_CASE("a coalesced copy moves every byte once at each level", "[roofline]") {
    const auto r = roofline_of("v100_sxm2", "offset_copy", 4096, {{"OFFSET", 0}});
    REQUIRE(r.kernels.size() == 1);
    const auto& k = r.kernels[0];
    const double bytes = 2.0 * 4 * 4096 * 4096;  // 4 B read, 4 B written
    for (const auto level : {RoofLevel::l1, RoofLevel::l2, RoofLevel::dram}) {
        REQUIRE(point(k, level) != nullptr);
        CHECK(point(k, level)->bytes == Approx(bytes).epsilon(0.001));
        CHECK(point(k, level)->intensity == 0);
    }
    CHECK(point(k, RoofLevel::shared) == nullptr);
    CHECK(k.lowest_roof == "DRAM");
    CHECK(k.reached == Approx(bytes / k.prediction.time_seconds / 898e9).epsilon(0.001));
    CHECK_FALSE(k.issue_flops_per_second);
}

TEST_CASE("L1 intensities of plain products by hand", "[roofline]") {
    // A warp's step of K: 32 FMAs = 64 FLOP. Row by row: 32 rows of A, a sector each, one word of B, a
    // sector.
    const auto naive = roofline_of("v100_sxm2", "naive", 2048);
    CHECK(point(naive.kernels[0], RoofLevel::l1)->intensity == Approx(64.0 / (33 * 32)).epsilon(0.01));
    // Column by column: one word of A, 128 bytes of B.
    const auto coalesced = roofline_of("v100_sxm2", "coalesced", 2048);
    CHECK(point(coalesced.kernels[0], RoofLevel::l1)->intensity == Approx(64.0 / 160).epsilon(0.01));
    CHECK(coalesced.kernels[0].uses_fma);
}

TEST_CASE("points and the nearest roof follow from counters", "[roofline]") {
    const auto arch = load_arch("v100_sxm2");
    const double seconds = 1e-3;
    const auto p = counted(seconds, 1e9,
                           {{"smsp__inst_executed.sum", 48.96e6},
                            {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 5e8},
                            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 3e6},
                            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1e6},
                            {"lts__t_sectors_srcunit_tex_op_read.sum", 4e6},
                            {"lts__t_sectors_srcunit_tex_op_write.sum", 1e6},
                            {"dram__bytes_read.sum", 300e6},
                            {"dram__bytes_write.sum", 149e6}});
    const auto r = make_roofline(arch, {p});
    const auto& k = r.kernels.at(0);
    CHECK(k.issue_reached == Approx(0.1));
    CHECK(k.issue_flops_per_second.value() == Approx(1e12 / 0.1));  // ten times as fast at the issue limit
    CHECK(point(k, RoofLevel::shared)->bytes == 4e6 * 128);
    CHECK(point(k, RoofLevel::l2)->bytes == 5e6 * 32);
    CHECK(point(k, RoofLevel::l1) == nullptr);
    CHECK(point(k, RoofLevel::dram)->intensity == Approx(1e9 / 449e6));
    CHECK(k.lowest_roof == "DRAM");
    CHECK(k.reached == Approx(449e6 / seconds / 898e9));
    // below the ridge the roof is the diagonal, beyond it the peak
    const auto& dram = r.bandwidths.back();
    CHECK(attainable(r, dram, 1) == Approx(898e9));
    CHECK(attainable(r, dram, 1000) == r.fp32.rate);
}

TEST_CASE("without an FMA the lower ceiling counts", "[roofline]") {
    const auto arch = load_arch("v100_sxm2");
    const auto r = make_roofline(arch, {counted(1, 3.9e12, {{"smsp__inst_executed.sum", 1.0}})});
    const auto& k = r.kernels.at(0);
    CHECK_FALSE(k.uses_fma);
    CHECK(k.lowest_roof == "FP32 without FMA");
    CHECK(k.reached == Approx(3.9e12 / 7.8336e12));
}

TEST_CASE("launches that do not run are listed apart", "[roofline]") {
    Prediction p;
    p.status = Status::infeasible;
    const auto r = make_roofline(load_arch("v100_sxm2"), {p});
    CHECK(r.kernels.empty());
    CHECK(r.left_out.size() == 1);
}
