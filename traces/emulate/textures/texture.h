// A texture or surface object as --args gives it: shape, format, addressing, and where its texels lie.
//
// Contents (files, --dump) are in C's order: x fastest, then y, then z or the layer, without padding. Where
// caches see a texel is another matter:
//   1-D, and `pitch`   as the contents
//   2-D, 3-D, layered  arrays of the runtime, whose layout NVIDIA does not document. Known is that a sector
//                      holds 16 bytes of two rows (block linear, GOB: NVIDIA, Tegra X1 technical reference
//                      manual, section on memory surfaces). A GOB's lines cover 32 bytes by 4 rows; here they
//                      cover 16 bytes by 8 rows, so that an address is linear in y and in steps of 16 bytes
//                      along x and blocks of any shape follow from their coordinates (fold). Sectors, which
//                      is what caches and DRAM move, are the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumodel {

struct TexelFormat {
    int channels = 1;       // 1, 2, 4
    int channel_bytes = 4;  // 1, 2, 4
    bool is_float = true, is_signed = true;
    [[nodiscard]] int bytes() const { return channels * channel_bytes; }
};

enum class TextureBorder : unsigned char { clamp, wrap, mirror, border };

struct Texture {
    TexelFormat format;
    int dimensions = 1;                           // 1 ... 3, layers not counted
    std::array<std::int64_t, 3> extent{1, 1, 1};  // texels along x, y, z; of a layered one z counts layers
    bool layered = false;
    bool tiled = false;    // an array's layout
    bool surface = false;  // surf(): no filter and no addressing of its own
    TextureBorder border = TextureBorder::clamp;
    bool linear_filter = false;
    bool normalized = false;        // coordinates in [0, 1)
    bool reads_normalized = false;  // integers as floats in [0, 1] or [-1, 1]

    [[nodiscard]] std::int64_t bytes() const { return extent[0] * extent[1] * extent[2] * format.bytes(); }
    // Of byte `x` of a row inside.
    [[nodiscard]] std::int64_t content_offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (z * extent[1] + y) * extent[0] * format.bytes() + x;
    }
    [[nodiscard]] std::int64_t cache_offset(std::int64_t x, std::int64_t y, std::int64_t z) const;

    // The texel that a coordinate names along an axis, after clamping, wrapping or mirroring; empty =
    // outside, which reads as zero.
    [[nodiscard]] std::optional<std::int64_t> texel(int axis, double coordinate) const;
    // The same for a texel number, as of a neighbour.
    [[nodiscard]] std::optional<std::int64_t> inside(int axis, std::int64_t number) const;
};

// "tex(FORMAT,SHAPE[,WORD...])", "surf(...)": text between the parentheses. Contents are left to the caller:
// `contents` is what of the words is zeros, iota..., random... or @FILE.
struct TextureText {
    Texture texture;
    std::string contents;
    std::string fault;  // empty: none
};
[[nodiscard]] TextureText read_texture(std::string_view words, bool surface);

}  // namespace gpumodel
