// Kernels that are no GEMM (tests/traces/emulate/listings/kernels.cu): with halos, reductions, divergent and
// data-dependent loops, calls. Whatever folds and what does not, the program is what was executed.
#include <catch2/catch.hpp>
#include <cmath>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "tests/support/kernel_listing.h"
#include "tests/traces/fold/expand.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

namespace {

struct Run {
    std::string kernel;
    Dim3 grid, block;
    std::string arguments;
    std::int64_t dynamic_shared_bytes = 0;
};

const std::vector<Run> runs{
    {"stencil", {5, 4, 1}, {32, 8, 1}, "ptr,ptr,145,29"},
    {"block_sum", {7, 1, 1}, {128, 1, 1}, "ptr,ptr,850", 512},
    {"warp_sum", {4, 1, 1}, {96, 1, 1}, "ptr,ptr,5000"},
    {"grid_stride_copy", {5, 1, 1}, {64, 1, 1}, "ptr,ptr,2001L"},
    {"transpose", {4, 3, 1}, {32, 8, 1}, "ptr,ptr,117,83"},
    {"histogram", {6, 1, 1}, {128, 1, 1}, "ptr,ptr,3000"},
    {"scan", {3, 1, 1}, {128, 1, 1}, "ptr,ptr,384", 1024},
    {"bitonic_step", {5, 1, 1}, {64, 1, 1}, "ptr,4,16"},
    {"spmv", {4, 1, 1}, {64, 1, 1}, "ptr,ptr,ptr,ptr,ptr,200"},
    {"divide", {5, 1, 1}, {96, 1, 1}, "ptr,ptr,400,37,64"},
    {"divide_64", {4, 1, 1}, {64, 1, 1}, "ptr,ptr,7000L,123L"},
    {"collatz", {2, 1, 1}, {64, 1, 1}, "ptr,100"},
    {"compact", {4, 1, 1}, {64, 1, 1}, "ptr,ptr,200"},
    {"local_array", {3, 1, 1}, {64, 1, 1}, "ptr,ptr,150"},
    {"float_loop", {2, 1, 1}, {64, 1, 1}, "ptr,500f,0.5"},
    {"call", {2, 1, 1}, {64, 1, 1}, "ptr,9"},
    {"nested", {2, 3, 2}, {8, 4, 3}, "ptr,ptr,3"},
    {"generic", {3, 1, 1}, {128, 1, 1}, "ptr,ptr,4000"},
    {"sync_count", {2, 1, 1}, {96, 1, 1}, "ptr,ptr,60"},
};

SassLaunch launch_of_run(const Run& run) {
    SassLaunch launch;
    launch.grid = run.grid;
    launch.block = run.block;
    launch.dynamic_shared_bytes = run.dynamic_shared_bytes;
    launch.arguments = parse_arguments(run.arguments);
    return launch;
}

}  // namespace

TEST_CASE("any kernel expands to what the emulator executes", "[oracle][fold]") {
    for (const auto& name : kernel_listing_archs) {
        const auto arch = load_arch(name);
        for (const auto& run : runs) {
            if (name == "sm_35" && (run.kernel == "histogram" || run.kernel == "float_loop")) {
                continue;  // trips depend on a constant of the module, which listings do not show
            }
            INFO(name << " " << run.kernel);
            const auto launch = launch_of_run(run);
            const auto& function = kernel_listing(name, run.kernel);
            const auto source = make_sass_source(function, launch);
            const auto context = launch_context(function, launch);
            auto program = fold_program(*source, context);
            CHECK(difference_in_all_blocks(program, *source, context) == "");
            const auto prediction = predict_analytic(program, arch);
            CHECK(prediction.status == Status::ok);
            CHECK(std::isfinite(prediction.time_seconds));
            // every instruction of every block is counted
            double executed = 0;
            for (std::int64_t b = 0; b < run.grid.count(); ++b) {
                const Dim3 block{b % run.grid.x, b / run.grid.x, 0};
                for (const auto& warp : execute(*source, context, block)) {
                    executed += static_cast<double>(warp.size());
                }
            }
            REQUIRE_FALSE(prediction.counters.empty());
            CHECK(prediction.counters.front().name == "smsp__inst_executed.sum");
            CHECK(prediction.counters.front().value == Approx(executed));
        }
    }
}

TEST_CASE("a grid-stride loop folds for every block of a large launch", "[unit][fold]") {
    for (const auto& name : {"sm_35", "sm_70", "sm_90"}) {
        // 1000 blocks of 64 threads over 64000 * 37 + 6400 elements: the first 100 blocks have one more
        Run run{"grid_stride_copy", {1000, 1, 1}, {64, 1, 1}, "ptr,ptr,2374400L"};
        const auto launch = launch_of_run(run);
        const auto& function = kernel_listing(name, run.kernel);
        const auto source = make_sass_source(function, launch);
        const auto context = launch_context(function, launch);
        const auto program = fold_program(*source, context);
        INFO(name);
        for (const std::int64_t x : {0, 1, 57, 98, 99, 100, 101, 500, 998, 999}) {
            CHECK(difference(program, *source, context, {x, 0, 0}) == "");
        }
        CHECK(program.variants.size() == 2);
        CHECK(program.arrays.at(0).read);
        CHECK_FALSE(program.arrays.at(0).written);
        CHECK(program.arrays.at(1).written);
        CHECK(program.effective_bytes == Approx(2.0 * 16 * 2374400));
    }
}
