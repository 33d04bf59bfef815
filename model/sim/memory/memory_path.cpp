#include "model/sim/memory/memory_path.h"

#include <algorithm>
#include <cmath>

#include "model/sim/l2/sector_count.h"

namespace gpumodel::sim {
namespace {

constexpr std::uint32_t all_sectors = 0xf;

Cycle whole(double cycles) {
    constexpr double rounding = 1e-6;
    return static_cast<Cycle>(std::ceil(cycles - rounding));
}

}  // namespace

MemorySetup memory_setup(const ArchSpec& arch, const MemoryRates& rates, std::int64_t l1_bytes) {
    MemorySetup setup;
    setup.costs = memory_costs(arch);
    setup.rates = rates;
    setup.l1_bytes = arch.l1.caches_global_loads ? l1_bytes : 0;
    setup.read_only_bytes = arch.read_only.size_bytes;
    setup.fetches_whole_lines = arch.l1.sector_bytes > sector_bytes;
    setup.joins_stores = arch.l2.access_bytes.has_value();
    return setup;
}

MemoryPath::MemoryPath(const MemorySetup& setup, int schedulers, const DecodedProgram& decoded,
                       AccessTable& table, int resident_blocks)
    : setup_(setup),
      decoded_(decoded),
      table_(table),
      warps_(static_cast<std::size_t>(resident_blocks) * decoded.bodies.front().stream_of_warp.size()),
      pipe_(schedulers, setup.costs.shared.interval_cycles),
      servers_(setup.rates),
      l1_(setup.l1_bytes),
      read_only_(setup.read_only_bytes),
      engine_(setup.costs.copies) {}

void MemoryPath::start_block(int slot, const Dim3& block, int body) {
    const auto& patterns = table_.patterns(block);
    const auto& streams = decoded_.bodies[static_cast<std::size_t>(body)].stream_of_warp;
    const auto b = static_cast<std::size_t>(body);
    for (std::size_t w = 0; w < streams.size(); ++w) {
        auto& warp = warps_[static_cast<std::size_t>(slot) * streams.size() + w];
        const auto stream = static_cast<std::size_t>(streams[w]);
        warp.patterns = patterns.of_warp[w].data();
        warp.shared_patterns = patterns.shared_of_warp[w].data();
        warp.strides = table_.strides(body, streams[w]).data();
        warp.shared_strides = table_.shared_strides(body, streams[w]).data();
        warp.dram = setup_.dram_shares[b][stream].data();
        warp.from_origin = minus(block, patterns.origin);
        warp.slot = slot;
        warp.stored.fill({-1, 0});
    }
}

bool MemoryPath::send(const DecodedOp& op, const Requester& from, const LoopCounters& counters, Cycle now) {
    PipeRequest request;
    request.op = &op;
    request.from = from;
    request.available = static_cast<double>(now + issue_to_data_pipe);
    if (op.access >= 0 && !set_slots(counters, request)) {
        return false;
    }
    if (op.bulk) {
        copy_in_bulk(request, static_cast<double>(now));
    } else {
        pipe_.push(request);
    }
    return true;
}

// A piece of a bulk copy, through the engine.
void MemoryPath::copy_in_bulk(const PipeRequest& request, double now) {
    const auto& cost = table_.cost(request.pattern, request.address);
    const auto first_line = request.address / line_bytes;
    if (request.op->kind == OpKind::global_store) {
        counts_.write_back_cycles += servers_.write_back_cycles(cost.sectors * sector_bytes);
    }
    if (!request.op->continues) {
        engine_.begin(now);
    }
    const double asked = engine_.piece(cost.sectors * sector_bytes, request.op->copies);
    double arrival = 0;
    if (request.op->kind == OpKind::global_store) {
        servers_.write(asked, {.bytes = static_cast<double>(cost.sectors * sector_bytes)});
    } else {
        for (std::int32_t i = 0; i < cost.line_count; ++i) {
            const auto& touched = table_.lines(cost)[i];
            const double bytes = sector_count(touched.sectors) * sector_bytes;
            arrival =
                std::max(arrival, servers_.read(asked, first_line + touched.line, bytes, *request.dram));
        }
        arrival = std::max(asked, arrival - setup_.costs.copies.latency_saved);
    }
    copied_.push_back({{request, asked}, has_result(request.op->kind) ? whole(arrival) : 0});
}

// What no lane takes part in passes the data pipe all the same (H200: one LDS, STS, LDG or STG a cycle,
// whatever their guards say), but for copies and what can never be executed (@!PT LDS RZ, [RZ] beside
// asynchronous copies: with its time such products come out 2 % slower, farther from the H200's): false then.
bool MemoryPath::set_slots(const LoopCounters& counters, PipeRequest& request) {
    const auto kind = request.op->kind;
    const auto access = static_cast<std::size_t>(request.op->access);
    const auto& warp = warps_[static_cast<std::size_t>(request.from.in_slot)];
    const auto& pattern = warp.patterns[access];
    if (pattern.pattern == no_pattern) {
        return request.op->guarded && !request.op->bulk && kind != OpKind::async_copy;
    }
    request.pattern = pattern.pattern;
    request.address = address_at(pattern, warp.strides[access], warp.from_origin, counters) +
                      warp.slot * warp.strides[access].slot;
    request.dram = warp.dram + access;
    const auto& cost = table_.cost(request.pattern, request.address);
    if (kind == OpKind::shared_load || kind == OpKind::shared_store) {
        set_shared_slots(setup_.costs, request.op->words, cost, request);
        count_shared(cost);
    } else if (kind == OpKind::global_store || request.op->no_data) {
        set_global_store_slots(setup_.costs, cost, request);
        counts_.write_back_cycles += servers_.write_back_cycles(cost.sectors * sector_bytes);
        request.waits_for_store_buffer = true;
        if (request.op->texture != TextureUnit::none) {
            set_texture_slots(setup_.costs, cost, request);
        }
    } else if (request.op->texture != TextureUnit::none) {
        set_texture_slots(setup_.costs, cost, request);
    } else {
        set_global_load_slots(setup_.costs, cost, request);
    }
    const auto& shared = warp.shared_patterns[access];
    if (kind == OpKind::async_copy && shared.pattern != no_pattern) {
        if (table_.path(request.pattern) == GlobalPath::l1_bypassed) {
            set_copy_slots(setup_.costs, cost, request);
        }
        const auto& side = table_.cost(
            shared.pattern, address_at(shared, warp.shared_strides[access], warp.from_origin, counters));
        request.slots += side.wavefronts;
        count_shared(side);
    }
    return true;
}

void MemoryPath::count_shared(const AccessCost& cost) {
    counts_.shared_wavefronts += cost.wavefronts;
    counts_.shared_conflicts += cost.wavefronts - cost.phases;
}

bool MemoryPath::advance(Cycle limit, Done& done) {
    if (!copied_.empty() && copied_.front().served.last_start <= static_cast<double>(limit) &&
        copied_.front().served.last_start <= pipe_.next_start()) {
        done = copied_.front();
        copied_.pop_front();
        return true;
    }
    if (!pipe_.advance(static_cast<double>(limit), done.served)) {
        return false;
    }
    const auto kind = done.served.request.op->kind;
    if (kind == OpKind::global_store || done.served.request.op->no_data) {
        store(done.served.request, done.served.last_start);
    }
    done.ready = has_result(kind) ? whole(arrival(done.served)) : 0;
    return true;
}

double MemoryPath::arrival(const DataPipe::Served& served) {
    const auto& op = *served.request.op;
    if (op.kind == OpKind::shuffle) {
        return served.last_start - issue_to_data_pipe + op.latency;
    }
    if (op.kind == OpKind::shared_load) {
        return shared_arrival(setup_.costs, op.words, served.request.slots, served.last_start);
    }
    return global_arrival(served.request, served.last_start);
}

// A store of whole sectors to the lines of one of the warp's last ones takes no more than these on the way:
// they may join there. Of what it would take of the slices beyond these it takes half. `estimated`: tiles of
// 128 x 256 sums, a sector of a row at a time, take 6,800 cycles longer on 128 SMs than on 32 (H200,
// wgmma_warp_specialized at 2048 and 1024 cubed less their products); 3,600, 5,500, 7,800 with nothing, half,
// all of it. Calibration halves: warp groups 6.6, 5.3, 4.5 % off, 90 of mma_* 6.0, 6.5, 7.0 %.
void MemoryPath::store(const PipeRequest& request, double now) {
    if (request.pattern == no_pattern) {
        return;
    }
    const auto& cost = table_.cost(request.pattern, request.address);
    const bool alone = request.op->no_data || cost.masked || cost.local || !stores_again(request);
    const double bytes = cost.sectors * sector_bytes;
    if (request.op->no_data) {
        servers_.fetch(now, bytes, *request.dram);
    }
    const double part = cost.sectors > 0 ? new_sectors(request, cost) / cost.sectors : 1;
    counts_.write_back_cycles -= servers_.write_back_cycles((1 - part) * bytes);
    servers_.write(now, {.bytes = bytes,
                         .part = part,
                         .taken_bytes = alone ? cost.stored_bytes : 0.0,
                         .slice_bytes = request.op->no_data ? 0.0
                                        : alone             ? cost.slice_bytes
                                                            : std::max(bytes, (bytes + cost.slice_bytes) / 2),
                         .slice_cycles = cost.slice_cycles,
                         .hot_cycles = hot_cycles(request, cost),
                         .hot_lines = hot_lines(request, cost),
                         .crowding = request.dram->crowding});
    pipe_.hold_stores_until(servers_.accepts_store_at());
}

// To the lines of one of the warp's last stores.
bool MemoryPath::stores_again(const PipeRequest& request) {
    auto& warp = warps_[static_cast<std::size_t>(request.from.in_slot)];
    const std::pair lines{request.address / line_bytes, request.pattern};
    if (std::find(warp.stored.begin(), warp.stored.end(), lines) != warp.stored.end()) {
        return true;
    }
    warp.stored[warp.stores++ % warp.stored.size()] = lines;
    return false;
}

double MemoryPath::new_sectors(const PipeRequest& request, const AccessCost& cost) {
    if (request.op->no_data || !setup_.joins_stores || cost.local) {
        return cost.sectors;
    }
    double sectors = 0;
    const int places = JoiningPlaces::of_line(cost.lone_lanes);
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        sectors += sector_count(joining_.add(request.address / line_bytes + touched.line, touched.sectors,
                                             static_cast<int>(request.from.in_slot), places));
    }
    return sectors;
}

