#include "traces/emulate/prepare/branch_ends.h"

#include <algorithm>

namespace gpumodel::emulate {

namespace {

using Kind = Terminator::Kind;

class Describer {
public:
    Describer(Program& program, const SassFunction& function) : program_(program), function_(function) {}

    void run() {
        const auto count = static_cast<int>(program_.blocks.size());
        for (int b = 0; b < count; ++b) {
            auto& block = at(b);
            const bool jumps = block.last.kind == Kind::jump;
            block.in_loop = (jumps && block.target >= 0 && block.target <= b) || leaves_loop(b);
            block.passes_rare_case =
                (jumps && block.target > b + 1 && calls_arithmetic(b + 1, block.target)) ||
                (program_.has_stack && block.last.kind == Kind::meet &&
                 calls_arithmetic(b + 1, next_meeting(b + 1) + 1));
        }
    }

private:
    CodeBlock& at(int block) { return program_.blocks[static_cast<std::size_t>(block)]; }
    [[nodiscard]] const CodeBlock& at(int block) const {
        return program_.blocks[static_cast<std::size_t>(block)];
    }

    // Kepler leads around by a jump to the open meeting, at which the call ends too.
    [[nodiscard]] int next_meeting(int block) const {
        while (block < static_cast<int>(program_.blocks.size()) && at(block).last.kind != Kind::meet) {
            ++block;
        }
        return std::min(block, static_cast<int>(program_.blocks.size()) - 1);
    }

    // Blocks [head, end] of a loop around this one, and a jump or exit to outside of them.
    [[nodiscard]] bool leaves_loop(int b) const {
        const auto& last = at(b).last;
        const bool exits = last.kind == Kind::exit || last.kind == Kind::loop_break;
        if (!exits && last.kind != Kind::jump) {
            return false;
        }
        for (int end = b; end < static_cast<int>(program_.blocks.size()); ++end) {
            const auto& back = at(end);
            const bool around =
                back.last.kind == Kind::jump && back.target >= 0 && back.target <= b && end > back.target - 1;
            if (around && (exits || at(b).target > end)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool accesses(int instruction) const {
        const auto& effect = function_.instructions[static_cast<std::size_t>(instruction)].effect;
        return !effect || effect->direction != SassDirection::none;
    }

    // From the block to the next return.
    [[nodiscard]] bool is_arithmetic(int block) const {
        for (int b = block; b >= 0 && b < static_cast<int>(program_.blocks.size()); ++b) {
            for (int i = at(b).begin; i < at(b).end; ++i) {
                if (accesses(i)) {
                    return false;
                }
            }
            const auto kind = at(b).last.kind;
            if (kind == Kind::indirect || kind == Kind::ret) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool calls_arithmetic(int begin, int end) const {
        constexpr int most_instructions = 16;
        if (begin >= end) {
            return false;
        }
        const int first = at(begin).begin, last = at(end - 1).end;
        if (last - first > most_instructions) {
            return false;
        }
        for (int i = first; i < last; ++i) {
            if (accesses(i)) {
                return false;
            }
        }
        for (int b = begin; b < end; ++b) {
            const auto& opcode = function_.instructions[static_cast<std::size_t>(at(b).end) - 1].opcode;
            if ((opcode == "CALL" || opcode == "CAL" || opcode == "JCAL") && is_arithmetic(at(b).target)) {
                return true;
            }
        }
        return false;
    }

    Program& program_;
    const SassFunction& function_;
};

}  // namespace

void describe_ends(Program& program, const SassFunction& function) {
    Describer(program, function).run();
}

}  // namespace gpumodel::emulate
