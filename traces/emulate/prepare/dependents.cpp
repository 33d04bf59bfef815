#include "traces/emulate/prepare/dependents.h"

#include <fmt/format.h>

#include <bitset>
#include <deque>

#include "base/enum_table.h"

namespace gpumodel::emulate {

namespace {

// Slots, predicates, and the two memories that keep their contents.
constexpr std::size_t shared_data = first_constant_slot + predicate_count;
constexpr std::size_t local_data = shared_data + 1;
using Values = std::bitset<local_data + 1>;

bool is_kept(int slot) {
    return slot < first_constant_slot && slot != zero_slot && slot != uniform_zero_slot &&
           slot != discard_slot;
}
bool is_kept_predicate(int predicate) {
    return predicate != true_predicate && predicate != first_uniform_predicate + true_predicate &&
           predicate != discard_predicate;
}
std::size_t of_predicate(int predicate) {
    return static_cast<std::size_t>(first_constant_slot + predicate);
}

class Walk {
public:
    Walk(const Program& program, int instruction)
        : program_(program), source_(instruction), at_entry_(program.blocks.size()) {}

    std::optional<Dependent> run() {
        std::deque<std::size_t> open;
        for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
            const auto& block = program_.blocks[b];
            if (block.begin <= source_ && source_ < block.end && block.reachable) {
                open.push_back(b);
            }
        }
        while (!open.empty() && !found_) {
            const auto b = open.front();
            open.pop_front();
            const auto values = through(b);
            for (const int next : program_.blocks[b].successors) {
                auto& entry = at_entry_[static_cast<std::size_t>(next)];
                if ((values & ~entry).any()) {
                    entry |= values;
                    open.push_back(static_cast<std::size_t>(next));
                }
            }
        }
        return found_;
    }

private:
    [[nodiscard]] static bool reads(const Values& values, PredicateUse use) {
        return is_kept_predicate(use.index) && values.test(of_predicate(use.index));
    }
    [[nodiscard]] static bool reads_slot(const Values& values, int slot) {
        return is_kept(slot) && values.test(static_cast<std::size_t>(slot));
    }

    void find(Dependent::Kind kind, int instruction) {
        if (!found_) {
            found_ = {kind, instruction};
        }
    }

    [[nodiscard]] static bool reads_values(const Values& values, const MicroOp& op) {
        bool read =
            (op.reads_shared && values.test(shared_data)) || (op.reads_local && values.test(local_data));
        for (const int slot : op.from) {
            read = read || reads_slot(values, slot);
        }
        for (const auto use : op.predicate_from) {
            read = read || reads(values, use);
        }
        return read;
    }

    void set(Values& values, std::size_t value, bool tainted, bool always) const {
        if (tainted) {
            values.set(value);
        } else if (always) {
            values.reset(value);
        }
    }

    void step(Values& values, const MicroOp& op) {
        const bool guarded = is_kept_predicate(op.guard.index);
        const bool tainted = op.instruction == source_ || reads_values(values, op);
        if (op.always) {
            if (op.instruction != source_ && reads(values, op.guard)) {
                find(Dependent::Kind::guard, op.instruction);
            }
            if (op.instruction != source_ && tainted) {
                find(Dependent::Kind::address, op.instruction);
            }
        }
        const bool poisons = tainted || reads(values, op.guard);
        for (const int slot : op.to) {
            if (is_kept(slot)) {
                set(values, static_cast<std::size_t>(slot), poisons, !guarded);
            }
        }
        for (const int predicate : op.predicate_to) {
            if (is_kept_predicate(predicate)) {
                set(values, of_predicate(predicate), poisons, !guarded);
            }
        }
        if (poisons && op.writes_shared) {
            values.set(shared_data);
        }
        if (poisons && op.writes_local) {
            values.set(local_data);
        }
    }

    Values through(std::size_t b) {
        const auto& block = program_.blocks[b];
        auto values = at_entry_[b];
        for (auto i = block.op_begin; i < block.op_end; ++i) {
            step(values, program_.ops[i]);
        }
        const auto& last = block.last;
        if (reads(values, last.guard) || reads(values, last.condition)) {
            find(Dependent::Kind::branch, block.end - 1);
        }
        if (reads_slot(values, last.slot) || reads_slot(values, last.count_slot)) {
            find(last.kind == Terminator::Kind::indirect ? Dependent::Kind::branch : Dependent::Kind::barrier,
                 block.end - 1);
        }
        return values;
    }

    const Program& program_;
    int source_;
    std::vector<Values> at_entry_;
    std::optional<Dependent> found_;
};

}  // namespace

std::optional<Dependent> first_dependent(const Program& program, int instruction) {
    return Walk(program, instruction).run();
}

std::string words_of(const Dependent& dependent, const SassFunction& function) {
    constexpr auto kinds = enum_words<Dependent::Kind>("branch", "guard", "address", "barrier");
    const auto& in = function.instructions[static_cast<std::size_t>(dependent.instruction)];
    return fmt::format("the {} at {:#06x} ({})", kinds[static_cast<std::size_t>(dependent.kind)], in.address,
                       in.mnemonic());
}

}  // namespace gpumodel::emulate
