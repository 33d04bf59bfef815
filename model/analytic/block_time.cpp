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
    Demand demand{};
};

struct Section {
    Demand demand{};
    std::vector<ThreadChain> chains;
};

// Of a trip of a loop with barriers: time of its sections, and of the bulk copies that a later trip waits
// for. No warp makes these, so that barriers of the block do not hold them up.
struct Trip {
    double sections = 0;
    double copies = 0;
    Demand demand{};  // of the copies
};

bool has_barrier(const std::vector<Node>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            return interval->barrier_after;
        }
        return has_barrier(std::get<Loop>(node).body);
    });
}

// Nothing but bulk copies asks for global memory, and another trip waits for them.
bool prefetches_in_bulk(const Segment& segment, const std::vector<const AnalysedSite*>& sites) {
    const auto& shape = segment.dependency;
    const bool bulk = std::all_of(sites.begin(), sites.end(), [](const AnalysedSite* s) {
        return s->site->space == MemorySpace::shared || s->site->copies != CopyUnit::none;
    });
    return bulk && shape.prefetched_global_loads > 0 && shape.serial_global_loads <= 0 &&
           shape.trips_ahead >= 1;
}

class BlockWalk {
public:
    BlockWalk(const KernelProgram& program, const std::vector<AnalysedSite>& sites, const ArchSpec& arch,
              const MemoryRules& rules)
        : arch_(arch), rules_(rules) {
        warps_ = (program.resources.threads + 31) / 32;
        barrier_cycles_ = barrier_costs(arch.sm).release_cycles(warps_);
        for (const auto& s : sites) {
            sites_[s.segment].push_back(&s);
        }
    }

    BlockTime run(const std::vector<Node>& nodes) {
        block_ = {};
        block_.alone_cycles = arch_.launch.block_turnover_cycles;
        block_.latency_cycles = arch_.launch.block_turnover_cycles;
        walk(nodes, 1, nullptr);
        return block_;
    }

private:
    // Nodes that hold barriers somewhere: splits them into sections, each met by `trips` trips.
    void walk(const std::vector<Node>& nodes, double trips, Trip* trip) {
        Section open;
        trip_ = trip;
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
            const double times = trips * static_cast<double>(loop.trips);
            Trip of_loop;
            walk(loop.body, times, &of_loop);
            trip_ = trip;
            const double waits =
                arch_.sm.branch_latency_cycles +
                std::max(0.0, of_loop.copies - of_loop.sections - arch_.sm.branch_latency_cycles);
            block_.demand = block_.demand + of_loop.demand * times;
            block_.alone_cycles += times * waits;
            block_.latency_cycles += times * waits;
            if (trip != nullptr) {
                trip->sections += static_cast<double>(loop.trips) * (of_loop.sections + waits);
            }
        }
        close(open, trips, 0);
    }

    void add(const Interval& interval, double times, Section& section) {
        for (const auto& segment : interval.segments) {
            const auto& sites = sites_[&segment];
            const auto demand = segment_demand(segment, sites, arch_, rules_);
            auto chain = segment_chain(segment, sites, demand, arch_, rules_);
            auto own = demand;
            if (trip_ != nullptr && prefetches_in_bulk(segment, sites)) {
                Demand behind{};
                for (const auto r : {Resource::l2, Resource::dram}) {
                    std::swap(behind[static_cast<std::size_t>(r)], own[static_cast<std::size_t>(r)]);
                }
                trip_->copies += std::max(chain.prefetched, largest(behind)) * times;
                trip_->demand = trip_->demand + behind * times;
                chain.prefetched = 0;
            }
            section.demand = section.demand + own * times;
            section.chains.push_back({segment.thread_begin, segment.thread_end, chain.cycles * times,
                                      chain.prefetched * times, own});
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
        const double customers = customers_of(section);
        const double alone = overlap(customers, busiest / customers, longest);
        block_.demand = block_.demand + section.demand * trips;
        block_.alone_cycles += alone * trips;
        block_.latency_cycles += std::max(0.0, alone - busiest) * trips;
        block_.barrier_cycles += barrier * trips;
        if (trip_ != nullptr) {
            trip_->sections += alone;
        }
        section = {};
    }

    // Warps of a sub-partition that share the section's busiest resource: those that ask for it.
    [[nodiscard]] double customers_of(const Section& section) const {
        const auto busiest = static_cast<std::size_t>(
            std::max_element(section.demand.begin(), section.demand.end()) - section.demand.begin());
        int warps = 0;
        for (int warp = 0; warp < warps_; ++warp) {
            warps += std::any_of(section.chains.begin(), section.chains.end(),
                                 [&](const ThreadChain& c) {
                                     return c.demand[busiest] > 0 && c.begin < 32 * (warp + 1) &&
                                            c.end > 32 * warp;
                                 })
                         ? 1
                         : 0;
        }
        return std::max(1.0, std::ceil(static_cast<double>(warps) / arch_.sm.sub_partitions));
    }

    const ArchSpec& arch_;
    const MemoryRules& rules_;
    int warps_ = 1;
    Trip* trip_ = nullptr;  // of the loop with barriers that is walked; nullptr = none
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
