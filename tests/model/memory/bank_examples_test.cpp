// Worked examples on shared-memory banks: the guides, and the measured phase rules of
// H200 microbenchmarks.
#include <catch2/catch.hpp>
#include <vector>

#include "base/diagnostics.h"
#include "model/memory/banks/bank_conflicts.h"
#include "tests/support/patterns.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

const BankGeometry tesla{16, 4, SharedMemoryRule::cc1_x};
const BankGeometry fermi{32, 4, SharedMemoryRule::cc2_x};
const BankGeometry kepler4{32, 4, SharedMemoryRule::cc3_x};
const BankGeometry kepler8{32, 8, SharedMemoryRule::cc3_x};
const BankGeometry volta{32, 4, SharedMemoryRule::cc5_x};

BankConflicts load(const WarpAccess& access, const BankGeometry& geometry) {
    return analyse_bank_conflicts(access, geometry, AccessDirection::load);
}

int wavefronts(const WarpAccess& access, const BankGeometry& geometry,
               AccessDirection direction = AccessDirection::load) {
    return analyse_bank_conflicts(access, geometry, direction).wavefronts;
}

// Lane l reads the word of lane `same_as(l)` of a unit-stride access.
template <typename Map>
WarpAccess sharing(int width, Map same_as) {
    WarpAccess access;
    access.bytes_per_lane = width;
    for (unsigned lane = 0; lane < 32; ++lane) {
        access.address[lane] = std::int64_t{same_as(lane)} * width;
    }
    return access;
}

}  // namespace

TEST_CASE("programming guide: strides of 32-bit words", "[unit][banks]") {
    for (const auto& geometry : {fermi, volta}) {
        CHECK(load(strided(1), geometry).degree == 1);
        CHECK(load(strided(2), geometry).degree == 2);
        CHECK(load(strided(3), geometry).degree == 1);
        CHECK(load(strided(32), geometry).degree == 32);
        CHECK(load(strided(33), geometry).degree == 1);
        CHECK(load(strided(0), geometry).degree == 1);  // broadcast
    }
}

TEST_CASE("programming guide: permutations, multicast and neighbours in a word", "[unit][banks]") {
    std::mt19937 random(2);
    CHECK(wavefronts(permuted(strided(1), 32, random), volta) == 1);
    // Lanes 3, 4, 6, 7 and 9 read the same word of bank 5.
    auto same = strided(1);
    for (const std::size_t lane : {3U, 4U, 6U, 7U, 9U}) {
        same.address[lane] = 5 * 4;
    }
    CHECK(wavefronts(same, volta) == 1);
    CHECK(wavefronts(same, fermi) == 1);
    CHECK(wavefronts(strided(1, 0, 1), fermi) == 1);
    CHECK(wavefronts(strided(1, 0, 2), volta) == 1);
}

TEST_CASE("best practices guide: column writes and the padded tile", "[unit][banks]") {
    const auto column = load(strided(32), volta);
    CHECK(column.wavefronts == 32);
    CHECK(column.conflicts == 31);
    CHECK(column.ideal_wavefronts == 1);
    const auto padded = load(strided(33), volta);
    CHECK(padded.wavefronts == 1);
    CHECK(padded.conflicts == 0);
    // The same on G80: 16 banks, tiles 16 wide, 17 when padded, per half-warp.
    CHECK(load(strided(16), tesla).degree == 16);
    CHECK(load(strided(17), tesla).degree == 1);
}

TEST_CASE("wide words: phases without conflicts at unit stride", "[unit][banks]") {
    const auto check = [](const BankGeometry& geometry, int width, int phases, int passes) {
        const auto ours = load(strided(1, 0, width), geometry);
        INFO("rule " << static_cast<int>(geometry.rule) << " width " << width);
        CHECK(ours.phases == phases);
        CHECK(ours.wavefronts == passes);
    };
    check(volta, 8, 2, 2);
    check(volta, 16, 4, 4);
    check(fermi, 8, 2, 2);    // arrays of double are free of conflicts on Fermi
    check(fermi, 16, 4, 8);   // 16-byte accesses are 2-way by the guide
    check(kepler4, 8, 1, 1);  // 256 B per pass
    check(kepler8, 8, 1, 1);
    check(kepler4, 16, 2, 2);
    check(kepler8, 16, 2, 2);
    check(tesla, 4, 2, 2);
    check(tesla, 8, 4, 8);    // two 32-bit accesses of stride two: 2-way
    check(tesla, 16, 8, 32);  // four of stride four: 4-way
}

