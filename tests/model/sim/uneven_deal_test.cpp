// Which SM a launch of unlike blocks waits for, against the same rule walked in steps of a cycle.
#include "model/sim/blocks/uneven_deal.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace gpumodel::sim;

namespace {

constexpr int schedulers = 4;

BlockWork work_of(std::int64_t block) {
    const auto mixed = static_cast<std::uint64_t>(block + 1) * 0x9e3779b97f4a7c15U >> 40U;
    const double length = static_cast<double>(mixed % 7 == 0 ? 4000 + mixed % 1000 : 100 + mixed % 300);
    return {8 * length, length};
}

struct Sm {
    std::vector<std::int64_t> blocks;
    std::vector<double> left, fastest;
};

// Cycle by cycle; the SM whose last block ends last.
std::vector<std::int64_t> step_by_step(std::int64_t blocks, int sms, std::size_t resident) {
    std::vector<Sm> all(static_cast<std::size_t>(sms));
    std::int64_t next = 0;
    const auto take = [&](Sm& sm) {
        const auto work = work_of(next);
        sm.blocks.push_back(next++);
        sm.left.push_back(work.instructions);
        sm.fastest.push_back(work.instructions / (6 * work.longest_warp));
    };
    for (std::size_t round = 0; round < resident; ++round) {
        for (auto& sm : all) {
            if (next < blocks) {
                take(sm);
            }
        }
    }
    std::size_t last = 0;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t s = 0; s < all.size(); ++s) {
            auto& sm = all[s];
            const double part = static_cast<double>(schedulers) / static_cast<double>(sm.left.size());
            for (std::size_t b = 0; b < sm.left.size(); ++b) {
                sm.left[b] -= std::min(part, sm.fastest[b]);
                last = s;
                any = true;
            }
            for (std::size_t b = sm.left.size(); b-- > 0;) {
                if (sm.left[b] <= 0) {
                    sm.left.erase(sm.left.begin() + static_cast<std::ptrdiff_t>(b));
                    sm.fastest.erase(sm.fastest.begin() + static_cast<std::ptrdiff_t>(b));
                    if (next < blocks) {
                        take(sm);
                    }
                }
            }
        }
    }
    return all[last].blocks;
}

double sum_of(const std::vector<std::int64_t>& blocks) {
    double sum = 0;
    for (const auto block : blocks) {
        sum += work_of(block).instructions;
    }
    return sum;
}

}  // namespace

TEST_CASE("the SM that ends last is the one of a walk through all cycles", "[sim]") {
    for (const int resident : {1, 3, 8}) {
        for (const std::int64_t blocks : {40, 200, 700}) {
            const auto found = blocks_of_last_sm({blocks, 12, resident, schedulers, work_of});
            const auto expected = step_by_step(blocks, 12, static_cast<std::size_t>(resident));
            CAPTURE(resident, blocks, found.size(), expected.size());
            CHECK(sum_of(found) == Approx(sum_of(expected)).epsilon(0.05));
        }
    }
}

TEST_CASE("blocks are dealt once, equal ones evenly", "[sim]") {
    const auto same = [](std::int64_t) { return BlockWork{800, 100}; };
    const auto blocks = blocks_of_last_sm({1000, 7, 4, schedulers, same});
    CHECK((blocks.size() == 142 || blocks.size() == 143));
    // 12 SMs hold 72 of 90; the others are dealt by twos, not by sixes
    CHECK(blocks_of_last_sm({90, 12, 6, schedulers, same}).size() == 8);
    CHECK(std::is_sorted(blocks.begin(), blocks.end()));
    CHECK(std::adjacent_find(blocks.begin(), blocks.end()) == blocks.end());
    // a long one that comes last
    const auto long_one = [](std::int64_t b) {
        return BlockWork{b == 999 ? 80000.0 : 800, b == 999 ? 10000.0 : 100};
    };
    CHECK(blocks_of_last_sm({1000, 7, 4, schedulers, long_one}).back() == 999);
}
