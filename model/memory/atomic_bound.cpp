#include "model/memory/atomic_bound.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"

namespace gpumodel {
namespace {

constexpr int line_bytes = 128;
constexpr std::int64_t sector_bytes = 32;
// Sectors that executed blocks name in a line before it counts as one that is named often: fewer say nothing
// of it. `estimated`: a share is known to a fourth then.
constexpr int named_often = 16;

struct OfArray {
    std::vector<const AnalysedSite*> sites;
    double cycles = 0;
};

struct Line {
    double cycles = 0;  // of all slices together
    int named = 0;      // by what was executed
};

std::map<std::int64_t, Line> lines_of(const OfArray& array) {
    const AtomicCosts costs;
    std::map<std::int64_t, Line> lines;
    for (const auto* s : array.sites) {
        const auto form = atomic_form(*s->site);
        const double times = s->blocks * s->statistics.trips;
        for (const auto& access : gather_block(*s->segment, *s->site, s->executed).list) {
            for (const auto& sector : atomic_sectors(access)) {
                auto& line = lines[sector.sector * sector_bytes / line_bytes];
                line.cycles += times * costs.sector_cycles(form, sector.lanes, sector.words);
                ++line.named;
            }
        }
    }
    return lines;
}

// Of any number of lines that are named most often, as if there were no others.
double busiest_lines(const OfArray& array) {
    std::vector<double> cycles;
    for (const auto& [number, line] : lines_of(array)) {
        if (line.named >= named_often) {
            cycles.push_back(line.cycles);
        }
    }
    std::sort(cycles.begin(), cycles.end(), std::greater<>());
    double longest = 0;
    double sum = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
        sum += cycles[i];
        longest = std::max(longest, sum / AtomicCosts::slices_at_work(static_cast<double>(i + 1)));
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
        longest = std::max({longest, array.cycles / AtomicCosts::slices_at_work(lines),
                            data_decides ? busiest_lines(array) : 0});
    }
    return longest;
}

}  // namespace gpumodel