TEST_CASE("Kepler: words 32 apart in a window of 64 share a bank row", "[unit][banks]") {
    CHECK(load(strided(2), kepler4).degree == 1);
    CHECK(load(strided(4), kepler4).degree == 2);
    CHECK(load(strided(32), kepler4).degree == 16);
    CHECK(load(strided(64), kepler4).degree == 32);
    CHECK(load(strided(2), kepler8).degree == 1);
    CHECK(load(strided(32), kepler8).degree == 16);
    CHECK(load(strided(33), kepler4).degree == 1);
    // Words 31 and 63 share a row of a 64-word window; 32 and 64 do not, nor do 0 and 64.
    const auto two = [](std::int64_t i, std::int64_t j) {
        WarpAccess access;
        access.active = 3;
        access.address[0] = 4 * i;
        access.address[1] = 4 * j;
        return wavefronts(access, kepler4);
    };
    CHECK(two(31, 63) == 1);
    CHECK(two(32, 64) == 2);
    CHECK(two(0, 64) == 2);
    CHECK(two(0, 33) == 1);
}

TEST_CASE("cc 1.x: one broadcast word per step", "[unit][banks]") {
    CHECK(wavefronts(strided(0), tesla) == 2);  // one step per half-warp
    auto half = strided(1);
    half.active = 0xffffU;
    CHECK(wavefronts(half, tesla) == 1);
    // Two words, each read by eight lanes: in bank 0 and 1, the first is broadcast, the second serves one
    // lane, and is broadcast in the next step.
    auto two = sharing(4, [](unsigned lane) { return lane % 2; });
    two.active = 0xffffU;
    CHECK(wavefronts(two, tesla) == 2);
    // Neighbouring bytes of a word conflict: words 0 to 3 need a step each.
    auto bytes = strided(1, 0, 1);
    bytes.active = 0xffffU;
    CHECK(wavefronts(bytes, tesla) == 4);
    CHECK(wavefronts(bytes, tesla, AccessDirection::store) == 4);
    CHECK(wavefronts(strided(0), tesla, AccessDirection::store) == 2);
}

TEST_CASE("microbenchmarks: lane pairs that share an address merge phases of loads", "[unit][banks]") {
    const auto by_1 = [](unsigned lane) { return lane & ~1U; };
    const auto by_2 = [](unsigned lane) { return lane & ~2U; };
    const auto phases = [](const WarpAccess& access) { return load(access, volta).phases; };
    for (const int width : {8, 16}) {
        INFO("width " << width);
        const int plain = width / 4;
        CHECK(phases(sharing(width, by_1)) == plain / 2);
        CHECK(phases(sharing(width, by_2)) == plain / 2);
        CHECK(phases(sharing(width, [](unsigned lane) { return lane & ~3U; })) == plain / 2);
        CHECK(phases(sharing(width, [&](unsigned lane) {
                  return (lane & 4U) != 0 ? by_1(lane) : by_2(lane);
              })) == plain);
        CHECK(phases(sharing(width, [&](unsigned lane) { return lane < 16 ? by_1(lane) : lane; })) == plain);
        CHECK(phases(sharing(width, [](unsigned lane) { return std::min(lane, lane ^ 3U); })) == plain);
        CHECK(phases(sharing(width, [](unsigned lane) { return lane & ~4U; })) == plain);
        CHECK(phases(sharing(width, [](unsigned lane) { return lane & ~8U; })) == plain);
        auto odd = sharing(width, by_1);
        odd.address[17] += width;
        CHECK(phases(odd) == plain);
        CHECK(analyse_bank_conflicts(sharing(width, by_1), volta, AccessDirection::store).phases == plain);
    }
    // The forum's case: LDS.128 with equal pairs takes two passes instead of four.
    CHECK(wavefronts(sharing(16, [](unsigned lane) { return lane / 2; }), volta) == 2);
}

TEST_CASE("microbenchmarks: L1 hits follow the bank rule", "[unit][banks]") {
    for (const int stride : {1, 2, 4, 8, 16, 32}) {
        CHECK(wavefronts(strided(stride), volta) == stride);
    }
    for (const int stride : {3, 5, 7, 9, 13, 15}) {
        CHECK(wavefronts(strided(stride), volta) == 1);
    }
    CHECK(wavefronts(strided(12), volta) == 4);
    CHECK(wavefronts(strided(1, 0, 16), volta) == 4);
    const auto rows = [](std::int64_t lanes_per_row) {
        WarpAccess access;
        for (std::int64_t lane = 0; lane < 32; ++lane) {
            access.address[static_cast<std::size_t>(lane)] =
                4 * (lane / lanes_per_row * 1024 + lane % lanes_per_row);
        }
        return wavefronts(access, volta);
    };
    CHECK(rows(2) == 16);
    CHECK(rows(4) == 8);
    CHECK(wavefronts(strided(1, 4), volta) == 1);  // misaligned by a word costs nothing
}

