#include "traces/emulate/operations/half.h"

#include <algorithm>

namespace gpumodel::emulate {

namespace {

// Whether what is left of the last place makes it the next one; `odd`: of the last place.
bool rounds_away(long double rest, bool odd, bool negative, Rounding rounding) {
    switch (rounding) {
        case Rounding::nearest:
            return rest > 0.5L || (rest == 0.5L && odd);
        case Rounding::down:
            return negative && rest > 0;
        case Rounding::up:
            return !negative && rest > 0;
        case Rounding::zero:
            break;
    }
    return false;
}

}  // namespace

std::uint32_t rounded_half(long double value, const HalfFormat& format, Rounding rounding) {
    const bool negative = std::signbit(value);
    const std::uint32_t sign = negative ? half_sign : 0;
    if (std::isnan(value)) {
        return half_nan;
    }
    if (std::isinf(value) || value == 0) {
        return sign | (value == 0 ? 0 : format.infinity);
    }
    int exponent = 0;
    std::frexp(value, &exponent);
    exponent = std::max(exponent - 1, format.lowest_exponent);
    const auto steps = std::ldexp(std::fabs(value), format.fraction_bits - exponent);
    const auto whole = static_cast<std::uint64_t>(steps);
    // the carry of rounding up runs into the exponent by itself
    auto code =
        (static_cast<std::uint64_t>(exponent - format.lowest_exponent) << format.fraction_bits) + whole;
    const auto rest = steps - static_cast<long double>(whole);
    if (rounds_away(rest, (whole & 1U) != 0, negative, rounding)) {
        ++code;
    }
    if (code >= format.infinity) {
        const bool away =
            rounding == Rounding::nearest || rounding == (negative ? Rounding::down : Rounding::up);
        return sign | (away ? format.infinity : format.infinity - 1);
    }
    return sign | static_cast<std::uint32_t>(code);
}

}  // namespace gpumodel::emulate
