#include "traces/codegen/kepler_control.h"

#include <algorithm>
#include <array>

namespace gpumodel {

namespace {

// Zhang et al. (PPoPP 2017), docs/compiled_code.md: shortest distance of a producer from its consumer.
constexpr int arithmetic_latency = 9;
constexpr int predicate_latency = 13;
constexpr int longest_wait = 32;
constexpr std::size_t group = 7;

// Kepler has no asynchronous copies.
bool is_memory(OpClass op) {
    return group_of(op) >= OpGroup::shared_load && group_of(op) <= OpGroup::global_store;
}
enum class Pending : unsigned char { nothing, shared_load, global_load };
Pending pending_by(OpClass op) {
    if (op == OpClass::shared_load) {
        return Pending::shared_load;
    }
    return op == OpClass::global_load ? Pending::global_load : Pending::nothing;
}

bool is_load(OpClass op) {
    return op == OpClass::shared_load || op == OpClass::global_load;
}

// Cycles from `first` to the next instruction, dependences aside.
int spacing(OpClass first, OpClass second) {
    constexpr int memory = 4;
    constexpr int after_store = 15;
    constexpr int after_barrier = 15;
    constexpr int after_branch = 16;
    constexpr int multiply = 4;
    constexpr int shift = 2;
    if (first == OpClass::barrier) {
        return after_barrier;
    }
    if (first == OpClass::branch) {
        return after_branch;
    }
    if (first == OpClass::shared_store && is_memory(second)) {
        return after_store;
    }
    if (is_memory(first) && is_memory(second)) {
        return memory;
    }
    if (first == second && (first == OpClass::imad || first == OpClass::shift)) {
        return first == OpClass::imad ? multiply : shift;
    }
    return 1;
}

class Waits {
public:
    void issue(const Instruction& instruction, int now) {
        const bool load = is_load(instruction.op);
        for (std::size_t i = 0; i < instruction.result_count; ++i) {
            const RegisterUse& use = instruction.results.at(i);
            for (int k = 0; k < use.width; ++k) {
                int& ready = at(use, k);
                const bool predicate = use.kind == RegisterKind::predicate;
                ready = load ? 0 : now + (predicate ? predicate_latency : arithmetic_latency);
                last_ready_ = std::max(last_ready_, ready);
                if (use.kind == RegisterKind::vector) {
                    pending_.at(static_cast<std::size_t>(use.index + k)) = pending_by(instruction.op);
                }
            }
        }
    }
    // When the sources are there; loads not counted.
    [[nodiscard]] int ready(const Instruction& instruction) {
        int time = instruction.guard.kind == RegisterKind::none ? 0 : at(instruction.guard, 0);
        for (std::size_t i = 0; i < instruction.source_count; ++i) {
            const RegisterUse& use = instruction.sources.at(i);
            for (int k = 0; k < use.width; ++k) {
                time = std::max(time, at(use, k));
            }
        }
        return time;
    }
    // The load that the instruction is the first one to wait for.
    Pending take_pending(const Instruction& instruction) {
        Pending waits = Pending::nothing;
        for (std::size_t i = 0; i < instruction.source_count; ++i) {
            const RegisterUse& use = instruction.sources.at(i);
            for (int k = 0; use.kind == RegisterKind::vector && k < use.width; ++k) {
                Pending& load = pending_.at(static_cast<std::size_t>(use.index + k));
                waits = std::max(waits, load);
                load = Pending::nothing;
            }
        }
        return waits;
    }
    [[nodiscard]] int last_ready() const { return last_ready_; }

private:
    int& at(const RegisterUse& use, int offset) {
        constexpr std::size_t predicates = 256;
        const auto index = static_cast<std::size_t>(use.index + offset);
        return ready_.at(use.kind == RegisterKind::predicate ? predicates + index : index);
    }

    std::array<int, 264> ready_{};
    std::array<Pending, 256> pending_{};  // loads that nobody has waited for
    int last_ready_ = 0;
};

// Most registers that two instructions read on one of the four banks; one that both read counts once.
int most_on_one_bank(const Instruction& first, const Instruction& second) {
    std::array<int, 4> reads{};
    std::array<bool, 256> counted{};
    for (const Instruction* instruction : {&first, &second}) {
        for (std::size_t i = 0; i < instruction->source_count; ++i) {
            const auto reg = static_cast<std::size_t>(instruction->sources.at(i).index);
            reads.at(2 * (reg / 4 % 2) + reg % 2) += counted.at(reg) ? 0 : 1;
            counted.at(reg) = true;
        }
    }
    return *std::max_element(reads.begin(), reads.end());
}

// Where a group of seven has pairs of FFMAs; `number`: of the first one in the segment.
bool ffma_pair_begins(std::size_t number, bool hand_scheduled) {
    constexpr std::size_t fifth = 4;
    const std::size_t place = number % group;
    if (hand_scheduled) {
        return place == 1 || place == 3;
    }
    return place == 0 || (place == fifth && number / group % 2 == 0);
}

// `number`: of `first` in the segment.
bool may_pair(const Instruction& first, const Instruction& second, std::size_t number, bool hand_scheduled) {
    constexpr int bank_limit = 3;
    const std::size_t place = number % group;
    if (place + 1 == group) {
        return false;
    }
    if (first.op == OpClass::ffma && second.op == OpClass::shared_load) {
        return true;
    }
    if (first.op == OpClass::ffma && second.op == OpClass::ffma) {
        return ffma_pair_begins(number, hand_scheduled) && most_on_one_bank(first, second) <= bank_limit;
    }
    const auto never = [](OpClass op) {
        return op == OpClass::barrier || op == OpClass::branch || op == OpClass::compare;
    };
    return place % 2 == 0 && first.op != second.op && !never(first.op) && !never(second.op) &&
           !(is_memory(first.op) && is_memory(second.op));
}

}  // namespace

void set_kepler_control(std::vector<Instruction>& code, bool hand_scheduled) {
    Waits waits;
    int now = 0;
    bool second_of_pair = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        Instruction& instruction = code[i];
        instruction.control.known = true;
        waits.issue(instruction, now);
        if (i + 1 == code.size()) {
            instruction.control.stall = static_cast<std::uint8_t>(
                std::clamp(waits.last_ready() - now, spacing(instruction.op, OpClass::mov), longest_wait));
            return;
        }
        const Instruction& next = code[i + 1];
        const int ready = waits.ready(next);
        const Pending load = waits.take_pending(next);
        if (!second_of_pair && load == Pending::nothing && ready <= now &&
            may_pair(instruction, next, i, hand_scheduled)) {
            instruction.control.dual_issue = true;
            instruction.control.stall = 0;
            second_of_pair = true;
            continue;
        }
        second_of_pair = false;
        const int wait = std::max(spacing(instruction.op, next.op), ready - now);
        instruction.control.stall = static_cast<std::uint8_t>(
            load == Pending::global_load ? longest_wait : std::min(wait, longest_wait));
        now += instruction.control.stall;
    }
}

}  // namespace gpumodel
