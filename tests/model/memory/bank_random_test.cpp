// Bank rules against exhaustive maps of bank -> words, over random patterns.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "model/memory/banks/bank_conflicts.h"
#include "tests/support/patterns.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

constexpr int patterns_per_rule = 20'000;

struct Expected {
    int phases = 0;
    int wavefronts = 0;
    int degree = 0;

    void add(int passes) {
        ++phases;
        wavefronts += passes;
        degree = std::max(degree, passes);
    }
};

using Words = std::vector<std::int64_t>;

// 4-byte words that lanes [first, first + count) name, every one of a wide access.
Words words_of(const WarpAccess& access, int first, int count) {
    Words words;
    for (int lane = first; lane < first + count; ++lane) {
        if (access.is_active(lane)) {
            const auto address = access.address[static_cast<std::size_t>(lane)];
            for (std::int64_t byte = 0; byte < access.bytes_per_lane; ++byte) {
                words.push_back((address + byte) / 4);
            }
        }
    }
    return words;
}

int most_words_in_a_bank(const Words& words, int banks) {
    std::map<std::int64_t, std::set<std::int64_t>> bank;
    std::size_t most = 0;
    for (const auto word : words) {
        auto& seen = bank[word % banks];
        seen.insert(word);
        most = std::max(most, seen.size());
    }
    return static_cast<int>(most);
}

bool all_paired(const WarpAccess& access, std::size_t distance) {
    std::map<std::size_t, std::set<std::int64_t>>
        group;  // lanes that differ in one bit of the lane index only
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if (access.is_active(static_cast<int>(lane))) {
            group[lane & ~distance].insert(access.address[lane]);
        }
    }
    return std::all_of(group.begin(), group.end(),
                       [](const auto& entry) { return entry.second.size() == 1; });
}

Expected oracle_cc5(const WarpAccess& access, AccessDirection direction, int banks) {
    int group = access.bytes_per_lane == 16 ? 8 : access.bytes_per_lane == 8 ? 16 : 32;
    if (direction == AccessDirection::load && group < 32 &&
        (all_paired(access, 1) || all_paired(access, 2))) {
        group *= 2;
    }
    Expected expected;
    for (int first = 0; first < 32; first += group) {
        const auto words = words_of(access, first, group);
        if (!words.empty()) {
            expected.add(most_words_in_a_bank(words, banks));
        }
    }
    if (direction == AccessDirection::load && expected.phases > 0) {
        expected.phases = 32 / group;
        expected.wavefronts = std::max(expected.wavefronts, expected.phases);
    }
    return expected;
}

Expected oracle_cc2(const WarpAccess& access) {
    const int group = access.bytes_per_lane == 16 ? 8 : access.bytes_per_lane == 8 ? 16 : 32;
    Expected expected;
    for (int first = 0; first < 32; first += group) {
        const auto words = words_of(access, first, group);
        if (!words.empty()) {
            expected.add(most_words_in_a_bank(words, 32) + (access.bytes_per_lane == 16 ? 1 : 0));
        }
    }
    return expected;
}

// The guide's two conditions under which words of one bank do not conflict on cc 3.x.
bool share_a_pass(std::int64_t i, std::int64_t j, int mode) {
    if (mode == 8) {
        return i / 2 == j / 2;
    }
    return i == j || (i / 64 == j / 64 && std::abs(i - j) == 32);
}

Expected oracle_cc3(const WarpAccess& access, int mode) {
    const int group = access.bytes_per_lane == 16 ? 16 : 32;
    Expected expected;
    for (int first = 0; first < 32; first += group) {
        std::map<std::int64_t, Words> bank;  // one representative per pass
        std::size_t most = 0;
        for (const auto word : words_of(access, first, group)) {
            auto& kept = bank[(mode == 8 ? word / 2 : word) % 32];
            if (std::none_of(kept.begin(), kept.end(),
                             [&](auto other) { return share_a_pass(word, other, mode); })) {
                kept.push_back(word);
            }
            most = std::max(most, kept.size());
        }
        if (most > 0) {
            expected.add(static_cast<int>(most));
        }
    }
    return expected;
}

// cc 1.x: the guide's step procedure, with the free choices that bank_conflicts.h states.
int steps_cc1(std::vector<std::int64_t> addresses, AccessDirection direction) {
    int steps = 0;
    for (; !addresses.empty(); ++steps) {
        const auto broadcast = addresses.front() / 4;
        std::map<std::int64_t, std::int64_t> served;  // bank -> address
        for (const auto address : addresses) {
            served.emplace(address / 4 % 16, address);
        }
        addresses.erase(std::remove_if(addresses.begin(), addresses.end(),
                                       [&, first = std::set<std::int64_t>()](std::int64_t address) mutable {
                                           const auto bank = address / 4 % 16;
                                           if (direction == AccessDirection::store) {
                                               return served.at(bank) == address;
                                           }
                                           return address / 4 == broadcast ||
                                                  (bank != broadcast % 16 && first.insert(bank).second);
                                       }),
                        addresses.end());
    }
    return steps;
}

Expected oracle_cc1(const WarpAccess& access, AccessDirection direction) {
    Expected expected;
    const int parts = std::max(access.bytes_per_lane / 4, 1);
    for (int part = 0; part < parts; ++part) {
        for (int first = 0; first < 32; first += 16) {
            std::vector<std::int64_t> addresses;
            for (int lane = first; lane < first + 16; ++lane) {
                if (access.is_active(lane)) {
                    addresses.push_back(access.address[static_cast<std::size_t>(lane)] + 4 * part);
                }
            }
            if (!addresses.empty()) {
                expected.add(steps_cc1(addresses, direction));
            }
        }
    }
    return expected;
}

