// Tables with an entry for each value of an enumeration that cannot fall behind it: a value without an entry,
// or an entry too many, is a compile error where the table stands. For enumerations that count from 0.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gpumodel {

// Compilers write the argument of this function as "E::name", or as "(E)7" where 7 has no name.
template <auto Value>
[[nodiscard]] consteval bool is_enumerator() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    const char after = text[text.rfind(')') + 1];
    return after < '0' || after > '9';
}

template <typename E, std::size_t N = 0>
[[nodiscard]] consteval std::size_t count_enumerators() {
    if constexpr (is_enumerator<static_cast<E>(N)>()) {
        return count_enumerators<E, N + 1>();
    } else {
        return N;
    }
}
template <typename E>
inline constexpr std::size_t enumerator_count = count_enumerators<E>();

// All values, in their order.
template <typename E>
inline constexpr auto enumerators = [] {
    std::array<E, enumerator_count<E>> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<E>(i);
    }
    return values;
}();

// One entry per value, in their order.
template <typename E, typename T, typename... Entries>
requires(sizeof...(Entries) == enumerator_count<E>)
    [[nodiscard]] constexpr std::array<T, sizeof...(Entries)> enum_table(Entries... entries) {
    return {T(entries)...};
}
template <typename E, typename... Words>
requires(sizeof...(Words) == enumerator_count<E>)
    [[nodiscard]] constexpr std::array<std::string_view, sizeof...(Words)> enum_words(Words... words) {
    return {std::string_view(words)...};
}

// Whether row i of a table says that it is value i's, for all of them.
template <typename E, typename Rows, typename Row>
[[nodiscard]] constexpr bool rows_in_order(const Rows& rows, E Row::*value) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].*value != static_cast<E>(i)) {
            return false;
        }
    }
    return rows.size() == enumerator_count<E>;
}

}  // namespace gpumodel
