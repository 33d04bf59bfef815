// What the imitation of the compiler asks first: which shape of code, for which compiler back end. Kernels of
// one shape hold the same things in registers and do the same things around their products; a shape is not a
// kernel's name. All tables of compiler_tables.h are by shape.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/enum_table.h"

namespace gpumodel {

enum class CodeShape : unsigned char {
    direct,       // one result per thread, operands straight from global memory (naive, coalesced)
    one_result,   // one result per thread, one word of A and of B per thread and tile (smem)
    column,       // TM results of one column, one word of A and of B per thread and tile (blocktile1d)
    scalar_rows,  // TM x TN results, single words in row steps, launch bound (blocktile2d)
    one_vector,   // TM x TN results, one 16-byte load of A and of B per thread and tile (vectorized)
    sub_tiles,    // 16-byte loads in row steps, sub-tiles around the k loop (autotuned)
    warp_tile,    // 16-byte loads in row steps, warp tiles
    prefetch,     // warp_tile, next tile held in registers during the products
    split,        // warp_tile, the block's halves take turns
    async,        // warp_tile, asynchronous copies to shared memory
    guide,        // the guides' one-tile products (K = 32)
    copy,         // no arithmetic
    transpose,    // no arithmetic
    library,      // hand-scheduled vendor tiles: no code of ours to fit to
};
inline constexpr auto code_shape_names =
    enum_words<CodeShape>("direct", "one_result", "column", "scalar_rows", "one_vector", "sub_tiles",
                          "warp_tile", "prefetch", "split", "async", "guide", "copy", "transpose", "library");
inline constexpr std::size_t code_shape_count = code_shape_names.size();
[[nodiscard]] constexpr std::string_view to_string(CodeShape shape) {
    return code_shape_names[static_cast<std::size_t>(shape)];
}

// Compiler back ends that generate alike; code_generation() of unroll.h says which a target has.
enum class CodeGeneration : unsigned char { kepler, volta, ampere, hopper, blackwell };
inline constexpr auto code_generation_names =
    enum_words<CodeGeneration>("kepler", "volta", "ampere", "hopper", "blackwell");
inline constexpr std::size_t code_generation_count = code_generation_names.size();

enum class CodeRegion : unsigned char {
    tile,       // per tile outside the k loop; all of a tile if that loop is unrolled in full
    step,       // per k step
    step_body,  // per body of the k loop
    prologue,   // before the tile loop, with a first tile's loads where they are there
    epilogue,   // after it
};
inline constexpr auto code_region_names =
    enum_words<CodeRegion>("tile", "step", "step_body", "prologue", "epilogue");
inline constexpr std::size_t code_region_count = code_region_names.size();

enum class BodyKind : unsigned char {
    rolled,    // a k loop is left
    unrolled,  // it is not, by the compiler's own choice
    pinned,    // it is not, by a pragma
};
inline constexpr auto body_kind_names = enum_words<BodyKind>("rolled", "unrolled", "pinned");

}  // namespace gpumodel
