#include "model/analytic/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gpumodel {
namespace {

constexpr double tie = 0.02;  // design.md: bounds within 2 % share the title
constexpr double explains_enough = 0.7;

void sort_bounds(std::vector<Bound>& bounds) {
    std::erase_if(bounds, [](const Bound& b) { return b.cycles <= 0; });
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.cycles > b.cycles; });
}

}  // namespace

std::vector<Bound> list_bounds(const BlockTime& block, const Waves& waves, const ArchSpec& arch,
                               double sm_hz) {
    const auto blocks = static_cast<double>(waves.busiest_sm_blocks);
    std::vector<Bound> bounds;
    for (std::size_t i = 0; i < resource_count; ++i) {
        const auto& row = resource_rows[i];
        bounds.push_back({std::string(row.name), blocks * block.demand[i], std::string(row.formula)});
    }
    const double rounds = static_cast<double>(waves.full_rounds) + (waves.tail_blocks > 0 ? 1 : 0);
    bounds.push_back({"latency", rounds * block.alone_cycles - arch.launch.block_turnover_cycles,
                      "rounds x time of one block alone on an SM"});
    bounds.push_back(
        {"barriers", rounds * block.barrier_cycles, "rounds x barriers x (arrivals + release latency)"});
    if (arch.launch.blocks_per_cycle > 0) {
        bounds.push_back({"block dispatch", static_cast<double>(waves.blocks) / arch.launch.blocks_per_cycle,
                          "blocks / dispatch rate"});
    }
    bounds.push_back({"launch", arch.launch.overhead_seconds * sm_hz, "launch overhead x clock"});
    sort_bounds(bounds);
    return bounds;
}

void name_data_pipe(const LaunchCounts& counts, std::vector<Bound>& bounds) {
    if (counts.shared_loads + counts.shared_stores + counts.shared_barriers + counts.copies.requests > 0) {
        return;
    }
    for (auto& bound : bounds) {
        if (bound.name == to_string(Resource::shared)) {
            bound.name = l1_data_pipe;
            bound.formula = "blocks/SM x wavefronts of global accesses x cycles/wavefront";
        }
    }
}

void add_atomics(double cycles, std::vector<Bound>& bounds) {
    bounds.push_back({std::string(atomics_at_l2), cycles,
                      "cycles of the L2 slice that has most to do for few lines, with its part of all else"});
    sort_bounds(bounds);
}

void shorten_atomics(double cycles, std::vector<Bound>& bounds) {
    for (auto& bound : bounds) {
        bound.cycles -= bound.name == atomics_at_l2 ? cycles : 0;
    }
    sort_bounds(bounds);
}

double atomics_of(const std::vector<Bound>& bounds) {
    const auto found = std::find_if(bounds.begin(), bounds.end(),
                                    [](const Bound& bound) { return bound.name == atomics_at_l2; });
    return found == bounds.end() ? 0 : found->cycles;
}

void hold_side_by_side(double sm_cycles, Prediction& p) {
    if (p.terms.side_by_side && atomics_of(p.bounds) > sm_cycles && !p.terms.contended) {
        shorten_atomics(std::max(0.0, atomics_of(p.bounds) - sm_cycles - p.terms.queued_cycles), p.bounds);
    }
}

std::vector<Bound> with_traffic(std::vector<Bound> bounds, const Traffic& traffic, const PassedL1& passed,
                                const Waves& waves, const ArchSpec& arch, double sm_hz) {
    const auto behind = behind_l1(arch, sm_hz, waves, traffic);
    const double sms = waves.shares();
    const auto set = [&](Resource r, double cycles) {
        const auto& row = resource_rows[static_cast<std::size_t>(r)];
        std::erase_if(bounds, [&](const Bound& b) { return b.name == row.name; });
        bounds.push_back({std::string(row.name), cycles, std::string(row.formula)});
    };
    if (arch.l2.size_bytes > 0) {
        const auto held = static_cast<double>(arch.l1.store_buffer_bytes.value_or(0));
        const double read = std::min(traffic.l2_read_bytes / sms, passed.read_bytes);
        const double written = std::min(traffic.l2_write_bytes / sms, passed.written_bytes);
        set(Resource::l2, std::max(read / behind.read_bytes_per_cycle,
                                   std::max(0.0, written - held) / behind.write_bytes_per_cycle));
    }
    if (arch.l2.size_bytes == 0) {  // reads and writes have the rate of DRAM each (behind_l1.h)
        set(Resource::dram,
            std::max(traffic.dram_read_bytes, traffic.dram_write_bytes) / behind.dram_bytes_per_cycle / sms);
        sort_bounds(bounds);
        return bounds;
    }
    // what L2 may still owe when the launch ends is the next one's to wait for
    const double owed = std::min(traffic.dram_write_bytes, behind.write_back_bytes * sms);
    set(Resource::dram,
        (traffic.dram_read_bytes + traffic.dram_write_bytes - owed) / behind.dram_bytes_per_cycle / sms);
    sort_bounds(bounds);
    return bounds;
}

void hold_estimates(double cycles, std::vector<Bound>& bounds) {
    for (auto& bound : bounds) {
        if ((bound.name == "latency" || bound.name == "barriers") && bound.cycles > cycles) {
            bound.cycles = cycles;
            bound.formula += ", at most the simulated cycles";
        }
    }
    sort_bounds(bounds);
}

double share_of_time(const Bound& bound, const Prediction& p) {
    const double kernel_seconds = p.time_seconds - p.terms.launch_seconds;
    if (bound.name == "launch") {
        return p.time_seconds > 0 ? p.terms.launch_seconds / p.time_seconds : 0;
    }
    return p.cycles > 0 && p.time_seconds > 0 ? bound.cycles / p.cycles * kernel_seconds / p.time_seconds : 0;
}

std::vector<std::string> find_bottlenecks(const std::vector<Bound>& bounds, double cycles) {
    std::vector<std::string> names;
    if (bounds.empty() || bounds.front().cycles < explains_enough * cycles) {
        return names;
    }
    for (const auto& bound : bounds) {
        if (bound.cycles >= (1 - tie) * bounds.front().cycles) {
            names.push_back(bound.name);
        }
    }
    return names;
}

std::string describe_bottleneck(const Prediction& p) {
    if (p.bounds.empty()) {
        return "unknown";
    }
    const auto& first = p.bounds.front();
    const double share = 100 * first.cycles / std::max(p.cycles, first.cycles);
    if (p.bottlenecks.empty()) {
        return fmt::format(
            "unknown: no single bound explains the time; the largest, {}, covers {:.0f} % of it", first.name,
            share);
    }
    const auto next = std::find_if(p.bounds.begin(), p.bounds.end(), [&](const Bound& b) {
        return std::find(p.bottlenecks.begin(), p.bottlenecks.end(), b.name) == p.bottlenecks.end();
    });
    std::string words =
        fmt::format("{}: busy for {:.0f} % of the predicted time", fmt::join(p.bottlenecks, " and "), share);
    if (first.name == "latency") {
        words = fmt::format(
            "latency: {} resident block{} of {} warps cannot hide the waits of one block ({:.0f} cycles "
            "alone)",
            p.occupancy.blocks_per_sm, p.occupancy.blocks_per_sm == 1 ? "" : "s", p.occupancy.warps_per_block,
            p.terms.block_alone_cycles);
    } else if (first.name == "launch") {
        words = "launch overhead: the kernel itself is shorter";
    }
    if (next != p.bounds.end()) {
        words += fmt::format("; next: {} at {:.0f} %", next->name, 100 * next->cycles / p.cycles);
    }
    return words;
}

}  // namespace gpumodel
