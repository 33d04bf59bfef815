#include "traces/emulate/data/given_data.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/files/file_text.h"
#include "base/parse.h"
#include "base/units.h"
#include "traces/emulate/data/npy.h"

namespace gpumodel {
namespace {

struct ElementType {
    std::string_view name;
    int bytes;
    bool is_float, is_signed;
};
constexpr std::array<ElementType, 10> element_types{{{"i8", 1, false, true},
                                                     {"u8", 1, false, false},
                                                     {"i16", 2, false, true},
                                                     {"u16", 2, false, false},
                                                     {"i32", 4, false, true},
                                                     {"u32", 4, false, false},
                                                     {"i64", 8, false, true},
                                                     {"u64", 8, false, false},
                                                     {"f32", 4, true, true},
                                                     {"f64", 8, true, true}}};

const ElementType* find_type(std::string_view name) {
    for (const auto& type : element_types) {
        if (type.name == name) {
            return &type;
        }
    }
    return nullptr;
}

class FileData final : public GivenData {
public:
    FileData(std::string content, std::size_t begin) : content_(std::move(content)), begin_(begin) {}
    [[nodiscard]] std::int64_t bytes() const override {
        return static_cast<std::int64_t>(content_.size() - begin_);
    }
    [[nodiscard]] std::uint64_t read(std::int64_t offset, int count) const override {
        std::uint64_t value = 0;
        std::memcpy(&value, content_.data() + begin_ + offset, static_cast<std::size_t>(count));
        return value;
    }

private:
    std::string content_;
    std::size_t begin_;
};

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: element i of a seed
// without those before it.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t i) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    std::uint64_t z = (seed * 0xd1342543de82ef95U) + (i + 1) * golden;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

struct Rule {
    enum class Kind : unsigned char { zeros, iota, random };
    Kind kind = Kind::zeros;
    const ElementType* type = nullptr;
    std::uint64_t seed = 0;
    bool has_range = false;
    double low = 0, high = 1;          // floating point
    std::int64_t first = 0, last = 0;  // whole numbers
};

class RuleData final : public GivenData {
public:
    RuleData(const Rule& rule, std::int64_t bytes) : rule_(rule), bytes_(bytes) {}
    [[nodiscard]] std::int64_t bytes() const override { return bytes_; }
    [[nodiscard]] std::uint64_t read(std::int64_t offset, int count) const override {
        if (rule_.kind == Rule::Kind::zeros) {
            return 0;
        }
        std::uint64_t value = 0;
        for (int done = 0; done < count;) {
            const auto at = offset + done;
            const auto inside = at % rule_.type->bytes;
            const auto part = std::min<std::int64_t>(rule_.type->bytes - inside, count - done);
            auto bits = element(static_cast<std::uint64_t>(at / rule_.type->bytes)) >> (8 * inside);
            bits &= part == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * part)) - 1;
            value |= bits << (8 * done);
            done += static_cast<int>(part);
        }
        return value;
    }

private:
    [[nodiscard]] std::uint64_t float_bits(double value) const {
        return rule_.type->bytes == 8 ? std::bit_cast<std::uint64_t>(value)
                                      : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }

    // Bits beyond the type's are not read.
    [[nodiscard]] std::uint64_t element(std::uint64_t i) const {
        if (rule_.kind == Rule::Kind::iota) {
            return rule_.type->is_float ? float_bits(static_cast<double>(i)) : i;
        }
        const auto random = mixed(rule_.seed, i);
        if (rule_.type->is_float) {
            const double unit = static_cast<double>(random >> 11U) * 0x1p-53;
            return float_bits(rule_.low + (rule_.high - rule_.low) * unit);
        }
        const auto extent =
            static_cast<std::uint64_t>(rule_.last) - static_cast<std::uint64_t>(rule_.first) + 1;
        return static_cast<std::uint64_t>(rule_.first) + (extent == 0 ? random : random % extent);
    }

    Rule rule_;
    std::int64_t bytes_;
};

constexpr std::string_view rules =
    "; allowed: zeros, iota[:TYPE], random[:SEED][:LO..HI][:TYPE], @FILE, with TYPE one of i8 u8 i16 u16 i32 "
    "u32 "
    "i64 u64 f32 f64";

