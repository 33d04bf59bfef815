#include "model/memory/stale_copies.h"

#include <cmath>
#include <map>
#include <string>

#include "model/memory/distinct_bytes.h"

namespace gpumodel {
namespace {

constexpr int sector_bytes = 32;

// Sectors that arrive at L2.
struct Asked {
    double reads = 0, atomics = 0;
    std::vector<const AnalysedSite*> changed_by;
};

}  // namespace

std::vector<StaleCopies> find_stale_copies(const std::vector<AnalysedSite>& sites) {
    std::map<std::string, Asked> arrays;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::shared || s.site->kind == AccessKind::store) {
            continue;
        }
        auto& array = arrays[s.site->array];
        if (s.site->kind == AccessKind::atomic) {
            array.changed_by.push_back(&s);
            array.atomics += s.blocks * s.statistics.trips * s.statistics.sectors;
        } else {
            array.reads += s.blocks * s.l2_bytes_per_block / sector_bytes;
        }
    }
    std::vector<StaleCopies> found;
    for (const auto& [name, asked] : arrays) {
        if (asked.atomics <= 0 || asked.reads <= 0) {
            continue;
        }
        const double changes = asked.reads / 2 + asked.atomics;
        const double to_a_sector = changes * sector_bytes / distinct_bytes(asked.changed_by, sector_bytes);
        const double known = 1 + std::expm1(-to_a_sector) / to_a_sector;
        found.push_back({name, asked.atomics / changes * known});
    }
    return found;
}

double accesses_more(const std::vector<StaleCopies>& all, const std::string& array) {
    for (const auto& copies : all) {
        if (copies.array == array) {
            return copies.more;
        }
    }
    return 0;
}

}  // namespace gpumodel
