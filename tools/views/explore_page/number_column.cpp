#include "tools/views/explore_page/number_column.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

namespace gpumodel::cli::page {
namespace {

using Json = nlohmann::ordered_json;

void append_little_endian(std::string& bytes, std::uint64_t value, int width) {
    constexpr unsigned bits_per_byte = 8;
    for (int i = 0; i < width; ++i) {
        bytes += static_cast<char>((value >> (bits_per_byte * static_cast<unsigned>(i))) & 0xffU);
    }
}

constexpr int double_bytes = 8;

std::string doubles_text(const std::vector<std::uint64_t>& patterns) {
    std::string bytes;
    for (const auto pattern : patterns) {
        append_little_endian(bytes, pattern, double_bytes);
    }
    return base64(bytes);
}

bool alike_in_rows(const std::vector<std::uint64_t>& patterns, std::size_t each) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        if (patterns[i] != patterns[i - i % each]) {
            return false;
        }
    }
    return true;
}

struct Distinct {
    std::vector<std::uint64_t> patterns;  // in order of appearance
    std::vector<std::size_t> places;
};

Distinct distinct_of(const std::vector<std::uint64_t>& patterns) {
    Distinct result;
    std::map<std::uint64_t, std::size_t> known;
    for (const auto pattern : patterns) {
        const auto [found, is_new] = known.try_emplace(pattern, result.patterns.size());
        if (is_new) {
            result.patterns.push_back(pattern);
        }
        result.places.push_back(found->second);
    }
    return result;
}

int index_width(std::size_t count) {
    constexpr std::size_t one_byte = 1U << 8U;
    constexpr std::size_t two_bytes = 1U << 16U;
    return count <= one_byte ? 1 : count <= two_bytes ? 2 : 4;
}

}  // namespace

std::string base64(std::string_view bytes) {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto here = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = bits << 8U | (i < here ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= here ? digits[bits >> (18U - 6U * static_cast<unsigned>(i)) & 63U] : '=';
        }
    }
    return text;
}

Json number_column(const std::vector<double>& values, std::size_t each) {
    std::vector<std::uint64_t> patterns;
    patterns.reserve(values.size());
    std::transform(values.begin(), values.end(), std::back_inserter(patterns),
                   [](double value) { return std::bit_cast<std::uint64_t>(value); });
    Json column;
    column["per"] = each;
    if (alike_in_rows(patterns, each)) {
        std::vector<std::uint64_t> first;
        for (std::size_t i = 0; i < patterns.size(); i += each) {
            first.push_back(patterns[i]);
        }
        patterns = std::move(first);
        column["per"] = 1;
    }
    const auto unique = distinct_of(patterns);
    if (unique.patterns.size() <= 1) {
        const double value = values.empty() ? 0 : values.front();
        column["c"] = std::isfinite(value) ? Json(value) : Json(nullptr);
        return column;
    }
    const int width = index_width(unique.patterns.size());
    if (unique.patterns.size() * double_bytes + patterns.size() * static_cast<std::size_t>(width) >=
        patterns.size() * double_bytes) {
        column["f"] = doubles_text(patterns);
        return column;
    }
    std::string places;
    for (const auto place : unique.places) {
        append_little_endian(places, place, width);
    }
    column["u"] = doubles_text(unique.patterns);
    column["w"] = width;
    column["i"] = base64(places);
    return column;
}

}  // namespace gpumodel::cli::page