// "0..1023", "-1.0..1.0".
std::string read_range(std::string_view text, Rule& rule, bool& whole) {
    const auto dots = text.find("..");
    const auto low = trim(text.substr(0, dots)), high = trim(text.substr(dots + 2));
    const auto first = parse_number<std::int64_t>(low), last = parse_number<std::int64_t>(high);
    const auto from = parse_number<double>(low), to = parse_number<double>(high);
    if (!from || !to || *to < *from) {
        return fmt::format("{} is no range LO..HI of two numbers, the lower one first", cite(text));
    }
    whole = first && last;
    rule.has_range = true;
    rule.first = first.value_or(0);
    rule.last = last.value_or(0);
    rule.low = *from;
    rule.high = *to;
    return {};
}

// Whether all whole numbers of the range are numbers of the type.
bool range_fits(const Rule& rule) {
    const int bits = 8 * rule.type->bytes;
    if (rule.type->is_signed) {
        const auto most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
        return rule.first >= -most - 1 && rule.last <= most;
    }
    return rule.first >= 0 && (bits == 64 || rule.last <= (std::int64_t{1} << bits) - 1);
}

std::string set_random_type(Rule& rule, bool whole) {
    if (rule.type == nullptr) {
        rule.type = find_type(rule.has_range && whole ? "i32" : "f32");
    }
    if (rule.type->is_float) {
        return {};
    }
    if (!rule.has_range) {
        return fmt::format("whole numbers ({}) need a range LO..HI", rule.type->name);
    }
    if (!whole) {
        return fmt::format("the range of {} must be of whole numbers", rule.type->name);
    }
    return range_fits(rule)
               ? ""
               : fmt::format("the range {}..{} is beyond {}", rule.first, rule.last, rule.type->name);
}

std::string read_random(std::span<const std::string_view> words, Rule& rule) {
    bool whole = false;
    bool seeded = false;
    for (const auto word : words) {
        const auto seed = parse_number<std::uint64_t>(word);
        if (word.find("..") != std::string_view::npos && !rule.has_range) {
            if (auto fault = read_range(word, rule, whole); !fault.empty()) {
                return fault;
            }
        } else if (seed && !seeded && !rule.has_range) {
            rule.seed = *seed;
            seeded = true;
        } else if (const auto* type = find_type(word); type != nullptr && rule.type == nullptr) {
            rule.type = type;
        } else {
            return fmt::format("{} is not understood here{}", cite(word), rules);
        }
    }
    return set_random_type(rule, whole);
}

std::string read_rule(std::string_view text, Rule& rule) {
    const auto words = split(text, ':');
    const std::span<const std::string_view> rest(words.begin() + 1, words.end());
    if (words.front() == "zeros" && rest.empty()) {
        return {};
    }
    if (words.front() == "iota" && rest.size() <= 1) {
        rule.kind = Rule::Kind::iota;
        rule.type = find_type(rest.empty() ? "i32" : rest.front());
        return rule.type != nullptr ? "" : fmt::format("{} is no type{}", cite(rest.front()), rules);
    }
    if (words.front() == "random") {
        rule.kind = Rule::Kind::random;
        return read_random(rest, rule);
    }
    return fmt::format("{} is no contents of an allocation{}", cite(text), rules);
}

}  // namespace

std::shared_ptr<const GivenData> given_file(const std::string& path) {
    constexpr std::uint64_t most = std::uint64_t{1} << 34U;  // an array may fill a memory
    auto [content, fault] = read_text(path, most, Content::bytes);
    if (!fault.empty()) {
        throw InputError(InputErrorKind::usage, {{"--args", 0, 0, '@' + path, fault}});
    }
    std::size_t begin = 0;
    if (path.ends_with(".npy")) {
        const auto header = read_npy_header(content);
        if (!header.fault.empty()) {
            throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", header.fault}});
        }
        begin = header.data_begin;
    }
    if (content.size() == begin) {
        throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", "holds no data"}});
    }
    return std::make_shared<FileData>(std::move(content), begin);
}

GivenResult given_rule(std::string_view text, std::int64_t bytes) {
    Rule rule;
    auto fault = read_rule(text, rule);
    if (!fault.empty()) {
        return {nullptr, std::move(fault)};
    }
    return {std::make_shared<RuleData>(rule, bytes), {}};
}

}  // namespace gpumodel
