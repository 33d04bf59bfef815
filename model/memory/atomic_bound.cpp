#include "model/memory/atomic_bound.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"
#include "model/memory/hot_slice.h"
#include "model/memory/stale_copies.h"

namespace gpumodel {
namespace {

constexpr int line_size = 128;
constexpr std::int64_t sector_size = 32;
constexpr double any_lines = 1e9;

}  // namespace

double atomic_bound_cycles(const std::vector<AnalysedSite>& sites, bool data_decides, double others,
                           const std::vector<ArrayUse>& arrays) {
    struct OfArray {
        std::vector<const AnalysedSite*> sites;
        double cycles = 0;
    };
    std::map<std::string, OfArray> by_array;
    for (const auto& s : sites) {
        if (is_global_atomic(s)) {
            auto& array = by_array[s.site->array];
            array.sites.push_back(&s);
            array.cycles += s.blocks * s.statistics.trips * s.statistics.slice_cycles;
        }
    }
    const double all = atomic_slice_cycles(sites), all_slices = AtomicCosts::slices_at_work(any_lines);
    double longest = busiest_slice(sites, arrays, data_decides, others).cycles;
    for (const auto& [name, array] : by_array) {
        const double lines = distinct_bytes(array.sites, line_size) / line_size;
        longest = std::max(longest, others + (all - array.cycles) / all_slices +
                                        array.cycles / AtomicCosts::slices_at_work(lines));
    }
    return longest;
}

double cycles_beside_atomics(const std::vector<AnalysedSite>& sites, const BehindL1& behind, double sms,
                             const std::vector<StaleCopies>& stale) {
    if (behind.atomic_slices <= 0) {
        return 0;
    }
    double cycles = 0;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::shared || is_global_atomic(s)) {
            continue;
        }
        const auto& stats = s.statistics;
        const double asked = sector_size * stats.sectors * stats.trips;
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