TEST_CASE("partial warps as timed on an H100", "[unit][banks]") {
    // Cycles per access and SM of repeated accesses, eight warps, other lanes idle; loads and stores.
    struct Timed {
        const char* pattern;
        WarpAccess access;
        std::uint32_t active;
        double load, store;
    };
    const auto unit = [](int width) { return strided(1, 0, width); };
    const auto pairs = [](int width) { return sharing(width, [](unsigned lane) { return lane / 2; }); };
    // n lanes of each phase share a bank group, the others of the phase lie in groups of their own.
    const auto ways = [](int width, unsigned phase_lanes, std::int64_t n) {
        WarpAccess access;
        access.bytes_per_lane = width;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const auto q = static_cast<std::int64_t>(lane % phase_lanes);
            access.address[lane] = q < n ? q * 128 : q * width;
        }
        return access;
    };
    auto stray = pairs(16);
    stray.address[17] = 1024 + 5 * 16;
    auto stray_half = pairs(16);
    for (std::size_t lane = 16; lane < 32; ++lane) {
        stray_half.address[lane] = static_cast<std::int64_t>(lane) * 16;
    }
    const std::vector<Timed> timed{
        {"64 bit, unit stride, lower half", unit(8), 0xffffU, 2.02, 1.02},
        {"64 bit, unit stride, lower quarter", unit(8), 0xffU, 2.02, 1.02},
        {"64 bit, one lane", unit(8), 1U, 1.20, 1.02},
        {"64 bit, lanes 0 and 31", unit(8), 0x80000001U, 1.20, 2.01},
        {"64 bit, even lanes of the lower half", unit(8), 0x5555U, 1.20, 1.02},
        {"64 bit, pairs, upper odd lanes idle", pairs(8), 0x5555ffffU, 1.20, 2.01},
        {"64 bit, 2-way, lower half", ways(8, 16, 2), 0xffffU, 2.02, 2.01},
        {"64 bit, 3-way, lower half", ways(8, 16, 3), 0xffffU, 3.02, 3.00},
        {"64 bit, 3-way, all", ways(8, 16, 3), ~0U, 6.01, 5.98},
        {"128 bit, unit stride, lower half", unit(16), 0xffffU, 4.01, 2.01},
        {"128 bit, unit stride, lower quarter", unit(16), 0xffU, 4.01, 1.02},
        {"128 bit, unit stride, quarter 1 idle", unit(16), 0xffff00ffU, 4.01, 3.00},
        {"128 bit, one lane", unit(16), 1U, 2.01, 1.02},
        {"128 bit, pairs, lane 17 stray and active", stray, ~0U, 4.01, 3.99},
        {"128 bit, pairs, lane 17 stray but idle", stray, ~(1U << 17U), 2.01, 3.99},
        {"128 bit, pairs, upper half stray but idle", stray_half, 0xffffU, 2.01, 2.01},
        {"128 bit, 3-way, quarter 0", ways(16, 8, 3), 0xffU, 4.01, 3.00},
        {"128 bit, 5-way, quarter 0", ways(16, 8, 5), 0xffU, 5.00, 4.99},
        {"128 bit, 8-way, quarter 0", ways(16, 8, 8), 0xffU, 7.99, 7.96},
        {"128 bit, 2-way, quarters 0 and 2", ways(16, 8, 2), 0x00ff00ffU, 4.01, 3.99},
    };
    for (const auto& t : timed) {
        INFO(t.pattern);
        auto access = t.access;
        access.active = t.active;
        // One wavefront alone is issue-bound at 1.2 cycles (docs/h200_microbenchmarks.md).
        CHECK(wavefronts(access, volta) == Approx(t.load).margin(0.21));
        CHECK(wavefronts(access, volta, AccessDirection::store) == Approx(t.store).margin(0.05));
    }
}

TEST_CASE("idle phases", "[unit][banks]") {
    auto half = strided(1, 0, 8);
    half.active = 0xffffU;
    CHECK(load(half, volta).phases == 2);
    CHECK(load(half, volta).conflicts == 0);
    CHECK(analyse_bank_conflicts(half, volta, AccessDirection::store).phases == 1);
    CHECK(load(half, fermi).phases == 1);
    half.active = 0;
    CHECK(load(half, volta).phases == 0);
    CHECK(load(half, volta).wavefronts == 0);
    CHECK(load(half, volta).ideal_wavefronts == 0);
    CHECK(bank_picture(half, volta, AccessDirection::load).empty());
}

TEST_CASE("bank geometry is the spec's default mode", "[unit][banks]") {
    SharedMemory shared;
    shared.banks = 32;
    shared.bank_widths_bytes = {4, 8};
    shared.default_bank_width_bytes = 8;
    shared.rule = SharedMemoryRule::cc3_x;
    const auto geometry = bank_geometry(shared);
    CHECK(geometry.banks == 32);
    CHECK(geometry.bank_width_bytes == 8);
    CHECK(geometry.rule == SharedMemoryRule::cc3_x);
    for (const int banks : {0, 2, 33, 2048}) {
        shared.banks = banks;
        CHECK_THROWS_AS(bank_geometry(shared), InputError);
    }
}
