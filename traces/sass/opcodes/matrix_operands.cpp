#include "traces/sass/opcodes/matrix_operands.h"

#include <array>

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

}  // namespace gpumodel
