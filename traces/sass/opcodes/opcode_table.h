// Mnemonic -> what the instruction does, per instruction-set generation, as data.
//
// Classes follow op_class.h; opcodes without a class of their own join the one whose pipe runs them, which
// the table says beside the row. Opcodes that are not in the table stay unknown: the reader leaves their
// effect empty and unknown_opcodes() lists them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// How the leading operands are results, and how many registers operands span.
enum class OperandForm : unsigned char {
    none,        // no result: stores, control
    one,         // one register
    one_carry,   // one register, up to two predicates before or after it: IADD3 R0, P1, ...; LOP3 P0, R1, ...
    one_vote,    // a register and one predicate
    predicate,   // one predicate
    predicates,  // two predicates: ISETP P0, PT, ...
    wide,        // register pair, third source a pair: IMAD.WIDE
    high,        // one register, third source a pair: IMAD.HI
    pair,        // register pair, single sources: CS2R
    fp64,        // all registers are pairs
    pair_carry,  // likewise, with predicates as one_carry: IADD.64 R2, P0, R4, R6
    fp64_compare,   // two predicates, sources are pairs
    load,           // result as wide as the access
    store,          // data as wide as the access
    atomic,         // returns the old value; a predicate may stand before it
    copy,           // LDGSTS: both operands are addresses
    matrix,         // product of matrices: widths by class (matrix_operands.h)
    group_matrix,   // HGMMA ...: product of a warp group's matrices (matrix_operands.h)
    load_matrix,    // LDSM: a register per matrix, 16 bytes per lane that names a row
    store_matrix,   // STSM: likewise
    texture,        // texture_operands.h: two registers of results (before Volta: one)
    texture_short,  // TEXS, TLDS, TLD4S of Maxwell: two registers of results
    jump,           // the last integer operand is a code address
};

// Instruction sets that have an opcode in a row's form, one bit each: early is Kepler to Pascal, late Maxwell
// and behind.
enum class OpcodeIsa : unsigned char { kepler = 1, maxwell = 2, early = 3, volta = 4, late = 6, any = 7 };

struct OpcodeRow {
    std::string_view name;  // "IMAD", or "IMAD.WIDE": opcode with one of its modifiers, or with the first
                            // ones ("HMMA.884.F32")
    OpcodeIsa isa = OpcodeIsa::any;
    OpClass op = OpClass::mov;
    OperandForm form = OperandForm::one;
    SassSpace space = SassSpace::none;
    SassDirection direction = SassDirection::none;
    int flops = 0;  // per active lane, as GFLOP/s are quoted: a multiply-add is two, of a packed pair four
};

[[nodiscard]] std::span<const OpcodeRow> opcode_rows();

// The row for the instruction, nullptr if its opcode is unknown.
[[nodiscard]] const OpcodeRow* find_opcode(const SassInstruction& instruction, SassIsa isa);

// Sets the instruction's effect, the width of its operands, and turns code addresses into targets.
void apply_opcode(SassInstruction& instruction, SassIsa isa);

// Why an opcode that compilers emit has no row: "is a bulk copy: not modelled"; "" for
// names that nobody knows.
[[nodiscard]] std::string_view refusal_of(std::string_view opcode);

struct UnknownOpcode {
    std::string opcode;
    std::uint64_t first_address = 0;
    int count = 0;
};

// By first address.
[[nodiscard]] std::vector<UnknownOpcode> unknown_opcodes(const SassFunction& function);

}  // namespace gpumodel
