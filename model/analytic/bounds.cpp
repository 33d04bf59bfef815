#include "model/analytic/bounds.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel {
namespace {

constexpr double tie = 0.02;  // design.md: bounds within 2 % share the title
constexpr double explains_enough = 0.7;

}  // namespace

std::vector<Bound> list_bounds(const BlockTime& block, const Waves& waves, const ArchSpec& arch) {
    const auto blocks = static_cast<double>(waves.busiest_sm_blocks);
    std::vector<Bound> bounds;
    for (std::size_t i = 0; i < resource_count; ++i) {
        const auto& row = resource_rows[i];
        bounds.push_back({std::string(row.name), blocks * block.demand[i], std::string(row.formula)});
    }
    const double rounds = static_cast<double>(waves.full_rounds) + (waves.tail_blocks > 0 ? 1 : 0);
    bounds.push_back({"latency", rounds * block.alone_cycles, "rounds x time of one block alone on an SM"});
    bounds.push_back(
        {"barriers", rounds * block.barrier_cycles, "rounds x barriers x (arrivals + release latency)"});
    if (arch.launch.blocks_per_cycle > 0) {
        bounds.push_back({"block dispatch", static_cast<double>(waves.blocks) / arch.launch.blocks_per_cycle,
                          "blocks / dispatch rate"});
    }
    bounds.push_back({"launch", arch.launch.overhead_seconds * arch.clock.sm_hz, "launch overhead x clock"});
    std::erase_if(bounds, [](const Bound& b) { return b.cycles <= 0; });
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.cycles > b.cycles; });
    return bounds;
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
