#include "model/memory/hot_slice.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "model/memory/costs/atomic_costs.h"
#include "model/memory/costs/hot_line_costs.h"

namespace gpumodel {
namespace {

constexpr int line_size = 128;
constexpr std::int64_t sector_size = 32;
constexpr double any_lines = 1e9;
// Requests of executed blocks for a slice's lines before their share counts for more than chance: fewer say
// nothing of it. `estimated`: a share is known to a fourth then.
constexpr int named_often = 16;
constexpr std::size_t many_blocks = 16;  // `estimated`

using BlockKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
BlockKey block_key(const AnalysedSite& s) {
    return {s.executed.x, s.executed.y, s.executed.z};
}

// A slice's lines of eight: of the device's memory where the address is known, else of an array.
struct SliceKey {
    std::string array;
    std::int64_t eight = 0, bit = 0;
    auto operator<=>(const SliceKey&) const = default;
};

struct Slice {
    double cycles = 0;
    double behind = 0;       // what additions wait longer if all are of one sector
    int named = 0;           // by what was executed
    bool by_chance = false;  // of blocks that name others elsewhere
    bool stays = false;      // one block was executed, and all name what it does
    using Sector = std::pair<std::string, std::int64_t>;  // of an array
    std::map<Sector, double> sectors;                     // cycles
    std::map<Sector, double> chains;  // how long a sector's additions take one after another
    std::set<HotSlice::Line> lines;

    // As if lines elsewhere came on top evenly, with `others` cycles. Two requests in a row are of one sector
    // as often as chance has it.
    [[nodiscard]] double busy(double others) const {
        double same = 0;
        for (const auto& [number, of_sector] : sectors) {
            same += std::pow(of_sector / (cycles + others), 2);
        }
        return std::max(cycles + others + behind * same, longest_chain());
    }
    [[nodiscard]] double longest_chain() const {
        double longest = 0;
        for (const auto& [number, chain] : chains) {
            longest = std::max(longest, chain);
        }
        return longest;
    }
};

// Whether every block and trip names what the executed block's first trip does.
bool stays(const AnalysedSite& s) {
    const auto& at = s.strides;
    return s.segment != nullptr && at.block_x == 0 && at.block_y == 0 && at.block_z == 0 &&
           std::all_of(at.loop.begin(), at.loop.end(), [](std::int64_t step) { return step == 0; });
}

// Reads that L1 may serve do not wait for a line that all want.
bool reads_or_stores_in_l2(const AnalysedSite& s) {
    return s.site->space == MemorySpace::global && s.segment != nullptr &&
           (s.site->kind == AccessKind::store || (s.site->kind == AccessKind::load && s.site->past_l1));
}

// Lines that the launch reads between two stores to a line that all blocks store to.
double reads_per_hot_store(const std::vector<AnalysedSite>& sites) {
    double reads = 0, stores = 0;
    std::set<std::pair<std::string, std::int64_t>> lines;
    for (const auto& s : sites) {
        const double asked = s.blocks * s.statistics.trips * s.statistics.lines;
        const bool global = s.site->space == MemorySpace::global;
        reads += global && s.site->kind == AccessKind::load ? asked : 0;
        if (global && s.site->kind == AccessKind::store && stays(s)) {
            stores += asked;
            for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
                for (const auto& sector : atomic_sectors(access)) {
                    lines.emplace(s.site->array, sector.sector * sector_size / line_size);
                }
            }
        }
    }
    return stores > 0 ? reads / stores * static_cast<double>(lines.size()) : 0;
}

class Slices {
public:
    explicit Slices(const std::vector<ArrayUse>& arrays) {
        for (const auto& array : arrays) {
            if (array.address) {
                first_.emplace(array.name, *array.address / line_size);
            }
        }
    }
    Slice& of(const std::string& array, std::int64_t line) {
        auto& slice = slices_[key(array, line)];
        slice.lines.insert({array, line});
        return slice;
    }
    [[nodiscard]] SliceKey key(const std::string& array, std::int64_t line) const {
        const auto known = first_.find(array);
        const auto at = known != first_.end() ? known->second + line : line;
        return {known != first_.end() ? std::string() : array, at / 8, at / 2 % 2};
    }
    [[nodiscard]] const std::map<SliceKey, Slice>& all() const { return slices_; }

    void add_atomics(const AnalysedSite& s);

private:
    std::map<std::string, std::int64_t> first_;  // line of device memory
    std::map<SliceKey, Slice> slices_;
};

void Slices::add_atomics(const AnalysedSite& s) {
    const AtomicCosts costs;
    const auto form = atomic_form(*s.site);
    const double times = s.blocks * s.statistics.trips;
    const bool by_chance = !stays(s);
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
        const auto sectors = atomic_sectors(access);
        for (const auto& part : costs.by_line(form, sectors)) {
            auto& slice = of(s.site->array, part.line);
            slice.cycles += times * part.cycles;
            slice.by_chance = slice.by_chance || by_chance;
        }
        for (const auto& sector : sectors) {
            auto& slice = of(s.site->array, sector.sector * sector_size / line_size);
            slice.behind += sector.lanes == 1 ? times * costs.behind_another(form) : 0;
            slice.sectors[{s.site->array, sector.sector}] +=
                times * (costs.sector_cycles(form, sector.lanes, sector.words) + costs.line);
            slice.chains[{s.site->array, sector.sector}] +=
                times * sector.lanes * costs.one_after_another(form);
            ++slice.named;
        }
    }
}

