#include "traces/emulate/translate/comparison_modifiers.h"

namespace gpumodel::emulate {

namespace {

// "GE", "NEU": the U stands for unordered operands and must not be taken for an unsigned type.
bool read_compare(std::string_view name, Comparison& comparison) {
    static constexpr std::string_view names[] = {"LT", "EQ", "LE", "GT", "NE", "GE", "F", "T", "NUM", "NAN"};
    const bool unordered = name.size() == 3 && name.back() == 'U' && name != "NUM";
    const auto base = unordered ? name.substr(0, 2) : name;
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (base == names[i]) {
            comparison.compare = static_cast<Compare>(i);
            comparison.unordered = unordered;
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<Join> join_named(std::string_view name) {
    if (name == "AND") {
        return Join::with_and;
    }
    if (name == "OR") {
        return Join::with_or;
    }
    return name == "XOR" ? std::optional(Join::with_xor) : std::nullopt;
}

Comparison comparison_of(Translator& t) {
    Comparison comparison;
    bool found = false;
    for (const auto& modifier : t.in().modifiers) {
        if (const auto join = join_named(modifier)) {
            comparison.join = *join;
        } else {
            found = read_compare(modifier, comparison) || found;
        }
    }
    if (!found) {
        t.unsupported("names no comparison that is emulated");
    }
    return comparison;
}

}  // namespace gpumodel::emulate
