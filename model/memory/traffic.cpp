#include "model/memory/traffic.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "model/memory/crowded_slices.h"
#include "model/memory/distinct_bytes.h"
#include "model/memory/hot_slice.h"
#include "model/memory/l2_halves.h"
#include "model/memory/read_merging.h"
#include "model/memory/stale_copies.h"
#include "model/memory/store_joining.h"

namespace gpumodel {
namespace {

// Sites of one array that depend on the same block coordinates: their data is shared by the same blocks.
struct DataGroup {
    bool by_x = false, by_y = false, by_z = false;
    std::string array;
    std::vector<const AnalysedSite*> reads, writes;
    double distinct_read = 0, distinct_written = 0;  // of the launch
    double read_bytes = 0;  // per distinct block coordinate, each byte once whoever reads it
    double written_bytes = 0;
    double read_room = 1, write_room = 1;  // of a byte in one half of L2
    [[nodiscard]] double occupied() const {
        return std::max(read_bytes * read_room, written_bytes * write_room);
    }
    [[nodiscard]] double touched() const { return std::max(read_bytes, written_bytes); }
    // Distinct block coordinates of the launch.
    [[nodiscard]] double copies(const Dim3& grid) const {
        return (by_x ? static_cast<double>(grid.x) : 1) * (by_y ? static_cast<double>(grid.y) : 1) *
               (by_z ? static_cast<double>(grid.z) : 1);
    }
};

std::vector<DataGroup> group_sites(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                                   int granule) {
    std::map<std::tuple<std::string, bool, bool, bool>, DataGroup> groups;
    const auto& grid = program.grid;
    for (const auto& s : sites) {
        // local memory is written before it is read, and no other block wants it: it stays on the chip
        if (s.site->space != MemorySpace::global || is_private(*s.site)) {
            continue;
        }
        const bool by_x = s.strides.block_x != 0 && grid.x > 1;
        const bool by_y = s.strides.block_y != 0 && grid.y > 1;
        const bool by_z = s.strides.block_z != 0 && grid.z > 1;
        auto& group = groups[{s.site->array, by_x, by_y, by_z}];
        group.by_x = by_x;
        group.by_y = by_y;
        group.by_z = by_z;
        group.array = s.site->array;
        if (s.site->kind != AccessKind::store) {
            group.reads.push_back(&s);
        }
        if (s.site->kind == AccessKind::store || s.site->kind == AccessKind::atomic) {
            group.writes.push_back(&s);
        }
    }
    std::vector<DataGroup> list;
    list.reserve(groups.size());
    for (auto& [key, group] : groups) {
        group.distinct_read = distinct_bytes(group.reads, granule);
        group.distinct_written = group.writes == group.reads  // atomics
                                     ? group.distinct_read
                                     : distinct_bytes(group.writes, granule);
        group.read_bytes = group.distinct_read / group.copies(grid);
        group.written_bytes = group.distinct_written / group.copies(grid);
        list.push_back(std::move(group));
    }
    return list;
}

// Block coordinates of a wave: how many are new to the launch, seen in the wave before, or seen longer ago.
struct Coordinates {
    double fresh = 0, near = 0, far = 0;
};

struct WaveRange {
    std::int64_t begin = 0, end = 0;  // block ids
};

// A coordinate that advances every `unit` blocks and returns to 0 after `width` steps.
struct Digit {
    std::int64_t unit = 1, width = 1;
    // Steps [first, end) that a wave takes part in, counted from the launch's start.
    [[nodiscard]] std::int64_t first(const WaveRange& wave) const { return wave.begin / unit; }
    [[nodiscard]] std::int64_t end(const WaveRange& wave) const { return (wave.end - 1) / unit + 1; }
    [[nodiscard]] std::int64_t values(const WaveRange& wave) const {
        return std::min(width, end(wave) - first(wave));
    }
};

Coordinates coordinates_of(const Digit& digit, const WaveRange& wave, const WaveRange* before) {
    const auto values = digit.values(wave);
    if (before == nullptr) {
        return {static_cast<double>(values), 0, 0};
    }
    const auto shared = std::max<std::int64_t>(0, digit.end(*before) - digit.first(wave));
    const auto fresh = std::min(digit.width, digit.end(wave)) - std::min(digit.width, digit.end(*before));
    const auto around = values + digit.values(*before) - shared - digit.width;
    const auto old = values - fresh;
    const auto near = std::min(old, shared + std::max<std::int64_t>(0, around));
    return {static_cast<double>(fresh), static_cast<double>(near), static_cast<double>(old - near)};
}

// Blocks run in row-major order, so data that depends on neighbouring dimensions follows one digit.
Coordinates coordinates_of(const DataGroup& group, const Dim3& grid, const WaveRange& wave,
                           const WaveRange* before) {
    Digit digit;
    if (group.by_x && group.by_z && !group.by_y && grid.y > 1) {
        // columns of one plane as long as a wave stays in it, of all its planes otherwise
        const auto plane = grid.x * grid.y;
        const WaveRange inside{wave.begin % plane, wave.begin % plane + (wave.end - wave.begin)};
        const bool restarts = before == nullptr || wave.begin / plane != before->begin / plane;
        if (inside.end > plane || restarts) {
            const auto planes = (wave.end - 1) / plane - wave.begin / plane + 1;
            return {static_cast<double>(std::min(wave.end - wave.begin, planes * grid.x)), 0, 0};
        }
        const WaveRange earlier{before->begin % plane, before->end - wave.begin + inside.begin};
        return coordinates_of(Digit{1, grid.x}, inside, &earlier);
    }
    if (!group.by_x) {
        digit.unit *= grid.x;
        if (!group.by_y) {
            digit.unit *= grid.y;
            digit.unit *= group.by_z ? 1 : grid.z;
        }
    }
    digit.width = static_cast<std::int64_t>(group.copies(grid));
    return coordinates_of(digit, wave, before);
}

struct DistinctBytes {
    double all = 0;
    double in_half = 0;  // of L2, for which they are rivals; all of them with one half
};

double array_bytes(const KernelProgram& program, const std::string& name) {
    const auto found = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const auto& array) { return array.name == name; });
    return found == program.arrays.end() ? 0 : static_cast<double>(found->bytes);
}

