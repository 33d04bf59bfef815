// SASS instructions -> micro-operations. Opcodes are translated by functions of their own (translate_*.cpp),
// which find operands and results through the Translator.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "traces/emulate/prepare/constant_bank.h"
#include "traces/emulate/run/machine.h"
#include "traces/instruction.h"
#include "traces/sass/sass_module.h"

namespace gpumodel::emulate {

// One memory instruction, as micro-operations refer to it.
struct Access {
    int instruction = 0;
    SassSpace space = SassSpace::global;
    AccessKind kind = AccessKind::load;
    int bytes = 4;
    std::uint32_t lanes = all_lanes;  // that access memory where all execute: LDSM and STSM name rows by some
    bool sign_extended = false;
    bool one_per_bank = false;  // ATOMS.CAST.SPIN: lanes that it has not served come again
    std::int64_t offset = 0;
    std::int64_t shared_offset = 0;  // LDGSTS: of the shared address
    std::uint32_t scale = 1;
    std::uint32_t shared_scale = 1;
    std::string_view operation;  // atomics: "ADD"
    // Textures and surfaces (operations/texture_operations.h).
    TextureUnit texture = TextureUnit::none;
    int dimensions = 0;
    bool array = false;
    int gathered = -1;  // TLD4: the channel of four texels
    enum class Outside : unsigned char { clamp, ignore, trap } outside = Outside::clamp;  // of surfaces
};

enum class Reading : unsigned char { integer, fp32, fp64 };  // what signs and bars before an operand mean

// How a block of code ends.
struct Terminator {
    enum class Kind : unsigned char {
        fall,
        jump,
        jump_if_diverged,  // BRA.DIV
        indirect,          // RET of Volta and later: slot 0 + immediate
        exit,
        meet,        // BSYNC, SYNC, and Kepler's .S
        loop_break,  // BRK
        loop_continue,
        call,  // CAL before Volta
        ret,   // RET before Volta
        block_barrier,
        warp_sync,
        yield,        // others go on, first those of the same warp
        pause,        // other warps go on: lanes apart share uniform registers, so that none of the warp may
        fence,        // other warps go on, where it matters when
        before_swap,  // in shared memory: others may have their turn
        retry,   // waits until `condition` holds in its lanes: SYNCS.PHASECHK.TRYWAIT, alone in its block
        leaves,  // a call of code that is not in this function
        unsupported,
    };
    Kind kind = Kind::fall;
    PredicateUse guard;
    PredicateUse condition;            // second predicate of a branch
    std::uint64_t target_address = 0;  // jump, call
    int barrier = -1;                  // B register of meet
    std::uint16_t slot = zero_slot;    // indirect target, barrier number, lane mask
    std::uint16_t count_slot = zero_slot;
    bool has_count = false;
    bool any = false;            // BRA.U.ANY: all lanes go where one does
    bool arrives_only = false;   // BAR.ARV
    bool arrives = false;        // the block's last instruction, at a barrier in shared memory
    bool reduces = false;        // BAR.RED
    std::uint8_t reduction = 0;  // 0 POPC, 1 AND, 2 OR
    PredicateUse vote;
    std::int64_t immediate = 0;
};

struct Translation {
    std::vector<MicroOp> ops;
    Terminator end;
    std::string problem;  // why the results cannot be computed, if they are needed; empty if they can
};

// "reads c[0x2][0x8], ...": a constant that the listing lacks.
[[nodiscard]] std::string missing_constant(const SassFunction& function, const std::string& what, int bank);

class Translator {
public:
    Translator(const SassFunction& function, const ConstantBank& bank);

    [[nodiscard]] Translation translate(int instruction);

    // Values of the constant slots, in order from first_constant_slot on.
    [[nodiscard]] const std::vector<std::uint32_t>& constants() const { return constants_; }
    // Why a constant slot has no known value; empty if it has one.
    [[nodiscard]] const std::string& constant_problem(int slot) const;
    // Holds a __constant__ variable as initialised.
    [[nodiscard]] bool is_variable(int slot) const {
        return variables_.contains(static_cast<std::uint16_t>(slot));
    }
    // Hold __constant__ variables of which nobody says what they hold; such may be read by an index.
    [[nodiscard]] const std::set<std::uint16_t>& open_slots() const { return open_; }
    [[nodiscard]] bool reads_open_by_index() const { return reads_open_by_index_; }
    [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }

