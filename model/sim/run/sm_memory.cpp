// Memory instructions: into the data pipe, and their results back.
#include <algorithm>
#include <bit>
#include <cmath>

#include "model/sim/l2/sector_count.h"
#include "model/sim/run/sm_run.h"

namespace gpumodel::sim {
namespace {

constexpr double sector_bytes = 32;
constexpr int sectors_per_line = 4;

Cycle whole(double cycles) {
    return static_cast<Cycle>(std::ceil(cycles - 1e-6));
}

bool loads(OpKind kind) {
    return kind == OpKind::shared_load || kind == OpKind::global_load || kind == OpKind::shuffle;
}

StallReason reason_of(OpKind kind) {
    return kind == OpKind::global_load ? StallReason::long_scoreboard : StallReason::short_scoreboard;
}

}  // namespace

std::int64_t SmRun::address_of(const Warp& warp, const AccessStrides& strides,
                               const WarpPattern& pattern) const {
    std::int64_t address = pattern.address + warp.block_dx * strides.block_x +
                           warp.block_dy * strides.block_y + warp.block_dz * strides.block_z +
                           warp.block_slot * strides.slot;
    for (std::size_t d = 0; d < max_loop_depth; ++d) {
        address += warp.counters[d] * strides.loop[d];
    }
    return address;
}

void SmRun::send(Warp& warp, const DecodedOp& op, Cycle now) {
    if (op.tracks_sources) {
        hold_sources(warp, op, now);
    }
    PipeRequest request;
    request.op = &op;
    request.warp = static_cast<std::int32_t>(&warp - warps_.data());
    request.generation = warp.generation;
    request.available = static_cast<double>(now + issue_to_data_pipe);
    if (op.access >= 0 && !set_slots(warp, op, request)) {
        return;
    }
    if (loads(op.kind)) {
        for (std::size_t r = 0; r < op.result_count; ++r) {
            warp.scores[op.results[r]] = {never, never};
            warp.score_reasons[op.results[r]] = reason_of(op.kind);
        }
    }
    if (op.kind == OpKind::async_copy) {
        if (op.starts_batch) {
            start_batch(warp);
        }
        request.copy_batch = warp.copy_batch;
        ++warp.newest.under_way;
    }
    pipe_.push(warp.scheduler, request);
}

void SmRun::start_batch(Warp& warp) {
    warp.older.under_way += warp.newest.under_way;
    warp.older.done = std::max(warp.older.done, warp.newest.done);
    warp.newest = {};
    ++warp.copy_batch;
    warp.batch_is_new = true;
}

// Registers that the instruction still has to read may not be overwritten.
void SmRun::hold_sources(Warp& warp, const DecodedOp& op, Cycle now) {
    const auto& machine = setup_.machine;
    const bool store = op.kind == OpKind::shared_store || op.kind == OpKind::global_store;
    const int cycles = store ? machine.store_release + (op.words - 1) * machine.store_release_per_word
                             : machine.load_release;
    for (std::size_t i = 0; i < op.source_count; ++i) {
        auto& score = warp.scores[op.sources[i]];
        if (score.write < now + cycles) {
            score.write = now + cycles;
            warp.score_reasons[op.sources[i]] = StallReason::short_scoreboard;
        }
    }
}

// False if no lane takes part: nothing is sent.
bool SmRun::set_slots(const Warp& warp, const DecodedOp& op, PipeRequest& request) {
    const auto access = static_cast<std::size_t>(op.access);
    const auto& pattern = warp.patterns[access];
    if (pattern.pattern == no_pattern) {
        return false;
    }
    request.pattern = pattern.pattern;
    request.address = address_of(warp, warp.strides[access], pattern);
    request.dram = warp.dram + access;
    const auto& cost = table_.cost(request.pattern, request.address);
    if (op.kind == OpKind::shared_load || op.kind == OpKind::shared_store) {
        set_shared_slots(setup_.costs, cost, request);
        count_shared(cost);
    } else if (op.kind == OpKind::global_store) {
        set_global_store_slots(setup_.costs, cost, request);
        request.waits_for_store_buffer = true;
    } else {
        set_global_load_slots(setup_.costs, cost, request);
    }
    if (op.kind == OpKind::async_copy && warp.shared_patterns[access].pattern != no_pattern) {
        const auto& shared = warp.shared_patterns[access];
        const auto& side = table_.cost(shared.pattern, address_of(warp, warp.shared_strides[access], shared));
        request.slots += side.wavefronts;
        count_shared(side);
    }
    return true;
}

void SmRun::count_shared(const AccessCost& cost) {
    out_.counters.shared_wavefronts += cost.wavefronts;
    out_.counters.shared_conflicts += cost.wavefronts - cost.phases;
}

void SmRun::complete(const DataPipe::Served& served) {
    wake_queue_waiters(served.scheduler, static_cast<Cycle>(std::floor(served.last_start)) + 1);
    const auto& request = served.request;
    const auto& op = *request.op;
    Cycle ready = 0;
    switch (op.kind) {
        case OpKind::shuffle:
            ready = deliver(request, served.last_start - issue_to_data_pipe + op.latency);
            break;
        case OpKind::shared_load:
            ready = deliver(request,
                            shared_arrival(setup_.costs, op.words, served.total_slots, served.last_start));
            break;
        case OpKind::global_load:
        case OpKind::async_copy:
            ready = deliver(request, global_arrival(request, served.last_start));
            break;
        case OpKind::global_store:
            store(request, served.last_start);
            break;
        default:
            break;
    }
    if (listener_ != nullptr) [[unlikely]] {
        tell_wavefronts();
        tell_request(served, ready);
    }
}

void SmRun::store(const PipeRequest& request, double now) {
    if (request.pattern != no_pattern) {
        memory_.write(now, table_.cost(request.pattern, request.address).sectors * sector_bytes);
        pipe_.hold_stores_until(memory_.accepts_store_at());
    }
}

// An access whose address nobody knows counts as an L1 hit.
double SmRun::global_arrival(const PipeRequest& request, double now) {
    if (request.pattern == no_pattern) {
        return now - issue_to_data_pipe + setup_.costs.l1.latency;
    }
    const auto& cost = table_.cost(request.pattern, request.address);
    const auto first_line = request.address / line_bytes;
    switch (table_.path(request.pattern)) {
        case GlobalPath::l1_cached:
            return std::max(now - issue_to_data_pipe + setup_.costs.l1.latency,
                            cached_arrival(l1_, cost, first_line, *request.dram, now));
        case GlobalPath::read_only:
            return std::max(now - issue_to_data_pipe + setup_.costs.l1.read_only_latency,
                            cached_arrival(read_only_, cost, first_line, *request.dram, now));
        default:
            break;
    }
    double arrival = 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const double bytes = sector_count(touched.sectors) * sector_bytes;
        arrival = std::max(arrival, read_line(now, first_line + touched.line, bytes, *request.dram));
    }
    return arrival;
}

