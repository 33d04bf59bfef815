// One instruction as a timing model sees it: what it occupies, reads, writes and accesses. Not what it
// computes.
//
// The same type holds decoded SASS (traces/sass), trace instructions (traces/trace) and what the code
// generator makes (traces/codegen). Zero registers (RZ, URZ) and PT are left out of the operands: they cost
// and order nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/op_class.h"
#include "base/enum_table.h"

namespace gpumodel {

enum class RegisterKind : unsigned char {
    none,
    vector,             // R0 ... R254, one 32-bit value per lane
    predicate,          // P0 ... P6
    uniform,            // UR0 ... UR254
    uniform_predicate,  // UP0 ... UP6
    condition_code,     // Kepler's carry and zero flags
};

// `width` consecutive registers from `index` on.
struct RegisterUse {
    RegisterKind kind = RegisterKind::none;
    std::uint8_t width = 1;
    std::int16_t index = -1;
    // Sources only: operand slot of the register-file ports, 0 = A, 1 = B, 2 = C (Volta and later); -1 = the
    // slot does not matter (predicates, uniform registers, addresses and data of memory instructions).
    std::int8_t slot = -1;
    bool reuse = false;  // reuse flag of that slot
    friend bool operator==(const RegisterUse&, const RegisterUse&) = default;
};

// Control information; traces/sass/reader/control_word.h says where it stands in the encodings. `known` =
// false: nothing is, and a consumer orders the instructions by their registers.
struct IssueControl {
    bool known = false;
    std::uint8_t stall = 0;  // cycles until the same warp's next issue; 0 = with the next (dual issue)
    bool gives_way = false;  // Volta and later: yield bit clear, another warp is preferred next
    std::int8_t write_barrier = -1;  // scoreboard 0 ... 5 released when the result is there; -1 = none
    std::int8_t read_barrier = -1;   // released when the sources have been read; -1 = none
    std::uint8_t wait_mask = 0;      // scoreboards waited for before issue
    bool dual_issue = false;         // Kepler: goes together with the next instruction of the warp
    bool texture_wait = false;       // Kepler: waits for read-only-path results
    friend bool operator==(const IssueControl&, const IssueControl&) = default;
};

enum class MemorySpace : unsigned char { global, shared, local };
// async_copy: LDGSTS. It has two sites with one stage id, a global one (stage_load) and a shared one
// (stage_store), and is counted once in OpCounts, as async_copy.
// atomic: ATOM, ATOMS, RED; read and written in one go, at L2 (global) or in the SM (shared).
enum class AccessKind : unsigned char { load, store, async_copy, atomic };
// Through the texture unit: fetches by texel number (TLD), samples (TEX), surface reads and writes (SULD,
// SUST).
enum class TextureUnit : unsigned char { none, fetch, sample, surface };
// By the copy engine: bulk copies (UBLKCP, UBLKRED), tensor copies (UTMALDG, UTMASTG).
enum class CopyUnit : unsigned char { none, bulk, tensor };

inline constexpr auto memory_space_names = enum_words<MemorySpace>("global", "shared", "local");
inline constexpr auto access_kind_names = enum_words<AccessKind>("load", "store", "async_copy", "atomic");
inline constexpr auto texture_unit_names = enum_words<TextureUnit>("none", "fetch", "sample", "surface");
[[nodiscard]] constexpr std::string_view to_string(MemorySpace space) {
    return memory_space_names[static_cast<std::size_t>(space)];
}
[[nodiscard]] constexpr std::string_view to_string(AccessKind kind) {
    return access_kind_names[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view to_string(TextureUnit unit) {
    return texture_unit_names[static_cast<std::size_t>(unit)];
}

// A product of a warp group's matrices (HGMMA ...), and the wait for such products (WARPGROUP.DEPBAR).
// Rows of A and of B are 32 bytes along K in all types.
struct GroupProduct {
    std::uint16_t columns = 0;     // N; 0 = no product
    bool a_in_registers = false;   // else in shared memory, as B
    bool ends_group = false;       // the last product of its group
    std::int8_t groups_left = -1;  // waits until no more groups than these are under way; -1 = no wait
    friend bool operator==(const GroupProduct&, const GroupProduct&) = default;
};

// What the object of a sample (TEX) makes of it.
struct TextureFilter {
    // Of a warp's lanes through the unit; 0 = not known: as of unfiltered texels of its size.
    std::uint8_t passes = 0;
    std::uint8_t planes = 1;  // of texels that are read
    friend bool operator==(const TextureFilter&, const TextureFilter&) = default;
};

struct Instruction {
    OpClass op = OpClass::mov;
    std::uint16_t mnemonic = 0;  // index into the owner's table of mnemonics: "LDS.U.128"
    std::uint8_t result_count = 0;
    std::uint8_t source_count = 0;
    std::array<RegisterUse, 3> results{};
    std::array<RegisterUse, 6> sources{};  // address registers first, then data, for memory instructions
    RegisterUse guard{};                   // @P0; kind none = always executed
    bool guard_negated = false;
    bool skipped = false;     // not known, or a call that was stepped over: a move stands for it
    std::uint16_t flops = 0;  // floating-point operations per active lane, of any width
    IssueControl control{};
    // Memory instructions: bytes per lane (0 = none),
    // and which words of which site of the segment they access (-1 in code that has not been folded into
    // segments yet). An async_copy names its global site;
    // its shared site is `site + 1` with the same words.
    std::uint8_t access_bytes = 0;
    AccessKind access_kind = AccessKind::load;
    MemorySpace space = MemorySpace::global;
    TextureUnit texture = TextureUnit::none;
    TextureFilter filter{};
    // Bulk copies: of the whole copy. In segments it is one access of 32 lanes of 16 bytes each, and for
    // every further 512 bytes an instruction of its own that follows, `continues`, and issues nothing; in
    // device memory these begin `bulk_apart` bytes apart (tiles of tensors: elsewhere than side by side).
    std::uint32_t bulk_bytes = 0;
    std::int64_t bulk_apart = 512;
    bool continues = false;
    bool retried = false;  // a compare-and-swap that comes again with what was there, until it holds
    // Asynchronous copies in groups: LDGDEPBAR ends one; DEPBAR.LE SB0, N waits until no more groups than
    // these are under way (-1: no such wait, or not known).
    bool ends_copy_group = false;
    std::int8_t copy_groups_left = -1;
    bool copies_alone = false;  // see copies_first; and for nothing else: no other warps have to arrive
    bool arrives = false;       // at a barrier in shared memory, so that waits may count it
    bool arrivals_known = false;
    // Waits whose arrivals are known: the first `arrivals_from` times that a warp waits here it needs none;
    // then each of `arrivals_warps` (a bit per warp of the block) has to have made so many arrivals,
    // wherever, and so many more each further time; likewise of `others_warps`, which are none or warps whose
    // number is another. Nobody else has to meet. `arrivals_lag`: waits for copies
    // that such a warp has passed by then, beyond one.
    std::int8_t arrivals_from = 0;
    std::int16_t arrivals_step = 0, arrivals_lag = 0, arrivals_first = 0, others_first = 0;
    std::uint32_t arrivals_warps = 0, others_warps = 0;
    // Waits on barriers that bulk copies come to (SYNCS.PHASECHK): how many of the block's copies, in the
    // order of their issue, have to have come when a warp waits here first (0: not known), how many more each
    // further time, and how many others have been issued by then, at most.
    std::int32_t copies_first = 0;
    std::int16_t copies_step = 0, copies_ahead = 0;
    GroupProduct group{};
    // MATCH.ANY: different values among its lanes, on average; LDC: different addresses that they name.
    std::uint8_t matched_values = 1;
    bool matrix_rows = false;  // LDSM, STSM: each active lane names a 16-byte row of an 8x8 matrix
    std::int32_t site = -1;
    std::int32_t word = 0;
    std::uint32_t address = 0;  // byte offset in the function; 0 for generated code
};

// Interned mnemonics with all modifiers, in order of first appearance.
class MnemonicTable {
public:
    [[nodiscard]] std::uint16_t intern(const std::string& mnemonic);
    [[nodiscard]] const std::string& name(std::uint16_t id) const { return names_.at(id); }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::string> names_;
};

}  // namespace gpumodel