// Array by array: data that some blocks share and others do not is touched once all the same.
DistinctBytes launch_bytes(const std::vector<DataGroup>& groups, const KernelProgram& program, int granule) {
    struct OfArray {
        std::vector<const AnalysedSite*> sites;
        double bytes = 0, in_half = 0;  // group by group
        std::optional<double> known;    // distinct bytes of its sites
    };
    std::map<std::string, OfArray> arrays;
    for (const auto& g : groups) {
        auto& array = arrays[g.array];
        const bool alone =
            array.sites.empty() && (g.writes.empty() || g.reads.empty() || g.writes == g.reads);
        array.known =
            alone ? std::optional(g.writes.empty() ? g.distinct_read : g.distinct_written) : std::nullopt;
        array.sites.insert(array.sites.end(), g.reads.begin(), g.reads.end());
        if (g.writes != g.reads) {
            array.sites.insert(array.sites.end(), g.writes.begin(), g.writes.end());
        }
        array.bytes += g.copies(program.grid) * g.touched();
        array.in_half += g.copies(program.grid) * g.occupied();
    }
    DistinctBytes total;
    for (const auto& [name, array] : arrays) {
        const double distinct = array.known ? *array.known : distinct_bytes(array.sites, granule);
        double bytes = std::min(distinct, array.bytes);
        const double most = array_bytes(program, name);
        bytes = most > 0 ? std::min(bytes, most) : bytes;
        total.all += bytes;
        total.in_half += array.bytes > 0 ? bytes * (array.in_half / array.bytes) : 0;
    }
    return total;
}

struct DramReads {
    double fetched = 0;  // bytes from DRAM
    double touched = 0;  // bytes that waves touch, each once per wave
};

