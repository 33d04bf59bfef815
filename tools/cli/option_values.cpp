#include "tools/cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/parse.h"
#include "tools/cli/streams.h"

namespace gpumodel::cli {

namespace {

// A number beyond 64 bits comes back as the nearest that fits, which no range allows.
std::optional<std::int64_t> parse_whole(const std::string& text) {
    const bool negative = text.rfind('-', 0) == 0;
    std::string_view digits(text);
    digits.remove_prefix(negative ? 1 : 0);
    const bool hex = digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0;
    digits.remove_prefix(hex ? 2 : 0);
    std::int64_t value = 0;
    const auto* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
    if (digits.empty() || digits.front() == '-' || result.ptr != end) {
        return std::nullopt;
    }
    if (result.ec != std::errc()) {
        return negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    }
    return negative ? -value : value;
}

}  // namespace

void OptionFaults::add(const ValuePlace& place, const std::string& message) {
    faults_.push_back({place.file, place.line, place.column, place.key, message});
}

std::optional<std::int64_t> OptionFaults::whole_number(const std::string& text, const ValuePlace& place,
                                                       NumberRange range) {
    const auto value = parse_whole(text);
    if (!value) {
        const bool assigned = text.size() > 1 && text.front() == '=';  // "-m=2048"
        add(place, fmt::format("'{}' is not a whole number{}", text,
                               assigned ? fmt::format("; nearest: {} {}", place.key, text.substr(1)) : ""));
    } else if (*value < range.lowest || *value > range.highest) {
        add(place, fmt::format("{} is out of range; allowed {} to {}", text, range.lowest, range.highest));
    } else {
        return value;
    }
    return std::nullopt;
}

std::optional<std::int64_t> OptionFaults::whole_number(const std::string& text, const std::string& option,
                                                       NumberRange range) {
    return whole_number(text, ValuePlace{"", 0, 0, option}, range);
}

std::int64_t OptionFaults::number_or(const std::string& text, const std::string& option,
                                     std::int64_t fallback, NumberRange range) {
    return text.empty() ? fallback : whole_number(text, option, range).value_or(fallback);
}

std::size_t OptionFaults::one_of(const std::string& text, const std::vector<std::string>& names,
                                 const std::string& option) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) {
        add(option,
            fmt::format("'{}' is none of {}{}", text, fmt::join(names, ", "), nearest_hint(text, names)));
        return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
}

std::optional<std::array<std::int64_t, 3>> OptionFaults::dimensions(
    const std::string& text, const std::string& option, std::int64_t lowest,
    const std::array<std::int64_t, 3>& highest) {
    std::array values{lowest, lowest, lowest};
    std::size_t count = 0;
    for (const auto part : split(text, ',')) {
        if (count == values.size()) {
            add(option, fmt::format("'{}' has more than three dimensions", text));
            return std::nullopt;
        }
        const auto value = whole_number(std::string(part), option, {lowest, highest.at(count)});
        if (!value) {
            return std::nullopt;
        }
        values.at(count++) = *value;
    }
    return values;
}

ArchSpec OptionFaults::load_arch(const ArchOptions& options) {
    if (options.arch.empty()) {
        add("--arch", "give the architecture: a product (gpumodel arch list), a generation or a YAML file");
        return {};
    }
    ArchSpec arch;
    collect([&] { arch = load(options); });
    return arch;
}

void OptionFaults::collect(const std::function<void()>& work) {
    try {
        work();
    } catch (const InputError& error) {
        if (error.kind() != InputErrorKind::usage) {
            throw;
        }
        faults_.insert(faults_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
}

void OptionFaults::throw_if_any() {
    if (any()) {
        throw InputError(InputErrorKind::usage, std::move(faults_));
    }
}

void refuse_page_on_terminal(const OutputOptions& output, const std::string& option, OptionFaults& faults) {
    if (output.out.empty() && out_is_terminal()) {
        faults.add(option, "a page is no text for a terminal: give --out FILE, or pipe it");
    }
}

}  // namespace gpumodel::cli
