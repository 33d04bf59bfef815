// The opcode table's rows applied to one instruction.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "traces/sass/opcodes/matrix_operands.h"
#include "traces/sass/opcodes/opcode_table.h"
#include "traces/sass/opcodes/texture_operands.h"

namespace gpumodel {

namespace {

using RowIndex = std::unordered_map<std::string_view, const OpcodeRow*>;

RowIndex make_index(OpcodeIsa isa) {
    RowIndex index;
    for (const auto& row : opcode_rows()) {
        if ((static_cast<unsigned>(row.isa) & static_cast<unsigned>(isa)) != 0) {
            index.emplace(row.name, &row);
        }
    }
    return index;
}

const RowIndex& index_of(SassIsa isa) {
    static const std::array<RowIndex, 3> indices{
        make_index(OpcodeIsa::kepler), make_index(OpcodeIsa::maxwell), make_index(OpcodeIsa::volta)};
    return indices[static_cast<std::size_t>(isa)];
}

bool is_register(const SassOperand& operand) {
    return operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform_reg;
}

bool is_predicate(const SassOperand& operand) {
    return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

// Leading results: predicates, then a register, then predicates, within the numbers that the form allows.
int leading_results(const std::vector<SassOperand>& operands, int registers, int predicates) {
    std::size_t at = 0;
    const auto take = [&](bool (*fits)(const SassOperand&), int& left) {
        while (left > 0 && at < operands.size() && fits(operands[at])) {
            ++at;
            --left;
        }
    };
    take(is_predicate, predicates);
    take(is_register, registers);
    take(is_predicate, predicates);
    return static_cast<int>(at);
}

int count_results(const SassInstruction& instruction, OperandForm form, SassIsa isa) {
    const auto& operands = instruction.operands;
    switch (form) {
        case OperandForm::none:
        case OperandForm::store:
        case OperandForm::store_matrix:
        case OperandForm::copy:
        case OperandForm::jump:
            return 0;
        case OperandForm::predicate:
            return leading_results(operands, 0, 1);
        case OperandForm::predicates:
        case OperandForm::fp64_compare:
            return leading_results(operands, 0, 2);
        case OperandForm::one_vote:
        case OperandForm::atomic:
        case OperandForm::wide:
        case OperandForm::high:
            return leading_results(operands, 1, 1);
        case OperandForm::one_carry:
        case OperandForm::pair_carry:
            return leading_results(operands, 1, 2);
        case OperandForm::one:
        case OperandForm::pair:
        case OperandForm::fp64:
        case OperandForm::load:
        case OperandForm::matrix:
        case OperandForm::group_matrix:
        case OperandForm::load_matrix:
            return leading_results(operands, 1, 0);
        case OperandForm::texture:
            return leading_results(operands, is_before_volta(isa) ? 1 : 2, 0);
        case OperandForm::texture_short:
            return leading_results(operands, 2, 0);
    }
    return 0;
}

// Bytes per lane that a memory instruction moves; 4 unless a modifier says otherwise.
int access_bytes(const SassInstruction& instruction) {
    static const std::map<std::string_view, int> widths{
        {"U8", 1},     {"S8", 1},    {"U16", 2},    {"S16", 2},    {"64", 8},
        {"128", 16},   {"U64", 8},   {"S64", 8},    {"F64", 8},    {"F32x2", 8},
        {"F32x4", 16}, {"F16x4", 8}, {"F16x8", 16}, {"BF16x4", 8}, {"BF16x8", 16}};
    int bytes = 4;
    for (const auto& modifier : instruction.modifiers) {
        if (const auto found = widths.find(modifier); found != widths.end()) {
            bytes = found->second;
        }
    }
    return bytes;
}

void widen(SassOperand& operand, int width) {
    if (is_register(operand)) {
        operand.width = width;
    }
}

void widen_all(SassInstruction& instruction, int width) {
    for (auto& operand : instruction.operands) {
        widen(operand, width);
    }
}

// Pairs and quads among the operands of arithmetic.
void set_widths(SassInstruction& instruction, OperandForm form, int results) {
    auto& operands = instruction.operands;
    switch (form) {
        case OperandForm::fp64:
        case OperandForm::fp64_compare:
        case OperandForm::pair_carry:
            widen_all(instruction, 2);
            break;
        case OperandForm::wide:
        case OperandForm::high:
            // R0, [P1,] A, B, C: C is a pair, of the wide form the result too
            widen(operands.front(), form == OperandForm::wide ? 2 : 1);
            if (operands.size() > static_cast<std::size_t>(results) + 2) {
                widen(operands[static_cast<std::size_t>(results) + 2], 2);
            }
            break;
        case OperandForm::pair:
            widen(operands.front(), 2);
            break;
        case OperandForm::none:
        case OperandForm::one:
        case OperandForm::one_carry:
        case OperandForm::one_vote:
        case OperandForm::predicate:
        case OperandForm::predicates:
        case OperandForm::load:
        case OperandForm::store:
        case OperandForm::atomic:
        case OperandForm::copy:
        case OperandForm::jump:
        case OperandForm::texture:
        case OperandForm::texture_short:
        case OperandForm::matrix:
        case OperandForm::group_matrix:
        case OperandForm::load_matrix:
        case OperandForm::store_matrix:
            break;
    }
}

// F2I, or UF2I of uniform registers.
bool is_conversion(const SassInstruction& instruction, std::string_view name) {
    const std::string_view opcode = instruction.opcode;
    return opcode == name || (opcode.starts_with('U') && opcode.substr(1) == name);
}

// Conversions name 64-bit types: F2I.S64.F64 and I2F.F64.S64 by kind (the integer is F2I's result and I2F's
// source), F2F.F64.F32 as result and source.
void set_conversion_widths(SassInstruction& instruction) {
    const bool wide_integer = instruction.has_modifier("S64") || instruction.has_modifier("U64");
    const bool wide_float = instruction.has_modifier("F64");
    auto& result = instruction.operands.front();
    auto& source = instruction.operands.back();
    if (is_conversion(instruction, "F2I") || is_conversion(instruction, "I2F")) {
        const bool to_integer = is_conversion(instruction, "F2I");
        widen(result, (to_integer ? wide_integer : wide_float) ? 2 : 1);
        widen(source, (to_integer ? wide_float : wide_integer) ? 2 : 1);
    } else if (is_conversion(instruction, "F2F") && instruction.modifiers.size() > 1) {
        widen(result, instruction.modifiers[0] == "F64" ? 2 : 1);
        widen(source, instruction.modifiers[1] == "F64" ? 2 : 1);
    } else if (is_conversion(instruction, "FRND") && wide_float) {
        widen_all(instruction, 2);
    }
}

void set_memory(SassInstruction& instruction, const OpcodeRow& row, SassIsa isa) {
    auto& effect = *instruction.effect;
    effect.space = row.space;
    effect.direction = row.direction;
    const bool matrices = row.form == OperandForm::load_matrix || row.form == OperandForm::store_matrix;
    effect.bytes = matrices ? matrix_row_bytes : access_bytes(instruction);
    const int width = matrices ? matrix_count(instruction) : std::max(1, effect.bytes / 4);
    const bool global = row.space == SassSpace::global || row.space == SassSpace::generic;
    for (auto& operand : instruction.operands) {
        widen(operand, width);
        // Kepler to Volta print a 64-bit address as its low register, with only the .E of the mnemonic;
        // one with a uniform register or [R.64] says so itself.
        const bool pair = is_before_volta(isa) || operand.uniform == sass_no_register;
        if (operand.kind == OperandKind::memory && global && instruction.has_modifier("E") && pair &&
            row.form != OperandForm::copy) {
            operand.wide_address = true;
        }
    }
    constexpr int lane_bytes = 16;  // bulk_operations.h
    if (instruction.opcode == "UTMALDG" || instruction.opcode == "UTMASTG") {
        effect.bytes = lane_bytes;
    }
    if (instruction.opcode == "UBLKCP" || instruction.opcode == "UBLKRED") {
        effect.bytes = lane_bytes;
        const bool loads = !instruction.modifiers.empty() && instruction.modifiers.front() == "S";
        effect.direction =
            row.direction == SassDirection::copy && !loads ? SassDirection::store : row.direction;
    }
    // LD.E and ST.E are Kepler's global accesses; without .E the address is generic.
    if (isa == SassIsa::kepler && row.space == SassSpace::generic && instruction.has_modifier("E")) {
        effect.space = SassSpace::global;
    }
}

// "HFMA2.MMA R1, -RZ, RZ, 0, 3.2e-05": how compilers load a constant through the other pipe.
bool is_move(const SassInstruction& instruction) {
    const auto& operands = instruction.operands;
    return operands.size() > 2 && operands[1].kind == OperandKind::reg && operands[1].index == sass_rz &&
           operands[2].kind == OperandKind::reg && operands[2].index == sass_rz;
}

void set_target(SassInstruction& instruction) {
    auto& operands = instruction.operands;
    if (!operands.empty() && operands.back().kind == OperandKind::integer) {
        operands.back().kind = OperandKind::target;
    }
}

}  // namespace

const OpcodeRow* find_opcode(const SassInstruction& instruction, SassIsa isa) {
    const auto& index = index_of(isa);
    std::string name;
    for (auto count = instruction.modifiers.size(); count > 1; --count) {
        name = instruction.opcode;
        for (std::size_t i = 0; i < count; ++i) {
            name.append(".").append(instruction.modifiers[i]);
        }
        if (const auto found = index.find(name); found != index.end()) {
            return found->second;
        }
    }
    for (const auto& modifier : instruction.modifiers) {
        name.assign(instruction.opcode).append(".").append(modifier);
        if (const auto found = index.find(name); found != index.end()) {
            return found->second;
        }
    }
    const auto found = index.find(instruction.opcode);
    return found == index.end() ? nullptr : found->second;
}

void apply_opcode(SassInstruction& instruction, SassIsa isa) {
    const auto* row = find_opcode(instruction, isa);
    if (row == nullptr || (row->form == OperandForm::group_matrix && !group_shape(instruction))) {
        instruction.effect.reset();
        return;
    }
    instruction.effect = SassEffect{row->op, count_results(instruction, row->form, isa)};
    instruction.effect->flops = is_move(instruction) ? 0 : row->flops;
    if (row->form == OperandForm::jump) {
        set_target(instruction);
    }
    if (instruction.operands.empty()) {
        return;
    }
    set_widths(instruction, row->form, instruction.effect->results);
    if (row->form == OperandForm::matrix) {
        set_matrix_widths(instruction);
    }
    if (row->form == OperandForm::group_matrix) {
        set_group_widths(instruction);
    }
    if (row->op == OpClass::convert || row->op == OpClass::uniform) {
        set_conversion_widths(instruction);
    }
    if (row->space != SassSpace::none) {
        set_memory(instruction, *row, isa);
    }
    if (is_texture(instruction) || is_surface(instruction)) {
        set_texture(instruction, isa);
    }
}

std::vector<UnknownOpcode> unknown_opcodes(const SassFunction& function) {
    std::vector<UnknownOpcode> list;
    for (const auto& instruction : function.instructions) {
        if (instruction.effect) {
            continue;
        }
        const auto found = std::find_if(list.begin(), list.end(), [&](const UnknownOpcode& unknown) {
            return unknown.opcode == instruction.opcode;
        });
        if (found == list.end()) {
            list.push_back({instruction.opcode, instruction.address, 1});
        } else {
            ++found->count;
        }
    }
    return list;
}

}  // namespace gpumodel
