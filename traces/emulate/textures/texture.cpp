#include "traces/emulate/textures/texture.h"

#include <cmath>

namespace gpumodel {

namespace {

constexpr std::int64_t group_width = 64, group_rows = 8, group_bytes = group_width * group_rows;

// Of a byte in its group: bits of x and y interleaved (header).
std::int64_t offset_in_group(std::int64_t x, std::int64_t y) {
    return x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

}  // namespace

std::int64_t Texture::cache_offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (!tiled) {
        return content_offset(x, y, z);
    }
    const auto groups = (extent[0] * format.bytes() + group_width - 1) / group_width;
    const auto rows = (extent[1] + group_rows - 1) / group_rows;
    const auto group = (z * rows + y / group_rows) * groups + x / group_width;
    return group * group_bytes + offset_in_group(x % group_width, y % group_rows);
}

std::optional<std::int64_t> Texture::inside(int axis, std::int64_t number) const {
    const auto size = extent[static_cast<std::size_t>(axis)];
    if (number >= 0 && number < size) {
        return number;
    }
    switch (border) {
        case TextureBorder::clamp:
            return number < 0 ? 0 : size - 1;
        case TextureBorder::wrap:
            return (number % size + size) % size;
        case TextureBorder::mirror: {
            const auto at = (number % (2 * size) + 2 * size) % (2 * size);
            return at < size ? at : 2 * size - 1 - at;
        }
        case TextureBorder::border:
            break;
    }
    return std::nullopt;
}

std::optional<std::int64_t> Texture::texel(int axis, double coordinate) const {
    constexpr double far = 1e9;  // beyond any extent; also what is not a number
    const auto size = static_cast<double>(extent[static_cast<std::size_t>(axis)]);
    const double at = std::floor(normalized ? coordinate * size : coordinate);
    return inside(axis, static_cast<std::int64_t>(at > -far        ? std::fmin(at, far)
                                                  : std::isnan(at) ? 0
                                                                   : -far));
}

}  // namespace gpumodel
