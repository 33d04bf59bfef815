#include "model/memory/swap_contention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"

namespace gpumodel {
namespace {

constexpr int line_bytes = 128;
// Swaps of executed blocks on a word before they say how many the launch has of it. `estimated`: a share is
// known to a half then.
constexpr int named_often = 4;

struct Swaps {
    double all = 0, per_block = 0;                     // lanes
    std::int64_t warps = 0;                            // of executed blocks, with any
    std::int64_t sampled = 0;                          // of executed blocks, their first trip
    std::map<std::int64_t, std::map<int, int>> words;  // by word: how many of each executed block
    std::map<int, std::int64_t> of_block;
    std::vector<const AnalysedSite*> sites;

    [[nodiscard]] double share() const;
    // Of a warp's lanes while its last one tries: if each needs any number of tries up to the most, alike.
    [[nodiscard]] double at_work() const {
        const double lanes = static_cast<double>(sampled) / static_cast<double>(warps);
        return (lanes + 1) / (2 * lanes);
    }
    [[nodiscard]] double of_busiest_word(double share) const;
};

double pairs(std::int64_t count) {
    return static_cast<double>(count) * static_cast<double>(count - 1);
}

// Of two swaps, taken from different blocks where there are several.
double Swaps::share() const {
    double of_one_word = 0, of_any = pairs(sampled);
    const bool several = of_block.size() > 1;
    for (const auto& [block, count] : of_block) {
        of_any -= several ? pairs(count) : 0;
    }
    for (const auto& [word, blocks] : words) {
        std::int64_t count = 0;
        for (const auto& [block, times] : blocks) {
            count += times;
            of_one_word -= several ? pairs(times) : 0;
        }
        of_one_word += pairs(count);
    }
    return of_any > 0 ? of_one_word / of_any : 0;
}

double Swaps::of_busiest_word(double share) const {
    std::int64_t most = 0;
    for (const auto& [word, blocks] : words) {
        std::int64_t count = 0;
        for (const auto& [block, times] : blocks) {
            count += times;
        }
        most = std::max(most, count);
    }
    if (most >= named_often) {
        return all * static_cast<double>(most) / static_cast<double>(sampled);
    }
    const double mean = all * share;
    return mean + std::sqrt(2 * mean * std::log(std::max(2.0, 1 / share)));
}

Swaps gather(const std::vector<AnalysedSite>& sites) {
    Swaps swaps;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, int> blocks;
    for (const auto& s : sites) {
        if (!s.site->retried) {
            continue;
        }
        swaps.sites.push_back(&s);
        const auto key = std::tuple(s.executed.x, s.executed.y, s.executed.z);
        const int block = blocks.emplace(key, static_cast<int>(blocks.size())).first->second;
        std::int64_t lanes = 0;
        for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
            swaps.warps += access.active != 0 ? 1 : 0;
            for (int lane = 0; lane < 32; ++lane) {
                if (access.is_active(lane)) {
                    ++swaps.words[access.address[static_cast<std::size_t>(lane)]][block];
                    ++lanes;
                }
            }
        }
        swaps.sampled += lanes;
        swaps.of_block[block] += lanes;
        swaps.all += s.blocks * s.statistics.trips * static_cast<double>(lanes);
        swaps.per_block = std::max(swaps.per_block, static_cast<double>(lanes));
    }
    return swaps;
}

// To L2's near or far half and back.
double way_cycles(const ArchSpec& arch) {
    const double near = arch.l2.latency_cycles;
    return (near + arch.l2.far_latency_cycles.value_or(near)) / 2;
}

}  // namespace

double SwapContention::cycles() const {
    return std::max(queue_cycles, chain_cycles);
}

SwapContention swap_contention(const std::vector<AnalysedSite>& sites, const ArchSpec& arch,
                               const Waves& waves) {
    const auto swaps = gather(sites);
    SwapContention result;
    result.swaps = swaps.all;
    const double share = swaps.share();
    if (swaps.all < 2 || share <= 0) {
        return result;
    }
    const double resident = std::min<double>(static_cast<double>(waves.blocks),
                                             static_cast<double>(waves.sm_count) * waves.blocks_per_sm);
    const double under_way = std::min(swaps.all, swaps.per_block * resident) * swaps.at_work();
    const double others = std::max(0.0, under_way - 1) * share;
    result.tries = 1 + others * (1 - under_way / (2 * swaps.all));
    const double lines = distinct_bytes(swaps.sites, line_bytes) / line_bytes;
    result.queue_cycles =
        swaps.all * (result.tries - 1) * AtomicCosts{}.pass / AtomicCosts::slices_at_work(lines);
    result.chain_cycles = std::max(0.0, swaps.of_busiest_word(share) - 1) * way_cycles(arch);
    return result;
}

}  // namespace gpumodel
