// Every rule set against an oracle that follows the guide's words byte by byte, over random patterns.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "model/memory/coalescing/coalescing.h"
#include "tests/support/patterns.h"

namespace coalescing_random_test {

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

constexpr int patterns_per_rule = 20'000;

using Lanes = std::vector<std::pair<int, std::int64_t>>;  // active lanes with their addresses

Lanes lanes_in(const WarpAccess& access, int first, int count) {
    Lanes lanes;
    for (int lane = first; lane < first + count; ++lane) {
        if (access.is_active(lane)) {
            lanes.emplace_back(lane, access.address[static_cast<std::size_t>(lane)]);
        }
    }
    return lanes;
}

std::set<std::int64_t> pieces(const Lanes& lanes, int width, int size) {
    std::set<std::int64_t> found;
    for (const auto& [lane, address] : lanes) {
        for (int byte = 0; byte < width; ++byte) {
            found.insert((address + byte) / size);
        }
    }
    return found;
}

struct Expected {
    int requests = 0;
    std::multimap<std::int64_t, int> transactions;  // address -> bytes
    int sectors = 0;
    int lines = 0;
};

// cc 1.0/1.1: the k-th lane names the k-th word of an aligned window, or each lane goes alone.
void half_warp_cc1_0(const Lanes& lanes, int width, Expected& expected) {
    const std::int64_t alignment = width == 4 ? 64 : 128;
    const auto lowest = std::min_element(lanes.begin(), lanes.end(), [](auto& a, auto& b) {
                            return a.second < b.second;
                        })->second;
    for (auto start = (lowest / alignment) * alignment; width >= 4 && start >= 0 && start + 256 > lowest;
         start -= alignment) {
        if (std::all_of(lanes.begin(), lanes.end(), [&](auto& lane) {
                return lane.second == start + std::int64_t{lane.first % 16} * width;
            })) {
            const int bytes = width == 4 ? 64 : 128;
            for (const auto part : pieces(lanes, width, bytes)) {
                expected.transactions.emplace(part * bytes, bytes);
            }
            return;
        }
    }
    for (const auto& [lane, address] : lanes) {
        expected.transactions.emplace(address / 32 * 32, 32);
    }
}

// cc 1.2/1.3, the numbered steps of the guide.
void half_warp_cc1_2(Lanes lanes, int width, Expected& expected) {
    const std::map<int, std::int64_t> segment_bytes{{1, 32}, {2, 64}, {4, 128}, {8, 128}, {16, 128}};
    while (!lanes.empty()) {
        auto size = segment_bytes.at(width);
        auto start = lanes.front().second / size * size;
        Lanes served;
        Lanes rest;
        for (const auto& lane : lanes) {
            (lane.second >= start && lane.second < start + size ? served : rest).push_back(lane);
        }
        const auto used = pieces(served, width, 1);
        if (size == 128 && *used.rbegin() < start + 64) {
            size = 64;
        } else if (size == 128 && *used.begin() >= start + 64) {
            start += 64;
            size = 64;
        }
        if (size == 64 && *used.rbegin() < start + 32) {
            size = 32;
        } else if (size == 64 && *used.begin() >= start + 32) {
            start += 32;
            size = 32;
        }
        expected.transactions.emplace(start, static_cast<int>(size));
        lanes = rest;
    }
}

int request_lanes(CoalescingRule rule, int width) {
    switch (rule) {
        case CoalescingRule::cc1_0:
        case CoalescingRule::cc1_2:
            return 16;
        case CoalescingRule::cc6_x:
            return 32;
        default:
            return width == 16 ? 8 : width == 8 ? 16 : 32;
    }
}

Expected oracle(const WarpAccess& access, CoalescingRule rule, GlobalPath path) {
    Expected expected;
    const int width = access.bytes_per_lane;
    const int group = request_lanes(rule, width);
    for (int first = 0; first < 32; first += group) {
        const auto lanes = lanes_in(access, first, group);
        if (lanes.empty()) {
            continue;
        }
        ++expected.requests;
        expected.sectors += static_cast<int>(pieces(lanes, width, 32).size());
        expected.lines += static_cast<int>(pieces(lanes, width, 128).size());
        if (rule == CoalescingRule::cc1_0) {
            half_warp_cc1_0(lanes, width, expected);
        } else if (rule == CoalescingRule::cc1_2) {
            half_warp_cc1_2(lanes, width, expected);
        } else {
            const int bytes = rule != CoalescingRule::cc6_x && path == GlobalPath::l1_cached ? 128 : 32;
            for (const auto piece : pieces(lanes, width, bytes)) {
                expected.transactions.emplace(piece * bytes, bytes);
            }
        }
    }
    return expected;
}

// The first difference, "" if none.
std::string compare(const WarpAccess& access, CoalescingRule rule, GlobalPath path) {
    const auto expected = oracle(access, rule, path);
    const auto ours = analyse_coalescing(access, rule, path);
    const auto verbose = analyse_coalescing_verbose(access, rule, path);
    std::multimap<std::int64_t, int> listed;
    std::int64_t moved = 0;
    for (const auto& transaction : verbose.list) {
        listed.emplace(transaction.address, transaction.bytes);
        moved += transaction.bytes;
    }
    const auto requested = pieces(lanes_in(access, 0, 32), access.bytes_per_lane, 1).size();
    const auto same = [](auto a, auto b, const char* what) {
        return a == b ? std::string() : std::string(what);
    };
    return same(ours.requests, expected.requests, "requests ") +
           same(ours.sectors, expected.sectors, "sectors ") + same(ours.lines, expected.lines, "lines ") +
           same(static_cast<std::size_t>(ours.transactions), expected.transactions.size(), "transactions ") +
           same(listed == expected.transactions, true, "list ") +
           same(ours.bytes_moved, moved, "bytes_moved ") +
           same(static_cast<std::size_t>(ours.bytes_requested), requested, "bytes_requested ") +
           same(ours.list.empty(), true, "list kept ") +
           same(verbose.transactions, ours.transactions, "verbose differs ");
}

}  // namespace

