#include "traces/emulate/textures/texture.h"

#include <cmath>

namespace gpumodel {

namespace {

constexpr std::int64_t piece_bytes = 16, line_rows = 8;  // header

}  // namespace

std::int64_t Texture::cache_offset(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (!tiled) {
        return content_offset(x, y, z);
    }
    const auto columns = (extent[0] * format.bytes() + piece_bytes - 1) / piece_bytes;
    const auto rows = (extent[1] + line_rows - 1) / line_rows * line_rows;
    return ((z * columns + x / piece_bytes) * rows + y) * piece_bytes + x % piece_bytes;
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