int distinct_bytes(const WarpAccess& access) {
    std::set<std::int64_t> bytes;
    for (int lane = 0; lane < 32; ++lane) {
        for (std::int64_t byte = 0; access.is_active(lane) && byte < access.bytes_per_lane; ++byte) {
            bytes.insert(access.address[static_cast<std::size_t>(lane)] + byte);
        }
    }
    return static_cast<int>(bytes.size());
}

void require_equal(const WarpAccess& access, const BankGeometry& geometry, AccessDirection direction,
                   const Expected& expected) {
    const auto ours = analyse_bank_conflicts(access, geometry, direction);
    const int pass_bytes = geometry.banks * (geometry.rule == SharedMemoryRule::cc3_x ? 8 : 4);
    const double ideal = std::ceil(static_cast<double>(distinct_bytes(access)) / pass_bytes);
    if (ours.phases != expected.phases || ours.wavefronts != expected.wavefronts ||
        ours.degree != expected.degree || ours.conflicts != expected.wavefronts - expected.phases ||
        ours.ideal_wavefronts != ideal) {
        FAIL("rule " << static_cast<int>(geometry.rule) << " width " << geometry.bank_width_bytes
                     << " direction " << static_cast<int>(direction) << ": expected " << expected.phases
                     << " phases, " << expected.wavefronts << " wavefronts, degree " << expected.degree
                     << ", ideal " << ideal << "; ours " << ours.phases << ", " << ours.wavefronts << ", "
                     << ours.degree << ", " << ours.ideal_wavefronts << "; " << describe(access));
    }
}

template <typename Oracle>
void compare_random(unsigned seed, const BankGeometry& geometry, Oracle oracle) {
    std::mt19937 random(seed);
    for (int i = 0; i < patterns_per_rule; ++i) {
        const auto access = random_access(random);
        const auto direction = i % 2 == 0 ? AccessDirection::load : AccessDirection::store;
        require_equal(access, geometry, direction, oracle(access, direction));
    }
    SUCCEED();
}

}  // namespace

TEST_CASE("bank rules against exhaustive maps over random patterns", "[property][banks]") {
    compare_random(1, {16, 4, SharedMemoryRule::cc1_x}, oracle_cc1);
    compare_random(2, {32, 4, SharedMemoryRule::cc2_x},
                   [](auto& access, auto) { return oracle_cc2(access); });
    compare_random(3, {32, 4, SharedMemoryRule::cc3_x},
                   [](auto& access, auto) { return oracle_cc3(access, 4); });
    compare_random(4, {32, 8, SharedMemoryRule::cc3_x},
                   [](auto& access, auto) { return oracle_cc3(access, 8); });
    compare_random(5, {32, 4, SharedMemoryRule::cc5_x},
                   [](auto& access, auto direction) { return oracle_cc5(access, direction, 32); });
    compare_random(6, {64, 4, SharedMemoryRule::cc5_x},
                   [](auto& access, auto direction) { return oracle_cc5(access, direction, 64); });
}

TEST_CASE("the bank picture holds every word once and explains the wavefronts", "[property][banks]") {
    std::mt19937 random(9);
    const std::vector<BankGeometry> geometries{
        {32, 4, SharedMemoryRule::cc5_x}, {32, 4, SharedMemoryRule::cc3_x}, {32, 8, SharedMemoryRule::cc3_x}};
    for (int i = 0; i < 6000; ++i) {
        const auto access = random_access(random);
        const auto& geometry = geometries[static_cast<std::size_t>(i) % geometries.size()];
        const auto ours = analyse_bank_conflicts(access, geometry, AccessDirection::load);
        std::map<int, std::map<int, int>> words;  // phase -> bank -> words
        std::uint32_t lanes = 0;
        for (const auto& word : bank_picture(access, geometry, AccessDirection::load)) {
            ++words[word.phase][word.bank];
            lanes |= word.lanes;
        }
        int wavefronts = 0;
        for (const auto& [phase, banks] : words) {
            int worst = 0;
            for (const auto& [bank, count] : banks) {
                worst = std::max(worst, count);
            }
            wavefronts += worst;
        }
        CHECK((access.active == 0 || std::max(wavefronts, ours.phases) == ours.wavefronts));
        CHECK(static_cast<int>(words.size()) <= ours.phases);
        CHECK(lanes == access.active);
    }
}

TEST_CASE("dealing the words to other lanes of a phase changes nothing", "[property][banks]") {
    std::mt19937 random(10);
    const BankGeometry geometry{32, 4, SharedMemoryRule::cc5_x};
    for (int i = 0; i < 5000; ++i) {
        const auto access = random_access(random);
        const int group = std::min(32, 128 / access.bytes_per_lane);
        const auto dealt = permuted(access, group, random);
        CHECK(analyse_bank_conflicts(access, geometry, AccessDirection::store).wavefronts ==
              analyse_bank_conflicts(dealt, geometry, AccessDirection::store).wavefronts);
    }
}

TEST_CASE("shifting a pattern by a whole row of banks changes nothing", "[property][banks]") {
    std::mt19937 random(12);
    for (int i = 0; i < 5000; ++i) {
        auto access = random_access(random);
        const auto before =
            analyse_bank_conflicts(access, {32, 4, SharedMemoryRule::cc3_x}, AccessDirection::load)
                .wavefronts;
        for (auto& address : access.address) {
            address += 256;
        }
        CHECK(analyse_bank_conflicts(access, {32, 4, SharedMemoryRule::cc3_x}, AccessDirection::load)
                  .wavefronts == before);
    }
}
