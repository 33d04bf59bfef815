// How many instructions the compiler puts around the memory accesses and the products of a tiled kernel, as
// data: piecewise linear in a few numbers of the code's shape, fitted to listings of our own kernels.
// instruction_mix.h turns them into counts by opcode class.
//
// Why pieces: the compiler keeps addresses in registers while there are some left (few accumulators, few
// loads) and computes them anew in every tile or step otherwise.
#pragma once

#include <array>
#include <span>

#include "arch_specs/op_class.h"
#include "traces/kernel/compiler/unroll.h"

namespace gpumodel {

// Kernels of one shape do the same things around their products.
enum class CodeShape : unsigned char {
    one_word,     // one word of A and of B per thread and tile (smem, blocktile1d)
    scalar_rows,  // single words in row steps (blocktile2d)
    one_vector,   // one 16-byte load of A and of B per thread and tile (vectorized)
    sub_tiles,    // 16-byte loads in row steps, sub-tiles around the k loop (autotuned)
    warp_tile,    // 16-byte loads in row steps, warp tiles
    prefetch,     // warp_tile, next tile held in registers
    split,        // warp_tile, the block's halves take turns
    async,        // warp_tile, asynchronous copies
    library,      // hand-scheduled vendor tiles: not fitted
};

enum class CodeRegion : unsigned char {
    tile,       // per tile outside the k loop; all of a tile if that loop is unrolled in full
    step_body,  // per body of the k loop
    prologue,   // before the tile loop, with a first tile's loads where they are there
    epilogue,   // after it
};

enum class BodyKind : unsigned char {
    rolled,    // a k loop is left
    unrolled,  // it is not, by the compiler's own choice
    pinned,    // it is not, by a pragma
};

enum class CodeFeature : unsigned char {
    accumulators,  // per thread, all sub-tiles
    loads,         // global loads or asynchronous copies per thread and tile
    warps,         // per block
    steps,         // k steps per body
    pinned_steps,  // the same by a pragma; 0 = none
    row_words,     // words of A per thread and step
    column_words,  // words of B
    depth,         // k steps per tile
    outer_tiles,   // trips of all sub-tile loops that are left
};

struct OverheadCondition {
    CodeFeature feature = CodeFeature::accumulators;
    bool at_most = true;  // else: more than
    int limit = 1 << 30;
};

// Instructions = weights . (1, x, y):
//   tile       x = loads, y = depth if the k loop is unrolled in full, else 0
//   step_body  constant
//   prologue   x = accumulators, y = loads
//   epilogue   x = row words, y = accumulators / 4
struct OverheadRule {
    CodeShape shape = CodeShape::one_word;
    BodyKind body = BodyKind::rolled;
    std::array<OverheadCondition, 3> conditions{};
    std::array<std::array<double, 3>, 4> weights{};  // by CodeGeneration
};

// The first rule that fits decides.
[[nodiscard]] std::span<const OverheadRule> tile_overhead_rules();
[[nodiscard]] std::span<const OverheadRule> step_body_overhead_rules();
[[nodiscard]] std::span<const OverheadRule> prologue_overhead_rules();
[[nodiscard]] std::span<const OverheadRule> epilogue_overhead_rules();

// The classes that overhead falls into.
inline constexpr std::array overhead_classes{
    OpClass::hfma,  // HFMA2.MMA as a move of constants (sm_80 and later)
    OpClass::mov,    OpClass::iadd,    OpClass::imad,    OpClass::imad_wide,        OpClass::logic,
    OpClass::shift,  OpClass::compare, OpClass::convert, OpClass::special_register, OpClass::uniform,
    OpClass::branch,
};

// How they share a region's instructions, per thousand.
struct OverheadShares {
    CodeShape shape = CodeShape::one_word;
    CodeRegion region = CodeRegion::tile;
    CodeGeneration generation = CodeGeneration::volta;
    std::array<short, overhead_classes.size()> per_thousand{};
};
[[nodiscard]] std::span<const OverheadShares> overhead_shares();

}  // namespace gpumodel
