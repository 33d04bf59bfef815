// Misses of L1 (requests to L2, fills), local memory, and who takes the last blocks.
#include <catch2/catch.hpp>

#include "tests/support/micro.h"

namespace micro_misses_test {

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr auto global = MemorySpace::global;

// Mean over the warps, from the load of 16 bytes per lane to its first use.
double tile_latency(const ArchSpec& spec, int warps, std::int64_t row_bytes) {
    const auto tile = site(global, AccessKind::load, 4, [row_bytes](const Coord& at) {
        const std::int64_t byte = std::int64_t{at.thread} * 16;
        return byte / row_bytes * 16384 + byte % row_bytes;
    });
    const auto program = straight({load(global, 8, 0, 4), ffma(20, 8, 8, 21)}, warps, {tile});
    double sum = 0;
    for (int w = 0; w < warps; ++w) {
        sum += static_cast<double>(issued_at(program, spec, 1, w) - issued_at(program, spec, 0, w));
    }
    return sum / warps;
}

}  // namespace

// Measured on an H200, blocks that load tiles from L2, one per SM.
TEST_CASE("a tile's latency grows with the lines that it asks L2 for", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    CHECK(tile_latency(spec, 4, 512) == Approx(335).epsilon(0.03));
    CHECK(tile_latency(spec, 8, 512) == Approx(350).epsilon(0.05));
    CHECK(tile_latency(spec, 4, 32) == Approx(386).epsilon(0.05));
    CHECK(tile_latency(spec, 8, 32) == Approx(430).epsilon(0.05));
}

TEST_CASE("local memory: a warp's 16 bytes per lane at one offset are four lines of its own",
          "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    const auto local = site(MemorySpace::local, AccessKind::load, 4, [](const Coord&) { return 64; });
    const std::vector<Instruction> body{load(MemorySpace::local, 8, 0, 4)};
    // four wavefronts and the charge of every load that looks into L1
    CHECK(cycles_per_instruction(body, 16, spec, {local}) / 16 == Approx(4.3).epsilon(0.02));
    const auto result = run(straight(body, 16, {local}), spec);
    CHECK(result.counters.l2_read_bytes == 16 * 32 * 16);
}

TEST_CASE("slots that free together on a quick SM take all that slower SMs have left", "[sim][micro]") {
    // two blocks per SM, then half a block for each SM; the second starts 159 cycles after the first
    auto program = looped({ffma(8, 0, 2, 8), branch()}, 4000);
    program.resources.static_shared_bytes = 100 * 1024;
    const auto blocks = [&](const char* drift) {
        const auto spec = arch(
            "h200_sxm", {std::string("launch.sm_drift=") + drift, "sm.shared_memory.max_per_block=100KiB"});
        return run(with_grid(program, 2 * 132 + 66), spec).extrapolation.blocks;
    };
    CHECK(blocks("10") == 4);
    CHECK(blocks("0.1") == 3);
    CHECK(blocks("0") == 3);
}

}  // namespace micro_misses_test
