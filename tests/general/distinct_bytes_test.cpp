// Distinct bytes of executed kernels: each byte once, however many instructions, trips and blocks touch it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "model/analytic/describe_launch.h"
#include "model/sim/predict_simulated.h"
#include "tests/general/general_kernels.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

KernelProgram program_of(const std::string& kernel) {
    const auto& all = general_launches();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const GeneralLaunch& l) { return l.kernel == kernel; });
    REQUIRE(found != all.end());
    return general_program(*found, "sm_90");
}

double distinct(const std::string& kernel) {
    return describe_launch(program_of(kernel), load_arch("h200_sxm"), L2State::warm)
        .common.traffic.unique_bytes;
}

}  // namespace

TEST_CASE("distinct bytes count each byte once", "[general]") {
    // sizes as in validate/general/launches.h; sectors at the ends of rows may come on top
    CHECK(distinct("softmax_rows") ==
          Approx(2.0 * 300 * 1000 * 4).epsilon(0.01));  // three passes over each row
    CHECK(distinct("stencil5") ==
          Approx(2.0 * 1000 * 507 * 4).epsilon(0.02));  // five loads, overlapping blocks
    CHECK(distinct("saxpy_grid_stride") == Approx(2.0 * 1234567 * 4).epsilon(0.01));
    CHECK(distinct("reduce_tree") == Approx(1000003.0 * 4).epsilon(0.01));
    CHECK(distinct("scan_block") == Approx(2.0 * 300 * 512 * 4).epsilon(0.01));
    CHECK(distinct("row_sum_shuffle") == Approx(997.0 * 1111 * 4 + 997 * 4).epsilon(0.02));
}

TEST_CASE("cold, DRAM gives at least the distinct bytes that are read and not many more", "[general]") {
    SimOptions cold;
    cold.l2 = L2State::cold;
    const auto arch = load_arch("h200_sxm");
    for (const auto* kernel : {"softmax_rows", "stencil5", "reduce_tree", "scan_block"}) {
        const auto p = predict_simulated(program_of(kernel), arch, cold);
        INFO(kernel);
        const double read = std::string(kernel) == "reduce_tree" ? 1.0 : 0.5;  // of the distinct bytes
        CHECK(p.traffic.dram_read_bytes >= 0.97 * read * p.traffic.unique_bytes);
        CHECK(p.traffic.dram_read_bytes <= 1.1 * read * p.traffic.unique_bytes);
    }
}

TEST_CASE("a texture of an array is fetched once, whatever part of a row a block reads", "[general]") {
    const auto module =
        read_sass_file(GPUMODEL_SOURCE_DIR "/tests/traces/data/listings/textures_sm_90.sass.gz");
    const auto* function = module.find("volume");
    REQUIRE(function != nullptr);
    // one row of a block by all four slices of a volume of 256 MiB, some five times the L2
    constexpr double bytes = 1024.0 * 4 * 1024 * 16 * 4;
    SassLaunch launch;
    launch.block = {256, 1, 1};
    launch.grid = {4, 4096, 1};
    launch.arguments = parse_arguments("ptr,tex(f32,1024x4096x16),1024,4096,16");
    const auto traffic =
        describe_launch(program_from_sass(*function, launch), load_arch("h200_sxm"), L2State::cold)
            .common.traffic;
    CHECK(traffic.dram_read_bytes >= 0.99 * bytes);
    CHECK(traffic.dram_read_bytes <= 1.1 * bytes);
}
