#include "model/explain/site_stalls.h"

#include <algorithm>

namespace gpumodel {
namespace {

std::string site_of(const InstructionStalls& line) {
    if (line.instruction < 0) {
        return "";
    }
    const auto site = line.segment->code[static_cast<std::size_t>(line.instruction)].site;
    return site < 0 ? "" : line.segment->sites[static_cast<std::size_t>(site)].name;
}

}  // namespace

std::vector<SiteStalls> stalls_by_site(const SimResult& run) {
    std::vector<SiteStalls> sites;
    for (const auto& line : run.instructions) {
        const std::string segment = line.segment != nullptr ? line.segment->name : "";
        const auto site = site_of(line);
        auto found = std::find_if(sites.begin(), sites.end(), [&](const SiteStalls& s) {
            return s.segment == segment && s.site == site;
        });
        if (found == sites.end()) {
            SiteStalls added;
            added.segment = segment;
            added.site = site;
            found = sites.insert(sites.end(), std::move(added));
        }
        found->instructions += line.issues;
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            found->cycles[r] += line.cycles[r];
            found->warp_cycles += line.cycles[r];
        }
    }
    std::stable_sort(sites.begin(), sites.end(),
                     [](const SiteStalls& a, const SiteStalls& b) { return a.warp_cycles > b.warp_cycles; });
    return sites;
}

}  // namespace gpumodel
