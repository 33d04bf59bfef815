#include "model/memory/atomic_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"

namespace gpumodel {
namespace {

constexpr int line_bytes = 128;
constexpr std::int64_t sector_bytes = 32;
// Requests of executed blocks for a slice's lines before their share counts for more than chance: fewer say
// nothing of it. `estimated`: a share is known to a fourth then.
constexpr int named_often = 16;

struct OfArray {
    std::vector<const AnalysedSite*> sites;
    double cycles = 0;
};

// Which lines lie in one slice: of eight in a row two slices have every other two (h200_sxm_hot_words.csv: of
// words a line apart 2, 4, 8, 16, 32 keep 0.9, 1.7, 1.9, 3.6, 7.6 slices at work).
std::pair<std::int64_t, std::int64_t> slice_of(std::int64_t line) {
    return {line / 8, line / 2 % 2};
}

struct Slice {
    double cycles = 0;
    double behind = 0;                       // what additions wait longer if all are of one sector
    int named = 0;                           // by what was executed
    bool by_chance = false;                  // of blocks that name others elsewhere
    std::map<std::int64_t, double> sectors;  // cycles

    // As if lines elsewhere came on top evenly, with `others` cycles. Two requests in a row are of one sector
    // as often as chance has it.
    [[nodiscard]] double busy(double others) const {
        double same = 0;
        for (const auto& [number, of_sector] : sectors) {
            same += std::pow(of_sector / (cycles + others), 2);
        }
        return cycles + others + behind * same;
    }
};

// Whether every block and trip names what the executed block's first trip does.
bool stays(const AnalysedSite& s) {
    if (s.segment == nullptr) {
        return false;
    }
    const auto& at = s.strides;
    return at.block_x == 0 && at.block_y == 0 && at.block_z == 0 &&
           std::all_of(at.loop.begin(), at.loop.end(), [](std::int64_t step) { return step == 0; });
}

void add_to_slices(const AnalysedSite& s, std::map<std::pair<std::int64_t, std::int64_t>, Slice>& slices) {
    const AtomicCosts costs;
    const auto form = atomic_form(*s.site);
    const double times = s.blocks * s.statistics.trips;
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
        std::int64_t last = -1;
        for (const auto& sector : atomic_sectors(access)) {
            const auto line = sector.sector * sector_bytes / line_bytes;
            const double cycles = times * (costs.sector_cycles(form, sector.lanes, sector.words) +
                                           (line != last ? costs.line : 0));
            auto& slice = slices[slice_of(line)];
            slice.cycles += cycles;
            slice.behind += sector.lanes == 1 ? times * costs.behind_another(form) : 0;
            slice.sectors[sector.sector] += cycles;
            ++slice.named;
            slice.by_chance = slice.by_chance || !stays(s);
            last = line;
        }
    }
}

// The slice whose lines are named most often, with its part of all others. Of many that are alike the one
// that chance has named most says too much: a standard deviation is taken off.
double busiest_slice(const OfArray& array, bool data_decides) {
    std::map<std::pair<std::int64_t, std::int64_t>, Slice> slices;
    for (const auto* s : array.sites) {
        if (data_decides || stays(*s)) {
            add_to_slices(*s, slices);
        }
    }
    constexpr double any_lines = 1e9;
    const double all_slices = AtomicCosts::slices_at_work(any_lines);
    double longest = 0;
    for (const auto& [number, slice] : slices) {
        if (data_decides && slice.named < named_often) {
            continue;
        }
        const double others = std::max(0.0, array.cycles - slice.cycles) / all_slices;
        const double sure = slice.by_chance ? 1 - 1 / std::sqrt(static_cast<double>(slice.named)) : 1.0;
        longest = std::max(longest, sure * slice.busy(others));
    }
    return longest;
}

}  // namespace

double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides) {
    std::map<std::string, OfArray> arrays;
    for (const auto& s : sites) {
        if (s.site->kind == AccessKind::atomic && s.site->space == MemorySpace::global) {
            auto& array = arrays[s.site->array];
            array.sites.push_back(&s);
            array.cycles += s.blocks * s.statistics.trips * s.statistics.slice_cycles;
        }
    }
    double longest = 0;
    for (const auto& [name, array] : arrays) {
        const double lines = distinct_bytes(array.sites, line_bytes) / line_bytes;
        longest = std::max(
            {longest, array.cycles / AtomicCosts::slices_at_work(lines), busiest_slice(array, data_decides)});
    }
    return longest;
}

}  // namespace gpumodel
