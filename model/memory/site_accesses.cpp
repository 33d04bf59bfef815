// The addresses behind the statistics (site_statistics.h): gathering, strides, path.
#include <span>
#include <vector>

#include "base/memo.h"
#include "model/memory/access_patterns.h"

namespace gpumodel {
namespace {

// Where the hardware keeps a thread's local memory, as seen by its warp.
std::int64_t interleaved(std::int64_t offset, int thread) {
    constexpr std::int64_t warp_apart = std::int64_t{1} << 30;
    return thread / 32 * warp_apart + WarpAccess::local_address(offset, thread % 32);
}

// The site's address function, asked as seldom as it allows.
class WordAddresses {
public:
    WordAddresses(const AccessSite& site, const Coord& any) : site_(site) {
        for (int a = 0; site.words_fixed && a < site.accesses(); ++a) {
            apart_.push_back(site.address(any, a * site.vector_words) - site.address(any, 0));
        }
    }
    // Of all accesses, from the first.
    [[nodiscard]] const std::vector<std::int64_t>& apart() const { return apart_; }
    [[nodiscard]] std::int64_t first_word(const Coord& at) const {
        return site_.words_fixed ? site_.address(at, 0) : 0;
    }
    [[nodiscard]] std::int64_t of(const Coord& at, std::int64_t first_word, int access) const {
        return site_.words_fixed ? first_word + apart_[static_cast<std::size_t>(access)]
                                 : site_.address(at, access * site_.vector_words);
    }

private:
    const AccessSite& site_;
    std::vector<std::int64_t> apart_;  // of each access, from word 0
};

// The first `per_warp` accesses of each thread.
BlockAccesses gather(const Segment& segment, const AccessSite& site, const Dim3& block_at, int per_warp) {
    BlockAccesses block;
    block.warps = warps_of(segment);
    block.per_warp = per_warp;
    block.list.resize(static_cast<std::size_t>(block.warps) * static_cast<std::size_t>(block.per_warp));
    Coord coord;
    coord.block_x = block_at.x;
    coord.block_y = block_at.y;
    coord.block_z = block_at.z;
    const bool local = site.space == MemorySpace::local;
    for (auto& access : block.list) {
        access.bytes_per_lane = site.bytes_per_lane();
        access.local = local;
        access.matrix_rows = site.matrix_rows;
        access.active = 0;
    }
    const bool sometimes = site.active || site.word_active;
    coord.thread = segment.thread_begin;
    const WordAddresses addresses(site, coord);
    for (int thread = segment.thread_begin; thread < segment.thread_end; ++thread) {
        coord.thread = thread;
        const int offset = thread - segment.thread_begin;
        const auto lane = static_cast<std::size_t>(offset % 32);
        const auto first_word = addresses.first_word(coord);
        auto* access = block.list.data() + static_cast<std::ptrdiff_t>(offset / 32) * block.per_warp;
        if (site.words_fixed && !sometimes && !local) {  // most sites, and nearly all of the time
            for (const auto apart : std::span(addresses.apart()).first(static_cast<std::size_t>(per_warp))) {
                access->active |= 1U << lane;
                access->address[lane] = first_word + apart;
                ++access;
            }
            continue;
        }
        for (int a = 0; a < per_warp; ++a) {
            if (sometimes && !site.is_active(coord, a * site.vector_words)) {
                continue;
            }
            const auto address = addresses.of(coord, first_word, a);
            access[a].active |= 1U << lane;
            access[a].address[lane] = local ? interleaved(address, thread) : address;
        }
    }
    return block;
}

}  // namespace

BlockAccesses gather_block(const Segment& segment, const AccessSite& site, const Dim3& block) {
    return gather(segment, site, block, site.accesses());
}

AccessPatterns gather_patterns(const Segment& segment, const AccessSite& site, const Dim3& block) {
    Coord any;
    any.thread = segment.thread_begin;
    return {gather(segment, site, block, 1), WordAddresses(site, any).apart()};
}

std::string fixed_site_key(const Segment& segment, const AccessSite& site) {
    if (!site.fixed_by_code) {
        return {};
    }
    return bytes_of(segment.code.identity(), &site - segment.sites.data(), site.pitch.value_or(0));
}

GlobalPath global_path(const AccessSite& site, const ArchSpec& arch) {
    if (site.kind == AccessKind::store || site.kind == AccessKind::atomic || site.past_l1) {
        return GlobalPath::l1_bypassed;
    }
    if (site.read_only && arch.read_only.size_bytes > 0) {
        return GlobalPath::read_only;
    }
    return arch.l1.caches_global_loads ? GlobalPath::l1_cached : GlobalPath::l1_bypassed;
}

SiteStrides probe_strides(const AccessSite& site, int thread, int depth) {
    Coord origin;
    origin.thread = thread;
    const auto base = site.address(origin, 0);
    // a thread's consecutive words lie a warp's width apart
    const std::int64_t spread = site.space == MemorySpace::local ? 32 : 1;
    const auto stride = [&](const Coord& probe) { return spread * (site.address(probe, 0) - base); };
    SiteStrides strides;
    Coord probe = origin;
    probe.block_x = 1;
    strides.block_x = stride(probe);
    probe = origin;
    probe.block_y = 1;
    strides.block_y = stride(probe);
    probe = origin;
    probe.block_z = 1;
    strides.block_z = stride(probe);
    for (std::size_t d = 0; d < static_cast<std::size_t>(depth); ++d) {
        probe = origin;
        probe.loop[d] = 1;
        strides.loop[d] = stride(probe);
    }
    return strides;
}

}  // namespace gpumodel
