// Which part of the reads that SMs ask for reaches L2.
#include "model/memory/read_merging.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>

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

TEST_CASE("blocks of clusters are nowhere in step with their neighbours", "[unit][memory]") {
    const auto h200 = load_arch("h200_sxm");
    auto program = program_of(132, 1000);
    CHECK(blocks_in_step(program, deal_blocks(132, 132, 1), h200) == 1);
    program.cluster_blocks = 2;
    CHECK(blocks_in_step(program, deal_blocks(132, 132, 1), h200) == 0);
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

TEST_CASE("reads that merge are those of a count over all blocks, in sampled rounds too", "[unit][memory]") {
    const auto h200 = load_arch("h200_sxm", {{"l2.read_merging.fraction", "1"}});
    const std::int64_t sms = h200.sm_count, run = *h200.l2.read_merging.sms;
    const auto counted = [&](const Dim3& grid, bool by_x) {
        constexpr std::int64_t most_rounds = 256;
        const auto blocks = grid.count(), rounds = (blocks + sms - 1) / sms;
        const auto step = (rounds + most_rounds - 1) / most_rounds;
        std::int64_t reads = 0;
        std::set<std::array<std::int64_t, 3>> data;  // by round, cluster and coordinate
        for (std::int64_t b = 0; b < blocks; ++b) {
            if (b / sms % step == 0) {
                ++reads;
                data.insert({b / sms, b % sms / run, by_x ? b % grid.x : b / grid.x});
            }
        }
        return static_cast<double>(data.size()) / static_cast<double>(reads);
    };
    for (const auto& grid :
         {Dim3{1, 5000, 1}, Dim3{7, 64, 1}, Dim3{16, 64, 1}, Dim3{128, 128, 1}, Dim3{33, 3001, 1},
          Dim3{600, 301, 1}, Dim3{100000, 2, 1}, Dim3{12, 11, 1}, Dim3{13, 11, 1}}) {
        CAPTURE(grid.x, grid.y);
        const BlockBox whole{{0, 0, 0}, grid};
        CHECK(unmerged_reads(grid, whole, {4, 0, 0}, 1, h200) == Approx(counted(grid, true)).epsilon(1e-12));
        CHECK(unmerged_reads(grid, whole, {0, 4, 0}, 1, h200) == Approx(counted(grid, false)).epsilon(1e-12));
        CHECK(unmerged_reads(grid, whole, {4, 4 * grid.x, 0}, 1, h200) == 1);
        CHECK(unmerged_reads(grid, whole, {4 * grid.y, -4, 0}, 1, h200) == 1);
    }
}
