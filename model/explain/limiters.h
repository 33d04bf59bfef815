// The limiters that explain() lifts, as data.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/sim/relax.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// What a program has; without it a limiter has nothing to limit.
struct ProgramTraits {
    bool shared_accesses = false;
    bool barriers = false;
    bool room_for_a_block = true;  // the warps of one more beside those that are resident
};
[[nodiscard]] ProgramTraits traits_of(const KernelProgram& program, const ArchSpec& arch);

struct Limiter {
    const char* name = "";
    const char* relaxed = "";
    void (*lift)(Relax& relax) = nullptr;
    // Why the spec does not limit it, or ""; null = every spec does.
    std::string (*missing)(const ArchSpec& arch) = nullptr;
    bool (*absent)(const ProgramTraits& traits) = nullptr;  // null = every program has it
    const char* unit = nullptr;  // that it lifts as a whole, by the name of its bound (bottleneck.h)
};

[[nodiscard]] const std::vector<Limiter>& limiters();

}  // namespace gpumodel
