#include "traces/sass/opcodes/matrix_operands.h"

#include <algorithm>
#include <array>

#include "base/parse.h"

namespace gpumodel {

namespace {

struct MatrixWidths {
    OpClass op;
    int a, b, c;  // D as C
};

constexpr auto matrix_widths = std::to_array<MatrixWidths>({
    {OpClass::hmma_884_f16, 2, 2, 2},
    {OpClass::hmma_884_f32, 2, 2, 2},
    {OpClass::hmma_1688_f16, 2, 1, 2},
    {OpClass::hmma_1688_f32, 2, 1, 4},
    {OpClass::hmma_16816_f16, 4, 2, 2},
    {OpClass::hmma_16816_f32, 4, 2, 4},
    {OpClass::hmma_1684_tf32, 2, 1, 4},
    {OpClass::hmma_1688_tf32, 4, 2, 4},
    {OpClass::imma_8816, 1, 1, 2},
    {OpClass::imma_16816, 2, 1, 4},
    {OpClass::imma_16832, 4, 2, 4},
    {OpClass::dmma_884, 2, 2, 4},
    {OpClass::dmma_1684, 4, 2, 8},
    {OpClass::dmma_1688, 8, 4, 8},
    {OpClass::dmma_16816, 16, 8, 8},
});

}  // namespace

int matrix_count(const SassInstruction& instruction) {
    return instruction.has_modifier("4") ? 4 : instruction.has_modifier("2") ? 2 : 1;
}

void set_matrix_widths(SassInstruction& instruction) {
    for (const auto& row : matrix_widths) {
        if (!instruction.is(row.op)) {
            continue;
        }
        const std::array<int, 4> widths{row.c, row.a, row.b, row.c};
        for (std::size_t i = 0; i < widths.size() && i < instruction.operands.size(); ++i) {
            if (instruction.operands[i].kind == OperandKind::reg) {
                instruction.operands[i].width = widths[i];
            }
        }
    }
}

std::optional<GroupShape> group_shape(const SassInstruction& instruction) {
    if (instruction.modifiers.empty()) {
        return std::nullopt;
    }
    const auto parts = split(instruction.modifiers.front(), 'x');
    const auto n = parts.size() == 3 ? parse_number<int>(parts[1]) : std::nullopt;
    const auto k = parts.size() == 3 ? parse_number<int>(parts[2]) : std::nullopt;
    constexpr int most_columns = 256, most_k = 256;
    if (!n || !k || parts[0] != "64" || *n < 8 || *n > most_columns || *n % 8 != 0 || *k < 8 || *k > most_k) {
        return std::nullopt;
    }
    return GroupShape{*n, *k};
}

bool is_matrix_descriptor(const SassOperand& operand) {
    return operand.kind == OperandKind::uniform_reg && operand.text.starts_with(matrix_descriptor_text);
}

void set_group_widths(SassInstruction& instruction) {
    const auto shape = group_shape(instruction).value_or(GroupShape{});
    const bool halves = instruction.modifiers.size() > 1 && instruction.modifiers[1] == "F16";
    const bool integers = instruction.opcode == "IGMMA" || instruction.opcode == "BGMMA";
    instruction.effect->flops = integers ? 0 : shape.n * shape.k;  // 2 x 64 N K by 128 threads
    const int sums = halves ? shape.n / 4 : shape.n / 2;
    auto& operands = instruction.operands;
    const bool a_in_registers = operands.size() > 1 && !is_matrix_descriptor(operands[1]);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (is_matrix_descriptor(operands[i])) {
            operands[i].width = 4;
        } else if (operands[i].kind == OperandKind::reg) {
            operands[i].width = a_in_registers && i == 1 ? 4 : sums;
        }
    }
}

GroupProduct group_product(const SassInstruction& instruction) {
    GroupProduct product;
    const auto& operands = instruction.operands;
    const auto names_group = [](const SassOperand& o) {
        return o.kind == OperandKind::other && o.text == "gsb0";
    };
    if (instruction.is(OpClass::group_mma)) {
        product.columns = static_cast<std::uint16_t>(group_shape(instruction).value_or(GroupShape{}).n);
        product.a_in_registers = operands.size() > 1 && !is_matrix_descriptor(operands[1]);
        product.ends_group = std::any_of(operands.begin(), operands.end(), names_group);
    } else if (instruction.opcode == "WARPGROUP" && instruction.has_modifier("DEPBAR") && !operands.empty() &&
               operands.back().kind == OperandKind::integer) {
        product.groups_left = static_cast<std::int8_t>(std::clamp<std::int64_t>(operands.back().value, 0, 7));
    }
    return product;
}

}  // namespace gpumodel