// Which lines reads and stores of executed blocks name, and how often those of the launch do.
class Named {
public:
    void add(const AnalysedSite& s, double cycles);
    // Those that most blocks want: a block's own lines are not what the blocks that it stands for have.
    void add_to(Slices& slices) const;

private:
    struct OfLine {
        std::map<BlockKey, double> cycles;
        int requests = 0;
    };
    std::map<HotSlice::Line, OfLine> lines_;
    std::map<BlockKey, double> blocks_;  // that each executed one stands for
};

void Named::add(const AnalysedSite& s, double cycles) {
    auto& weight = blocks_[block_key(s)];
    weight = std::max(weight, s.blocks);
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
        std::set<std::int64_t> lines;
        for (const auto& sector : atomic_sectors(access)) {
            lines.insert(sector.sector * sector_size / line_size);
        }
        for (const auto line : lines) {
            auto& of_line = lines_[{s.site->array, line}];
            of_line.cycles[block_key(s)] += cycles * s.blocks * s.statistics.trips;
            ++of_line.requests;
        }
    }
}

void Named::add_to(Slices& slices) const {
    double all = 0;
    for (const auto& [block, weight] : blocks_) {
        all += weight;
    }
    struct OfSlice {
        std::set<BlockKey> blocks;
        double cycles = 0, weight = 0;
        int requests = 0;
    };
    std::map<SliceKey, OfSlice> wanted;
    for (const auto& [line, named] : lines_) {
        auto& slice = wanted[slices.key(line.array, line.line)];
        for (const auto& [block, cycles] : named.cycles) {
            slice.cycles += cycles;
            slice.weight += slice.blocks.insert(block).second ? blocks_.at(block) : 0;
        }
        slice.requests += named.requests;
    }
    for (const auto& [line, named] : lines_) {
        auto& of_slice = wanted[slices.key(line.array, line.line)];
        if (of_slice.weight >= all / 4 && (blocks_.size() == 1 || of_slice.blocks.size() > 1)) {
            auto& slice = slices.of(line.array, line.line);
            slice.cycles += std::exchange(of_slice.cycles, 0);
            slice.named += std::exchange(of_slice.requests, 0);
            slice.stays = blocks_.size() == 1;
        }
    }
}

bool names_one_word(const AnalysedSite& s) {
    std::set<std::int64_t> words;
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
        for (int lane = 0; lane < 32; ++lane) {
            if (access.is_active(lane)) {
                words.insert(access.address[static_cast<std::size_t>(lane)]);
            }
        }
    }
    return words.size() == 1;
}

// Blocks take places by a counter. Where they are executed apart, each finds it as the launch does, and all
// store to the first places; a flag is one word.
bool take_places(const std::vector<AnalysedSite>& sites) {
    return std::any_of(sites.begin(), sites.end(), [](const AnalysedSite& s) {
        return is_global_atomic(s) && s.site->name.rfind("RED", 0) != 0 && stays(s);
    });
}

void add_reads_and_stores(const std::vector<AnalysedSite>& sites, bool data_decides, double store_cycles,
                          Slices& slices) {
    std::set<BlockKey> executed;
    for (const auto& s : sites) {
        executed.insert(block_key(s));
    }
    const bool places = take_places(sites);
    Named named;
    for (const auto& s : sites) {
        if (!reads_or_stores_in_l2(s) || !((data_decides && executed.size() >= many_blocks) || stays(s))) {
            continue;
        }
        if (!places || s.site->kind != AccessKind::store || names_one_word(s)) {
            named.add(s, s.site->kind == AccessKind::store ? store_cycles : HotLineCosts{}.read);
        }
    }
    named.add_to(slices);
}

}  // namespace

bool is_global_atomic(const AnalysedSite& site) {
    return site.site->kind == AccessKind::atomic && site.site->space == MemorySpace::global;
}

double atomic_slice_cycles(const std::vector<AnalysedSite>& sites) {
    double cycles = 0;
    for (const auto& s : sites) {
        cycles += is_global_atomic(s) ? s.blocks * s.statistics.trips * s.statistics.slice_cycles : 0;
    }
    return cycles;
}

BusiestSlice busiest_slice(const std::vector<AnalysedSite>& sites, const std::vector<ArrayUse>& arrays,
                           bool data_decides, double others) {
    const double store_cycles = HotLineCosts{}.store_behind(reads_per_hot_store(sites));
    Slices slices(arrays);
    for (const auto& s : sites) {
        if (is_global_atomic(s) && (data_decides || stays(s))) {
            slices.add_atomics(s);
        }
    }
    add_reads_and_stores(sites, data_decides, store_cycles, slices);
    const double all = atomic_slice_cycles(sites), all_slices = AtomicCosts::slices_at_work(any_lines);
    BusiestSlice busiest;
    for (const auto& [key, slice] : slices.all()) {
        if (data_decides && slice.named < named_often && !slice.stays) {
            continue;
        }
        const double elsewhere = others + std::max(0.0, all - slice.cycles) / all_slices;
        const double sure = slice.by_chance ? 1 - 1 / std::sqrt(static_cast<double>(slice.named)) : 1.0;
        const double cycles = sure * slice.busy(elsewhere);
        if (cycles > busiest.cycles) {
            const double waits = std::max(1.0, slice.longest_chain() / slice.cycles);
            busiest = {cycles,
                       slice.cycles,
                       {{slice.lines.begin(), slice.lines.end()}, waits, slice.cycles * waits, store_cycles}};
        }
    }
    return busiest;
}

std::optional<HotSlice> find_hot_slice(const std::vector<AnalysedSite>& sites, bool data_decides,
                                       const std::vector<ArrayUse>& arrays) {
    const auto busiest = busiest_slice(sites, arrays, data_decides, 0);
    const double even = atomic_slice_cycles(sites) / AtomicCosts::slices_at_work(any_lines);
    return busiest.own > even ? std::optional(busiest.slice) : std::nullopt;
}

}  // namespace gpumodel
