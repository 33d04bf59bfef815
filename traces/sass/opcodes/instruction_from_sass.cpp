#include "traces/sass/opcodes/instruction_from_sass.h"

#include <algorithm>

#include "traces/sass/opcodes/matrix_operands.h"

namespace gpumodel {

namespace {

RegisterKind kind_of(OperandKind kind) {
    switch (kind) {
        case OperandKind::reg:
            return RegisterKind::vector;
        case OperandKind::uniform_reg:
            return RegisterKind::uniform;
        case OperandKind::predicate:
            return RegisterKind::predicate;
        case OperandKind::uniform_predicate:
            return RegisterKind::uniform_predicate;
        case OperandKind::barrier_reg:
        case OperandKind::special_reg:
        case OperandKind::integer:
        case OperandKind::number:
        case OperandKind::constant:
        case OperandKind::memory:
        case OperandKind::target:
        case OperandKind::other:
            return RegisterKind::none;
    }
    return RegisterKind::none;
}

bool reads_as_constant(RegisterKind kind, int index) {
    return index == (kind == RegisterKind::vector    ? sass_rz
                     : kind == RegisterKind::uniform ? sass_urz
                                                     : sass_true_predicate);
}

class Converter {
public:
    Converter(const SassInstruction& in, SassIsa isa) : in_(in), isa_(isa) {}

    Instruction convert() {
        out_.address = static_cast<std::uint32_t>(in_.address);
        set_guard();
        set_control();
        if (in_.effect) {
            out_.op = in_.effect->op;
            out_.flops = static_cast<std::uint16_t>(in_.effect->flops);
            set_access(*in_.effect);
        }
        out_.skipped = !in_.effect;
        out_.group = group_product(in_);
        set_copy_group();
        add_operands();
        add_condition_code();
        return out_;
    }

private:
    void set_guard() {
        if (in_.guard.predicate != sass_true_predicate) {
            out_.guard = {in_.guard.uniform ? RegisterKind::uniform_predicate : RegisterKind::predicate, 1,
                          static_cast<std::int16_t>(in_.guard.predicate), -1, false};
        }
        out_.guard_negated = in_.guard.negated;
    }

    void set_control() {
        const auto& from = in_.control;
        out_.control = {from.known,
                        static_cast<std::uint8_t>(from.stall),
                        from.gives_way,
                        static_cast<std::int8_t>(from.write_barrier),
                        static_cast<std::int8_t>(from.read_barrier),
                        static_cast<std::uint8_t>(from.wait_mask),
                        from.dual_issue,
                        from.texture_wait};
    }

    // Groups of asynchronous copies are counted by the first scoreboard.
    void set_copy_group() {
        const auto& operands = in_.operands;
        out_.ends_copy_group = in_.opcode == "LDGDEPBAR";
        if (isa_ == SassIsa::volta && in_.opcode == "DEPBAR" && in_.has_modifier("LE") &&
            operands.size() == 2 && operands[0].text == "SB0" && operands[1].kind == OperandKind::integer) {
            constexpr std::int64_t most = 63;
            out_.copy_groups_left =
                static_cast<std::int8_t>(std::clamp<std::int64_t>(operands[1].value, 0, most));
        }
    }

    void set_access(const SassEffect& effect) {
        const bool barrier = in_.opcode == "SYNCS" || in_.opcode == "ARRIVES" || in_.has_modifier("ARRIVE");
        if (effect.direction == SassDirection::none || effect.space == SassSpace::constant || barrier) {
            return;
        }
        out_.access_bytes = static_cast<std::uint8_t>(effect.bytes);
        out_.space = memory_space(effect.space);
        out_.access_kind = access_kind(effect.direction);
        out_.texture = effect.texture;
        out_.matrix_rows = in_.opcode == "LDSM" || in_.opcode == "STSM";
    }

    [[nodiscard]] bool is_memory() const {
        return in_.effect && in_.effect->direction != SassDirection::none;
    }

    void add_operands() {
        const auto results = in_.effect ? static_cast<std::size_t>(in_.effect->results) : 0;
        for (std::size_t i = 0; i < std::min(results, in_.operands.size()); ++i) {
            const auto& operand = in_.operands[i];
            add_result({kind_of(operand.kind), static_cast<std::uint8_t>(operand.width),
                        static_cast<std::int16_t>(operand.index), -1, false});
        }
        for (std::size_t i = results; i < in_.operands.size(); ++i) {
            add_address(in_.operands[i]);
        }
        int slot = 0;
        for (std::size_t i = results; i < in_.operands.size(); ++i) {
            // a group's old sums are its results, and longer than a list of sources should be
            const bool sums = out_.group.columns > 0 && in_.operands[i].kind == OperandKind::reg &&
                              in_.operands[i].index == in_.operands.front().index;
            if (!sums) {
                add_data(in_.operands[i], slot);
            }
        }
    }

