#include "model/memory/site_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

namespace gpumodel {
namespace {

constexpr int granule = 4;       // residues are counted in 4-byte words
constexpr int max_period = 256;  // bytes

using Residues = std::array<double, max_period / granule>;

std::int64_t positive_mod(std::int64_t value, std::int64_t modulus) {
    const auto rest = value % modulus;
    return rest < 0 ? rest + modulus : rest;
}

// Convolves the distribution with a counter that takes each of 0 ... trips-1 equally often.
Residues with_counter(const Residues& before, std::int64_t stride, std::int64_t trips, int period) {
    const int bins = period / granule;
    const std::int64_t step = positive_mod(stride, period) / granule;
    if (step == 0 || trips <= 1) {
        return before;
    }
    const std::int64_t cycle = bins / std::gcd<std::int64_t>(step, bins);
    Residues after{};
    for (std::int64_t c = 0; c < std::min(trips, cycle); ++c) {
        // counts of counter values congruent to c modulo the cycle
        const std::int64_t times = (trips - c + cycle - 1) / cycle;
        const double weight = static_cast<double>(times) / static_cast<double>(trips);
        for (int r = 0; r < bins; ++r) {
            after[static_cast<std::size_t>((r + c * step) % bins)] +=
                weight * before[static_cast<std::size_t>(r)];
        }
    }
    return after;
}

struct BlockClass {
    std::int64_t x = 0, y = 0;  // a representative block
    double count = 0;
};

std::vector<BlockClass> block_classes(const KernelProgram& program, const AccessSite& site) {
    const auto gx = program.grid.x;
    const auto gy = program.grid.y;
    if (!site.active && !site.word_active) {
        return {{0, 0, static_cast<double>(gx * gy)}};
    }
    std::vector<BlockClass> classes{{gx - 1, gy - 1, 1}};
    if (gx > 1) {
        classes.push_back({0, gy - 1, static_cast<double>(gx - 1)});
    }
    if (gy > 1) {
        classes.push_back({gx - 1, 0, static_cast<double>(gy - 1)});
    }
    if (gx > 1 && gy > 1) {
        classes.push_back({0, 0, static_cast<double>((gx - 1) * (gy - 1))});
    }
    return classes;
}

int alignment_period(const AccessSite& site, const ArchSpec& arch) {
    return site.space == MemorySpace::shared && arch.sm.shared_memory.rule == SharedMemoryRule::cc3_x ? 256
                                                                                                      : 128;
}

Residues residues_of(const KernelProgram& program, const AccessSite& site, const SiteStrides& strides,
                     const LoopContext& loops, int period) {
    Residues residues{};
    residues[0] = 1;
    if (!site.active &&
        !site.word_active) {  // with a bounds check the class's representative block fixes the offset
        residues = with_counter(residues, strides.block_x, program.grid.x, period);
        residues = with_counter(residues, strides.block_y, program.grid.y, period);
    }
    for (std::size_t d = 0; d < static_cast<std::size_t>(loops.depth); ++d) {
        residues = with_counter(residues, strides.loop[d], loops.trips[d], period);
    }
    return residues;
}

// Warp accesses that differ only by a multiple of the period cost the same. Each distinct pattern
// (addresses relative to the first active lane, and the first lane's residue) is analysed once.
class PatternWeights {
public:
    explicit PatternWeights(int period) : period_(period) {}

    void add(const WarpAccess& access, const Residues& residues, double weight) {
        if (access.active == 0) {
            return;
        }
        const auto first = access.address[static_cast<std::size_t>(std::countr_zero(access.active))];
        WarpAccess pattern = access;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            pattern.address[lane] =
                access.is_active(static_cast<int>(lane)) ? access.address[lane] - first : 0;
        }
        auto& weights = weights_of(pattern);
        const int bins = period_ / granule;
        const auto base = static_cast<int>(positive_mod(first, period_) / granule);
        for (int r = 0; r < bins; ++r) {
            weights[static_cast<std::size_t>((base + r) % bins)] +=
                weight * residues[static_cast<std::size_t>(r)];
        }
        sub_word_ = positive_mod(first, granule);
    }

    // Calls visit(access, weight) for every distinct pattern and residue.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [pattern, weights] : entries_) {
            for (std::size_t r = 0; r < weights.size(); ++r) {
                if (weights[r] <= 0) {
                    continue;
                }
                WarpAccess access = pattern;
                for (auto& address : access.address) {
                    // far enough up that no lane below the first one turns negative
                    address += static_cast<std::int64_t>(r) * granule + sub_word_ + (std::int64_t{1} << 40);
                }
                visit(access, weights[r]);
            }
        }
    }

private:
    Residues& weights_of(const WarpAccess& pattern) {
        // the pattern seen last is the likeliest to come again
        const auto same = std::find_if(entries_.rbegin(), entries_.rend(), [&pattern](const auto& entry) {
            return entry.first.active == pattern.active && entry.first.address == pattern.address;
        });
        return same != entries_.rend() ? same->second : entries_.emplace_back(pattern, Residues{}).second;
    }

    int period_;
    std::int64_t sub_word_ = 0;
    std::vector<std::pair<WarpAccess, Residues>> entries_;
};

