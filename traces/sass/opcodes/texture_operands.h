// Which registers of a texture or surface instruction hold what. From listings of kernels with known
// arguments (tests/traces/data/listings/textures.cu); the lists are
//   Kepler          [handle] [layer] x y z [level], four in the first register's, the rest in the second's
//   sm_70 to sm_89  .SCR: [layer] x y z [handle] [level], the first half (of three: two) in the first
//   register's
//                   pair, the rest in the second's; without .SCR [layer] x y z in the first, [handle] [level]
//                   in the second
//   sm_90           [layer] x y z in the first, [level] in the second; the handle is uniform
//   Maxwell         [layer] x y z in the first, [handle] [level] in the second
//   TEXS, TLDS      of two sources A and B, a register or a pair: 2D A=x B=y; 3D, CUBE A=x y, B=z; ARRAY_2D
//                   A=layer x, B=y; with .LL 2D A=x y, B=level; TLDS 1D A=x, 2D A=x y, ARRAY_2D A=layer, B=x
//                   y, then a level in B. TLD4S A=x, B=y
//   surfaces        x (in bytes) y z or layer, in the address's registers
// A handle that is no register stands in the constant bank of the parameters. Results: two registers before
// the sources, the second for the mask's first two channels, the first for the others, also of TEXS and its
// like; other instructions before Volta: one, for all.
#pragma once

#include <array>
#include <optional>

#include "traces/sass/sass_module.h"

namespace gpumodel {

struct TextureOperands {
    int dimensions = 0;  // 1 ... 3
    bool array = false, cube = false;
    unsigned channels = 0xf;  // that are returned; of surfaces, nothing
    // Register numbers; sass_no_register = none.
    int layer = sass_no_register, level = sass_no_register;
    std::array<int, 3> coordinate{sass_no_register, sass_no_register, sass_no_register};
    int handle = sass_no_register, uniform_handle = sass_no_register;
    std::int64_t handle_offset = -1;        // in the constant bank 0, bytes
    int first_width = 1, second_width = 0;  // of the sources
};

[[nodiscard]] bool is_texture(const SassInstruction& instruction);  // TEX, TLD, TLD4, TXD, TEXS, TLDS, TLD4S
[[nodiscard]] bool is_surface(const SassInstruction& instruction);  // SULD, SUST, SURED, SUATOM
// Empty for shapes and operands that are not in the lists.
[[nodiscard]] std::optional<TextureOperands> texture_operands(const SassInstruction& instruction,
                                                              SassIsa isa);

// Sets the operands' widths and what the instruction moves.
void set_texture(SassInstruction& instruction, SassIsa isa);

}  // namespace gpumodel