    void add_address(const SassOperand& operand) {
        if (operand.kind != OperandKind::memory && operand.kind != OperandKind::constant) {
            return;
        }
        const bool global =
            operand.kind == OperandKind::memory && in_.effect &&
            (in_.effect->space == SassSpace::global || in_.effect->space == SassSpace::generic);
        // the first address of LDGSTS is the shared one
        const bool shared_copy =
            in_.effect && in_.effect->direction == SassDirection::copy && &operand == first_memory_operand();
        const int base_width = operand.wide_address ? 2 : 1;
        const bool tile = in_.opcode == "UTMALDG" || in_.opcode == "UTMASTG";
        const bool bulk = tile || in_.opcode == "UBLKCP" || in_.opcode == "UBLKRED";
        constexpr int place_and_coordinates = 4;  // or more, which come with them
        const int uniform_width = tile && &operand == first_memory_operand() ? place_and_coordinates
                                  : bulk || (global && !shared_copy) || operand.kind == OperandKind::constant
                                      ? 2
                                      : 1;
        add_source({operand.uniform_base ? RegisterKind::uniform : RegisterKind::vector,
                    static_cast<std::uint8_t>(base_width), static_cast<std::int16_t>(operand.base), -1,
                    operand.reuse});
        add_source({RegisterKind::uniform, static_cast<std::uint8_t>(uniform_width),
                    static_cast<std::int16_t>(operand.uniform), -1, false});
    }

    [[nodiscard]] const SassOperand* first_memory_operand() const {
        for (const auto& operand : in_.operands) {
            if (operand.kind == OperandKind::memory) {
                return &operand;
            }
        }
        return nullptr;
    }

    void add_data(const SassOperand& operand, int& slot) {
        const auto kind = kind_of(operand.kind);
        const bool is_predicate = kind == RegisterKind::predicate || kind == RegisterKind::uniform_predicate;
        const bool takes_slot = !is_predicate && operand.kind != OperandKind::memory &&
                                operand.kind != OperandKind::other && operand.kind != OperandKind::target;
        const int at = takes_slot ? slot++ : -1;
        if (kind == RegisterKind::none) {
            return;
        }
        const bool port = kind == RegisterKind::vector && !is_memory() && isa_ != SassIsa::kepler && at < 3;
        add_source({kind, static_cast<std::uint8_t>(operand.width), static_cast<std::int16_t>(operand.index),
                    static_cast<std::int8_t>(port ? at : -1), operand.reuse});
    }

    // Before Volta: .CC on the result writes it, .X reads it.
    void add_condition_code() {
        if (!is_before_volta(isa_)) {
            return;
        }
        const RegisterUse flags{RegisterKind::condition_code, 1, 0, -1, false};
        if (std::any_of(in_.operands.begin(), in_.operands.end(),
                        [](const SassOperand& operand) { return operand.condition_code; })) {
            add_result(flags);
        }
        if (in_.has_modifier("X")) {
            add_source(flags);
        }
    }

    void add_result(const RegisterUse& use) {
        if (counts(use) && out_.result_count < out_.results.size()) {
            out_.results[out_.result_count++] = use;
        }
    }
    void add_source(const RegisterUse& use) {
        if (counts(use) && out_.source_count < out_.sources.size()) {
            out_.sources[out_.source_count++] = use;
        }
    }
    static bool counts(const RegisterUse& use) {
        return use.kind != RegisterKind::none && use.index >= 0 &&
               (use.kind == RegisterKind::condition_code || !reads_as_constant(use.kind, use.index));
    }

    const SassInstruction& in_;
    SassIsa isa_;
    Instruction out_;
};

}  // namespace

Instruction instruction_from_sass(const SassInstruction& instruction, SassIsa isa) {
    return Converter(instruction, isa).convert();
}

StaticCode static_code(const SassFunction& function) {
    StaticCode code;
    code.instructions.reserve(function.instructions.size());
    for (const auto& instruction : function.instructions) {
        code.instructions.push_back(instruction_from_sass(instruction, function.isa));
        code.instructions.back().mnemonic = code.mnemonics.intern(instruction.mnemonic());
    }
    return code;
}

}  // namespace gpumodel