// One line's sectors from L2, as soon as the SM's request port is free.
double SmRun::read_line(double now, std::int64_t line, double bytes, const DramShare& dram) {
    const double start = std::max(now, request_port_free_);
    request_port_free_ = start + setup_.costs.l1.miss_line_cycles;
    return memory_.read(start, line, bytes, dram) - issue_to_data_pipe;
}

double SmRun::cached_arrival(L1Tags& tags, const AccessCost& cost, std::int64_t first_line,
                             const DramShare& dram, double now) {
    const bool whole_lines = setup_.arch.l1.sector_bytes > sector_bytes;
    constexpr std::uint32_t all_sectors = (1U << sectors_per_line) - 1;
    double arrival = 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const auto wanted = whole_lines ? all_sectors : touched.sectors;
        auto* line = tags.find(first_line + touched.line);
        const auto missing = line != nullptr ? wanted & ~line->sectors : wanted;
        out_.counters.l1_load_sectors += sector_count(wanted);
        out_.counters.l1_load_sector_hits += sector_count(wanted & ~missing);
        if (missing == 0) {
            arrival = std::max(arrival, line->arrival);
            continue;
        }
        line = line != nullptr ? line : tags.insert(first_line + touched.line);
        const double bytes = sector_count(missing) * sector_bytes;
        const double at = read_line(now, first_line + touched.line, bytes, dram);
        pipe_.fill(at, bytes * setup_.costs.l1.fill_cycles_per_byte);
        arrival = std::max(arrival, at);
        if (line != nullptr) {
            line->sectors |= missing;
            line->arrival = std::max(line->arrival, at);
        }
    }
    return arrival;
}

Cycle SmRun::deliver(const PipeRequest& request, double arrival) {
    auto& warp = warps_[static_cast<std::size_t>(request.warp)];
    const Cycle at = whole(arrival);
    if (!warp.live || warp.generation != request.generation) {
        return at;  // a load whose warp ended without it
    }
    const auto& op = *request.op;
    if (op.kind == OpKind::async_copy) {
        auto& copies = request.copy_batch == warp.copy_batch ? warp.newest : warp.older;
        --copies.under_way;
        copies.done = std::max(copies.done, at);
    } else {
        for (std::size_t r = 0; r < op.result_count; ++r) {
            warp.scores[op.results[r]] = {at, at};
        }
        auto& ports = schedulers_[static_cast<std::size_t>(warp.scheduler)].ports;
        if (ports.delivers()) {
            ports.deliver(at, op.result_banks);
        }
    }
    wake_if_ready(warp);
    return at;
}

void SmRun::wake_if_ready(Warp& warp) {
    if (!warp.waits_for_registers) {
        return;
    }
    const auto ready =
        registers_ready(warp, warp.stream->ops[static_cast<std::size_t>(warp.pc)], warp.reason);
    if (ready < never) {
        warp.waits_for_registers = false;
        wake(warp, std::max(ready, warp.not_before));
    }
}

void SmRun::Scheduler::wait_for_queue(int place, Cycle now) {
    const auto bit = std::uint64_t{1} << static_cast<unsigned>(place);
    if ((waits_for_queue & bit) == 0) {
        waits_for_queue |= bit;
        in_queue_since[static_cast<std::size_t>(place)] = now;
    }
}

std::uint64_t SmRun::Scheduler::first_for_queue() const {
    int first = std::countr_zero(waits_for_queue);
    for (auto rest = waits_for_queue & (waits_for_queue - 1); rest != 0; rest &= rest - 1) {
        const int place = std::countr_zero(rest);
        if (in_queue_since[static_cast<std::size_t>(place)] <
            in_queue_since[static_cast<std::size_t>(first)]) {
            first = place;
        }
    }
    return std::uint64_t{1} << static_cast<unsigned>(first);
}

void SmRun::wake_queue_waiters(int scheduler, Cycle at) {
    auto& s = schedulers_[static_cast<std::size_t>(scheduler)];
    s.queue_opens = at;
    if (s.waits_for_queue != 0) {
        s.wake = std::min(s.wake, at);
    }
}

}  // namespace gpumodel::sim
