// Atomic operations against an H200 (validate/data/h200_sxm_atomics.csv): one warp or one SM, where the L2's
// queue does not hide what the SM does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "arch_specs/loader.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/accuracy/measurements.h"

using namespace gpumodel;

namespace {

// Largest error of the kernel's launches that take at least `least_us` with at most `most_blocks`.
double worst_error(const std::string& kernel, double least_us, std::int64_t most_blocks) {
    static const auto arch = load_arch("h200_sxm");
    static const auto module =
        read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/atomics/sm_90.sass.gz");
    static const auto rows = read_measurements(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_atomics.csv");
    double worst = 0;
    int count = 0;
    for (const auto& row : rows) {
        if (row.label != kernel || row.time_us < least_us || row.entry->grid.count() > most_blocks) {
            continue;
        }
        SassLaunch launch;
        launch.grid = row.entry->grid;
        launch.block = row.entry->block;
        launch.arguments = parse_arguments(row.entry->arguments);
        const auto* function = module.find(kernel);
        REQUIRE(function != nullptr);
        const auto p = predict_simulated(program_from_sass(*function, launch), arch);
        REQUIRE(p.status == Status::ok);
        worst = std::max(worst, std::abs(1e6 * p.time_seconds / row.time_us - 1));
        ++count;
    }
    REQUIRE(count > 2);
    return worst;
}

}  // namespace

TEST_CASE("lanes of a word follow each other in shared memory, twice over to compare", "[general]") {
    // a launch takes 4 us, which vary by a quarter: from 10 us on these kernels are what they do
    CHECK(worst_error("shared_add_i32", 10, 132) < 0.1);
    CHECK(worst_error("shared_max_i32", 10, 132) < 0.1);
    CHECK(worst_error("shared_cas_i32", 10, 132) < 0.1);
}

TEST_CASE("a reduction at an address of unknown space does not wait for the L2", "[general]") {
    // one block: 128 round trips to the L2 would take four times as long; the branch to where paths meet
    // behind each comes out too slow
    CHECK(worst_error("red_add_f16x2", 0, 1) < 0.2);
    CHECK(worst_error("generic_add_f32", 0, 1) < 0.2);
}
