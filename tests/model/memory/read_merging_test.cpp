// Which part of the reads that SMs ask for reaches L2.
#include "model/memory/read_merging.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"

using namespace gpumodel;

namespace {

// `blocks` blocks of 256 threads, of which each warp executes `products` FFMA.
KernelProgram program_of(std::int64_t blocks, double products) {
    Segment segment;
    segment.thread_end = 256;
    segment.ops[static_cast<std::size_t>(OpClass::ffma)] = products;
    Interval interval;
    interval.segments.push_back(segment);
    KernelProgram program;
    program.grid = {blocks, 1, 1};
    program.block = {256, 1, 1};
    program.body.emplace_back(interval);
    return program;
}

double step_of(std::int64_t blocks, int resident, double products, const ArchSpec& arch) {
    return blocks_in_step(program_of(blocks, products), deal_blocks(blocks, arch.sm_count, resident), arch);
}

}  // namespace

TEST_CASE("blocks stay in step where an SM runs one, and drift apart by what its blocks have to do",
          "[unit][memory]") {
    const auto h200 = load_arch("h200_sxm", {{"l2.read_merging.drift", "100000 cycles"}});
    CHECK(step_of(132, 4, 1e6, h200) == 1);
    // two resident blocks: 2 x 8 warps x 50000 / 4 schedulers = 200000 cycles
    CHECK(step_of(264, 2, 50000, h200) == Approx(1.0 / 3));
    // four could be resident, two are
    CHECK(step_of(264, 4, 50000, h200) == Approx(1.0 / 3));
    CHECK(step_of(2640, 4, 50000, h200) == Approx(1.0 / 5));
    auto steady = h200;
    steady.l2.read_merging.drift_cycles.reset();
    CHECK(step_of(2640, 4, 50000, steady) == 1);
}

TEST_CASE("of sixteen blocks that read the same, those in step merge", "[unit][memory]") {
    const auto h200 = load_arch("h200_sxm", {{"l2.read_merging.fraction", "0.8"}});
    const Dim3 grid{16, 64, 1};
    const BlockBox whole{{0, 0, 0}, grid};
    const BlockStrides row{0, 4096, 0}, own{4096, 65536, 0};
    // a row of the grid is a cluster's sixteen blocks but for where a round of 132 ends amid one
    CHECK(unmerged_reads(grid, whole, own, 1, h200) == 1);
    CHECK(unmerged_reads(grid, whole, row, 0, h200) == 1);
    const double in_step = unmerged_reads(grid, whole, row, 1, h200);
    CHECK(in_step == Approx(1 - 0.8 * (1 - 1.0 / 16)).margin(0.05));
    CHECK(unmerged_reads(grid, whole, row, 0.5, h200) == Approx((1 + in_step) / 2));
}
