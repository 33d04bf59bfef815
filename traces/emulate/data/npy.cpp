#include "traces/emulate/data/npy.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/parse.h"
#include "base/printable.h"

namespace gpumodel {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

unsigned byte_at(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

// What stands behind 'key': in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
    const auto quoted = fmt::format("'{}'", key);
    auto at = header.find(quoted);
    if (at == std::string_view::npos) {
        return {};
    }
    at = header.find(':', at + quoted.size());
    return at == std::string_view::npos ? std::string_view() : trim(header.substr(at + 1));
}

// "(3, 4)", "(5,)", "()"; empty for what is no such list.
std::optional<std::vector<std::int64_t>> shape_of(std::string_view text) {
    const auto end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) {
        return std::nullopt;
    }
    std::vector<std::int64_t> shape;
    text = trim(text.substr(1, end - 1));
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const auto extent = parse_number<std::int64_t>(trim(text.substr(0, comma)));
        if (!extent || *extent < 0) {
            return std::nullopt;
        }
        shape.push_back(*extent);
        text = comma == text.size() ? std::string_view() : trim(text.substr(comma + 1));
    }
    return shape;
}

std::string dtype_of(std::string_view text) {
    const auto end = text.size() > 1 ? text.find('\'', 1) : std::string_view::npos;
    return text.starts_with('\'') && end != std::string_view::npos ? std::string(text.substr(1, end - 1))
                                                                   : "";
}

// Bytes of an element, 0 for what is no number or not little endian.
std::int64_t element_bytes(std::string_view dtype) {
    const bool numbers =
        dtype.size() == 3 && std::string_view("iufcb").find(dtype[1]) != std::string_view::npos &&
        (dtype[0] == '<' || (dtype[0] == '|' && dtype[2] == '1')) && dtype[2] >= '1' && dtype[2] <= '8';
    return numbers ? dtype[2] - '0' : dtype == "<c16" ? 16 : 0;
}

std::optional<std::int64_t> bytes_of(const std::vector<std::int64_t>& shape, std::int64_t element) {
    std::int64_t bytes = element;
    for (const auto extent : shape) {
        if (extent > 0 && bytes > std::numeric_limits<std::int64_t>::max() / extent) {
            return std::nullopt;
        }
        bytes *= extent;
    }
    return bytes;
}

}  // namespace

NpyHeader read_npy_header(std::string_view file) {
    NpyHeader result;
    const auto fault = [&result](std::string what) {
        result.fault = std::move(what);
        return result;
    };
    if (!file.starts_with(magic) || file.size() < 12) {
        return fault("is no .npy file: it does not begin with \\x93NUMPY");
    }
    const bool long_header = byte_at(file, 6) >= 2;
    const std::size_t begin = long_header ? 12 : 10;
    std::size_t length = byte_at(file, 8) | byte_at(file, 9) << 8U;
    length |= long_header ? std::size_t{byte_at(file, 10)} << 16U | std::size_t{byte_at(file, 11)} << 24U : 0;
    if (length > file.size() - begin) {
        return fault("ends within its header");
    }
    const auto header = file.substr(begin, length);
    result.data_begin = begin + length;
    result.dtype = dtype_of(value_of(header, "descr"));
    const auto element = element_bytes(result.dtype);
    if (element == 0) {
        return fault(fmt::format("holds '{}': allowed are little-endian numbers such as '<f4', '<i4', '|u1'",
                                 safe_to_print(result.dtype)));
    }
    const auto shape = shape_of(value_of(header, "shape"));
    const auto bytes = shape ? bytes_of(*shape, element) : std::nullopt;
    if (!bytes) {
        return fault("has no shape of whole numbers in its header");
    }
    result.shape = *shape;
    if (value_of(header, "fortran_order").starts_with("True") && shape->size() > 1) {
        return fault("is in Fortran's order; save numpy.ascontiguousarray of it");
    }
    const auto there = static_cast<std::int64_t>(file.size() - result.data_begin);
    if (there != *bytes) {
        return fault(fmt::format("holds {} bytes of data, its shape ({}) of '{}' takes {}", there,
                                 fmt::join(*shape, ", "), result.dtype, *bytes));
    }
    return result;
}

}  // namespace gpumodel