// Of an atomic's cycles in L2's slices those on the hot one.
double MemoryPath::hot_cycles(const PipeRequest& request, const AccessCost& cost) const {
    double cycles = 0;
    for (std::int32_t i = 0; cost.slice_cycles > 0 && i < cost.line_count; ++i) {
        const bool hot = servers_.is_hot(request.address / line_bytes + table_.lines(cost)[i].line);
        cycles += hot ? table_.atomic_lines(cost)[i].cycles : 0;
    }
    return cycles;
}

// Of a store.
double MemoryPath::hot_lines(const PipeRequest& request, const AccessCost& cost) const {
    double lines = 0;
    for (std::int32_t i = 0; cost.slice_cycles <= 0 && i < cost.line_count; ++i) {
        lines += servers_.is_hot(request.address / line_bytes + table_.lines(cost)[i].line) ? 1 : 0;
    }
    return lines;
}

double MemoryPath::global_arrival(const PipeRequest& request, double now) {
    const double issued = now - issue_to_data_pipe;
    if (request.pattern == no_pattern) {  // comes back without a look at L1's tags (H200: 22 cycles)
        return shared_arrival(setup_.costs, 1, 1, now);
    }
    if (request.op->no_data) {
        return issued + setup_.costs.l1.latency;
    }
    const auto& cost = table_.cost(request.pattern, request.address);
    const auto path = table_.path(request.pattern);
    const double delay = setup_.costs.l1.texture_delay(request.op->texture, path == GlobalPath::read_only);
    switch (path) {
        case GlobalPath::l1_cached:
            return delay +
                   std::max(issued + (cost.local ? setup_.costs.l1.local_latency : setup_.costs.l1.latency),
                            cached_arrival(l1_, request, cost, now));
        case GlobalPath::read_only:
            return delay + std::max(issued + setup_.costs.l1.read_only_latency,
                                    cached_arrival(read_only_, request, cost, now));
        case GlobalPath::l1_bypassed:
            break;
    }
    return delay + uncached_arrival(request, cost, now);
}

