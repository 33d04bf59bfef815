// The walk over a program's barrier sections (latency.h: block_time).
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/analytic/latency.h"
#include "model/launch/barrier_costs.h"

namespace gpumodel {
namespace {

// Work of one thread range between two barriers.
struct ThreadChain {
    int begin = 0, end = 0;
    double cycles = 0;
    double prefetched = 0;
};

struct Section {
    Demand demand{};
    std::vector<ThreadChain> chains;
};

bool has_barrier(const std::vector<Node>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            return interval->barrier_after;
        }
        return has_barrier(std::get<Loop>(node).body);
    });
}

class BlockWalk {
public:
    BlockWalk(const KernelProgram& program, const std::vector<AnalysedSite>& sites, const ArchSpec& arch,
              const MemoryRules& rules)
        : arch_(arch), rules_(rules) {
        const int warps = (program.resources.threads + 31) / 32;
        warps_per_partition_ = std::ceil(static_cast<double>(warps) / arch.sm.sub_partitions);
        barrier_cycles_ = barrier_costs(arch.sm).release_cycles(warps);
        for (const auto& s : sites) {
            sites_[s.segment].push_back(&s);
        }
    }

    BlockTime run(const std::vector<Node>& nodes) {
        block_ = {};
        block_.alone_cycles = arch_.launch.block_turnover_cycles;
        block_.latency_cycles = arch_.launch.block_turnover_cycles;
        walk(nodes, 1);
        return block_;
    }

private:
    // Nodes that hold barriers somewhere: splits them into sections, each met by `trips` trips.
    void walk(const std::vector<Node>& nodes, double trips) {
        Section open;
        for (const auto& node : nodes) {
            if (const auto* interval = std::get_if<Interval>(&node)) {
                add(*interval, 1, open);
                if (interval->barrier_after) {
                    close(open, trips, barrier_cycles_);
                }
                continue;
            }
            const auto& loop = std::get<Loop>(node);
            if (!has_barrier(loop.body)) {
                add(loop, 1, open);
                continue;
            }
            close(open, trips, 0);
            walk(loop.body, trips * static_cast<double>(loop.trips));
            const double branches = trips * static_cast<double>(loop.trips);
            block_.alone_cycles += branches * arch_.sm.branch_latency_cycles;
            block_.latency_cycles += branches * arch_.sm.branch_latency_cycles;
        }
        close(open, trips, 0);
    }

    void add(const Interval& interval, double times, Section& section) {
        for (const auto& segment : interval.segments) {
            const auto& sites = sites_[&segment];
            const auto demand = segment_demand(segment, sites, arch_, rules_);
            const auto chain = segment_chain(segment, sites, demand, arch_, rules_);
            section.demand = section.demand + demand * times;
            section.chains.push_back(
                {segment.thread_begin, segment.thread_end, chain.cycles * times, chain.prefetched * times});
        }
    }

    // A loop without barriers: its trips follow each other within the section.
    void add(const Loop& loop, double times, Section& section) {
        const double trips = times * static_cast<double>(loop.trips);
        const std::size_t before = section.chains.size();
        for (const auto& node : loop.body) {
            if (const auto* interval = std::get_if<Interval>(&node)) {
                add(*interval, trips, section);
            } else {
                add(std::get<Loop>(node), trips, section);
            }
        }
        if (before < section.chains.size()) {
            section.chains[before].cycles += trips * arch_.sm.branch_latency_cycles;
        }
    }

    void close(Section& section, double trips, double barrier) {
        if (section.chains.empty()) {
            section = {};
            return;
        }
        double longest = 0;
        for (const auto& probe : section.chains) {
            double chain = 0;
            double prefetched = 0;
            for (const auto& c : section.chains) {
                if (c.begin <= probe.begin && probe.begin < c.end) {
                    chain += c.cycles;
                    prefetched += c.prefetched;
                }
            }
            longest = std::max({longest, chain, prefetched});
        }
        longest += barrier;
        const double busiest = largest(section.demand);
        const double alone = overlap(warps_per_partition_, busiest / warps_per_partition_, longest);
        block_.demand = block_.demand + section.demand * trips;
        block_.alone_cycles += alone * trips;
        block_.latency_cycles += std::max(0.0, alone - busiest) * trips;
        block_.barrier_cycles += barrier * trips;
        section = {};
    }

    const ArchSpec& arch_;
    const MemoryRules& rules_;
    double warps_per_partition_ = 1;
    double barrier_cycles_ = 0;
    std::unordered_map<const Segment*, std::vector<const AnalysedSite*>> sites_;
    BlockTime block_;
};

}  // namespace

BlockTime block_time(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                     const ArchSpec& arch, const MemoryRules& rules) {
    BlockWalk walk(program, sites, arch, rules);
    const auto bodies = block_bodies(program);
    if (bodies.size() == 1) {
        return walk.run(*bodies.front().nodes);
    }
    BlockTime mean;
    for (const auto& body : bodies) {
        const double share =
            static_cast<double>(body.box.count()) / static_cast<double>(program.grid.count());
        const auto block = walk.run(*body.nodes);
        mean.demand = mean.demand + block.demand * share;
        mean.alone_cycles += block.alone_cycles * share;
        mean.latency_cycles += block.latency_cycles * share;
        mean.barrier_cycles += block.barrier_cycles * share;
    }
    return mean;
}

}  // namespace gpumodel
