// All sites of a program with their statistics and footprints (traffic.h).
#include <algorithm>

#include "model/memory/traffic.h"

namespace gpumodel {
namespace {

// Sites of one segment whose accesses cover the same data: the same array, direction and strides.
bool move_alike(const AnalysedSite& a, const AnalysedSite& b) {
    return a.site->array == b.site->array && a.site->kind == b.site->kind && a.site->space == b.site->space &&
           a.strides == b.strides;
}

BlockAccesses join_accesses(const std::vector<AnalysedSite*>& group) {
    BlockAccesses joint;
    for (const auto* s : group) {
        joint.per_warp += s->site->accesses();
    }
    joint.warps = warps_of(*group.front()->segment);
    joint.list.resize(static_cast<std::size_t>(joint.warps) * static_cast<std::size_t>(joint.per_warp));
    int offset = 0;
    for (const auto* s : group) {
        const auto block = gather_block(*s->segment, *s->site, s->box.begin);
        for (int warp = 0; warp < block.warps; ++warp) {
            for (int a = 0; a < block.per_warp; ++a) {
                joint.list[static_cast<std::size_t>(warp * joint.per_warp + offset + a)] = block.at(warp, a);
            }
        }
        offset += block.per_warp;
    }
    return joint;
}

void share_footprint(const std::vector<AnalysedSite*>& group, const ArchSpec& arch) {
    const auto& any = *group.front();
    const auto joint = site_footprint(join_accesses(group), any.loops, any.strides, arch.l1.sector_bytes);
    double sum = 0;
    for (const auto* s : group) {
        sum += s->footprint.bytes_per_trip;
    }
    for (auto* s : group) {
        const double share = sum > 0 ? s->footprint.bytes_per_trip / sum : 0;
        s->footprint.bytes_per_trip = joint.bytes_per_trip * share;
        s->footprint.bytes_per_inner_trip = joint.bytes_per_inner_trip * share;
        s->footprint.lines_per_trip = joint.lines_per_trip * share;
        s->footprint.bytes_per_block = joint.bytes_per_block * share;
    }
}

// The sites of `segment` are the last ones of the list.
void join_footprints(const Segment& segment, std::vector<AnalysedSite>& sites, const ArchSpec& arch) {
    std::vector<AnalysedSite*> open;
    for (auto i = sites.size() - segment.sites.size(); i < sites.size(); ++i) {
        if (sites[i].site->space != MemorySpace::shared) {
            open.push_back(&sites[i]);
        }
    }
    while (!open.empty()) {
        const auto* first = open.front();
        const auto rest = std::stable_partition(
            open.begin(), open.end(), [first](const AnalysedSite* s) { return move_alike(*first, *s); });
        const std::vector<AnalysedSite*> group(open.begin(), rest);
        if (group.size() > 1) {
            share_footprint(group, arch);
        }
        open.erase(open.begin(), rest);
    }
}

}  // namespace

std::vector<AnalysedSite> analyse_sites(const FlatProgram& flat, const ArchSpec& arch) {
    std::vector<AnalysedSite> sites;
    BlockAccesses before;  // an update loads and stores the same elements
    for (std::size_t i = 0; i < flat.intervals.size(); ++i) {
        for (const auto& segment : flat.intervals[i].interval->segments) {
            for (const auto& site : segment.sites) {
                AnalysedSite s;
                s.segment = &segment;
                s.site = &site;
                s.interval = i;
                s.loops = flat.intervals[i].loops;
                s.box = flat.intervals[i].box;
                s.blocks = static_cast<double>(s.box.count());
                s.strides = probe_strides(site, segment.thread_begin, s.loops.depth);
                auto block = site.space == MemorySpace::shared ? BlockAccesses{}
                                                               : gather_block(segment, site, s.box.begin);
                s.statistics = analyse_site(s.box, segment, site, s.loops, s.strides, block, arch);
                if (site.space != MemorySpace::shared) {
                    const bool as_before = !sites.empty() && sites.back().segment == &segment &&
                                           sites.back().site->space == site.space &&
                                           sites.back().strides == s.strides && block == before;
                    s.footprint = as_before ? sites.back().footprint
                                            : site_footprint(block, s.loops, s.strides, arch.l1.sector_bytes);
                }
                sites.push_back(s);
                before = std::move(block);
            }
            join_footprints(segment, sites, arch);
        }
    }
    return sites;
}

}  // namespace gpumodel
