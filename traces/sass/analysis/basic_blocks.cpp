#include "traces/sass/analysis/basic_blocks.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace gpumodel {

namespace {

bool one_of(const std::string& opcode, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), opcode) != names.end();
}

bool opens_convergence(const SassInstruction& instruction) {
    return one_of(instruction.opcode, {"SSY", "BSSY"});
}

// BSYNC on Volta, SYNC on Maxwell; on Kepler any instruction may carry .S.
bool closes_convergence(const SassInstruction& instruction, SassIsa isa) {
    switch (isa) {
        case SassIsa::volta:
            return instruction.opcode == "BSYNC";
        case SassIsa::maxwell:
            return instruction.opcode == "SYNC";
        case SassIsa::kepler:
            return instruction.has_modifier("S") && instruction.opcode != "SSY";
    }
    return false;
}

bool may_fall_through(const SassInstruction& instruction) {
    const auto is_condition = [](const SassOperand& operand) {
        return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
    };
    return !instruction.guard.always() || instruction.has_modifier("DIV") || instruction.has_modifier("U") ||
           std::any_of(instruction.operands.begin(), instruction.operands.end(), is_condition);
}

// What one instruction does to the path: index of a jump target, and whether the next may follow.
struct Exits {
    std::optional<std::size_t> jump;
    bool next = true;
    [[nodiscard]] bool ends_block() const { return jump.has_value() || !next; }
};

class BlockBuilder {
public:
    explicit BlockBuilder(const SassFunction& function) : function_(function) {}

    std::vector<BasicBlock> build() {
        const auto& code = function_.instructions;
        if (code.empty()) {
            return {};
        }
        std::set<std::size_t> starts{0};
        for (std::size_t i = 0; i < code.size(); ++i) {
            exits_.push_back(exits_of(i));
            if (exits_[i].jump) {
                starts.insert(*exits_[i].jump);
            }
            if ((exits_[i].ends_block() || is_control(code[i])) && i + 1 < code.size()) {
                starts.insert(i + 1);
            }
        }
        make_blocks(starts);
        connect();
        return std::move(blocks_);
    }

private:
    // A guarded EXIT falls through, yet ends its block.
    static bool is_control(const SassInstruction& instruction) {
        return one_of(instruction.opcode, {"EXIT", "RET", "KILL"}) || is_indirect_branch(instruction);
    }

    Exits exits_of(std::size_t i) {
        const auto& instruction = function_.instructions[i];
        if (instruction.guard.never()) {
            return {};
        }
        if (opens_convergence(instruction)) {
            remember(instruction);
            return {};
        }
        const auto target = target_index(instruction);
        if (one_of(instruction.opcode, {"CALL", "CAL", "JCAL", "JMP", "BRA"})) {
            const bool call = one_of(instruction.opcode, {"CALL", "CAL", "JCAL"});
            return {target, call || may_fall_through(instruction)};
        }
        if (is_control(instruction)) {
            return {std::nullopt, !instruction.guard.always()};
        }
        if (closes_convergence(instruction, function_.isa)) {
            const auto join = join_of(instruction);
            return {join, !join || !instruction.guard.always()};
        }
        return {};
    }

    std::optional<std::size_t> target_index(const SassInstruction& instruction) const {
        const auto* target = branch_target(instruction);
        return target == nullptr || target->value < 0
                   ? std::nullopt
                   : function_.index_at(static_cast<std::uint64_t>(target->value));
    }

    void remember(const SassInstruction& instruction) {
        if (const auto target = target_index(instruction)) {
            open_.push_back({*target, barrier_of(instruction)});
        }
    }

    static int barrier_of(const SassInstruction& instruction) {
        for (const auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::barrier_reg) {
                return operand.index;
            }
        }
        return -1;
    }

    // The nearest opening in front whose target lies behind this instruction. Those whose target is passed
    // cannot match later instructions either and are dropped.
    std::optional<std::size_t> join_of(const SassInstruction& instruction) {
        const auto here = function_.index_at(instruction.address).value_or(0);
        std::erase_if(open_, [&](const Opening& opening) { return opening.target <= here; });
        for (auto opening = open_.rbegin(); opening != open_.rend(); ++opening) {
            if (opening->barrier == barrier_of(instruction)) {
                return opening->target;
            }
        }
        return std::nullopt;
    }

    void make_blocks(const std::set<std::size_t>& starts) {
        for (auto start = starts.begin(); start != starts.end(); ++start) {
            const auto after = std::next(start);
            blocks_.push_back(
                {*start, after == starts.end() ? function_.instructions.size() : *after, {}, {}, false});
        }
        block_of_.resize(function_.instructions.size());
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            std::fill(block_of_.begin() + static_cast<std::ptrdiff_t>(blocks_[b].begin),
                      block_of_.begin() + static_cast<std::ptrdiff_t>(blocks_[b].end), b);
        }
    }

    void connect() {
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const auto& exits = exits_[blocks_[b].end - 1];
            if (exits.next && b + 1 < blocks_.size()) {
                add_edge(b, b + 1);
            }
            if (exits.jump) {
                add_edge(b, block_of_[*exits.jump]);
            }
        }
    }

    void add_edge(std::size_t from, std::size_t to) {
        auto& list = blocks_[from].successors;
        if (std::find(list.begin(), list.end(), to) == list.end()) {
            list.push_back(to);
            blocks_[to].predecessors.push_back(from);
        }
    }

    struct Opening {
        std::size_t target = 0;
        int barrier = -1;
    };

    const SassFunction& function_;
    std::vector<Exits> exits_;
    std::vector<Opening> open_;
    std::vector<BasicBlock> blocks_;
    std::vector<std::size_t> block_of_;
};

}  // namespace

bool is_indirect_branch(const SassInstruction& instruction) {
    return one_of(instruction.opcode, {"BRX", "JMX", "BRK", "CONT"});
}

std::vector<BasicBlock> basic_blocks(const SassFunction& function) {
    return BlockBuilder(function).build();
}

}  // namespace gpumodel