class SiteAccumulator {
public:
    SiteAccumulator(const AccessSite& site, const ArchSpec& arch)
        : site_(site),
          path_(global_path(site, arch)),
          rule_(arch.coalescing_rule),
          geometry_(bank_geometry(arch.sm.shared_memory)) {
        stats_.site = &site;
        if (site.space == MemorySpace::global && geometry_.rule == SharedMemoryRule::cc3_x) {
            geometry_ = {32, 4, SharedMemoryRule::cc5_x};  // L1 data stage: 32 banks of 4 B
        }
    }

    void add(const WarpAccess& access, double weight) {
        stats_.accesses += weight;
        const auto direction =
            site_.kind == AccessKind::load ? AccessDirection::load : AccessDirection::store;
        const auto banks = analyse_bank_conflicts(access, geometry_, direction);
        stats_.wavefronts += weight * banks.wavefronts;
        stats_.phases += weight * banks.phases;
        stats_.conflicts += weight * banks.conflicts;
        stats_.degree = std::max(stats_.degree, banks.degree);
        if (site_.space == MemorySpace::shared) {
            stats_.requests += weight;
            return;
        }
        const auto c = analyse_coalescing(access, rule_, path_);
        stats_.requests += weight * c.requests;
        stats_.transactions += weight * c.transactions;
        stats_.bytes_moved += weight * static_cast<double>(c.bytes_moved);
        stats_.bytes_requested += weight * static_cast<double>(c.bytes_requested);
        stats_.sectors += weight * c.sectors;
        stats_.lines += weight * c.lines;
    }

    [[nodiscard]] SiteStatistics result(double trips) {
        stats_.trips = trips;
        return stats_;
    }

private:
    const AccessSite& site_;
    GlobalPath path_;
    CoalescingRule rule_;
    BankGeometry geometry_;
    SiteStatistics stats_;
};

void add_block(const BlockAccesses& block, const Residues& residues, double share, PatternWeights& patterns) {
    for (const auto& access : block.list) {
        patterns.add(access, residues, share);
    }
}

}  // namespace

BlockAccesses gather_block(const Segment& segment, const AccessSite& site, std::int64_t block_x,
                           std::int64_t block_y) {
    BlockAccesses block;
    block.warps = warps_of(segment);
    block.per_warp = site.accesses();
    block.list.resize(static_cast<std::size_t>(block.warps) * static_cast<std::size_t>(block.per_warp));
    Coord coord;
    coord.block_x = block_x;
    coord.block_y = block_y;
    for (auto& access : block.list) {
        access.bytes_per_lane = site.bytes_per_lane();
        access.active = 0;
    }
    for (int thread = segment.thread_begin; thread < segment.thread_end; ++thread) {
        coord.thread = thread;
        const int offset = thread - segment.thread_begin;
        auto* access = block.list.data() + static_cast<std::ptrdiff_t>(offset / 32) * block.per_warp;
        for (int a = 0; a < block.per_warp; ++a) {
            if ((site.active || site.word_active) && !site.is_active(coord, a * site.vector_words)) {
                continue;
            }
            access[a].active |= 1U << static_cast<unsigned>(offset % 32);
            access[a].address[static_cast<std::size_t>(offset % 32)] =
                site.address(coord, a * site.vector_words);
        }
    }
    return block;
}

GlobalPath global_path(const AccessSite& site, const ArchSpec& arch) {
    if (site.kind == AccessKind::store) {
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
    SiteStrides strides;
    Coord probe = origin;
    probe.block_x = 1;
    strides.block_x = site.address(probe, 0) - base;
    probe = origin;
    probe.block_y = 1;
    strides.block_y = site.address(probe, 0) - base;
    for (std::size_t d = 0; d < static_cast<std::size_t>(depth); ++d) {
        probe = origin;
        probe.loop[d] = 1;
        strides.loop[d] = site.address(probe, 0) - base;
    }
    return strides;
}

SiteStatistics analyse_site(const KernelProgram& program, const Segment& segment, const AccessSite& site,
                            const LoopContext& loops, const SiteStrides& strides,
                            const BlockAccesses& first_block, const ArchSpec& arch) {
    const int period = alignment_period(site, arch);
    const auto residues = residues_of(program, site, strides, loops, period);
    const auto blocks = static_cast<double>(program.grid.x * program.grid.y);
    PatternWeights patterns(period);
    for (const auto& where : block_classes(program, site)) {
        const double share = where.count / blocks;
        if (where.x == 0 && where.y == 0) {
            add_block(first_block, residues, share, patterns);
        } else {
            add_block(gather_block(segment, site, where.x, where.y), residues, share, patterns);
        }
    }
    SiteAccumulator sum(site, arch);
    patterns.for_each([&sum](const WarpAccess& access, double weight) { sum.add(access, weight); });
    return sum.result(loops.total_trips);
}

}  // namespace gpumodel
