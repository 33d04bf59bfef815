// A `cuobjdump -sass` listing as data: what stands in the text and in the encodings, nothing executed.
//
// The types hold all that an emulator of addresses and branches needs: typed operands with their
// modifiers, guards, branch targets as addresses, and (opcode_table.h) which operands are written and how
// many registers each one spans. They hold no launch shape and no parameter values; whoever executes the
// instructions supplies those.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/instruction.h"

namespace gpumodel {

inline constexpr int sass_rz = 255;            // RZ reads as zero
inline constexpr int sass_urz = 255;           // URZ, as we number it: 63 before sm_100
inline constexpr int sass_true_predicate = 7;  // PT, UPT
inline constexpr int sass_no_register = -1;

enum class OperandKind : unsigned char {
    reg,                // R0 ... R254, RZ
    uniform_reg,        // UR0 ... UR254, URZ (before sm_100 UR0 ... UR62)
    predicate,          // P0 ... P6, PT
    uniform_predicate,  // UP0 ... UP6, UPT
    barrier_reg,        // B0 ... B15: convergence barriers of BSSY, BSYNC, BMOV
    special_reg,        // SR_TID.X, SRZ ...: the name is in `text`
    integer,            // printed in hexadecimal
    number,             // printed in decimal: a floating-point immediate, also "1" or +INF
    constant,           // c[bank][offset], c[bank][R+offset], c[UR][offset]
    memory,             // [R.X4+UR+offset]
    target,             // code address of a branch, call or SSY
    other,              // anything else, verbatim in `text`: {0,1}, SB0, 2D, PR
};

// SassOperand::text of gdesc[UR4] begins with it.
inline constexpr std::string_view matrix_descriptor_text = "gdesc";

struct SassOperand {
    OperandKind kind = OperandKind::other;
    bool negated = false;            // -R3
    bool inverted = false;           // ~R3, !P0
    bool absolute = false;           // |R3|
    bool reuse = false;              // .reuse
    bool condition_code = false;     // .CC (before Volta): the carry goes to the condition code
    bool wide_address = false;       // memory: [R2.64]; the base is a register pair
    bool uniform_base = false;       // constant: the base is a uniform register, c[0x0][UR4+0x8]
    int index = 0;                   // register number
    int width = 1;                   // registers it spans: 1, 2, 4 (set from the opcode table)
    int base = sass_no_register;     // memory, constant: register added to the offset
    int uniform = sass_no_register;  // memory: uniform register added; constant: bank handle c[UR]
    int scale = 1;                   // memory: factor of the base register (.X4, .X8, .X16)
    int bank = 0;                    // constant
    std::int64_t value = 0;          // integer, target: itself; memory, constant: offset in bytes
    double number = 0;               // number
    std::string text;                // special_reg, other: as printed; else further suffixes: "H0_H0", "B1"
    int column = 0;                  // in its line
};

// The `@!P0` before an instruction; PT when absent.
struct SassGuard {
    int predicate = sass_true_predicate;
    bool negated = false;
    bool uniform = false;  // @UP0
    [[nodiscard]] bool always() const { return predicate == sass_true_predicate && !negated; }
    [[nodiscard]] bool never() const { return predicate == sass_true_predicate && negated; }
};

// Control information from the encoding (control_word.h).
struct SassControl {
    bool known = false;         // false: the listing has no encodings
    int stall = 0;              // cycles until the same warp's next issue; 0 = with the next (dual issue)
    bool gives_way = false;     // Maxwell and later: yield bit clear; another warp is preferred next
    int write_barrier = -1;     // scoreboard 0 ... 5, released when the result is there; -1 = none
    int read_barrier = -1;      // scoreboard released when the sources have been read; -1 = none
    unsigned wait_mask = 0;     // scoreboards waited for before issue
    unsigned reuse = 0;         // bit 0 = slot A, 1 = B, 2 = C, 3 = fourth
    bool dual_issue = false;    // Kepler to Pascal: goes together with the next instruction of the warp
    bool texture_wait = false;  // Kepler: waits for read-only-path results
    unsigned kepler_code = 0;   // Kepler: the 8-bit code itself
};

enum class SassSpace : unsigned char { none, global, shared, local, constant, generic };
enum class SassDirection : unsigned char { none, load, store, atomic, copy };

// Of an address that is not generic; constants count as global.
[[nodiscard]] MemorySpace memory_space(SassSpace space);
// Of an instruction that moves data; none counts as a load.
[[nodiscard]] AccessKind access_kind(SassDirection direction);

// What the opcode table says about one instruction.
struct SassEffect {
    OpClass op = OpClass::mov;
    int results = 0;  // the first `results` operands are written, all others are read
    SassSpace space = SassSpace::none;
    SassDirection direction = SassDirection::none;
    int bytes = 0;  // memory: per lane; of textures not known here
    TextureUnit texture = TextureUnit::none;
    int flops = 0;  // per active lane; 0 of a multiply-add of zeros, which is a compiler's move
};

struct SassInstruction {
    std::uint64_t address = 0;
    int line = 0;    // of the listing
    int column = 0;  // of the mnemonic
    SassGuard guard;
    std::string opcode;                  // "IMAD"
    std::vector<std::string> modifiers;  // "WIDE", "U32"
    std::vector<SassOperand> operands;
    std::string printed;                      // with its guard, without address and encoding
    std::array<std::uint64_t, 2> encoding{};  // second word 0 before Volta
    SassControl control;
    std::optional<SassEffect> effect;  // empty: unknown opcode

