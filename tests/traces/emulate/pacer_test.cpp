// When a warp goes on behind what its SM has sent to one word (traces/emulate/run/pacer.h).
#include "traces/emulate/run/pacer.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace pacer_test {

using namespace gpumodel;

namespace {

constexpr std::uint32_t all_lanes = ~0U;

StaticCode one_reduction(const std::string& mnemonic, int bytes) {
    StaticCode code;
    Instruction reduction;
    reduction.op = OpClass::global_store;
    reduction.mnemonic = code.mnemonics.intern(mnemonic);
    reduction.access_bytes = static_cast<std::uint8_t>(bytes);
    reduction.access_kind = AccessKind::atomic;
    code.instructions.push_back(reduction);
    return code;
}

// When a warp that executes the reduction so often goes on, all lanes on a word of their own, or on one.
double after(const StaticCode& code, int times, std::int64_t lanes_apart) {
    emulate::Pacer pacer(code, {});
    AccessEvent event;
    event.array = 0;
    event.active = all_lanes;
    for (std::size_t lane = 0; lane < event.address.size(); ++lane) {
        event.address[lane] = static_cast<std::int64_t>(lane) * lanes_apart;
    }
    double now = 0;
    for (int i = 0; i < times; ++i) {
        pacer.begin_turn(now, 0, 0);
        pacer.straight(0, 0, 1, all_lanes);
        pacer.access(0, event);
        now = pacer.end_turn();
    }
    return now;
}

}  // namespace

// 46.4 cycles for 32 lanes on one word of integers, 3.47 a lane for floats one after another
// (h200_sxm_atomics.csv, h200_sxm_slice_work.csv by model/memory/costs/atomic_costs.h); the queue holds 10
// KiB (h200_sxm_block_ends.csv), the last ten of these requests.
TEST_CASE("reductions hold their SM's memory queue until a slice has done them") {
    constexpr int many = 400, held = 10;
    const auto integers = one_reduction("REDG.E.ADD.STRONG.GPU", 4);
    const auto floats = one_reduction("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", 4);
    CHECK(after(integers, many, 0) == Approx((many - held) * 46.4).epsilon(0.03));
    CHECK(after(floats, many, 0) == Approx((many - held) * 32 * 3.47).epsilon(0.03));
    // a few that the queue has room for are sent and forgotten
    CHECK(after(integers, 5, 0) < 100);
    // each lane on a word of its own: four sectors, of one lane each for the slice
    CHECK(after(integers, many, 4) < 0.3 * after(integers, many, 0));
}

}  // namespace pacer_test
