#include "traces/sass/analysis/register_ports.h"

#include <vector>

namespace gpumodel {

std::optional<PortReads> port_reads(const SassInstruction& instruction) {
    if (!instruction.is(OpClass::ffma) || instruction.operands.size() != 4) {
        return std::nullopt;
    }
    PortReads reads;
    for (std::size_t slot = 0; slot < 3; ++slot) {
        const auto& operand = instruction.operands[slot + 1];
        if (operand.kind == OperandKind::reg && operand.index != sass_rz) {
            reads.registers[slot] = operand.index;
            reads.reuse[slot] = operand.reuse;
        }
    }
    return reads;
}

std::optional<PortStatistics> port_statistics(const SassFunction& function, const ControlFlow& flow, int loop,
                                              const RegisterFile& file) {
    std::vector<PortReads> sequence;
    for (const auto block : flow.loops[static_cast<std::size_t>(loop)].blocks) {
        if (flow.loop_of_block[block] != loop) {
            continue;
        }
        for (auto i = flow.blocks[block].begin; i < flow.blocks[block].end; ++i) {
            if (const auto reads = port_reads(function.instructions[i])) {
                sequence.push_back(*reads);
            }
        }
    }
    return port_statistics(sequence, file);
}

}  // namespace gpumodel
