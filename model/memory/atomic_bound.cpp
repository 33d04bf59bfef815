#include "model/memory/atomic_bound.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/distinct_bytes.h"

namespace gpumodel {

double atomic_bound_cycles(const std::vector<AnalysedSite>& sites) {
    constexpr int line_bytes = 128;
    struct OfArray {
        std::vector<const AnalysedSite*> sites;
        double cycles = 0;
    };
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
        longest = std::max(longest, array.cycles / AtomicCosts::slices_at_work(lines));
    }
    return longest;
}

}  // namespace gpumodel
