#include "model/sim/core/instruction_cache.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

constexpr std::int64_t instruction_bytes = 16;
constexpr std::int64_t code_line_bytes = instruction_bytes * instructions_per_fetch_line;

}  // namespace

CodeLayout code_layout(const DecodedProgram& decoded) {
    CodeLayout layout;
    std::vector<std::uint32_t> addresses;
    for (const auto& code : decoded.code) {
        const bool known = code.segment != nullptr && code.index >= 0;
        addresses.push_back(known ? code.segment->code[static_cast<std::size_t>(code.index)].address : 0);
    }
    const bool placed = std::any_of(addresses.begin(), addresses.end(), [](auto a) { return a != 0; });
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        const auto index = placed ? addresses[i] / static_cast<std::uint32_t>(instruction_bytes) : i;
        layout.line_of_code.push_back(static_cast<std::int32_t>(index) / instructions_per_fetch_line);
    }
    if (placed) {
        std::sort(addresses.begin(), addresses.end());
        addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    }
    layout.instructions = static_cast<std::int64_t>(addresses.size());
    return layout;
}

bool knows_fetch_costs(const ArchSpec& arch) {
    const auto& cache = arch.sm.instruction_cache;
    return cache.l0_bytes && cache.l1_bytes && cache.l2_bytes && cache.l1_ways && cache.l2_ways &&
           cache.l1_fetch_cycles && cache.l2_fetch_cycles && cache.l2_port_cycles &&
           cache.memory_fetch_cycles && cache.restart_cycles;
}

FetchCosts fetch_costs(const ArchSpec& arch, std::int64_t instructions) {
    FetchCosts costs;
    const auto bytes = instruction_bytes * instructions;
    const auto& cache = arch.sm.instruction_cache;
    if (!knows_fetch_costs(arch) || bytes <= *cache.l0_bytes) {
        return costs;
    }
    costs.modelled = true;
    costs.cycles_per_line = instructions_per_fetch_line * *cache.l1_fetch_cycles;
    costs.l0_lines = static_cast<int>(*cache.l0_bytes / code_line_bytes);
    costs.restart = *cache.restart_cycles;
    costs.supply = {(bytes + code_line_bytes - 1) / code_line_bytes,
                    *cache.l1_bytes / code_line_bytes,
                    *cache.l2_bytes / code_line_bytes,
                    *cache.l1_ways,
                    *cache.l2_ways,
                    instructions_per_fetch_line * *cache.l2_fetch_cycles,
                    instructions_per_fetch_line * *cache.l2_port_cycles,
                    instructions_per_fetch_line * *cache.memory_fetch_cycles};
    return costs;
}

// Lines under way stand beside those that L0 holds.
InstructionFetch::Line* InstructionFetch::find(std::int32_t line) {
    auto& place = lines_[static_cast<std::size_t>(line) % places];
    const bool there = place.number == line && fetched_ - place.order <= costs_.l0_lines + prefetch_lines;
    return there ? &place : nullptr;
}

void InstructionFetch::fetch(std::int32_t line, double start, double early) {
    const bool held = supply_->holds(line, start);
    const double begin = std::max(start, held ? free_ : misses_free_);
    const double ready = supply_->need(line, begin);
    // until the end of a stall count or branch others may want the port
    free_ = std::max(free_, begin - early) + costs_.cycles_per_line;
    misses_free_ = held ? misses_free_ : std::max(ready, free_);
    lines_[static_cast<std::size_t>(line) % places] = {line, fetched_++, start, ready};
}

// Lines behind the one that was asked for last that could be begun by `now`.
void InstructionFetch::run_ahead(double now) {
    const auto last = asked_ < 0 ? asked_ : asked_ + prefetch_lines;
    for (auto line = asked_ + 1; line <= last; ++line) {
        if ((supply_->holds(line, asked_at_) ? free_ : misses_free_) > now) {
            return;
        }
        if (find(line) == nullptr) {
            fetch(line, asked_at_, 0);
        }
    }
}

Cycle InstructionFetch::need(std::int32_t line, Cycle at, Cycle now) {
    if (at > now + far_ahead) {
        return at;
    }
    const auto start = static_cast<double>(at);
    run_ahead(static_cast<double>(now));
    asked_at_ = static_cast<double>(now);
    if (auto* known = find(line); known == nullptr) {
        const bool follows = asked_ >= 0 && line == asked_ + 1;
        fetch(line, follows ? start : start + costs_.restart, start - asked_at_);
    } else if (known->wanted > start) {  // by a warp that comes later
        known->ready -= known->wanted - start;
        known->wanted = start;
    }
    asked_ = line;
    return std::max(at, static_cast<Cycle>(std::ceil(find(line)->ready)));
}

}  // namespace gpumodel::sim
