#include "traces/trace/accelsim/accelsim_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/parse.h"
#include "traces/sass/reader/listing_arch.h"

namespace gpumodel {

namespace {

constexpr std::int64_t max_threads = 1024;  // CUDA programming guide, all compute capabilities
constexpr std::int64_t max_base = std::int64_t{1} << 52;

}  // namespace

std::optional<SassIsa> accelsim_isa(int binary_version) {
    return isa_of("sm_" + std::to_string(binary_version));
}

void AccelSimHeaderReader::fault(int column, const std::string& key, const std::string& message) {
    faults_->push_back({file_, line_, column, key, message});
}

std::int64_t AccelSimHeaderReader::number(std::string_view text, int base, const std::string& key, int column,
                                          std::int64_t low, std::int64_t high) {
    if (base == 16 && text.starts_with("0x")) {
        text.remove_prefix(2);
    }
    const auto value = parse_number<std::int64_t>(text, base);
    if (!value) {
        fault(column, key, fmt::format("'{}' is not a number", text));
        return low;
    }
    if (*value < low || *value > high) {
        fault(column, key, fmt::format("{} is out of range, allowed {} to {}", *value, low, high));
        return low;
    }
    return *value;
}

Dim3 AccelSimHeaderReader::dimensions(std::string_view text, const std::string& key, int column,
                                      const Dim3& high) {
    std::array<std::string_view, 3> parts;
    bool good = text.size() > 2 && text.front() == '(' && text.back() == ')';
    text = good ? text.substr(1, text.size() - 2) : text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto comma = text.find(',');
        good = good && (comma == std::string_view::npos) == (i == 2);
        parts.at(i) = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    if (!good) {
        fault(column, key, "expected (x,y,z)");
        return {};
    }
    Dim3 value;
    value.x = number(parts[0], 10, key, column, 1, high.x);
    value.y = number(parts[1], 10, key, column, 1, high.y);
    value.z = number(parts[2], 10, key, column, 1, high.z);
    return value;
}

void AccelSimHeaderReader::set(const std::string& key, std::string_view value, int column) {
    const auto in = [&](std::int64_t low, std::int64_t high, int base = 10) {
        return number(value, base, key, column, low, high);
    };
    if (key == "kernel name") {
        header_.kernel = std::string(value);
    } else if (key == "grid dim") {
        header_.grid = dimensions(value, key, column, {INT32_MAX, 65535, 65535});
    } else if (key == "block dim") {
        header_.block = dimensions(value, key, column, {max_threads, max_threads, max_threads});
    } else if (key == "shmem") {
        header_.shared_bytes = in(0, INT32_MAX);
    } else if (key == "nregs") {
        header_.registers = static_cast<int>(in(0, 255));
    } else if (key == "binary version") {
        header_.binary_version = static_cast<int>(in(0, 999));
        if (!accelsim_isa(header_.binary_version)) {
            fault(column, key, fmt::format("{} has no opcode table; allowed 35, 37, 70 and above", value));
        }
    } else if (key == "shmem base_addr") {
        header_.shared_base = in(0, max_base, 16);
    } else if (key == "local mem base_addr") {
        header_.local_base = in(0, max_base, 16);
    } else if (key == "accelsim tracer version") {
        header_.tracer_version = static_cast<int>(in(1, 5));
    } else if (key == "enable lineinfo") {
        header_.layout.line_numbers = in(0, 1) == 1;
    }
}

void AccelSimHeaderReader::line(std::string_view text, int number, std::vector<Diagnostic>& faults) {
    faults_ = &faults;
    line_ = number;
    const auto equals = text.find('=');
    const auto key =
        std::string(trim(text.substr(1, equals == std::string_view::npos ? equals : equals - 1)));
    if (equals == std::string_view::npos) {
        fault(1, key, "expected '-key = value'");
        return;
    }
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) {
        fault(1, key, "given twice");
        return;
    }
    constexpr std::size_t most_keys = 100;  // the format has thirteen
    if (seen_.size() < most_keys) {
        seen_.push_back(key);
    }
    const auto value = trim(text.substr(equals + 1));
    set(key, value,
        static_cast<int>(value.empty() ? equals + 2
                                       : static_cast<std::size_t>(value.data() - text.data()) + 1));
}

AccelSimHeader AccelSimHeaderReader::finish(int number, std::vector<Diagnostic>& faults) {
    faults_ = &faults;
    line_ = number;
    for (const auto* key : {"kernel name", "grid dim", "block dim", "shmem", "nregs", "binary version"}) {
        if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) {
            fault(0, key, "missing in the header");
        }
    }
    if (header_.block.count() > max_threads) {
        fault(
            0, "block dim",
            fmt::format("{} threads per block, at most {} are allowed", header_.block.count(), max_threads));
    }
    header_.layout.block_fields = header_.tracer_version < 3;
    return header_;
}

}  // namespace gpumodel
