#include "traces/emulate/translate/translator.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/condition_code.h"
#include "traces/emulate/translate/known_modifiers.h"

namespace gpumodel::emulate {

namespace {

using OpcodeMap = std::unordered_map<std::string_view, TranslateOpcode>;

const OpcodeMap& opcode_map() {
    static const OpcodeMap map = [] {
        OpcodeMap entries;
        for (const auto* list :
             {&integer_opcodes(),     &multiply_opcodes(),    &maxwell_opcodes(),    &logic_opcodes(),
              &bit_opcodes(),         &atomic_opcodes(),      &special_opcodes(),    &predicate_opcodes(),
              &float_opcodes(),       &half_opcodes(),        &conversion_opcodes(), &packing_opcodes(),
              &move_opcodes(),        &bulk_opcodes(),        &tensor_opcodes(),     &group_opcodes(),
              &texture_opcodes(),     &warp_opcodes(),        &memory_opcodes(),     &control_opcodes(),
              &half_choice_opcodes(), &float_choice_opcodes()}) {
            for (const auto& entry : *list) {
                entries.emplace(entry.opcode, entry.translate);
            }
        }
        return entries;
    }();
    return map;
}

bool is_predicate(const SassOperand& operand) {
    return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

bool crosses_lanes(std::string_view opcode) {
    constexpr std::array<std::string_view, 16> opcodes{"SHFL",  "VOTE", "VOTEU", "MATCH", "REDUX", "R2UR",
                                                       "ELECT", "HMMA", "IMMA",  "BMMA",  "DMMA",  "MOVM",
                                                       "LDSM",  "STSM", "HGMMA", "IGMMA"};
    return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
}

std::uint8_t predicate_index(const SassOperand& operand) {
    const int first = operand.kind == OperandKind::uniform_predicate ? first_uniform_predicate : 0;
    return static_cast<std::uint8_t>(first + operand.index);
}

}  // namespace

Translator::Translator(const SassFunction& function, const ConstantBank& bank)
    : function_(function), bank_(bank) {
    for (const auto& instruction : function.instructions) {
        for (const auto& operand : instruction.operands) {
            has_generic_addresses_ =
                has_generic_addresses_ ||
                (operand.kind == OperandKind::constant && operand.bank == 0 && bank.is_window(operand.value));
        }
    }
}

Translation Translator::translate(int instruction) {
    instruction_ = instruction;
    in_ = &function_.instructions[static_cast<std::size_t>(instruction)];
    temporaries_used_ = 0;
    result_ = {};
    sort_operands();
    result_.end.guard = guard();
    const auto found = opcode_map().find(in_->opcode);
    if (!in_->effect) {
        assume_results();
        unsupported("is not known");
    } else if (found == opcode_map().end()) {
        unsupported("is not emulated");
    } else {
        found->second(*this);
        if (const auto unknown = unknown_modifier(*in_); !unknown.empty() && result_.problem.empty()) {
            unsupported("has the modifier ." + unknown + ", which is not emulated");
        }
        if (result_sets_flags() && !sets_condition_code(in_->opcode) && result_.problem.empty()) {
            unsupported("sets the condition code, which is not emulated");
        }
    }
    if (!result_.problem.empty()) {
        zero_results();
    }
    // Kepler: any instruction may end with a jump to the open meeting.
    if (kepler() && in_->has_modifier("S") && result_.end.kind == Terminator::Kind::fall &&
        in_->opcode != "SSY") {
        result_.end.kind = Terminator::Kind::meet;
    }
    return std::move(result_);
}

const std::string& Translator::constant_problem(int slot) const {
    static const std::string none;
    const auto found = problems_.find(static_cast<std::uint16_t>(slot));
    return found == problems_.end() ? none : found->second;
}

void Translator::unsupported(std::string why) {
    result_.problem = in_->mnemonic() + " " + why;
}

// Of an unknown opcode: predicates, then a register, then predicates before the sources, as all opcodes that
// write some have them; with an address among the operands it may write memory too.
void Translator::assume_results() {
    std::size_t at = 0;
    const auto& operands = in_->operands;
    const auto take_predicates = [&] {
        for (; at < operands.size() && is_predicate(operands[at]) && !operands[at].inverted; ++at) {
            predicate_results_.push_back(&operands[at]);
        }
    };
    take_predicates();
    if (at < operands.size() &&
        (operands[at].kind == OperandKind::reg || operands[at].kind == OperandKind::uniform_reg)) {
        results_.push_back(&operands[at++]);
        take_predicates();
    }
    if (std::any_of(operands.begin(), operands.end(),
                    [](const SassOperand& o) { return o.kind == OperandKind::memory; })) {
        auto op = make([](Warp&, const MicroOp&, u32) {});
        op.writes_shared = op.writes_local = true;
        add(op);
    }
}

// Stands for what cannot be computed, so that a use of it is noticed.
void Translator::zero_results() {
    for (std::size_t i = 0; i < results_.size(); ++i) {
        for (int part = 0; part < results_[i]->width; ++part) {
            auto op = make(&map1<[](u32) { return u32{0}; }>);
            op.to[0] = result_of(i, part);
            add(op);
        }
    }
    for (std::size_t i = 0; i < predicate_results_.size(); ++i) {
        auto op = make([](Warp& warp, const MicroOp& self, u32 mask) {
            warp.set_predicate(self.predicate_to[0], 0, mask);
        });
        op.predicate_to[0] = predicate_result(i);
        add(op);
    }
}

void Translator::sort_operands() {
    values_.clear();
    predicates_.clear();
    results_.clear();
    predicate_results_.clear();
    const int results = in_->effect ? in_->effect->results : 0;
    for (std::size_t i = 0; i < in_->operands.size(); ++i) {
        const auto& operand = in_->operands[i];
        if (static_cast<int>(i) < results) {
            (is_predicate(operand) ? predicate_results_ : results_).push_back(&operand);
        } else {
            (is_predicate(operand) ? predicates_ : values_).push_back(&operand);
        }
    }
}

const SassOperand& Translator::value_operand(std::size_t i) const {
    static const SassOperand zero = [] {
        SassOperand operand;
        operand.kind = OperandKind::reg;
        operand.index = sass_rz;
        return operand;
    }();
    return i < values_.size() ? *values_[i] : zero;
}

std::uint16_t Translator::value(std::size_t i, Reading reading, int part) {
    const auto& operand = value_operand(i);
    const auto slot = whole_slot(operand, reading, part);
    return with_signs(operand, slot, reading, part);
}

std::uint16_t Translator::raw_value(std::size_t i, int part) {
    return plain_slot(value_operand(i), Reading::integer, part);
}

PredicateUse Translator::predicate(std::size_t i, bool missing) const {
    if (i >= predicates_.size()) {
        return {true_predicate, !missing};
    }
    return {predicate_index(*predicates_[i]), predicates_[i]->inverted};
}

PredicateUse Translator::guard() const {
    const int first = in_->guard.uniform ? first_uniform_predicate : 0;
    return {static_cast<std::uint8_t>(first + in_->guard.predicate), in_->guard.negated};
}

std::uint16_t Translator::result_of(std::size_t operand, int part) const {
    if (operand >= results_.size()) {
        return discard_slot;
    }
    const auto slot = register_slot(*results_[operand], part);
    return slot == zero_slot || slot == uniform_zero_slot ? discard_slot : slot;
}

std::uint8_t Translator::predicate_result(std::size_t i) const {
    if (i >= predicate_results_.size() || predicate_results_[i]->index == sass_true_predicate) {
        return discard_predicate;
    }
    return predicate_index(*predicate_results_[i]);
}

bool Translator::result_sets_flags() const {
    return !results_.empty() && results_.front()->condition_code;
}

std::uint16_t Translator::constant(std::uint32_t value) {
    if (value == 0) {
        return zero_slot;
    }
    const auto [entry, fresh] = constant_slots_.try_emplace(
        value, static_cast<std::uint16_t>(first_constant_slot + static_cast<int>(constants_.size())));
    if (fresh) {
        constants_.push_back(value);
    }
    return entry->second;
}

std::uint16_t Translator::new_constant(std::uint32_t value) {
    constants_.push_back(value);
    return static_cast<std::uint16_t>(first_constant_slot + static_cast<int>(constants_.size()) - 1);
}

std::uint16_t Translator::unknown_constant(std::string problem) {
    const auto slot = new_constant(0);
    problems_.emplace(slot, std::move(problem));
    return slot;
}

std::uint16_t Translator::temporary() {
    const int slot = first_temporary_slot + temporaries_used_ % temporary_slots;
    ++temporaries_used_;
    return static_cast<std::uint16_t>(slot);
}

std::uint16_t Translator::register_slot(const SassOperand& operand, int part) const {
    if (operand.kind == OperandKind::uniform_reg) {
        return static_cast<std::uint16_t>(
            operand.index == sass_urz ? uniform_zero_slot
                                      : std::min(first_uniform_slot + operand.index + part, discard_slot));
    }
    return static_cast<std::uint16_t>(operand.index == sass_rz ? zero_slot
                                                               : std::min(operand.index + part, zero_slot));
}

MicroOp Translator::make(Handler run) const {
    MicroOp op;
    op.run = run;
    op.instruction = instruction_;
    op.guard = guard();
    op.uniform = !in_->opcode.empty() && in_->opcode.front() == 'U';
    op.crosses_lanes = crosses_lanes(in_->opcode);
    return op;
}

MicroOp Translator::simple(Handler run, std::size_t count, Reading reading) {
    auto op = make(run);
    for (std::size_t i = 0; i < count; ++i) {
        op.from[i] = value(i, reading);
    }
    op.to[0] = result();
    return op;
}

int Translator::add_access(const Access& access) {
    accesses_.push_back(access);
    return static_cast<int>(accesses_.size()) - 1;
}

}  // namespace gpumodel::emulate
