// All sites of a program with their statistics and footprints (traffic.h).
#include <algorithm>
#include <deque>
#include <utility>

#include "model/memory/traffic.h"

namespace gpumodel {
namespace {

// Sites of one segment whose accesses cover the same data: the same array, direction and strides.
bool move_alike(const AnalysedSite& a, const AnalysedSite& b) {
    return a.site->array == b.site->array && a.site->kind == b.site->kind && a.site->space == b.site->space &&
           a.strides == b.strides;
}

// A site of global or local memory, with the accesses of its first block.
struct GatheredSite {
    AnalysedSite* site;
    const BlockAccesses* block;
};

BlockAccesses join_accesses(const std::vector<GatheredSite>& group) {
    BlockAccesses joint;
    for (const auto& s : group) {
        joint.per_warp += s.block->per_warp;
    }
    joint.warps = group.front().block->warps;
    joint.list.reserve(static_cast<std::size_t>(joint.warps) * static_cast<std::size_t>(joint.per_warp));
    for (int warp = 0; warp < joint.warps; ++warp) {
        for (const auto& s : group) {
            const auto begin = s.block->list.begin() + std::ptrdiff_t{warp} * s.block->per_warp;
            joint.list.insert(joint.list.end(), begin, begin + s.block->per_warp);
        }
    }
    return joint;
}

void share_footprint(const std::vector<GatheredSite>& group, const ArchSpec& arch) {
    const auto& any = *group.front().site;
    const auto joint = site_footprint(join_accesses(group), any.loops, any.strides, arch.l1.sector_bytes);
    double sum = 0;
    for (const auto& s : group) {
        sum += s.site->footprint.bytes_per_trip;
    }
    for (const auto& [s, block] : group) {
        const double share = sum > 0 ? s->footprint.bytes_per_trip / sum : 0;
        s->footprint.bytes_per_trip = joint.bytes_per_trip * share;
        s->footprint.bytes_per_inner_trip = joint.bytes_per_inner_trip * share;
        s->footprint.lines_per_trip = joint.lines_per_trip * share;
        s->footprint.bytes_per_block = joint.bytes_per_block * share;
    }
}

// Those of one segment, all of the list.
void join_footprints(std::vector<GatheredSite> open, const ArchSpec& arch) {
    while (!open.empty()) {
        const auto* first = open.front().site;
        const auto rest = std::stable_partition(
            open.begin(), open.end(), [first](const GatheredSite& s) { return move_alike(*first, *s.site); });
        const std::vector<GatheredSite> group(open.begin(), rest);
        if (group.size() > 1) {
            share_footprint(group, arch);
        }
        open.erase(open.begin(), rest);
    }
}

// Into `s`, of which all but statistics and footprint is known. `before`: the site before it in the segment,
// whose footprint an update's store shares with its load.
void analyse(AnalysedSite& s, const BlockAccesses& block, const GatheredSite* before, const ArchSpec& arch) {
    s.statistics = analyse_site(s.box, *s.segment, *s.site, s.loops, s.strides, block, arch);
    if (s.site->space == MemorySpace::shared) {
        return;
    }
    const bool as_before = before != nullptr && before->site->site->space == s.site->space &&
                           before->site->strides == s.strides && block == *before->block;
    s.footprint =
        as_before ? before->site->footprint : site_footprint(block, s.loops, s.strides, arch.l1.sector_bytes);
}

}  // namespace

std::vector<AnalysedSite> analyse_sites(const FlatProgram& flat, const ArchSpec& arch) {
    std::size_t count = 0;
    for (const auto& interval : flat.intervals) {
        for (const auto& segment : interval.interval->segments) {
            count += segment.sites.size();
        }
    }
    std::vector<AnalysedSite> sites;
    sites.reserve(count);  // pointers to them stay valid
    for (std::size_t i = 0; i < flat.intervals.size(); ++i) {
        for (const auto& segment : flat.intervals[i].interval->segments) {
            std::deque<BlockAccesses> blocks;
            std::vector<GatheredSite> gathered;
            for (const auto& site : segment.sites) {
                AnalysedSite& s = sites.emplace_back();
                s.segment = &segment;
                s.site = &site;
                s.interval = i;
                s.loops = flat.intervals[i].loops;
                s.box = flat.intervals[i].box;
                s.blocks = static_cast<double>(s.box.count());
                s.strides = probe_strides(site, segment.thread_begin, s.loops.depth);
                const bool shared = site.space == MemorySpace::shared;
                const auto& block =
                    blocks.emplace_back(shared ? BlockAccesses{} : gather_block(segment, site, s.box.begin));
                const bool follows = !gathered.empty() && gathered.back().site == &s - 1;
                analyse(s, block, follows ? &gathered.back() : nullptr, arch);
                if (!shared) {
                    gathered.push_back({&s, &block});
                }
            }
            join_footprints(std::move(gathered), arch);
        }
    }
    return sites;
}

}  // namespace gpumodel
