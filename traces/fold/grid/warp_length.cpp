#include "traces/fold/grid/warp_length.h"

#include <algorithm>
#include <bitset>

namespace gpumodel {
namespace {

constexpr std::size_t registers = 256;
using Registers = std::bitset<registers>;

template <class Uses>
Registers registers_of(const Uses& uses, std::size_t count) {
    Registers set;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& use = uses[i];
        for (int r = 0; use.kind == RegisterKind::vector && r < use.width; ++r) {
            set.set(static_cast<std::size_t>(use.index + r) % registers);
        }
    }
    return set;
}

bool loads_device_memory(const Instruction& instruction) {
    return instruction.access_bytes > 0 && instruction.space == MemorySpace::global &&
           instruction.access_kind != AccessKind::store && instruction.result_count > 0;
}

}  // namespace

WarpLength::WarpLength(const StaticCode& code) : waits_before_{0} {
    Registers loaded;
    for (const auto& instruction : code.instructions) {
        const auto read = registers_of(instruction.sources, instruction.source_count);
        const bool waits = (read & loaded).any();
        waits_before_.push_back(waits_before_.back() + (waits ? 1 : 0));
        const auto written = registers_of(instruction.results, instruction.result_count);
        // one wait for all that are under way: they come back together
        loaded = waits ? Registers() : loaded & ~written;
        loaded |= loads_device_memory(instruction) ? written : Registers();
    }
}

}  // namespace gpumodel
