#include "tools/report/site_access.h"

#include <algorithm>
#include <optional>
#include <set>

#include "model/memory/site_statistics.h"

namespace gpumodel::cli::page {
namespace {

struct Worst {
    WarpAccess access;
    BankConflicts conflicts;
};

std::optional<Worst> worst_access(const BlockAccesses& accesses, const BankGeometry& geometry,
                                  AccessDirection direction) {
    std::optional<Worst> worst;
    for (const auto& access : accesses.list) {
        const auto conflicts = analyse_bank_conflicts(access, geometry, direction);
        if (conflicts.wavefronts > (worst ? worst->conflicts.wavefronts : 0)) {
            worst = {access, conflicts};
        }
    }
    return worst;
}

bool same_picture(const std::vector<BankWord>& a, const std::vector<BankWord>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const BankWord& x, const BankWord& y) {
        return x.phase == y.phase && x.bank == y.bank && x.lanes == y.lanes;
    });
}

// Conflict-free accesses differ only in which lane meets which bank.
bool alike(const SharedAccess& a, const SharedAccess& b) {
    const bool free = a.conflicts.conflicts == 0 && b.conflicts.conflicts == 0;
    return a.direction == b.direction && a.bits == b.bits &&
           ((free && a.conflicts.wavefronts == b.conflicts.wavefronts) || same_picture(a.words, b.words));
}

void join(std::vector<SharedAccess>& list, SharedAccess next) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const SharedAccess& known) { return alike(known, next); });
    if (found == list.end()) {
        list.push_back(std::move(next));
    } else {
        found->sites.push_back(next.sites.front());
    }
}

void add_segment(const Segment& segment, const Dim3& block, const BankGeometry& geometry,
                 std::set<std::string>& seen, std::vector<SharedAccess>& list) {
    for (const auto& site : segment.sites) {
        if (site.space != MemorySpace::shared || is_private(site) || !seen.insert(site.name).second) {
            continue;
        }
        const auto direction =
            site.kind == AccessKind::store ? AccessDirection::store : AccessDirection::load;
        const auto worst = worst_access(gather_block(segment, site, block), geometry, direction);
        if (worst) {
            join(list, {{site.name},
                        direction,
                        8 * site.bytes_per_lane(),
                        worst->conflicts,
                        bank_picture(worst->access, geometry, direction)});
        }
    }
}

}  // namespace

std::vector<SharedAccess> shared_accesses(const KernelProgram& program, const ArchSpec& arch) {
    const auto geometry = bank_geometry(arch.sm.shared_memory);
    std::vector<SharedAccess> list;
    std::set<std::string> seen;
    for (const auto& flat : flatten(program).intervals) {
        for (const auto& segment : flat.interval->segments) {
            add_segment(segment, flat.box.begin, geometry, seen, list);
        }
    }
    return list;
}

}  // namespace gpumodel::cli::page
