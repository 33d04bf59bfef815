// What half_operations.cpp and float_half_operations.cpp share.
#pragma once

#include "tests/traces/emulate/half_operations.h"
#include "tests/traces/emulate/half_reference.h"

namespace half_operations {

namespace ref = half_reference;
using ref::Format;
using ref::Mode;
using u32 = std::uint32_t;
using Operations = std::vector<HalfOperation>;

inline constexpr u32 sign = 0x8000;

// A format, the letter that its operations' names begin with, and its suffix in SASS and conversions.
struct Kind {
    std::string letter, suffix, type, name;
    const Format* format;
    const std::vector<u32>* patterns;
};
inline const std::vector<Kind>& kinds() {
    static const std::vector<Kind> both{{"h", "", "F16", "half", &ref::half, &half_patterns},
                                        {"b", ".BF16_V2", "BF16", "bfloat", &ref::bfloat, &bfloat_patterns}};
    return both;
}
inline const Kind& halves() {
    return kinds()[0];
}

using OfHalves = std::function<u32(u32, u32, u32)>;

inline HalfOperation of_halves(std::string name, const Kind& kind, std::vector<std::string> lines,
                               OfHalves f) {
    return {std::move(name), triples_of(*kind.patterns), std::move(lines),
            [f = std::move(f)](const Triple& t) { return ref::by_halves(f, t[0], t[1], t[2]); }};
}

inline HalfOperation of_floats(std::string name, std::vector<std::string> lines,
                               std::function<u32(const Triple&)> expected) {
    return {std::move(name), triples_of(half_patterns, bfloat_patterns), std::move(lines),
            std::move(expected)};
}

}  // namespace half_operations
