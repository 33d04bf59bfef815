// All sites of a program with their statistics and footprints (traffic.h).
#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "base/memo.h"
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
    LazyAccesses* block;
    std::string key;  // first_trip_key
};

// What the first trip hangs on; empty: on more than can be said without gathering accesses.
std::string first_trip_key(const AnalysedSite& s, int granule_bytes) {
    auto key = fixed_site_key(*s.segment, *s.site);
    if (key.empty()) {
        return key;
    }
    Coord first;
    first.block_x = s.box.begin.x;
    first.block_y = s.box.begin.y;
    first.block_z = s.box.begin.z;
    first.thread = s.segment->thread_begin;
    return key + bytes_of(s.site->address(first, 0), granule_bytes);
}

// What a footprint hangs on beside its first trip.
std::string loops_key(const AnalysedSite& s) {
    auto key = bytes_of(s.loops.depth);
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.loops.depth); ++d) {
        key += bytes_of(s.loops.trips[d], s.strides.loop[d]);
    }
    return key;
}

template <class Compute>
FirstTrip known_first_trip(const std::string& key, const Compute& compute) {
    constexpr std::size_t most_spans = 1000000;  // 16 MB
    static Memo<FirstTrip> memo(most_spans);
    if (key.empty()) {
        return compute();
    }
    if (const auto known = memo.find(key)) {
        return *known;
    }
    auto first = compute();
    constexpr std::size_t other_words = 10;  // beside its spans, in their size
    memo.add(key, first, (*first.spans).size() + other_words);
    return first;
}

// `first_key` of what `compute` gives, the first trip.
template <class Compute>
SiteFootprint known_footprint(const AnalysedSite& s, const std::string& first_key, int granule_bytes,
                              const Compute& compute) {
    constexpr std::size_t most_footprints = 50000;  // 10 MB; their spans are those of the first trips
    static Memo<SiteFootprint> memo(most_footprints);
    const auto make = [&] {
        return site_footprint(known_first_trip(first_key, compute), s.loops, s.strides, granule_bytes);
    };
    if (first_key.empty()) {
        return make();
    }
    const auto key = first_key + loops_key(s);
    if (const auto known = memo.find(key)) {
        return *known;
    }
    auto footprint = make();
    memo.add(key, footprint, 1);
    return footprint;
}

BlockAccesses join_accesses(const std::vector<GatheredSite>& group) {
    BlockAccesses joint;
    for (const auto& s : group) {
        joint.per_warp += s.block->get().per_warp;
    }
    joint.warps = group.front().block->get().warps;
    joint.list.reserve(static_cast<std::size_t>(joint.warps) * static_cast<std::size_t>(joint.per_warp));
    for (int warp = 0; warp < joint.warps; ++warp) {
        for (const auto& s : group) {
            const auto& block = s.block->get();
            const auto begin = block.list.begin() + std::ptrdiff_t{warp} * block.per_warp;
            joint.list.insert(joint.list.end(), begin, begin + block.per_warp);
        }
    }
    return joint;
}

std::string join_keys(const std::vector<GatheredSite>& group) {
    std::string joint;
    for (const auto& s : group) {
        if (s.key.empty()) {
            return {};
        }
        joint += s.key;
    }
    return joint;
}

void share_footprint(const std::vector<GatheredSite>& group, const ArchSpec& arch) {
    const auto& any = *group.front().site;
    const int granule = arch.l1.sector_bytes;
    const auto joint = known_footprint(any, join_keys(group), granule,
                                       [&] { return first_trip(join_accesses(group), granule); });
    double sum = 0;
    for (const auto& s : group) {
        sum += s.site->footprint.bytes_per_trip;
    }
    for (const auto& s : group) {
        auto& footprint = s.site->footprint;
        const double share = sum > 0 ? footprint.bytes_per_trip / sum : 0;
        footprint.bytes_per_trip = joint.bytes_per_trip * share;
        footprint.bytes_per_inner_trip = joint.bytes_per_inner_trip * share;
        footprint.lines_per_trip = joint.lines_per_trip * share;
        footprint.bytes_per_block = joint.bytes_per_block * share;
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

// Of a site that is known but for it. `before`: the site before it in the segment, whose footprint an
// update's store shares with its load.
SiteFootprint footprint_of(const AnalysedSite& s, LazyAccesses& block, const std::string& key,
                           const GatheredSite* before, const ArchSpec& arch) {
    const bool as_before = key.empty() && before != nullptr && before->site->site->space == s.site->space &&
                           before->site->strides == s.strides && block.get() == before->block->get();
    const int granule = arch.l1.sector_bytes;
    return as_before ? before->site->footprint
                     : known_footprint(s, key, granule, [&] { return first_trip(block.get(), granule); });
}

void analyse_segment(const Segment& segment, const FlatInterval& flat, std::size_t interval,
                     const ArchSpec& arch, std::vector<AnalysedSite>& sites) {
    std::deque<LazyAccesses> blocks;
    std::vector<GatheredSite> gathered;
    for (const auto& site : segment.sites) {
        AnalysedSite& s = sites.emplace_back();
        s.segment = &segment;
        s.site = &site;
        s.interval = interval;
        s.loops = flat.loops;
        s.box = flat.box;
        s.executed = flat.executed;
        s.blocks = static_cast<double>(s.box.count());
        s.strides = probe_strides(site, segment.thread_begin, s.loops.depth);
        auto& block = blocks.emplace_back(segment, site, s.box.begin);
        s.statistics = analyse_site(s.box, segment, site, s.loops, s.strides, block, arch);
        if (site.space == MemorySpace::shared) {
            continue;
        }
        const bool follows = !gathered.empty() && gathered.back().site == &s - 1;
        auto key = first_trip_key(s, arch.l1.sector_bytes);
        s.footprint = footprint_of(s, block, key, follows ? &gathered.back() : nullptr, arch);
        gathered.push_back({&s, &block, std::move(key)});
    }
    join_footprints(std::move(gathered), arch);
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
            analyse_segment(segment, flat.intervals[i], i, arch, sites);
        }
    }
    return sites;
}

}  // namespace gpumodel
