#include "traces/trace/accelsim/accelsim_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/note.h"
#include "traces/sass/opcodes/opcode_table.h"

namespace gpumodel {

namespace {

constexpr std::size_t max_mnemonics = 4096;  // compiled kernels have a few hundred

SassOperand register_operand(int index) {
    SassOperand operand;
    operand.kind = OperandKind::reg;
    operand.index = index;
    return operand;
}

// As a listing would give it, without what the trace leaves out. The first source of a memory instruction is
// its address.
SassInstruction listed(const AccelSimStatic& item, SassIsa isa) {
    SassInstruction instruction;
    std::string_view text = item.opcode;
    instruction.opcode = std::string(text.substr(0, text.find('.')));
    for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
        text.remove_prefix(dot + 1);
        instruction.modifiers.emplace_back(text.substr(0, text.find('.')));
    }
    for (const int result : item.results) {
        instruction.operands.push_back(register_operand(result));
    }
    for (const int source : item.sources) {
        instruction.operands.push_back(register_operand(source));
    }
    if (item.width > 0 && !item.sources.empty()) {
        auto& address = instruction.operands[item.results.size()];
        address.kind = OperandKind::memory;
        address.base = address.index;
    }
    apply_opcode(instruction, isa);
    return instruction;
}

bool has_addresses(const SassEffect& effect) {
    return effect.space != SassSpace::none && effect.space != SassSpace::constant;
}

RegisterUse use_of(const SassOperand& operand, std::size_t slot, bool memory) {
    RegisterUse use;
    use.kind = RegisterKind::vector;
    const bool address = operand.kind == OperandKind::memory;
    use.index = static_cast<std::int16_t>(address ? operand.base : operand.index);
    const int width = address ? (operand.wide_address ? 2 : 1) : operand.width;
    use.width = static_cast<std::uint8_t>(std::min(width, sass_rz - int{use.index}));
    use.slot = memory || slot > 2 ? std::int8_t{-1} : static_cast<std::int8_t>(slot);
    return use;
}

void set_memory(Instruction& instruction, const SassEffect& effect, int width) {
    instruction.access_bytes = static_cast<std::uint8_t>(std::min(width, 16));
    instruction.access_kind = access_kind(effect.direction);
    instruction.space = memory_space(effect.space);
}

// `results`: leading operands that are written.
void set_registers(Instruction& instruction, const std::vector<SassOperand>& operands, std::size_t results,
                   bool memory) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto use = use_of(operands[i], i < results ? 0 : i - results, memory);
        if (use.index == sass_rz ||
            (i >= results && instruction.source_count == instruction.sources.size())) {
            continue;
        }
        if (i < results) {
            instruction.results[instruction.result_count] = use;
            instruction.results[instruction.result_count++].slot = -1;
        } else {
            instruction.sources[instruction.source_count++] = use;
        }
    }
}

}  // namespace

SassSpace accelsim_space(const AccelSimStatic& item, SassIsa isa) {
    const auto instruction = listed(item, isa);
    return item.width > 0 && instruction.effect && has_addresses(*instruction.effect)
               ? instruction.effect->space
               : SassSpace::none;
}

AccelSimCode accelsim_code(const std::vector<AccelSimStatic>& instructions, SassIsa isa, bool allow_unknown,
                           const std::string& file, std::vector<Diagnostic>& faults) {
    AccelSimCode result;
    std::vector<int> order(instructions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto pc = [&](int i) { return instructions[static_cast<std::size_t>(i)].pc; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return pc(a) < pc(b); });
    result.rank.resize(order.size());
    std::map<std::string, int> unknown;  // opcode -> first line
    for (const int i : order) {
        const auto& item = instructions[static_cast<std::size_t>(i)];
        const auto sass = listed(item, isa);
        result.rank[static_cast<std::size_t>(i)] = static_cast<int>(result.code.instructions.size());
        Instruction instruction;
        instruction.address = item.pc;
        const bool memory = sass.effect && item.width > 0 && has_addresses(*sass.effect);
        if (!sass.effect) {
            const auto [found, added] = unknown.try_emplace(sass.opcode, item.first_line);
            found->second = std::min(found->second, item.first_line);
        }
        if (result.code.mnemonics.names().size() < max_mnemonics) {
            instruction.mnemonic = result.code.mnemonics.intern(item.opcode);
        } else {
            faults.push_back({file, item.first_line, 0, "opcode",
                              fmt::format("more than {} different opcodes", max_mnemonics)});
            return result;
        }
        instruction.op = sass.effect ? sass.effect->op : OpClass::mov;
        instruction.flops = static_cast<std::uint16_t>(sass.effect ? sass.effect->flops : 0);
        instruction.skipped = !sass.effect;
        if (memory) {
            set_memory(instruction, *sass.effect, item.width);
        }
        set_registers(instruction, sass.operands, item.results.size(), memory);
        result.code.instructions.push_back(instruction);
    }
    for (const auto& [opcode, line] : unknown) {
        if (allow_unknown) {
            result.notes.push_back(
                noted(NoteId::unknown_opcode, fmt::format("unknown opcode {} is taken for a move", opcode)));
        } else {
            faults.push_back({file, line, 0, "opcode",
                              fmt::format("unknown opcode {}; --allow-unknown takes it for a move", opcode)});
        }
    }
    return result;
}

}  // namespace gpumodel