    [[nodiscard]] bool has_modifier(std::string_view name) const;
    [[nodiscard]] std::string mnemonic() const;  // "IMAD.WIDE.U32"
    [[nodiscard]] bool is(OpClass op) const { return effect && effect->op == op; }
};

// Instruction-set generations: they differ in encoding, control information and opcodes.
// sm_35 and sm_37; sm_50 to sm_62; sm_70 and later.
enum class SassIsa : unsigned char { kepler, maxwell, volta };

// Kepler to Pascal: a stack of open meetings (SSY, PBK, CAL) instead of convergence barriers, and a condition
// code instead of carries in predicates.
[[nodiscard]] constexpr bool is_before_volta(SassIsa isa) {
    return isa != SassIsa::volta;
}
// A control word, and an instruction of the generations that have them.
inline constexpr std::uint64_t control_word_bytes = 8;
// Bytes of code that a control word stands at the start of; 0 where instructions hold their own.
[[nodiscard]] constexpr std::uint64_t control_group_bytes(SassIsa isa) {
    return isa == SassIsa::kepler ? 64 : isa == SassIsa::maxwell ? 32 : 0;
}

// 32 bits of an address that the loader fills in: symbol + addend, or the upper half of that.
struct SassRelocation {
    std::uint64_t at = 0;  // byte offset in the bank, or the address of the instruction
    std::string symbol;
    std::int64_t addend = 0;
    bool upper = false;
    bool whole = true;  // 32 bits as they are; else a part of an instruction's target
};

// A constant bank other than the launch's bank 0 (constant_dump.h).
struct SassConstants {
    int bank = 0;
    std::vector<std::optional<std::uint32_t>> words;  // empty: an address that the loader fills in
    std::vector<SassRelocation> relocations;          // of which words
    // Byte ranges whose contents the launch says, and of variables that begin as zero and of which it says
    // nothing: a program most likely fills them. All else is as initialised.
    std::vector<std::pair<std::int64_t, std::int64_t>> given, open;
};

// A __device__ or __constant__ variable of the module.
struct SassVariable {
    std::string name;
    std::int64_t bytes = 0;
    bool initialised = false;
    std::optional<std::int64_t> constant_offset;  // of a __constant__ one, in bank 3
};

// Those that a function sees.
struct SassConstantBanks {
    std::vector<std::shared_ptr<const SassConstants>> list;

    // The word at a byte offset (a multiple of four); empty if the listing does not show it.
    [[nodiscard]] std::optional<std::uint32_t> word(int bank, std::int64_t offset) const;
    [[nodiscard]] bool has(int bank) const;
    [[nodiscard]] bool is_given(int bank, std::int64_t offset) const;
    [[nodiscard]] bool is_open(int bank, std::int64_t offset) const;
    [[nodiscard]] bool any_open(int bank) const;
};

// A kernel's parameter as it lies in the parameter space.
struct SassParameter {
    int ordinal = 0;
    std::int64_t offset = 0, bytes = 0;
};

// What a listing made with -elf says beside the code (resource_dump.h).
struct SassResources {
    std::optional<int> registers;   // per thread, as allocated
    std::int64_t shared_bytes = 0;  // static; on sm_90 with what the system keeps
    std::int64_t frame_bytes = 0;   // local memory per thread
    std::vector<SassParameter> parameters;
    // Blocks of a cluster by dimension (__cluster_dims__); {0, 0, 0}: the kernel does not say.
    std::array<std::int64_t, 3> cluster{};
};

struct SassFunction {
    std::string name;  // as in the listing, mangled
    std::string arch;  // "sm_70"
    SassIsa isa = SassIsa::volta;
    int line = 0;
    std::vector<SassInstruction> instructions;  // by ascending address
    SassConstantBanks constants;                // none if the listing was made without -elf
    std::optional<SassResources> resources;     // likewise
    std::vector<SassRelocation> relocations;    // of its code; likewise
    std::vector<SassVariable> variables;        // of its module; likewise
    // "k.cu:12" by address of the first instruction that it is noted for; empty without -lineinfo.
    std::map<std::uint64_t, std::string> source_lines;

    // Index of the instruction at which execution continues after a jump to `address`. Before Volta a target
    // may be the control word in front of its instruction. Empty if outside the function.
    [[nodiscard]] std::optional<std::size_t> index_at(std::uint64_t address) const;
};

struct SassModule {
    std::string file;
    std::vector<SassFunction> functions;

    [[nodiscard]] const SassFunction* find(std::string_view name) const;
};

// The branch target among the operands, nullptr if there is none.
[[nodiscard]] const SassOperand* branch_target(const SassInstruction& instruction);

}  // namespace gpumodel
