// The walk over a program's barrier sections (latency.h: block_time).
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/analytic/latency.h"
#include "model/launch/barrier_costs.h"
#include "model/memory/costs/group_product_costs.h"

namespace gpumodel {
namespace {

// Work of one thread range between two barriers.
struct ThreadChain {
    int begin = 0, end = 0;
    double cycles = 0;
    double prefetched = 0;
    Demand demand{};   // of a trip
    SectionPart part;  // where warps keep step
};

struct Section {
    Demand demand{};
    std::vector<ThreadChain> chains;
    Copies copies;
};

// Of a trip of a loop with barriers: time of its sections, and of the bulk copies that a later trip waits
// for. No warp makes these, so that barriers of the block do not hold them up.
struct Trip {
    double sections = 0;
    Copies copies;
    Demand demand{};  // of the copies
    double held = 0;  // the copies, by the queue of products
    // Of products that nobody waits for in the trip that asks for them: what else is in it goes on meanwhile.
    double products = 0;
    bool products_run_on = false, products_end = false;
};

bool has_barrier(const std::vector<Node>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            return interval->barrier_after;
        }
        return has_barrier(std::get<Loop>(node).body);
    });
}

// Its warps wait for bulk copies.
bool waits_for_copies(const Segment& segment) {
    return std::any_of(segment.code.begin(), segment.code.end(),
                       [](const Instruction& in) { return in.copies_first > 0; });
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

using SitesOfSegment = std::unordered_map<const Segment*, std::vector<const AnalysedSite*>>;

class BlockWalk {
public:
    BlockWalk(const KernelProgram& program, const SitesOfSegment& sites, const ArchSpec& arch,
              const MemoryRules& rules)
        : arch_(arch), rules_(rules), sites_(sites) {
        warps_ = (program.resources.threads + 31) / 32;
        barrier_cycles_ = barrier_costs(arch.sm).release_cycles(warps_);
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
            const double waits = trip_end(of_loop);
            block_.demand = block_.demand + of_loop.demand * times;
            block_.alone_cycles += times * waits;
            block_.latency_cycles += times * waits;
            if (trip != nullptr) {
                trip->sections += static_cast<double>(loop.trips) * (of_loop.sections + waits);
            }
        }
        close(open, trips, 0);
    }

    // Beyond its sections: the branch, what its copies take longer, less what goes on beside products.
    [[nodiscard]] double trip_end(const Trip& trip) const {
        const double branch = arch_.sm.branch_latency_cycles;
        const bool run_on = trip.products_run_on && !trip.products_end;
        const double in_order = trip.sections + branch;
        const double sections = run_on ? std::max(trip.products, in_order - trip.products) : in_order;
        return std::max(sections, trip.copies.trip(trip.held)) - trip.sections;
    }

    // How the trip waits for its products, and what they hold up.
    void note_products(const Segment& segment, const Demand& demand, double held, double times) {
        for (const auto& in : segment.code) {
            trip_->products_run_on = trip_->products_run_on || in.group.groups_left > 0;
            trip_->products_end = trip_->products_end || in.group.groups_left == 0;
        }
        trip_->products += times * demand[static_cast<std::size_t>(Resource::tensor)];
        trip_->held = std::max(trip_->held, held);
    }

    void add(const Interval& interval, double times, Section& section) {
        for (const auto& segment : interval.segments) {
            static const std::vector<const AnalysedSite*> none;
            const auto found = sites_.find(&segment);
            const auto& sites = found != sites_.end() ? found->second : none;
            const auto demand = segment_demand(segment, sites, arch_, rules_);
            auto chain = segment_chain(segment, sites, demand, arch_, rules_);
            auto own = demand;
            if (prefetches_in_bulk(segment, sites)) {
                copy(chain, times, section, own);
            }
            const double held = group_product_issue_cycles(segment, warps_of(segment), arch_);
            if (trip_ != nullptr) {
                note_products(segment, own, held, times);
            }
            section.demand = section.demand + own * times;
            section.chains.push_back(
                {segment.thread_begin,
                 segment.thread_end,
                 chain.cycles * times,
                 chain.prefetched * times,
                 own,
                 {times, std::max(chain.cycles, largest(own)), waits_for_copies(segment), held}});
        }
    }

    // Of a loop with barriers no section has its copies' bytes; of others these are `demand`, too.
    void copy(SegmentChain& chain, double times, Section& section, Demand& demand) {
        block_.copies_ahead = true;
        Demand behind{};
        for (const auto r : {Resource::l2, Resource::dram}) {
            behind[static_cast<std::size_t>(r)] = demand[static_cast<std::size_t>(r)];
        }
        chain.copies.transfer = std::max(chain.copies.transfer, largest(behind));
        if (trip_ == nullptr) {
            section.copies.add(chain.copies, times);
            return;
        }
        trip_->copies.add(chain.copies, times);
        trip_->demand = trip_->demand + behind * times;
        demand = demand + behind * -1;
        chain.prefetched = 0;
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
        const double busiest = largest(section.demand);
        const double alone = section_cycles(section, barrier);
        block_.demand = block_.demand + section.demand * trips;
        block_.alone_cycles += alone * trips;
        block_.latency_cycles += std::max(0.0, alone - busiest) * trips;
        block_.barrier_cycles += barrier * trips;
        if (trip_ != nullptr) {
            trip_->sections += alone;
        }
        section = {};
    }

    [[nodiscard]] double section_cycles(const Section& section, double barrier) const {
        double longest = 0, pipelined = 0;
        for (const auto& probe : section.chains) {
            double chain = 0;
            double prefetched = 0;
            std::vector<SectionPart> parts;
            for (const auto& c : section.chains) {
                if (c.begin <= probe.begin && probe.begin < c.end) {
                    chain += c.cycles;
                    prefetched += c.prefetched;
                    parts.push_back(c.part);
                }
            }
            longest = std::max({longest, chain, prefetched});
            pipelined = std::max(pipelined, pipeline_cycles(parts, section.copies));
        }
        const double busiest = largest(section.demand);
        if (pipelined > 0) {
            return std::max(busiest, pipelined + barrier);
        }
        const double customers = customers_of(section);
        return overlap(customers, busiest / customers, longest + barrier);
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
    const SitesOfSegment& sites_;
    int warps_ = 1;
    Trip* trip_ = nullptr;  // of the loop with barriers that is walked; nullptr = none
    double barrier_cycles_ = 0;
    BlockTime block_;
};

}  // namespace

