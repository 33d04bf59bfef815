#include "model/memory/traffic.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gpumodel {
namespace {

// Sites of one array that depend on the same block coordinates: their data is shared by the same blocks.
struct DataGroup {
    bool by_x = false, by_y = false;
    double read_bytes = 0;  // per distinct block coordinate
    double written_bytes = 0;
    double array_bytes = 0;
    [[nodiscard]] double touched() const { return std::max(read_bytes, written_bytes); }
};

std::vector<DataGroup> group_sites(const KernelProgram& program, const std::vector<AnalysedSite>& sites) {
    std::map<std::tuple<std::string, bool, bool>, DataGroup> groups;
    for (const auto& s : sites) {
        // local memory is written before it is read, and no other block wants it: it stays on the chip
        if (s.site->space != MemorySpace::global || s.site->thread_private) {
            continue;
        }
        const bool by_x = s.strides.block_x != 0 && program.grid.x > 1;
        const bool by_y = s.strides.block_y != 0 && program.grid.y > 1;
        auto& group = groups[{s.site->array, by_x, by_y}];
        group.by_x = by_x;
        group.by_y = by_y;
        (s.site->kind == AccessKind::store ? group.written_bytes : group.read_bytes) +=
            s.footprint.bytes_per_block;
        for (const auto& array : program.arrays) {
            if (array.name == s.site->array) {
                group.array_bytes = static_cast<double>(array.bytes);
            }
        }
    }
    std::vector<DataGroup> list;
    list.reserve(groups.size());
    for (auto& [key, group] : groups) {
        list.push_back(group);
    }
    return list;
}

// Block coordinates of a wave: how many are new to the launch, seen in the wave before, or seen longer ago.
struct Coordinates {
    double fresh = 0, near = 0, far = 0;
};

struct WaveRange {
    std::int64_t begin = 0, end = 0, width = 1;  // block ids and grid.x
    [[nodiscard]] std::int64_t first_row() const { return begin / width; }
    [[nodiscard]] std::int64_t last_row() const { return (end - 1) / width; }
    [[nodiscard]] std::int64_t columns() const { return std::min(width, end - begin); }
};

Coordinates columns_of(const WaveRange& wave, const WaveRange* before) {
    if (before == nullptr) {
        return {static_cast<double>(wave.columns()), 0, 0};
    }
    const auto seen = std::min(wave.width, wave.begin);
    const auto fresh = std::min(wave.width, wave.end) - seen;
    const auto near = std::max<std::int64_t>(0, wave.columns() + before->columns() - wave.width);
    const auto old = wave.columns() - fresh;
    return {static_cast<double>(fresh), static_cast<double>(std::min(near, old)),
            static_cast<double>(std::max<std::int64_t>(0, old - near))};
}

Coordinates coordinates_of(const DataGroup& group, const WaveRange& wave, const WaveRange* before) {
    if (group.by_x && group.by_y) {
        return {static_cast<double>(wave.end - wave.begin), 0, 0};
    }
    if (group.by_x) {
        return columns_of(wave, before);
    }
    if (group.by_y) {
        const auto rows = wave.last_row() - wave.first_row() + 1;
        const std::int64_t shared = before != nullptr && before->last_row() == wave.first_row() ? 1 : 0;
        return {static_cast<double>(rows - shared), static_cast<double>(shared), 0};
    }
    return before == nullptr ? Coordinates{1, 0, 0} : Coordinates{0, 1, 0};
}

double unique_bytes(const std::vector<DataGroup>& groups, const KernelProgram& program) {
    double total = 0;
    for (const auto& g : groups) {
        const double copies = (g.by_x ? static_cast<double>(program.grid.x) : 1) *
                              (g.by_y ? static_cast<double>(program.grid.y) : 1);
        const double bytes = copies * g.touched();
        total += g.array_bytes > 0 ? std::min(bytes, g.array_bytes) : bytes;
    }
    double arrays = 0;
    for (const auto& array : program.arrays) {
        arrays += static_cast<double>(array.bytes);
    }
    return arrays > 0 ? std::min(total, arrays) : total;
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
    for (std::int64_t begin = 0; begin < waves.blocks; begin += resident) {
        const WaveRange wave{begin, std::min(begin + resident, waves.blocks), program.grid.x};
        double wave_bytes = 0;
        for (const auto& g : groups) {
            const auto c = coordinates_of(g, wave, begin == 0 ? nullptr : &before);
            wave_bytes += (c.fresh + c.near + c.far) * g.touched();
        }
        for (const auto& g : groups) {
            const auto c = coordinates_of(g, wave, begin == 0 ? nullptr : &before);
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
    const auto groups = group_sites(program, sites);
    traffic.unique_bytes = unique_bytes(groups, program);
    const auto capacity = static_cast<double>(arch.l2.size_bytes);
    if (arch.l2.size_bytes == 0) {  // cc 1.x: every transaction goes to memory
        traffic.dram_read_bytes = traffic.l2_read_bytes;
        traffic.dram_write_bytes = traffic.l2_write_bytes;
        traffic.dram_wait_fraction = 1;
        return;
    }
    const double left_out = l2_miss_fraction(traffic.unique_bytes, capacity);
    const auto reads = read_waves(program, groups, waves, capacity, traffic.unique_bytes,
                                  state == L2State::cold ? 1.0 : left_out);
    traffic.dram_read_bytes = std::min(reads.fetched, traffic.l2_read_bytes);
    traffic.dram_wait_fraction = reads.touched > 0 ? reads.fetched / reads.touched : 0;
    double written = 0;
    for (const auto& g : groups) {
        written += g.written_bytes * (g.by_x ? static_cast<double>(program.grid.x) : 1) *
                   (g.by_y ? static_cast<double>(program.grid.y) : 1);
    }
    traffic.dram_write_bytes = written * left_out;
}

// 128-byte lines that must stay in L1 from one trip to the next, for the loops that enclose a site.
double live_lines(const std::vector<AnalysedSite>& sites, const AnalysedSite& of) {
    double lines = 0;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::global && s.site->kind != AccessKind::store &&
            s.interval == of.interval) {
            lines += s.footprint.lines_per_trip;
        }
    }
    return lines;
}

// L1 -> L2 bytes of one block and trip of a load that L1 caches.
double l1_miss_bytes(const std::vector<AnalysedSite>& sites, const AnalysedSite& s, const Waves& waves,
                     std::int64_t l1_bytes) {
    const double live = live_lines(sites, s) * 128 * waves.blocks_per_sm;
    const double kept = live <= 0 ? 1.0 : std::min(1.0, static_cast<double>(l1_bytes) / live);
    return s.footprint.bytes_per_inner_trip +
           (1 - kept) * (s.footprint.bytes_per_trip - s.footprint.bytes_per_inner_trip);
}

}  // namespace

