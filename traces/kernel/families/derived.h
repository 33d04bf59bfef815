// Parameters that a family derives from its others (DerivedParam).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "traces/kernel/family.h"

namespace gpumodel {

// Block and shared-memory tiles of the kernels without tile parameters are 32 x 32.
inline constexpr int fixed_side = 32;

// nullopt unless `divisor` divides `value`.
[[nodiscard]] constexpr std::optional<std::int64_t> exact_quotient(std::int64_t value, std::int64_t divisor) {
    return divisor > 0 && value % divisor == 0 ? std::optional(value / divisor) : std::nullopt;
}

// A number that the family's code has written out.
template <std::int64_t number>
[[nodiscard]] DerivedParam constant_param(std::string name, std::string meaning) {
    return {std::move(name), std::to_string(number), std::move(meaning),
            [](const ParamValues&) { return std::optional(number); }};
}

template <std::int64_t number>
[[nodiscard]] DerivedParam constant_threads() {
    return constant_param<number>("THREADS", "threads per block");
}

// One thread for each TM x TN results of the block tile.
[[nodiscard]] inline DerivedParam thread_tile_threads() {
    return {"THREADS", "BM*BN/(TM*TN)", "threads per block", [](const ParamValues& p) {
                return exact_quotient(p.at("BM") * p.at("BN"), p.at("TM") * p.at("TN"));
            }};
}

}  // namespace gpumodel
