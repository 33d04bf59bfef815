#include "model/sim/memory/memory_costs.h"

#include <algorithm>
#include <cmath>

#include "model/launch/barrier_costs.h"

namespace gpumodel::sim {
namespace {

void set_slots(double cycles, double slot_cycles, PipeRequest& request) {
    request.slots = std::max(1, static_cast<int>(std::floor(cycles / slot_cycles + 1e-9)));
    request.slot_cycles = slot_cycles;
    request.last_slot_cycles = cycles - (request.slots - 1) * slot_cycles;
}

L1Work work_of(const AccessCost& access) {
    return {.lines = static_cast<double>(access.line_count),
            .wavefronts = static_cast<double>(access.wavefronts),
            .bytes = static_cast<double>(access.bytes),
            .sectors = static_cast<double>(access.sectors),
            .transactions = static_cast<double>(access.transactions)};
}

}  // namespace

MemoryCosts memory_costs(const ArchSpec& arch) {
    return {shared_memory_costs(arch), l1_costs(arch), copy_engine_costs(arch),
            barrier_costs(arch.sm).data_pipe};
}

void set_shared_slots(const MemoryCosts& costs, int words, const AccessCost& access, PipeRequest& request) {
    const double wavefront = costs.shared.wavefront_cycles;
    request.slots = std::max(1, static_cast<int>(access.wavefronts));
    request.slot_cycles = wavefront;
    request.last_slot_cycles =
        costs.shared.request_cycles(words, access.wavefronts) - (request.slots - 1) * wavefront;
}

void set_global_load_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    set_slots(costs.l1.load_cycles(work_of(access)), 1, request);
}

void set_copy_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    // lines follow each other at once, other than wavefronts of one scheduler
    request.slots = 1;
    request.slot_cycles = 1;
    request.last_slot_cycles = costs.l1.copy_cycles(work_of(access));
}

void set_texture_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    const auto& op = *request.op;
    set_slots(costs.l1.texture_cycles(op.texture, op.bytes, op.filter, work_of(access)), 1, request);
}

void set_global_store_slots(const MemoryCosts& costs, const AccessCost& access, PipeRequest& request) {
    set_slots(costs.l1.store_cycles(work_of(access)), 1, request);
}

double shared_arrival(const MemoryCosts& costs, int words, int wavefronts, double last_start) {
    const int in_latency = std::min(fewest_wavefronts(words), wavefronts) - 1;
    const int beyond = std::max(0, wavefronts - fewest_wavefronts(words));
    return last_start - (in_latency + beyond) * costs.shared.spacing_cycles - issue_to_data_pipe +
           costs.shared.load_latency(words, wavefronts);
}

}  // namespace gpumodel::sim