// Walks the waves; `first_miss` is the part of never-touched data that is not left over from before.
DramReads read_waves(const KernelProgram& program, const std::vector<DataGroup>& groups, const Waves& waves,
                     double capacity, double launch_bytes, double first_miss) {
    const std::int64_t resident = static_cast<std::int64_t>(waves.sm_count) * waves.blocks_per_sm;
    DramReads reads;
    WaveRange before;
    std::vector<Coordinates> of_group(groups.size());
    for (std::int64_t begin = 0; begin < waves.blocks; begin += resident) {
        const WaveRange wave{begin, std::min(begin + resident, waves.blocks)};
        double wave_bytes = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const auto& c = of_group[i] =
                coordinates_of(groups[i], program.grid, wave, begin == 0 ? nullptr : &before);
            wave_bytes += (c.fresh + c.near + c.far) * groups[i].occupied();
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const auto& g = groups[i];
            const auto& c = of_group[i];
            reads.touched += (c.fresh + c.near + c.far) * g.read_bytes;
            reads.fetched +=
                g.read_bytes * (c.fresh * first_miss + c.near * l2_miss_fraction(wave_bytes, capacity) +
                                c.far * l2_miss_fraction(launch_bytes, capacity));
        }
        before = wave;
    }
    return reads;
}

void add_dram(const KernelProgram& program, const std::vector<AnalysedSite>& sites, const Waves& waves,
              const ArchSpec& arch, L2State state, Traffic& traffic) {
    auto groups = group_sites(program, sites, arch.l1.sector_bytes);
    const L2Halves halves(arch, waves.blocks);
    const auto resident = static_cast<std::int64_t>(waves.sm_count) * waves.blocks_per_sm;
    std::array<std::optional<double>, 8> rooms;  // by the coordinates that count
    for (auto& g : groups) {
        auto& room = rooms[(g.by_x ? 1U : 0U) + (g.by_y ? 2U : 0U) + (g.by_z ? 4U : 0U)];
        if (!room) {
            room = room_of_read_byte(halves, program.grid, resident, {g.by_x, g.by_y, g.by_z});
        }
        g.read_room = *room;
        g.write_room = *room;
    }
    const auto distinct = launch_bytes(groups, program, arch.l1.sector_bytes);
    traffic.unique_bytes = distinct.all;
    const auto capacity = static_cast<double>(arch.l2.size_bytes) / halves.count();
    if (arch.l2.size_bytes == 0) {  // cc 1.x: every transaction goes to memory
        traffic.dram_read_bytes = traffic.l2_read_bytes;
        traffic.dram_write_bytes = traffic.l2_write_bytes;
        traffic.dram_wait_fraction = 1;
        return;
    }
    const double left_out = l2_miss_fraction(distinct.in_half, capacity);
    const auto reads = read_waves(program, groups, waves, capacity, distinct.in_half,
                                  state == L2State::cold ? 1.0 : left_out);
    traffic.dram_read_bytes = std::min(reads.fetched, traffic.l2_read_bytes);
    traffic.dram_wait_fraction = reads.touched > 0 ? reads.fetched / reads.touched : 0;
    double written = 0;
    for (const auto& g : groups) {
        written += g.written_bytes * g.copies(program.grid);
    }
    traffic.dram_write_bytes = written * left_out;
}

bool is_l1_load(const AccessSite& site) {
    return site.space != MemorySpace::shared && site.kind != AccessKind::store &&
           site.kind != AccessKind::atomic;
}

// 128-byte lines that must stay in L1 from one iteration to the next, for the loops around an interval's
// sites.
std::vector<double> live_lines(const std::vector<AnalysedSite>& sites) {
    std::vector<double> by_interval;
    for (const auto& s : sites) {
        by_interval.resize(std::max(by_interval.size(), s.interval + 1));
        by_interval[s.interval] += is_l1_load(*s.site) ? s.footprint.lines_per_trip : 0;
    }
    return by_interval;
}

// L1 -> L2 bytes of one block and iteration of a load that L1 caches.
double l1_miss_bytes(double live_lines, const AnalysedSite& s, const Waves& waves, std::int64_t l1_bytes) {
    const double live = live_lines * 128 * waves.blocks_per_sm;
    const double kept = live <= 0 ? 1.0 : std::min(1.0, static_cast<double>(l1_bytes) / live);
    return s.footprint.bytes_per_inner_trip +
           (1 - kept) * (s.footprint.bytes_per_trip - s.footprint.bytes_per_inner_trip);
}

