#include "traces/sass/analysis/instruction_counts.h"

#include <algorithm>

namespace gpumodel {

int InstructionCounts::of(SassSpace space, SassDirection direction, int bytes) const {
    const auto found = accesses.find({space, direction, bytes});
    return found == accesses.end() ? 0 : found->second;
}

void InstructionCounts::add(const SassInstruction& instruction) {
    const auto& control = instruction.control;
    if (stall_cycles && control.known) {
        *stall_cycles += control.dual_issue ? 0 : std::max(1, control.stall);
    } else {
        stall_cycles.reset();
    }
    dual_issue += control.dual_issue ? 1 : 0;
    if (instruction.opcode == "NOP") {
        return;
    }
    ++total;
    if (!instruction.effect) {
        ++unknown;
        return;
    }
    const auto& effect = *instruction.effect;
    ++by_class[static_cast<std::size_t>(effect.op)];
    if (effect.space != SassSpace::none) {
        ++accesses[{effect.space, effect.direction, effect.bytes}];
    }
}

void InstructionCounts::add(const InstructionCounts& other) {
    total += other.total;
    unknown += other.unknown;
    dual_issue += other.dual_issue;
    for (std::size_t i = 0; i < by_class.size(); ++i) {
        by_class[i] += other.by_class[i];
    }
    for (const auto& [width, count] : other.accesses) {
        accesses[width] += count;
    }
    stall_cycles = stall_cycles && other.stall_cycles ? std::optional(*stall_cycles + *other.stall_cycles)
                                                      : std::nullopt;
}

FunctionCounts count_instructions(const SassFunction& function, const ControlFlow& flow) {
    FunctionCounts counts;
    counts.loops.resize(flow.loops.size());
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        const auto& block = flow.blocks[b];
        if (!block.reachable) {
            continue;
        }
        InstructionCounts of_block;
        for (auto i = block.begin; i < block.end; ++i) {
            of_block.add(function.instructions[i]);
        }
        counts.total.add(of_block);
        int loop = flow.loop_of_block[b];
        auto& own = loop < 0 ? counts.outside_loops : counts.loops[static_cast<std::size_t>(loop)].own;
        own.add(of_block);
        for (; loop >= 0; loop = flow.loops[static_cast<std::size_t>(loop)].parent) {
            counts.loops[static_cast<std::size_t>(loop)].whole.add(of_block);
        }
    }
    return counts;
}

LoopSpan loop_span(const SassFunction& function, const ControlFlow& flow, const SassLoop& loop) {
    const auto& first = flow.blocks[loop.blocks.front()];
    const auto& last = flow.blocks[loop.blocks.back()];
    return {function.instructions[first.begin].address, function.instructions[last.end - 1].address};
}

int registers_used(const SassFunction& function) {
    int used = 0;
    const auto use = [&](int first, int width) {
        if (first != sass_no_register && first != sass_rz) {
            used = std::max(used, first + width);
        }
    };
    for (const auto& instruction : function.instructions) {
        for (const auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::reg) {
                use(operand.index, operand.width);
            }
            use(operand.base, operand.wide_address ? 2 : 1);
        }
    }
    return used;
}

}  // namespace gpumodel
