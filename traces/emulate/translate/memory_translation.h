// What the translations of memory instructions have in common.
#pragma once

#include <optional>

#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

struct Memory {
    const SassOperand* address = nullptr;
    SassSpace space = SassSpace::global;
    int access = 0;
    int words = 1;
};

// The k-th address among the sources; nullptr if there is none.
[[nodiscard]] const SassOperand* address_operand(const Translator& t, std::size_t k);
// Number of the source behind the address.
[[nodiscard]] std::size_t first_data(const Translator& t);
[[nodiscard]] std::uint16_t base_slot(const Translator& t, const SassOperand& address, int part);
[[nodiscard]] std::uint16_t uniform_slot(const Translator& t, const SassOperand& address, int part);
void set_address(const Translator& t, MicroOp& op, const SassOperand& address, SassSpace space);
// The access without its report; empty if the instruction has no address.
[[nodiscard]] std::optional<Memory> begin_access(Translator& t);
std::optional<Memory> report_access(Translator& t);
// A micro-operation with the address as sources.
[[nodiscard]] MicroOp data_op(const Translator& t, const Memory& memory, Handler run);
// Where the results overwrite the address that later words still need (LDG.E.64 R4, [R4.64]): copies of it.
void keep_address(Translator& t, MicroOp& op, int words);

}  // namespace gpumodel::emulate