// Bytes of one iteration: stores of a warp to the same sectors join on the way to L2 where few are under way
// (store_joining.h; here eight warps at it at a time).
double stored_bytes(const AnalysedSite& s, double requested) {
    constexpr double warps = 8;
    const auto& all = s.statistics;
    const bool lone = JoiningPlaces::are_lone(all.sectors, all.bytes_requested, s.site->bytes_per_lane());
    const double places = warps * all.lines * JoiningPlaces::of_line(lone);
    const bool join = s.site->kind == AccessKind::store && places <= JoiningPlaces::own * all.accesses;
    return join ? std::min(requested, s.footprint.bytes_per_trip) : requested;
}

// unmerged_reads() of many sites, of which few differ in their blocks and strides.
class UnmergedReads {
public:
    UnmergedReads(const KernelProgram& program, const Waves& waves, const ArchSpec& arch)
        : grid_(program.grid), in_step_(blocks_in_step(program, waves, arch)), arch_(arch) {}
    double of(const AnalysedSite& s) {
        const Key key{s.box, {s.strides.block_x, s.strides.block_y, s.strides.block_z}};
        for (const auto& [known, part] : known_) {
            if (known == key) {
                return part;
            }
        }
        return known_.emplace_back(key, unmerged_reads(grid_, key.first, key.second, in_step_, arch_)).second;
    }

private:
    using Key = std::pair<BlockBox, BlockStrides>;

    Dim3 grid_;
    double in_step_;
    const ArchSpec& arch_;
    std::vector<std::pair<Key, double>> known_;
};

}  // namespace

double l2_miss_fraction(double distance_bytes, double capacity_bytes) {
    return std::clamp((distance_bytes - capacity_bytes) / capacity_bytes, 0.0, 1.0);
}

Traffic analyse_traffic(const KernelProgram& program, std::vector<AnalysedSite>& sites, const Waves& waves,
                        const ArchSpec& arch, std::int64_t l1_bytes, L2State state) {
    Traffic traffic;
    const auto live = live_lines(sites);
    UnmergedReads unmerged(program, waves, arch);
    for (auto& s : sites) {
        if (s.site->space == MemorySpace::shared) {
            continue;
        }
        const double requested =
            arch.l2.size_bytes == 0 ? s.statistics.bytes_moved : s.statistics.sectors * 32;
        double per_trip = arch.l2.access_bytes ? stored_bytes(s, requested) : requested;
        if (is_l1_load(*s.site) && global_path(*s.site, arch) != GlobalPath::l1_bypassed) {
            per_trip = std::min(requested, l1_miss_bytes(live[s.interval], s, waves, l1_bytes));
            traffic.l1_load_sectors += s.blocks * s.statistics.trips * s.statistics.sectors;
            traffic.l1_load_sector_hits += s.blocks * s.statistics.trips * (requested - per_trip) / 32;
        } else if (is_l1_load(*s.site) && s.site->copies == CopyUnit::none) {
            traffic.l1_bypass_sectors += s.blocks * s.statistics.trips * s.statistics.sectors;
        }
        s.l2_bytes_per_block = per_trip * s.statistics.trips;
        const double launch_bytes = s.blocks * s.l2_bytes_per_block;
        const bool atomic = s.site->kind == AccessKind::atomic;
        traffic.l2_write_bytes += atomic || s.site->kind == AccessKind::store ? launch_bytes : 0;
        if (s.site->kind != AccessKind::store) {
            traffic.l2_read_bytes += launch_bytes;
            traffic.l2_served_bytes += launch_bytes * (is_l1_load(*s.site) ? unmerged.of(s) : 1);
        }
        s.l2_bytes_per_block *= atomic ? 2 : 1;
    }
    add_dram(program, sites, waves, arch, state, traffic);
    if (arch.l2.access_bytes) {
        if (arch.l2.halves.value_or(1) > 1) {
            traffic.stale_copies = find_stale_copies(sites);
        }
        // which blocks that were executed side by side have waited for
        const bool waited = program.side_by_side.cycles > 0;
        if (program.data_decides && !waited) {
            traffic.crowded = find_crowded_arrays(sites);
        }
        traffic.hot_slice = find_hot_slice(sites, program.data_decides, program.arrays);
    }
    return traffic;
}

}  // namespace gpumodel
