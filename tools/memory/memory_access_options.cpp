#include "tools/memory/memory_access_options.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

#include "base/process.h"

namespace gpumodel::cli {

namespace {

constexpr NumberRange any_address{0, std::int64_t{1} << 62};
constexpr NumberRange any_step{-(std::int64_t{1} << 40), std::int64_t{1} << 40};
constexpr std::int64_t warp_lanes = 32;

struct Token {
    std::string text;
    ValuePlace place;
};

bool separates(char c) {
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Words between commas and white space, each with its line and column.
std::vector<Token> split_tokens(const std::string& text, const std::string& file) {
    std::vector<Token> tokens;
    int line = 1;
    int column = 1;
    bool inside = false;
    for (const char c : text) {
        if (!separates(c)) {
            if (!inside) {
                tokens.push_back({"", {file, line, column, "--addresses"}});
            }
            tokens.back().text += c;
        }
        inside = !separates(c);
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n' ? 1 : 0;
    }
    return tokens;
}

// Reads no further than any list of 32 addresses can be long, so that an endless file ends.
std::string limited_text(std::istream& in, const std::string& file, OptionFaults& faults) {
    constexpr std::size_t longest = 64 * 1024;
    std::string text(longest + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > longest) {
        faults.add(ValuePlace{file, 0, 0, "--addresses"}, "more than 64 KiB; 32 addresses are shorter");
        text.clear();
    }
    return text;
}

std::vector<Token> address_tokens(const std::string& option, OptionFaults& faults) {
    if (option == "-") {
        return split_tokens(limited_text(standard_input_stream(), "stdin", faults), "stdin");
    }
    if (option.front() == '@') {
        const auto path = option.substr(1);
        std::ifstream file(path, std::ios::binary);
        file.peek();  // what opens but cannot be read, such as a directory, shows only now
        if (!file.is_open() || file.bad()) {
            faults.add(ValuePlace{path, 0, 0, "--addresses"}, "cannot read this file");
            return {};
        }
        return split_tokens(limited_text(file, path, faults), path);
    }
    auto tokens = split_tokens(option, "");
    for (auto& token : tokens) {
        token.place = {"", 0, 0, "--addresses"};
    }
    return tokens;
}

void by_list(const AccessOptions& options, OptionFaults& faults, WarpAccess& access) {
    const auto tokens = address_tokens(options.addresses, faults);
    if (tokens.empty() && !faults.any()) {
        faults.add("--addresses", "no address given");
    }
    if (tokens.size() > warp_lanes) {
        faults.add("--addresses", fmt::format("{} addresses given; a warp has 32 lanes", tokens.size()));
        return;
    }
    access.active = 0;
    for (std::size_t lane = 0; lane < tokens.size(); ++lane) {
        if (const auto address = faults.whole_number(tokens[lane].text, tokens[lane].place, any_address)) {
            access.address[lane] = *address;
            access.active |= 1U << lane;
        }
    }
}

void by_formula(const AccessOptions& options, OptionFaults& faults, WarpAccess& access) {
    const auto stride = faults.number_or(options.stride, "--stride", 1, any_step);
    const auto pitch = faults.number_or(options.pitch, "--pitch", 1, {1, any_step.highest});
    const auto offset = faults.number_or(options.offset, "--offset", 0, any_address);
    const auto step = (options.column ? pitch : stride) * access.bytes_per_lane;
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
        access.address[lane] = offset + static_cast<std::int64_t>(lane) * step;
    }
}

void apply_mask(const AccessOptions& options, OptionFaults& faults, WarpAccess& access) {
    if (options.active.empty()) {
        return;
    }
    const auto mask = faults.whole_number(options.active, "--active", {0, 0xffffffffLL});
    if (mask && !options.addresses.empty() && (static_cast<std::uint32_t>(*mask) & ~access.active) != 0) {
        faults.add("--active", "names lanes that have no address");
    }
    access.active &= static_cast<std::uint32_t>(mask.value_or(0xffffffffLL));
}

void check_addresses(const WarpAccess& access, OptionFaults& faults) {
    for (int lane = 0; lane < warp_lanes; ++lane) {
        const auto address = access.address[static_cast<std::size_t>(lane)];
        if (access.is_active(lane) && address < 0) {
            faults.add("--stride",
                       fmt::format("lane {}: address {} is negative; raise --offset", lane, address));
            return;
        }
        if (access.is_active(lane) && address % access.bytes_per_lane != 0) {
            faults.add("--width", fmt::format("lane {}: address {} is not a multiple of the width {}", lane,
                                              address, access.bytes_per_lane));
            return;
        }
    }
}

// Empty, with a fault, for a width that no access has.
std::optional<int> read_width(const AccessOptions& options, OptionFaults& faults) {
    if (options.width.empty()) {
        return 4;
    }
    const auto width = faults.whole_number(options.width, "--width", {1, 16});
    if (width && (*width & (*width - 1)) != 0) {
        faults.add("--width", fmt::format("{} is none of 1, 2, 4, 8, 16", *width));
        return std::nullopt;
    }
    return width ? std::optional(static_cast<int>(*width)) : std::nullopt;
}

void check_combination(const AccessOptions& options, OptionFaults& faults) {
    const bool formula =
        !(options.stride.empty() && options.offset.empty() && options.pitch.empty()) || options.column;
    if (!options.addresses.empty() && formula) {
        faults.add("--addresses", "excludes --stride, --offset, --pitch and --column");
    }
    if (options.column != !options.pitch.empty()) {
        faults.add(options.column ? "--column" : "--pitch",
                   "a column access needs both --pitch and --column");
    }
    if (options.column && !options.stride.empty()) {
        faults.add("--column", "excludes --stride: lanes are --pitch words apart");
    }
}

}  // namespace

WarpAccess read_access(const AccessOptions& options, OptionFaults& faults) {
    check_combination(options, faults);
    WarpAccess access;
    const auto width = read_width(options, faults);
    access.bytes_per_lane = width.value_or(access.bytes_per_lane);
    if (options.addresses.empty()) {
        by_formula(options, faults, access);
    } else {
        by_list(options, faults, access);
    }
    apply_mask(options, faults, access);
    if (width) {
        check_addresses(access, faults);
    }
    return access;
}

std::string describe_access(const AccessOptions& options) {
    const auto value = [](const std::string& text, const char* fallback) {
        return text.empty() ? std::string(fallback) : text;
    };
    if (!options.addresses.empty()) {
        return "listed addresses";
    }
    if (options.column) {
        return fmt::format("a column of a tile of pitch {} words from byte {}", options.pitch,
                           value(options.offset, "0"));
    }
    const auto stride = value(options.stride, "1");
    return fmt::format("stride {} {} from byte {}", stride, stride == "1" ? "word" : "words",
                       value(options.offset, "0"));
}

}  // namespace gpumodel::cli