double MemoryPath::uncached_arrival(const PipeRequest& request, const AccessCost& cost, double now) {
    const auto first_line = request.address / line_bytes;
    const auto& l1 = setup_.costs.l1;
    const bool copies = request.op->kind == OpKind::async_copy && l1.copy_line_cycles > 0;
    const double cycles = copies ? l1.copy_line_cycles : l1.miss_line_cycles;
    double arrival = 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const double bytes = sector_count(touched.sectors) * sector_bytes;
        const auto line = first_line + touched.line;
        arrival = std::max(arrival, cost.slice_cycles > 0
                                        ? servers_.atomic(ask(now, cycles), line, bytes,
                                                          table_.atomic_lines(cost)[i], *request.dram) -
                                              issue_to_data_pipe
                                        : read_line(now, line, bytes, *request.dram, cycles));
    }
    return arrival;
}

double MemoryPath::ask(double now, double cycles) {
    const double start = std::max(now, request_port_free_);
    request_port_free_ = start + cycles;
    return start;
}

// One line's sectors from L2, as soon as the SM's request port is free; takes that for `cycles`.
double MemoryPath::read_line(double now, std::int64_t line, double bytes, const DramShare& dram,
                             double cycles) {
    return servers_.read(ask(now, cycles), line, bytes, dram) - issue_to_data_pipe;
}

