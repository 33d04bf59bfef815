#include "model/sim/core/instruction_cache.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

constexpr double instruction_bytes = 16;
constexpr double fetch_bytes = instruction_bytes * instructions_per_fetch_line;

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
    return cache.l0_bytes && cache.l1_bytes && cache.l2_bytes && cache.l1_fetch_cycles &&
           cache.l2_fetch_cycles && cache.memory_fetch_cycles && cache.restart_cycles;
}

FetchCosts fetch_costs(const ArchSpec& arch, std::int64_t instructions) {
    FetchCosts costs;
    const double bytes = instruction_bytes * static_cast<double>(instructions);
    const auto& cache = arch.sm.instruction_cache;
    if (!knows_fetch_costs(arch) || bytes <= static_cast<double>(*cache.l0_bytes)) {
        return costs;
    }
    const double in_l1 = std::min(1.0, static_cast<double>(*cache.l1_bytes) / bytes);
    const double in_both = std::max(in_l1, std::min(1.0, static_cast<double>(*cache.l2_bytes) / bytes));
    costs.modelled = true;
    costs.cycles_per_line = instructions_per_fetch_line *
                            (in_l1 * *cache.l1_fetch_cycles + (in_both - in_l1) * *cache.l2_fetch_cycles +
                             (1 - in_both) * *cache.memory_fetch_cycles);
    costs.l0_lines = static_cast<int>(static_cast<double>(*cache.l0_bytes) / fetch_bytes);
    costs.restart = *cache.restart_cycles;
    return costs;
}

// Lines under way stand beside those that L0 holds.
const InstructionFetch::Line* InstructionFetch::find(std::int32_t line) const {
    const auto& place = lines_[static_cast<std::size_t>(line) % places];
    const bool there = place.number == line && fetched_ - place.order <= costs_.l0_lines + prefetch_lines;
    return there ? &place : nullptr;
}

void InstructionFetch::fetch(std::int32_t line, double ready) {
    lines_[static_cast<std::size_t>(line) % places] = {line, fetched_++, ready};
}

Cycle InstructionFetch::need(std::int32_t line, Cycle now) {
    const auto start = static_cast<double>(now);
    if (line != next_line_ && find(line) == nullptr) {
        next_line_ = line;
        next_ready_ = start + costs_.restart;
    }
    if (line <= next_line_) {
        for (; next_line_ <= line + prefetch_lines; ++next_line_) {
            if (find(next_line_) == nullptr) {
                next_ready_ = std::max(next_ready_, start);
                fetch(next_line_, next_ready_);
                next_ready_ += costs_.cycles_per_line;
            }
        }
    }
    const auto* known = find(line);
    return known == nullptr ? now : std::max(now, static_cast<Cycle>(std::ceil(known->ready)));
}

}  // namespace gpumodel::sim