double l2_miss_fraction(double distance_bytes, double capacity_bytes) {
    return std::clamp((distance_bytes - capacity_bytes) / capacity_bytes, 0.0, 1.0);
}

std::vector<AnalysedSite> analyse_sites(const KernelProgram& program, const FlatProgram& flat,
                                        const ArchSpec& arch) {
    std::vector<AnalysedSite> sites;
    for (std::size_t i = 0; i < flat.intervals.size(); ++i) {
        for (const auto& segment : flat.intervals[i].interval->segments) {
            for (const auto& site : segment.sites) {
                AnalysedSite s;
                s.segment = &segment;
                s.site = &site;
                s.interval = i;
                s.loops = flat.intervals[i].loops;
                s.strides = probe_strides(site, segment.thread_begin, s.loops.depth);
                const auto block = gather_block(segment, site, 0, 0);
                s.statistics = analyse_site(program, segment, site, s.loops, s.strides, block, arch);
                if (site.space == MemorySpace::global) {
                    s.footprint = site_footprint(block, s.loops, s.strides, arch.l1.sector_bytes);
                }
                sites.push_back(s);
            }
        }
    }
    return sites;
}

Traffic analyse_traffic(const KernelProgram& program, std::vector<AnalysedSite>& sites, const Waves& waves,
                        const ArchSpec& arch, std::int64_t l1_bytes, L2State state) {
    Traffic traffic;
    const auto blocks = static_cast<double>(waves.blocks);
    for (auto& s : sites) {
        if (s.site->space != MemorySpace::global) {
            continue;
        }
        const bool store = s.site->kind == AccessKind::store;
        const double requested =
            arch.l2.size_bytes == 0 ? s.statistics.bytes_moved : s.statistics.sectors * 32;
        double per_trip = requested;
        if (!store && global_path(*s.site, arch) != GlobalPath::l1_bypassed) {
            per_trip = std::min(requested, l1_miss_bytes(sites, s, waves, l1_bytes));
            traffic.l1_load_sectors += blocks * s.statistics.trips * s.statistics.sectors;
            traffic.l1_load_sector_hits += blocks * s.statistics.trips * (requested - per_trip) / 32;
        }
        s.l2_bytes_per_block = per_trip * s.statistics.trips;
        (store ? traffic.l2_write_bytes : traffic.l2_read_bytes) += blocks * s.l2_bytes_per_block;
    }
    add_dram(program, sites, waves, arch, state, traffic);
    return traffic;
}

}  // namespace gpumodel
