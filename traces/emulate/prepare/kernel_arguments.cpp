#include "traces/emulate/prepare/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "base/diagnostics.h"
#include "base/parse.h"
#include "base/units.h"

namespace gpumodel {

namespace {

using Type = KernelArgument::Type;

constexpr std::string_view forms =
    "; allowed: 4096 (int32), 4096L (int64), 0.5f (float), 0.5 (double), ptr, ptr:SIZE, ptr:SIZE=CONTENTS, "
    "@FILE, tex(FORMAT,SHAPE[,...]), surf(FORMAT,SHAPE[,...]), tmap(PTR,TYPE,DIMS,STRIDES,BOX,SWIZZLE), "
    "ptr=tmap(...), each after an optional name=";

// CUtensorMap is aligned to its size, and parameters begin at byte 0x210 of the constant bank of sm_90.
// CUDA 12.1's limit of 32764 bytes of parameters in words of 4.
constexpr std::size_t most_arguments = 32764 / 4;

constexpr std::int64_t tensor_map_bytes = 128, tensor_map_parameters = 0x210;

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

// An integer with an optional sign; the magnitude fits 64 bits.
std::optional<std::pair<bool, std::uint64_t>> parse_magnitude(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) {
        text.remove_prefix(2);
    }
    const auto value = parse_number<std::uint64_t>(text, hex ? 16 : 10);
    return value ? std::optional(std::pair{negative, *value}) : std::nullopt;
}

// The value as `bits`-bit pattern, signed or unsigned; empty if it does not fit.
std::optional<std::int64_t> fit(bool negative, std::uint64_t magnitude, int bits) {
    const std::uint64_t most = bits == 64 ? std::numeric_limits<std::uint64_t>::max() : 0xffffffffU;
    const std::uint64_t lowest = std::uint64_t{1} << (bits - 1);
    if (magnitude > (negative ? lowest : most)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

bool digits_only(std::string_view text) {
    return parse_magnitude(text).has_value() ||
           (!text.empty() && text.find_first_not_of("+-0123456789") == std::string_view::npos);
}

// Sets the value; returns what is wrong, empty if nothing is.
std::string read_integer(std::string_view text, int bits, KernelArgument& argument) {
    const auto magnitude = parse_magnitude(text);
    const auto value = magnitude ? fit(magnitude->first, magnitude->second, bits) : std::nullopt;
    if (!value) {
        return fmt::format("{} does not fit {} bits{}", cite(text), bits,
                           bits == 32 ? "; a 64-bit integer ends in L" : "");
    }
    argument.type = bits == 64 ? Type::int64 : Type::int32;
    argument.integer = *value;
    return {};
}

std::string read_number(std::string_view text, Type type, KernelArgument& argument) {
    const auto value = parse_number<double>(text.starts_with('+') ? text.substr(1) : text);
    if (!value) {
        return fmt::format("{} is no value{}", cite(text), forms);
    }
    if (type == Type::float32 && std::fabs(*value) > std::numeric_limits<float>::max()) {
        return fmt::format("{} is beyond a float", cite(text));
    }
    argument.type = type;
    argument.number = *value;
    return {};
}

// "@FILE": without a size the file's own.
std::string read_file(std::string_view text, KernelArgument& argument) {
    argument.data = given_file(std::string(text.substr(1)));
    if (argument.allocation_bytes == 0) {
        argument.allocation_bytes = argument.data->bytes();
    }
    return argument.data->bytes() <= argument.allocation_bytes
               ? ""
               : fmt::format("{} holds {} bytes, more than the allocation's {}", cite(text.substr(1)),
                             argument.data->bytes(), argument.allocation_bytes);
}

std::string read_contents(std::string_view text, KernelArgument& argument) {
    if (text.starts_with('@')) {
        return read_file(text, argument);
    }
    auto given = given_rule(text, argument.allocation_bytes);
    argument.data = std::move(given.data);
    return std::move(given.fault);
}

// "ptr", "ptr:SIZE", "ptr:SIZE=CONTENTS".
std::string read_pointer(std::string_view text, KernelArgument& argument) {
    argument.type = Type::pointer;
    if (text == "ptr") {
        return {};
    }
    if (text.starts_with("ptr=")) {
        return "contents need a size: ptr:SIZE=CONTENTS (but for ptr=tmap(...))";
    }
    const auto equals = text.find('=');
    const bool filled = equals != std::string_view::npos;
    const auto contents = filled ? text.substr(equals + 1) : std::string_view();
    text = text.substr(0, equals);
    const auto size = parse_quantity(text.substr(4), Dimension::bytes);
    // Allocations lie 2^40 bytes apart.
    constexpr double most = 256.0 * 1024 * 1024 * 1024;
    if (!size.value) {
        return "allocation size: " + size.fault;
    }
    if (*size.value < 1 || *size.value > most) {
        return fmt::format("allocation size {} is out of range 1 B to 256 GiB", cite(text.substr(4)));
    }
    argument.allocation_bytes = static_cast<std::int64_t>(*size.value);
    return filled ? read_contents(contents, argument) : "";
}

bool is_pointer(std::string_view text) {
    return text == "ptr" || text.starts_with("ptr:") || text.starts_with("ptr=");
}

bool is_texture(std::string_view text) {
    return text.starts_with("tex(") || text.starts_with("surf(");
}

std::string read_texture_argument(std::string_view text, KernelArgument& argument) {
    argument.type = Type::texture;
    const bool surface = text.starts_with("surf(");
    if (!text.ends_with(')')) {
        return fmt::format("{} lacks its closing parenthesis", cite(text));
    }
    text.remove_prefix(surface ? 5 : 4);
    text.remove_suffix(1);
    auto read = read_texture(text, surface);
    argument.texture = std::make_shared<const Texture>(read.texture);
    if (!read.fault.empty()) {
        return std::move(read.fault);
    }
    argument.allocation_bytes = read.texture.bytes();
    return read.contents.empty() ? "" : read_contents(read.contents, argument);
}

// In device memory, where the kernel gets its address.
constexpr std::string_view map_pointer_head = "ptr=tmap(";

bool is_tensor_map(std::string_view text) {
    return text.starts_with("tmap(") || text.starts_with(map_pointer_head);
}

std::string read_tensor_map_argument(std::string_view text, const KernelArguments& arguments,
                                     KernelArgument& argument) {
    if (!text.ends_with(')')) {
        return fmt::format("{} lacks its closing parenthesis", cite(text));
    }
    const bool by_address = text.starts_with(map_pointer_head);
    const std::size_t head = by_address ? map_pointer_head.size() : 5;
    const auto type = by_address ? Type::map_pointer : Type::tensor_map;
    auto read = read_tensor_map(text.substr(head, text.size() - head - 1));
    if (!read.fault.empty()) {
        argument.type = type;
        return std::move(read.fault);
    }
    const auto earlier = std::find_if(arguments.list.begin(), arguments.list.end(), [&](const auto& other) {
        return other.name == read.pointer && other.type == Type::pointer;
    });
    if (earlier != arguments.list.end()) {
        argument.allocation_of = static_cast<std::size_t>(earlier - arguments.list.begin());
        argument.allocation_bytes = earlier->allocation_bytes;
    } else if (!is_pointer(read.pointer)) {
        return fmt::format("{} is neither ptr, ptr:SIZE nor an earlier pointer", cite(read.pointer));
    } else if (auto fault = read_pointer(read.pointer, argument); !fault.empty()) {
        return fault;
    }
    argument.type = type;
    argument.tensor_map = std::make_shared<const TensorMap>(read.map);
    if (argument.allocation_bytes == 0) {
        argument.allocation_bytes = read.map.bytes();
    }
    return argument.allocation_bytes >= read.map.bytes()
               ? ""
               : fmt::format("the tensor has {} bytes, the allocation {}", read.map.bytes(),
                             argument.allocation_bytes);
}

// The comma that ends the argument at `begin`, or the end of the text.
std::size_t end_of_argument(std::string_view text, std::size_t begin) {
    int open = 0;
    for (auto at = begin; at < text.size(); ++at) {
        open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (text[at] == ',' && open <= 0) {
            return at;
        }
    }
    return text.size();
}

std::string read_value(std::string_view text, const KernelArguments& arguments, KernelArgument& argument) {
    if (is_tensor_map(text)) {
        return read_tensor_map_argument(text, arguments, argument);
    }
    if (is_texture(text)) {
        return read_texture_argument(text, argument);
    }
    if (is_pointer(text)) {
        return read_pointer(text, argument);
    }
    if (text.starts_with('@') && text.size() > 1) {
        argument.type = Type::pointer;
        return read_file(text, argument);
    }
    if (text.empty()) {
        return fmt::format("empty value{}", forms);
    }
    const bool hex = text.find('x') != std::string_view::npos || text.find('X') != std::string_view::npos;
    const auto front = text.substr(0, text.size() - 1);
    if ((text.back() == 'L' || text.back() == 'l') && digits_only(front)) {
        return read_integer(front, 64, argument);
    }
    if (digits_only(text)) {
        return read_integer(text, 32, argument);
    }
    if ((text.back() == 'f' || text.back() == 'F') && !hex) {
        return read_number(front, Type::float32, argument);
    }
    return read_number(text, Type::float64, argument);
}

std::string read_argument(std::string_view text, KernelArguments& arguments, KernelArgument& argument) {
    argument.name = fmt::format("arg{}", arguments.list.size());
    const auto equals = text.find('=');
    if (equals != std::string_view::npos && !is_pointer(text) && !is_texture(text) && !is_tensor_map(text) &&
        !text.starts_with('@')) {
        const auto name = trim(text.substr(0, equals));
        if (!is_name(name)) {
            return fmt::format("{} is no name: letters, digits and underscores, no digit first", cite(name));
        }
        argument.name = name;
        text = trim(text.substr(equals + 1));
    }
    const auto same = [&](const KernelArgument& other) { return other.name == argument.name; };
    if (std::any_of(arguments.list.begin(), arguments.list.end(), same)) {
        return fmt::format("a second argument of this name");
    }
    return read_value(text, arguments, argument);
}

// Nothing between commas, once or thousands of times: one diagnostic, at the first.
class EmptyValues {
public:
    // Whether there was one before; `fault` is the number of the first one's diagnostic.
    bool is_further(std::size_t fault) {
        first_ = count_ == 0 ? fault : first_;
        return count_++ > 0;
    }
    void count_in(std::vector<Diagnostic>& faults) const {
        if (count_ > 1) {
            faults[first_].message = fmt::format("one of {} empty values{}", count_, forms);
        }
    }

private:
    std::size_t count_ = 0, first_ = 0;
};

}  // namespace

std::int64_t KernelArgument::bytes() const {
    if (type == Type::tensor_map) {
        return tensor_map_bytes;
    }
    return type == Type::int32 || type == Type::float32 ? 4 : 8;
}

KernelArguments parse_arguments(std::string_view text) {
    KernelArguments arguments;
    std::vector<Diagnostic> faults;
    EmptyValues empty;
    text = trim(text);
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
        const auto end = end_of_argument(text, begin);
        if (arguments.list.size() == most_arguments) {
            faults.push_back(
                {"--args", 0, 0, "",
                 fmt::format("more than {} arguments; a kernel takes at most 32764 bytes", most_arguments)});
            break;
        }
        KernelArgument argument;
        const auto written = trim(text.substr(begin, end - begin));
        try {
            auto fault = read_argument(written, arguments, argument);
            if (!fault.empty() && !(written.empty() && empty.is_further(faults.size()))) {
                faults.push_back({"--args", 0, 0, argument.name, std::move(fault)});
            }
        } catch (const InputError& error) {  // of a file
            faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
        }
        const auto size = argument.bytes();
        const auto begins = argument.type == Type::tensor_map ? tensor_map_parameters : 0;
        argument.offset = (arguments.bytes + begins + size - 1) / size * size - begins;
        arguments.bytes = argument.offset + size;
        arguments.list.push_back(std::move(argument));
        begin = end + 1;
    }
    empty.count_in(faults);
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return arguments;
}

}  // namespace gpumodel