double MemoryPath::cached_arrival(L1Tags& tags, const PipeRequest& request, const AccessCost& cost,
                                  double now) {
    const auto first_line = request.address / line_bytes;
    double arrival = 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const auto number = first_line + touched.line;
        const auto wanted = setup_.fetches_whole_lines ? all_sectors : touched.sectors;
        auto* line = tags.find(number);
        const auto missing = line != nullptr ? wanted & ~line->sectors : wanted;
        counts_.l1_load_sectors += sector_count(wanted);
        counts_.l1_load_sector_hits += sector_count(wanted & ~missing);
        if (missing == 0) {
            arrival = std::max(arrival, line->arrival);
            continue;
        }
        line = line != nullptr ? line : tags.insert(number);
        const double bytes = sector_count(missing) * sector_bytes;
        const double at = read_line(now, number, bytes, *request.dram, setup_.costs.l1.miss_line_cycles);
        pipe_.fill(at, bytes * setup_.costs.l1.fill_cycles_per_byte);
        arrival = std::max(arrival, at);
        if (line != nullptr) {
            line->sectors |= missing;
            line->arrival = std::max(line->arrival, at);
        }
    }
    return arrival;
}

void MemoryPath::add_to(SimCounters& counters) const {
    counters.shared_wavefronts += counts_.shared_wavefronts;
    counters.shared_conflicts += counts_.shared_conflicts;
    counters.l1_load_sectors += counts_.l1_load_sectors;
    counters.l1_load_sector_hits += counts_.l1_load_sector_hits;
    counters.data_pipe_cycles += pipe_.busy_cycles;
    counters.l2_read_bytes += servers_.read_bytes;
    counters.l2_write_bytes += servers_.written_bytes;
    counters.write_back_cycles += counts_.write_back_cycles;
}

}  // namespace gpumodel::sim