    // What follows is for the opcodes' functions.
    [[nodiscard]] const SassInstruction& in() const { return *in_; }
    [[nodiscard]] const SassFunction& function() const { return function_; }
    [[nodiscard]] bool has(std::string_view modifier) const { return in_->has_modifier(modifier); }
    [[nodiscard]] bool kepler() const { return function_.isa == SassIsa::kepler; }
    // Kepler to Pascal: a stack of meetings, a condition code.
    [[nodiscard]] bool before_volta() const { return is_before_volta(function_.isa); }
    [[nodiscard]] int instruction() const { return instruction_; }
    // Kepler's LD, ST and ATOM may point to shared or local memory if the code knows where these lie.
    [[nodiscard]] bool has_generic_addresses() const { return has_generic_addresses_; }
    Terminator& end() { return result_.end; }
    void unsupported(std::string why);

    // Sources without predicates, predicate sources, and results, in order. Missing ones read as RZ and PT.
    [[nodiscard]] std::size_t value_count() const { return values_.size(); }
    [[nodiscard]] const SassOperand& value_operand(std::size_t i) const;
    [[nodiscard]] std::uint16_t value(std::size_t i, Reading reading = Reading::integer, int part = 0);
    // Without signs, which the caller takes care of.
    [[nodiscard]] std::uint16_t raw_value(std::size_t i, int part = 0);
    [[nodiscard]] bool is_value(std::size_t i) const { return i < values_.size(); }
    [[nodiscard]] PredicateUse predicate(std::size_t i, bool missing = true) const;
    [[nodiscard]] PredicateUse guard() const;
    [[nodiscard]] std::uint16_t result(int part = 0) const { return result_of(0, part); }
    [[nodiscard]] std::uint16_t result_of(std::size_t operand, int part) const;
    [[nodiscard]] std::uint8_t predicate_result(std::size_t i) const;
    [[nodiscard]] bool result_sets_flags() const;  // .CC before Volta

    [[nodiscard]] std::uint16_t constant(std::uint32_t value);
    [[nodiscard]] std::uint16_t constant_of(const SassOperand& operand) { return bank_slot(operand, 0); }
    [[nodiscard]] std::uint16_t temporary();
    [[nodiscard]] std::uint16_t register_slot(const SassOperand& operand, int part = 0) const;
    [[nodiscard]] MicroOp make(Handler run) const;
    void add(const MicroOp& op) { result_.ops.push_back(op); }
    std::vector<MicroOp>& result_ops() { return result_.ops; }
    // An operation of the usual shape: values 0 ... count-1, result 0.
    MicroOp simple(Handler run, std::size_t count, Reading reading = Reading::integer);
    int add_access(const Access& access);
    void note_indexed_read(int bank) {
        reads_open_by_index_ = reads_open_by_index_ || function_.constants.any_open(bank);
    }

private:
    void sort_operands();
    void assume_results();
    void zero_results();
    std::uint16_t plain_slot(const SassOperand& operand, Reading reading, int part);
    std::uint16_t whole_slot(const SassOperand& operand, Reading reading, int part);
    std::uint16_t bank_slot(const SassOperand& operand, int part);
    std::uint16_t immediate_slot(const SassOperand& operand, Reading reading, int part);
    std::uint16_t with_signs(const SassOperand& operand, std::uint16_t slot, Reading reading, int part);
    std::uint16_t module_slot(const SassOperand& operand, std::int64_t offset);
    std::uint16_t new_constant(std::uint32_t value);
    std::uint16_t unknown_constant(std::string problem);

    const SassFunction& function_;
    const ConstantBank& bank_;
    const SassInstruction* in_ = nullptr;
    int instruction_ = 0;
    int temporaries_used_ = 0;
    bool has_generic_addresses_ = false;
    Translation result_;
    std::vector<const SassOperand*> values_, predicates_, results_, predicate_results_;
    std::vector<std::uint32_t> constants_;
    std::map<std::uint32_t, std::uint16_t> constant_slots_;
    std::map<std::uint16_t, std::string> problems_;
    std::set<std::uint16_t> variables_, open_;
    bool reads_open_by_index_ = false;
    std::vector<Access> accesses_;
};

// .XORSIGN takes signs from the operands as they are and compares |a| with |b|: any other signs before them
// are refused.
void require_magnitudes(Translator& t, std::size_t count);

// Adds the micro-operations of one instruction.
using TranslateOpcode = void (*)(Translator&);
struct OpcodeEntry {
    std::string_view opcode;
    TranslateOpcode translate;
};
[[nodiscard]] const std::vector<OpcodeEntry>& integer_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& multiply_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& maxwell_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& logic_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& bit_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& special_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& predicate_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& float_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& float_choice_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& half_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& half_choice_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& conversion_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& packing_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& move_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& warp_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& memory_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& atomic_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& bulk_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& tensor_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& group_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& texture_opcodes();
[[nodiscard]] const std::vector<OpcodeEntry>& control_opcodes();

}  // namespace gpumodel::emulate
