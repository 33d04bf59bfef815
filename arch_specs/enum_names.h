// The words that specs use for the enumerations of arch_spec.h, in enum order.
#pragma once

#include <span>
#include <string_view>

#include "arch_specs/arch_spec.h"
#include "base/enum_table.h"

namespace gpumodel {

inline constexpr auto coalescing_rule_names =
    enum_words<CoalescingRule>("cc1_0", "cc1_2", "cc2_x", "cc3_x", "cc5_x", "cc6_x");
inline constexpr auto shared_memory_rule_names =
    enum_words<SharedMemoryRule>("cc1_x", "cc2_x", "cc3_x", "cc5_x");
inline constexpr auto register_allocation_names = enum_words<RegisterAllocation>("block", "warp");
inline constexpr auto register_bank_map_names =
    enum_words<RegisterBankMap>("modulo", "kepler_quads", "unknown");
inline constexpr auto scheduler_policy_names =
    enum_words<SchedulerPolicy>("loose_round_robin", "greedy_then_oldest", "greedy_then_youngest",
                                "greedy_then_highest_slot", "two_way_chain");

// names_of<E>(): all words of one enumeration.
template <typename Enum>
[[nodiscard]] constexpr std::span<const std::string_view> names_of();

template <>
constexpr std::span<const std::string_view> names_of<CoalescingRule>() {
    return coalescing_rule_names;
}
template <>
constexpr std::span<const std::string_view> names_of<SharedMemoryRule>() {
    return shared_memory_rule_names;
}
template <>
constexpr std::span<const std::string_view> names_of<RegisterAllocation>() {
    return register_allocation_names;
}
template <>
constexpr std::span<const std::string_view> names_of<RegisterBankMap>() {
    return register_bank_map_names;
}
template <>
constexpr std::span<const std::string_view> names_of<SchedulerPolicy>() {
    return scheduler_policy_names;
}
template <>
constexpr std::span<const std::string_view> names_of<Pipe>() {
    return pipe_names;
}

// For enumerations listed above: the word of one value.
template <typename Enum>
[[nodiscard]] constexpr std::string_view name_of(Enum value) {
    return names_of<Enum>()[static_cast<std::size_t>(value)];
}

}  // namespace gpumodel