BlockTime block_time(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                     const ArchSpec& arch, const MemoryRules& rules, bool at_once) {
    const auto bodies = block_bodies(program);
    SitesOfSegment of_segment;  // once: launches whose data decide have hundreds of bodies
    for (const auto& s : sites) {
        of_segment[s.segment].push_back(&s);
    }
    const auto walk = [&](const BlockBody& body, const MemoryRules& rates) {
        return BlockWalk(program, of_segment, arch, rates).run(*body.nodes);
    };
    if (bodies.size() == 1) {
        return walk(bodies.front(), rules);
    }
    BlockTime mean;
    std::vector<BlockTime> blocks;
    for (const auto& body : bodies) {
        const double share =
            static_cast<double>(body.box.count()) / static_cast<double>(program.grid.count());
        blocks.push_back(walk(body, rules));
        mean.demand = mean.demand + blocks.back().demand * share;
        mean.alone_cycles += blocks.back().alone_cycles * share;
        mean.latency_cycles += blocks.back().latency_cycles * share;
        mean.barrier_cycles += blocks.back().barrier_cycles * share;
    }
    mean.copies_ahead = blocks.front().copies_ahead;
    if (!at_once) {
        return mean;
    }
    const auto last = std::max_element(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
        return a.alone_cycles < b.alone_cycles;
    });
    const auto& body = bodies[static_cast<std::size_t>(last - blocks.begin())];
    auto longest = walk(body, rates_of(rules, last->demand, mean.demand));
    longest.demand = mean.demand;
    return longest;
}

}  // namespace gpumodel