TEST_CASE("coalescing rules against brute force over random patterns", "[property][coalescing]") {
    const std::vector<CoalescingRule> rules{CoalescingRule::cc1_0, CoalescingRule::cc1_2,
                                            CoalescingRule::cc2_x, CoalescingRule::cc3_x,
                                            CoalescingRule::cc5_x, CoalescingRule::cc6_x};
    const std::vector<GlobalPath> paths{GlobalPath::l1_cached, GlobalPath::l1_bypassed,
                                        GlobalPath::read_only};
    for (const auto rule : rules) {
        std::mt19937 random(static_cast<unsigned>(rule) + 7U);
        for (int i = 0; i < patterns_per_rule; ++i) {
            const auto access = random_access(random);
            const auto path = paths[static_cast<std::size_t>(i) % paths.size()];
            const auto difference = compare(access, rule, path);
            if (!difference.empty()) {
                FAIL("rule " << static_cast<int>(rule) << " path " << static_cast<int>(path) << ": "
                             << difference << describe(access));
            }
        }
        SUCCEED();
    }
}

TEST_CASE("dealing the addresses to other lanes changes nothing", "[property][coalescing]") {
    std::mt19937 random(11);
    const auto same = [](const Coalescing& a, const Coalescing& b) {
        return a.transactions == b.transactions && a.bytes_moved == b.bytes_moved && a.sectors == b.sectors &&
               a.lines == b.lines && a.bytes_requested == b.bytes_requested;
    };
    for (int i = 0; i < 5000; ++i) {
        const auto access = random_access(random);
        const auto path = i % 2 == 0 ? GlobalPath::l1_cached : GlobalPath::l1_bypassed;
        const auto any = permuted(access, 32, random);
        CHECK(same(analyse_coalescing(access, CoalescingRule::cc6_x, path),
                   analyse_coalescing(any, CoalescingRule::cc6_x, path)));
        const auto within_request =
            permuted(access, request_lanes(CoalescingRule::cc2_x, access.bytes_per_lane), random);
        CHECK(same(analyse_coalescing(access, CoalescingRule::cc2_x, path),
                   analyse_coalescing(within_request, CoalescingRule::cc2_x, path)));
        const auto within_half = permuted(access, 16, random);
        CHECK(same(analyse_coalescing(access, CoalescingRule::cc1_2, path),
                   analyse_coalescing(within_half, CoalescingRule::cc1_2, path)));
    }
}

TEST_CASE("an access without active lanes is nothing", "[unit][coalescing]") {
    auto access = strided(1);
    access.active = 0;
    const auto ours = analyse_coalescing_verbose(access, CoalescingRule::cc6_x, GlobalPath::l1_cached);
    CHECK(ours.requests == 0);
    CHECK(ours.transactions == 0);
    CHECK(ours.bytes_moved == 0);
    CHECK(ours.efficiency() == 1.0);
    CHECK(ours.list.empty());
}

}  // namespace coalescing_random_test
