#include "traces/codegen/stall_counts.h"

#include <algorithm>
#include <array>

namespace gpumodel {

namespace {

constexpr int longest_stall = 15;
constexpr int unit_interval = 2;  // integer units take a warp in two cycles
constexpr int memory_interval = 4;
constexpr int after_branch = 5;
constexpr int after_barrier = 5;

enum class Unit : unsigned char { fp32, multiply, integer, uniform, memory, other };

Unit unit_of(OpClass op) {
    if (op == OpClass::uniform) {
        return Unit::uniform;
    }
    if (op == OpClass::imad || op == OpClass::imad_wide) {
        return Unit::multiply;
    }
    switch (group_of(op)) {
        case OpGroup::fp32:
            return Unit::fp32;
        case OpGroup::integer:
        case OpGroup::move:
            return Unit::integer;
        case OpGroup::shared_load:
        case OpGroup::shared_store:
        case OpGroup::global_load:
        case OpGroup::global_store:
        case OpGroup::async_copy:
            return Unit::memory;
        case OpGroup::fp64_fp16:
        case OpGroup::special:
        case OpGroup::shuffle:
        case OpGroup::barrier:
        case OpGroup::branch:
        case OpGroup::tensor:
            break;
    }
    return Unit::other;
}

// Comes after a varying time.
bool is_tracked(OpClass op) {
    const OpGroup group = group_of(op);
    return group == OpGroup::special || group == OpGroup::shuffle || group == OpGroup::shared_load ||
           group == OpGroup::global_load;
}

class Timeline {
public:
    explicit Timeline(const CodeStyle& style) : style_(style) {}

    // The first cycle from `now` on in which the instruction may issue.
    [[nodiscard]] int earliest(const Instruction& instruction, int now) const {
        int at = std::max(now, free_at(unit_of(instruction.op)));
        if (instruction.guard.kind != RegisterKind::none) {
            at = std::max(at, ready(instruction.guard, 0, instruction.op));
        }
        for (std::size_t i = 0; i < instruction.source_count; ++i) {
            const RegisterUse& use = instruction.sources.at(i);
            for (int k = 0; k < use.width; ++k) {
                at = std::max(at, ready(use, k, instruction.op));
            }
        }
        return at;
    }

    void issue(const Instruction& instruction, int now) {
        const Unit unit = unit_of(instruction.op);
        free_.at(static_cast<std::size_t>(shared_unit(unit))) = now + interval(unit);
        for (std::size_t i = 0; i < instruction.result_count; ++i) {
            const RegisterUse& use = instruction.results.at(i);
            for (int k = 0; k < use.width; ++k) {
                made_.at(number(use, k)) = {
                    .at = now, .op = instruction.op, .known = !is_tracked(instruction.op)};
            }
        }
        // Products are far from what the next segment needs first.
        if (instruction.result_count > 0 && !is_tracked(instruction.op) && unit != Unit::fp32) {
            last_ready_ = std::max(last_ready_, now + latency(instruction.op, OpClass::shared_load));
        }
    }
    [[nodiscard]] int last_ready() const { return last_ready_; }

private:
    struct Result {
        int at = 0;
        OpClass op = OpClass::mov;
        bool known = false;
    };

    // Where FP32 products take two cycles, integer ones go through the same unit.
    [[nodiscard]] Unit shared_unit(Unit unit) const {
        return unit == Unit::multiply && !style_.full_rate_fp32 ? Unit::fp32 : unit;
    }
    [[nodiscard]] int interval(Unit unit) const {
        switch (unit) {
            case Unit::fp32:
                return style_.full_rate_fp32 ? 1 : unit_interval;
            case Unit::multiply:
            case Unit::integer:
                return unit_interval;
            case Unit::memory:
                return memory_interval;
            case Unit::uniform:
            case Unit::other:
                break;
        }
        return 1;
    }
    [[nodiscard]] int free_at(Unit unit) const {
        return free_.at(static_cast<std::size_t>(shared_unit(unit)));
    }

    [[nodiscard]] int latency(OpClass from, OpClass to) const {
        constexpr int same_unit = 4, other_unit = 5, memory_of_volta = 8, from_uniform = 6, predicate = 13;
        const Unit producer = shared_unit(unit_of(from));
        const Unit consumer = shared_unit(unit_of(to));
        if (from == OpClass::compare) {
            return group_of(to) == OpGroup::branch ? predicate : same_unit;
        }
        if (producer == Unit::uniform) {
            return consumer == Unit::uniform ? same_unit : from_uniform;
        }
        const int wide = from == OpClass::imad_wide ? 1 : 0;
        if (consumer == Unit::memory && style_.generation == CodeGeneration::volta) {
            return memory_of_volta + wide;
        }
        return (producer == consumer ? same_unit : other_unit) + wide;
    }

    [[nodiscard]] int ready(const RegisterUse& use, int offset, OpClass reader) const {
        const Result& result = made_.at(number(use, offset));
        return result.known ? result.at + latency(result.op, reader) : 0;
    }

    static std::size_t number(const RegisterUse& use, int offset) {
        constexpr std::size_t of_a_kind = 256;
        return static_cast<std::size_t>(use.kind) * of_a_kind + static_cast<std::size_t>(use.index + offset);
    }

    const CodeStyle& style_;
    std::array<int, 6> free_{};
    std::array<Result, std::size_t{6} * 256> made_{};
    int last_ready_ = 0;
};

int stall_after(OpClass op) {
    return op == OpClass::branch ? after_branch : op == OpClass::barrier ? after_barrier : 1;
}

}  // namespace

void set_stall_counts(std::vector<Instruction>& code, const CodeStyle& style) {
    constexpr int scoreboards = 6;
    Timeline timeline(style);
    int now = 0;
    int tracked = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        Instruction& instruction = code[i];
        instruction.control.known = true;
        if (is_tracked(instruction.op)) {
            instruction.control.write_barrier = static_cast<std::int8_t>(tracked++ % scoreboards);
        }
        timeline.issue(instruction, now);
        const int least = now + stall_after(instruction.op);
        const int next = i + 1 < code.size() ? timeline.earliest(code[i + 1], least)
                                             : std::max(least, timeline.last_ready());
        instruction.control.stall = static_cast<std::uint8_t>(std::clamp(next - now, 1, longest_stall));
        now += instruction.control.stall;
    }
}

}  // namespace gpumodel
