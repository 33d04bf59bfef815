#include "model/memory/site_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/memo.h"
#include "model/memory/access_patterns.h"
#include "model/memory/costs/atomic_costs.h"

namespace gpumodel {
namespace {

constexpr int max_period = 256;  // bytes

// Residues are counted in `granule` bytes: 4, or the width of a narrower access.
struct Period {
    int bytes = 128;
    int granule = 4;
    [[nodiscard]] int bins() const { return bytes / granule; }
};

using Residues = std::array<double, max_period>;  // the first bins() are used

std::int64_t positive_mod(std::int64_t value, std::int64_t modulus) {
    const auto rest = value % modulus;
    return rest < 0 ? rest + modulus : rest;
}

// Convolves the distribution with a counter that takes each of 0 ... trips-1 equally often.
void add_counter(std::int64_t stride, std::int64_t trips, const Period& period, Residues& residues) {
    const int bins = period.bins();
    const std::int64_t step = positive_mod(stride, period.bytes) / period.granule;
    if (step == 0 || trips <= 1) {
        return;
    }
    const std::int64_t cycle = bins / std::gcd<std::int64_t>(step, bins);
    const Residues before = residues;
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
    residues = after;
}

struct BlockClass {
    Dim3 block;  // a representative one
    double count = 0;
};

// Whether which lanes are active depends on more than the thread.
bool varies_by_block(const AccessSite& site) {
    return (site.active || site.word_active) && !site.lanes_fixed;
}

std::vector<BlockClass> block_classes(const BlockBox& box, const AccessSite& site) {
    const auto first = box.begin;
    if (!varies_by_block(site)) {
        return {{first, static_cast<double>(box.count())}};
    }
    const auto nx = box.end.x - box.begin.x;
    const auto ny = box.end.y - box.begin.y;
    const auto nz = box.end.z - box.begin.z;
    const Dim3 last{box.end.x - 1, box.end.y - 1, box.begin.z};
    std::vector<BlockClass> classes{{last, static_cast<double>(nz)}};
    if (nx > 1) {
        classes.push_back({{first.x, last.y, first.z}, static_cast<double>((nx - 1) * nz)});
    }
    if (ny > 1) {
        classes.push_back({{last.x, first.y, first.z}, static_cast<double>((ny - 1) * nz)});
    }
    if (nx > 1 && ny > 1) {
        classes.push_back({first, static_cast<double>((nx - 1) * (ny - 1) * nz)});
    }
    return classes;
}

Period alignment_period(const AccessSite& site, const ArchSpec& arch) {
    Period period;
    period.granule = std::min(4, site.bytes_per_lane());
    if (site.space == MemorySpace::shared && arch.sm.shared_memory.rule == SharedMemoryRule::cc3_x) {
        period.bytes = 256;
    }
    return period;
}

Residues residues_of(const BlockBox& box, const AccessSite& site, const SiteStrides& strides,
                     const LoopContext& loops, const Period& period) {
    Residues residues{};
    residues[0] = 1;
    if (!varies_by_block(site)) {  // with a bounds check the class's representative block fixes the offset
        add_counter(strides.block_x, box.end.x - box.begin.x, period, residues);
        add_counter(strides.block_y, box.end.y - box.begin.y, period, residues);
    }
    add_counter(strides.block_z, box.end.z - box.begin.z, period, residues);
    for (std::size_t d = 0; d < static_cast<std::size_t>(loops.depth); ++d) {
        add_counter(strides.loop[d], loops.trips[d], period, residues);
    }
    return residues;
}

// Warp accesses that differ only by a multiple of the period cost the same. Each distinct pattern
// (addresses relative to the first active lane, and the first lane's residue) is analysed once.
class PatternWeights {
public:
    explicit PatternWeights(const Period& period) : period_(period) {}

    // `shifts`: of the addresses, an access each. `residues`: those that occur, with their share.
    void add(const WarpAccess& access, std::span<const std::int64_t> shifts,
             const std::vector<std::pair<int, double>>& residues, double weight) {
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
        const int bins = period_.bins();
        for (const auto shift : shifts) {
            const auto base = static_cast<int>(positive_mod(first + shift, period_.bytes) / period_.granule);
            for (const auto& [r, share] : residues) {
                const int bin = base + r < bins ? base + r : base + r - bins;
                weights[static_cast<std::size_t>(bin)] += weight * share;
            }
        }
    }

