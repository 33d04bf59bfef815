#include "model/analytic/demand.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/memo.h"
#include "model/memory/costs/group_product_costs.h"
#include "traces/port_cycles.h"

namespace gpumodel {
namespace {

std::size_t index(Resource r) {
    return static_cast<std::size_t>(r);
}

// Data goes from the SM to L2.
bool goes_up(AccessKind kind) {
    return kind == AccessKind::store || kind == AccessKind::atomic;
}

// Empty: LSU work is counted by wavefronts, control flow by its latency, the uniform datapath by issue slots.
std::optional<Resource> resource_of(Pipe pipe) {
    switch (pipe) {
        case Pipe::fma:
            return Resource::fma;
        case Pipe::alu:
            return Resource::alu;
        case Pipe::fp64:
            return Resource::fp64;
        case Pipe::xu:
            return Resource::xu;
        case Pipe::tensor:
            return Resource::tensor;
        case Pipe::lsu:
        case Pipe::uniform:
        case Pipe::control:
            return std::nullopt;
    }
    return std::nullopt;
}

void add_pipes(const Segment& segment, const ArchSpec& arch, double warps, Demand& demand) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto& timing = arch.sm.ops[i];
        if (op_classes[i].op == OpClass::group_mma) {
            continue;
        }
        if (const auto resource = timing ? resource_of(timing->pipe) : std::nullopt) {
            demand[index(*resource)] +=
                segment.ops[i] * warps / arch.sm.sub_partitions * timing->initiation_interval_cycles;
        }
    }
}

// Instructions that need no issue slot of their own, by the control words.
double dual_issued(const Segment& segment) {
    return static_cast<double>(std::count_if(segment.code.begin(), segment.code.end(),
                                             [](const Instruction& i) { return i.control.dual_issue; }));
}

double issue_cycles(const Segment& segment, const ArchSpec& arch, double warps) {
    double slots = 0;
    for (const double n : segment.ops) {
        slots += n;
    }
    if (arch.sm.dual_issue.supported) {
        slots -= dual_issued(segment);
    }
    return slots * warps / arch.sm.schedulers * arch.sm.issue_interval_cycles;
}

// Words that loads deliver into the register file, per warp and trip.
double loaded_words(const Segment& segment) {
    double words = 0;
    for (const auto& site : segment.sites) {
        if (site.kind == AccessKind::load) {
            words += site.words;
        }
    }
    return words;
}

// Port cycles of a segment's FFMAs (port_cycles.h), remembered by its code: a sweep asks for the same at
// every size of the problem.
double ffma_port_cycles(const Segment& segment, const RegisterFile& file) {
    constexpr std::size_t most_segments = 100000;
    static Memo<double> memo(most_segments);
    const auto key = bytes_of(segment.code.identity(), file.banks, file.reads_per_bank_per_cycle,
                              file.bank_map, file.reuse_cache);
    if (const auto known = memo.find(key)) {
        return *known;
    }
    const auto ports = port_statistics(port_reads(segment.code.all()), file);
    const double cycles = ports ? ports->ffmas * ports->cycles_per_ffma : 0;
    memo.add(key, cycles, 1);
    return cycles;
}

double register_cycles(const Segment& segment, const ArchSpec& arch, double warps) {
    const auto& file = arch.sm.register_file;
    const double ports = file.banks * file.reads_per_bank_per_cycle;
    if (ports <= 0) {
        return 0;  // not published for this generation; named in the prediction's gaps
    }
    const double cycles = ffma_port_cycles(segment, file) + loaded_words(segment) / ports;
    return cycles * warps / arch.sm.sub_partitions;
}

double l2_cycles(const AnalysedSite& s, double l2_bytes, const MemoryRules& rules) {
    const auto& stats = s.statistics;
    constexpr double sector_bytes = 32;
    const double asked = sector_bytes * stats.sectors;
    const double passed = asked > 0 ? std::min(1.0, l2_bytes / asked) : 1;
    const double least =
        s.site->kind == AccessKind::atomic ? 0 : stats.lines * passed * rules.behind.least_bytes;
    return std::max(l2_bytes, least) /
           (goes_up(s.site->kind) ? rules.behind.write_bytes_per_cycle : rules.behind.read_bytes_per_cycle);
}

}  // namespace

