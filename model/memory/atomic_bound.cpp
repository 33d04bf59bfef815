#include "model/memory/atomic_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"
#include "model/memory/stale_copies.h"

namespace gpumodel {
namespace {

constexpr int line_bytes = 128;
constexpr std::int64_t sector_bytes = 32;
constexpr double any_lines = 1e9;
// Requests of executed blocks for a slice's lines before their share counts for more than chance: fewer say
// nothing of it. `estimated`: a share is known to a fourth then.
constexpr int named_often = 16;

struct OfArray {
    std::vector<const AnalysedSite*> sites;
    double cycles = 0;
};

// Which lines lie in one slice: of eight in a row two slices have every other two (h200_sxm_hot_words.csv: of
// words a line apart 2, 4, 8, 16, 32 keep 0.9, 1.7, 1.9, 3.6, 7.6 slices at work).
HotSlice slice_of(const std::string& array, std::int64_t line) {
    return {array, line / 8, line / 2 % 2};
}

struct Slice {
    double cycles = 0;
    double behind = 0;                       // what additions wait longer if all are of one sector
    int named = 0;                           // by what was executed
    bool by_chance = false;                  // of blocks that name others elsewhere
    std::map<std::int64_t, double> sectors;  // cycles
    std::map<std::int64_t, double> chains;   // how long a sector's additions take one after another

    // As if lines elsewhere came on top evenly, with `others` cycles. Two requests in a row are of one sector
    // as often as chance has it.
    [[nodiscard]] double busy(double others) const {
        double same = 0;
        for (const auto& [number, of_sector] : sectors) {
            same += std::pow(of_sector / (cycles + others), 2);
        }
        return std::max(cycles + others + behind * same, longest_chain());
    }
    [[nodiscard]] double longest_chain() const {
        double longest = 0;
        for (const auto& [number, chain] : chains) {
            longest = std::max(longest, chain);
        }
        return longest;
    }
};

struct Busiest {
    double cycles = 0;  // with its part of what lies elsewhere
    double own = 0;     // of its lines' atomics
    HotSlice slice;
};

bool is_atomic(const AnalysedSite& s) {
    return s.site->kind == AccessKind::atomic && s.site->space == MemorySpace::global;
}

using Slices = std::map<HotSlice, Slice>;

// Whether every block and trip names what the executed block's first trip does.
bool stays(const AnalysedSite& s) {
    if (s.segment == nullptr) {
        return false;
    }
    const auto& at = s.strides;
    return at.block_x == 0 && at.block_y == 0 && at.block_z == 0 &&
           std::all_of(at.loop.begin(), at.loop.end(), [](std::int64_t step) { return step == 0; });
}

void add_to_slices(const AnalysedSite& s, Slices& slices) {
    const AtomicCosts costs;
    const auto form = atomic_form(*s.site);
    const double times = s.blocks * s.statistics.trips;
    const bool by_chance = !stays(s);
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
        const auto sectors = atomic_sectors(access);
        for (const auto& part : costs.by_line(form, sectors)) {
            auto& slice = slices[slice_of(s.site->array, part.line)];
            slice.cycles += times * part.cycles;
            slice.by_chance = slice.by_chance || by_chance;
        }
        for (const auto& sector : sectors) {
            auto& slice = slices[slice_of(s.site->array, sector.sector * sector_bytes / line_bytes)];
            slice.behind += sector.lanes == 1 ? times * costs.behind_another(form) : 0;
            slice.sectors[sector.sector] +=
                times * (costs.sector_cycles(form, sector.lanes, sector.words) + costs.line);
            slice.chains[sector.sector] += times * sector.lanes * costs.one_after_another(form);
            ++slice.named;
        }
    }
}

// The slice whose lines are named most often, with its part of all others. Of many that are alike the one
// that chance has named most says too much: a standard deviation is taken off.
Busiest busiest_slice(const OfArray& array, bool data_decides, double beside) {
    Slices slices;
    for (const auto* s : array.sites) {
        if (data_decides || stays(*s)) {
            add_to_slices(*s, slices);
        }
    }
    const double all_slices = AtomicCosts::slices_at_work(any_lines);
    Busiest busiest;
    for (const auto& [number, slice] : slices) {
        if (data_decides && slice.named < named_often) {
            continue;
        }
        const double others = beside + std::max(0.0, array.cycles - slice.cycles) / all_slices;
        const double sure = slice.by_chance ? 1 - 1 / std::sqrt(static_cast<double>(slice.named)) : 1.0;
        const double cycles = sure * slice.busy(others);
        if (cycles > busiest.cycles) {
            busiest = {cycles, slice.cycles, number};
            busiest.slice.waits = std::max(1.0, slice.longest_chain() / slice.cycles);
            busiest.slice.cycles = slice.cycles * busiest.slice.waits;
        }
    }
    return busiest;
}

// Array by array, and the cycles of all.
struct Atomics {
    std::map<std::string, OfArray> arrays;
    double cycles = 0;
    explicit Atomics(const std::vector<AnalysedSite>& sites) {
        for (const auto& s : sites) {
            if (is_atomic(s)) {
                auto& array = arrays[s.site->array];
                array.sites.push_back(&s);
                const double of_site = s.blocks * s.statistics.trips * s.statistics.slice_cycles;
                array.cycles += of_site;
                cycles += of_site;
            }
        }
    }
    // Of all arrays but one, in each slice.
    [[nodiscard]] double beside(const OfArray& array) const {
        return (cycles - array.cycles) / AtomicCosts::slices_at_work(any_lines);
    }
};

}  // namespace

double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides, double others) {
    const Atomics atomics(sites);
    double longest = 0;
    for (const auto& [name, array] : atomics.arrays) {
        const double lines = distinct_bytes(array.sites, line_bytes) / line_bytes;
        const double beside = others + atomics.beside(array);
        longest = std::max({longest, beside + array.cycles / AtomicCosts::slices_at_work(lines),
                            busiest_slice(array, data_decides, beside).cycles});
    }
    return longest;
}

std::optional<HotSlice> find_hot_slice(const std::vector<AnalysedSite>& sites, bool data_decides) {
    const Atomics atomics(sites);
    Busiest busiest;
    for (const auto& [name, array] : atomics.arrays) {
        const auto found = busiest_slice(array, data_decides, atomics.beside(array));
        busiest = found.cycles > busiest.cycles ? found : busiest;
    }
    const double even = atomics.cycles / AtomicCosts::slices_at_work(any_lines);
    return busiest.own > even ? std::optional(busiest.slice) : std::nullopt;
}

double cycles_beside_atomics(const std::vector<AnalysedSite>& sites, const BehindL1& behind, double sms,
                             const std::vector<StaleCopies>& stale) {
    if (behind.atomic_slices <= 0) {
        return 0;
    }
    double cycles = 0;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::shared || is_atomic(s)) {
            continue;
        }
        const auto& stats = s.statistics;
        const double asked = sector_bytes * stats.sectors * stats.trips;
        const double passed = asked > 0 ? std::min(1.0, s.l2_bytes_per_block / asked) : 1;
        const double least = stats.lines * stats.trips * passed * behind.least_bytes;
        cycles += s.blocks *
                  (s.site->kind == AccessKind::store
                       ? (s.l2_bytes_per_block + least) / 2 / behind.slice_write_bytes_per_cycle
                       : std::max(s.l2_bytes_per_block, least) * (1 + accesses_more(stale, s.site->array)) /
                             behind.slice_read_bytes_per_cycle);
    }
    return cycles / sms;
}

}  // namespace gpumodel
