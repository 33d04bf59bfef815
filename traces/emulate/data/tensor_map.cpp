#include "traces/emulate/data/tensor_map.h"

#include <fmt/format.h>

#include <vector>

#include "base/diagnostics.h"
#include "base/parse.h"
#include "base/units.h"

namespace gpumodel {

namespace {

std::optional<int> bytes_of_type(std::string_view type) {
    struct Row {
        std::string_view names;
        int bytes;
    };
    for (const auto& row :
         {Row{" u8 ", 1}, Row{" u16 f16 bf16 ", 2}, Row{" u32 s32 f32 tf32 ", 4}, Row{" u64 s64 f64 ", 8}}) {
        if (row.names.find(fmt::format(" {} ", type)) != std::string_view::npos) {
            return row.bytes;
        }
    }
    return std::nullopt;
}

// "4096x1024"; empty where that is no list of numbers from `least` to `most`.
std::vector<std::int64_t> sizes_of(std::string_view text, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> list;
    for (const auto part : split(text, 'x')) {
        const auto size = parse_number<std::int64_t>(trim(part));
        if (!size || *size < least || *size > most) {
            return {};
        }
        list.push_back(*size);
    }
    return list;
}

// The driver's rules: CUDA driver API, cuTensorMapEncodeTiled. Returns what is wrong.
std::string read_sizes(const std::vector<std::string_view>& parts, TensorMap& map) {
    constexpr std::int64_t most_extent = std::int64_t{1} << 32, most_stride = std::int64_t{1} << 40;
    constexpr std::int64_t most_box = 256, unit = 16;
    const auto extent = sizes_of(parts[2], 1, most_extent);
    if (extent.empty() || extent.size() > TensorMap::most_dimensions) {
        return fmt::format(
            "{} are no dimensions: one to five sizes from 1 to 2^32, innermost first: 4096x1024",
            cite(parts[2]));
    }
    map.dimensions = extent.size();
    const auto stride = parts[3] == "-" ? std::vector<std::int64_t>{} : sizes_of(parts[3], unit, most_stride);
    if (stride.size() + 1 != extent.size()) {
        return fmt::format(
            "{} are no strides: {} numbers of bytes from 16 to 2^40, of the dimensions but the innermost "
            "(- for none)",
            cite(parts[3]), extent.size() - 1);
    }
    const auto box = sizes_of(parts[4], 1, most_box);
    if (box.size() != extent.size()) {
        return fmt::format("{} is no box: {} sizes from 1 to 256, innermost first", cite(parts[4]),
                           extent.size());
    }
    map.stride[0] = map.element_bytes;
    for (std::size_t d = 0; d < extent.size(); ++d) {
        map.extent[d] = extent[d];
        map.box[d] = box[d];
        map.stride[d] = d == 0 ? map.element_bytes : stride[d - 1];
        if (d > 0 && map.stride[d] % unit != 0) {
            return fmt::format("a stride of {} bytes is no multiple of 16", map.stride[d]);
        }
    }
    return map.row_bytes() % unit == 0
               ? ""
               : fmt::format("a row of the box has {} bytes, which is no multiple of 16", map.row_bytes());
}

}  // namespace

std::int64_t TensorMap::bytes() const {
    std::int64_t last = element_bytes;
    for (std::size_t d = 0; d < dimensions; ++d) {
        last += (extent[d] - 1) * stride[d];
    }
    return last;
}

TensorMapText read_tensor_map(std::string_view text) {
    TensorMapText result;
    auto parts = split(text, ',');
    for (auto& part : parts) {
        part = trim(part);
    }
    constexpr std::size_t count = 6;
    if (parts.size() != count) {
        result.fault = fmt::format(
            "{} values; allowed: tmap(PTR, TYPE, DIMS, STRIDES, BOX, SWIZZLE), as in "
            "tmap(ptr, bf16, 4096x1024, 8192, 64x128, 128)",
            parts.size());
        return result;
    }
    result.pointer = parts[0];
    const auto bytes = bytes_of_type(parts[1]);
    const bool plain = parts[5] == "none";
    const auto swizzle = plain ? 0 : parse_number<int>(parts[5]).value_or(-1);
    if (!bytes) {
        result.fault = fmt::format(
            "{} is no type of elements; allowed: u8, u16, u32, s32, u64, s64, f16, bf16, f32, "
            "tf32, f64",
            cite(parts[1]));
        return result;
    }
    if (!plain && swizzle != 32 && swizzle != 64 && swizzle != 128) {
        result.fault = fmt::format("{} is no swizzle; allowed: none, 32, 64, 128", cite(parts[5]));
        return result;
    }
    result.map.element_bytes = *bytes;
    result.map.swizzle = swizzle;
    result.fault = read_sizes(parts, result.map);
    if (result.fault.empty() && !plain && result.map.row_bytes() > swizzle) {
        result.fault = fmt::format("a row of the box has {} bytes, more than the swizzle's {}",
                                   result.map.row_bytes(), swizzle);
    }
    return result;
}

}  // namespace gpumodel