Demand operator+(const Demand& a, const Demand& b) {
    Demand sum = a;
    for (std::size_t i = 0; i < resource_count; ++i) {
        sum[i] += b[i];
    }
    return sum;
}

Demand operator*(const Demand& a, double factor) {
    Demand scaled = a;
    for (auto& value : scaled) {
        value *= factor;
    }
    return scaled;
}

double largest(const Demand& demand) {
    return *std::max_element(demand.begin(), demand.end());
}

MemoryRules memory_rules(const ArchSpec& arch, double sm_hz, const Traffic& traffic, const Waves& waves) {
    MemoryRules rules{shared_memory_costs(arch), l1_costs(arch), behind_l1(arch, sm_hz, waves, traffic),
                      copy_engine_costs(arch)};
    rules.miss_latency = rules.behind.load_latency(traffic.dram_wait_fraction, traffic.far_wait_fraction);
    rules.dram_part = traffic.dram_wait_fraction;
    rules.far_part = traffic.far_wait_fraction;
    const double l2 = traffic.l2_read_bytes + traffic.l2_write_bytes;
    rules.dram_bytes_per_l2_byte = l2 > 0 ? (traffic.dram_read_bytes + traffic.dram_write_bytes) / l2 : 0;
    return rules;
}

MemoryRules rates_of(const MemoryRules& rules, const Demand& own, const Demand& mean) {
    const auto more = [&](Resource r) {
        const auto i = static_cast<std::size_t>(r);
        return mean[i] > 0 ? std::max(1.0, own[i] / mean[i]) : 1;
    };
    auto rates = rules;
    auto& behind = rates.behind;
    const double l2 = more(Resource::l2);
    behind.read_bytes_per_cycle = std::min(l2 * behind.read_bytes_per_cycle, behind.port_bytes_per_cycle);
    behind.write_bytes_per_cycle *= l2;
    behind.dram_bytes_per_cycle *= more(Resource::dram);
    return rates;
}

double data_stage_cycles(const AnalysedSite& s, const MemoryRules& rules) {
    const auto& stats = s.statistics;
    if (s.site->copies != CopyUnit::none) {
        return 0;  // past the data pipe
    }
    if (s.site->space == MemorySpace::shared) {
        return rules.shared.request_cycles(s.site->cost_words(), stats.wavefronts, stats.accesses);
    }
    const L1Work work{.requests = stats.accesses,
                      .lines = stats.lines,
                      .wavefronts = stats.wavefronts,
                      .bytes = stats.bytes_requested,
                      .sectors = stats.sectors,
                      .transactions = stats.transactions};
    if (s.site->texture != TextureUnit::none) {
        return rules.l1.texture_cycles(s.site->texture, s.site->bytes_per_lane(), s.site->filter, work);
    }
    if (goes_up(s.site->kind)) {
        return rules.l1.store_cycles(work);
    }
    if (s.site->past_l1 && s.site->kind == AccessKind::async_copy) {
        return rules.l1.copy_cycles(work);
    }
    return rules.l1.load_cycles(work);
}

Demand segment_demand(const Segment& segment, const std::vector<const AnalysedSite*>& sites,
                      const ArchSpec& arch, const MemoryRules& rules) {
    Demand demand{};
    const double warps = warps_of(segment);
    demand[index(Resource::issue)] = issue_cycles(segment, arch, warps);
    demand[index(Resource::registers)] = register_cycles(segment, arch, warps);
    add_pipes(segment, arch, warps, demand);
    demand[index(Resource::tensor)] += group_product_cycles(segment, arch) * warps / arch.sm.sub_partitions;
    for (const auto* s : sites) {
        const bool shared = s->site->space == MemorySpace::shared;
        const auto stage = shared || arch.l1.unified_with_shared ? Resource::shared : Resource::l1;
        demand[index(stage)] += data_stage_cycles(*s, rules);
        if (shared) {
            continue;
        }
        const double l2_bytes = s->l2_bytes_per_block / s->statistics.trips;
        if (arch.l2.size_bytes > 0) {  // cc 1.x has no L2 for global data
            demand[index(Resource::l2)] += l2_cycles(*s, l2_bytes, rules);
        }
        demand[index(Resource::dram)] +=
            l2_bytes * rules.dram_bytes_per_l2_byte / rules.behind.dram_bytes_per_cycle;
    }
    return demand;
}

}  // namespace gpumodel