    // Calls visit(access, weight) for every distinct pattern and residue.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [pattern, weights] : entries_) {
            for (std::size_t r = 0; r < static_cast<std::size_t>(period_.bins()); ++r) {
                if (weights[r] <= 0) {
                    continue;
                }
                WarpAccess access = pattern;
                for (auto& address : access.address) {
                    // far enough up that no lane below the first one turns negative
                    address += static_cast<std::int64_t>(r) * period_.granule + (std::int64_t{1} << 40);
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

    Period period_;
    std::vector<std::pair<WarpAccess, Residues>> entries_;
};

BankGeometry geometry_for(const AccessSite& site, const ArchSpec& arch) {
    return site.space == MemorySpace::shared ? bank_geometry(arch.sm.shared_memory)
                                             : data_stage_geometry(arch.sm.shared_memory);
}

class SiteAccumulator {
public:
    SiteAccumulator(const AccessSite& site, const ArchSpec& arch)
        : site_(site),
          path_(global_path(site, arch)),
          rule_(arch.coalescing_rule),
          form_(atomic_form(site)),
          geometry_(geometry_for(site, arch)) {
        stats_.site = &site;
    }

    void add(const WarpAccess& access, double weight) {
        stats_.accesses += weight;
        const auto direction =
            site_.kind == AccessKind::load ? AccessDirection::load : AccessDirection::store;
        auto banks = analyse_bank_conflicts(access, geometry_, direction);
        if (site_.space == MemorySpace::shared && form_ != AtomicForm::none) {
            banks.wavefronts = atomic_wavefronts(form_, access, banks.wavefronts);
            banks.conflicts = banks.wavefronts - banks.phases;
            banks.degree = std::max(banks.degree, banks.wavefronts);
        }
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
        if (form_ != AtomicForm::none) {
            stats_.slice_cycles += weight * AtomicCosts{}.request_cycles(form_, atomic_sectors(access));
        }
    }

    [[nodiscard]] SiteStatistics result(double trips) {
        stats_.trips = trips;
        return stats_;
    }

private:
    const AccessSite& site_;
    GlobalPath path_;
    CoalescingRule rule_;
    AtomicForm form_;
    BankGeometry geometry_;
    SiteStatistics stats_;
};

void add_block(const BlockAccesses& block, std::span<const std::int64_t> shifts,
               const std::vector<std::pair<int, double>>& residues, double share, PatternWeights& patterns) {
    for (const auto& access : block.list) {
        patterns.add(access, shifts, residues, share);
    }
}

std::vector<std::pair<int, double>> occurring(const Residues& residues, const Period& period) {
    std::vector<std::pair<int, double>> list;
    for (int r = 0; r < period.bins(); ++r) {
        if (const double share = residues[static_cast<std::size_t>(r)]; share > 0) {
            list.emplace_back(r, share);
        }
    }
    return list;
}

// What statistics of a site that its code fixes depend on; empty for other sites.
std::string known_by(const Segment& segment, const AccessSite& site, const Period& period,
                     const std::vector<std::pair<int, double>>& residues, const ArchSpec& arch) {
    auto key = fixed_site_key(segment, site);
    if (key.empty()) {
        return key;
    }
    const auto geometry = geometry_for(site, arch);
    Coord first;
    first.thread = segment.thread_begin;
    key += bytes_of(geometry.banks, geometry.bank_width_bytes, geometry.rule, period.bytes,
                    positive_mod(site.address(first, 0), period.bytes), global_path(site, arch),
                    arch.coalescing_rule);
    for (const auto& [residue, share] : residues) {
        key += bytes_of(residue, share);
    }
    return key;
}

Memo<SiteStatistics>& known_statistics() {
    constexpr std::size_t most_sites = 100000;
    static Memo<SiteStatistics> memo(most_sites);
    return memo;
}

}  // namespace

SiteStatistics analyse_site(const BlockBox& box, const Segment& segment, const AccessSite& site,
                            const LoopContext& loops, const SiteStrides& strides, LazyAccesses& first_block,
                            const ArchSpec& arch) {
    const auto period = alignment_period(site, arch);
    const auto residues = occurring(residues_of(box, site, strides, loops, period), period);
    const auto key = known_by(segment, site, period, residues, arch);
    if (const auto known = key.empty() ? nullptr : known_statistics().find(key)) {
        auto statistics = *known;
        statistics.site = &site;
        statistics.trips = loops.total_trips;
        return statistics;
    }
    const auto blocks = static_cast<double>(box.count());
    PatternWeights patterns(period);
    for (const auto& where : block_classes(box, site)) {
        const double share = where.count / blocks;
        constexpr std::array<std::int64_t, 1> as_it_is{0};
        if (has_patterns(site)) {
            const auto block = gather_patterns(segment, site, where.block);
            add_block(block.first, block.shifts, residues, share, patterns);
        } else if (where.block == box.begin) {
            add_block(first_block.get(), as_it_is, residues, share, patterns);
        } else {
            add_block(gather_block(segment, site, where.block), as_it_is, residues, share, patterns);
        }
    }
    SiteAccumulator sum(site, arch);
    patterns.for_each([&sum](const WarpAccess& access, double weight) { sum.add(access, weight); });
    const auto statistics = sum.result(loops.total_trips);
    if (!key.empty()) {
        known_statistics().add(key, statistics, 1);
    }
    return statistics;
}

}  // namespace gpumodel
