// How the rows of the schema are written: one call per field, its type taken from the accessor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arch_specs/enum_names.h"
#include "arch_specs/schema/schema.h"

namespace gpumodel::schema_rows {

using D = Dimension;  // every row names one

template <typename T>
struct ElementOf {
    using type = T;
};
template <typename T>
struct ElementOf<std::optional<T>> {
    using type = T;
};

template <typename T>
inline constexpr bool is_list = false;
template <typename T>
inline constexpr bool is_list<std::vector<T>> = true;

template <typename T>
constexpr FieldKind kind_of() {
    using E = typename ElementOf<T>::type;
    if constexpr (std::is_same_v<E, bool>) {
        return FieldKind::flag;
    } else if constexpr (std::is_same_v<E, ComputeCapability>) {
        return FieldKind::compute_capability;
    } else if constexpr (is_list<E>) {
        return FieldKind::list;
    } else if constexpr (std::is_arithmetic_v<E>) {
        return FieldKind::number;
    } else {
        return FieldKind::word;
    }
}

template <typename T>
constexpr bool is_whole() {
    using E = typename ElementOf<T>::type;
    return is_list<E> || (std::is_integral_v<E> && !std::is_same_v<E, bool>);
}

ComputeCapability compute_capability_from(const std::string& text);
std::string compute_capability_text(ComputeCapability cc);

// `value` holds the alternative that kind_of<T>() announces; the parser has seen to it.
template <typename T>
T from_value(const FieldValue& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return std::get<bool>(value);
    } else if constexpr (std::is_same_v<T, ComputeCapability>) {
        return compute_capability_from(std::get<std::string>(value));
    } else if constexpr (is_list<T>) {
        T list;
        for (const double item : std::get<std::vector<double>>(value)) {
            list.push_back(static_cast<typename T::value_type>(item));
        }
        return list;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(std::get<double>(value));
    } else if constexpr (std::is_enum_v<T>) {
        const auto names = names_of<T>();
        std::size_t index = 0;
        while (names[index] != std::get<std::string>(value)) {
            ++index;
        }
        return static_cast<T>(index);
    } else {
        return std::get<std::string>(value);
    }
}

template <typename T>
FieldValue to_value(const T& member) {
    if constexpr (std::is_same_v<T, ComputeCapability>) {
        return compute_capability_text(member);
    } else if constexpr (is_list<T>) {
        return std::vector<double>(member.begin(), member.end());
    } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        return static_cast<double>(member);
    } else if constexpr (std::is_enum_v<T>) {
        return std::string(name_of(member));
    } else {
        return member;  // flags and texts
    }
}

template <typename T>
FieldValue to_value(const std::optional<T>& member) {
    return member ? to_value(*member) : FieldValue{};
}

template <typename T>
std::span<const std::string_view> words_of() {
    if constexpr (std::is_enum_v<T>) {
        return names_of<T>();
    } else {
        return {};
    }
}

// access(spec) is the member that the key stands for; called with const and with mutable specs.
template <typename Access>
Field row(std::string key, Dimension dimension, Need need, double min, double max, std::string meaning,
          Access access) {
    using Member = std::remove_cvref_t<decltype(access(std::declval<ArchSpec&>()))>;
    using Element = typename ElementOf<Member>::type;
    Field field{std::move(key),
                kind_of<Member>(),
                dimension,
                is_whole<Member>(),
                need,
                min,
                max,
                std::move(meaning),
                words_of<Element>(),
                {},
                {},
                false};
    field.set = [access](ArchSpec& spec, const FieldValue& value) {
        if (std::holds_alternative<std::monostate>(value)) {
            access(spec) = Member{};
        } else {
            access(spec) = from_value<Element>(value);
        }
    };
    field.get = [access](const ArchSpec& spec) { return to_value(access(spec)); };
    return field;
}

// Flags and words have neither unit nor range.
template <typename Access>
Field row(std::string key, Need need, std::string meaning, Access access) {
    return row(std::move(key), Dimension::count, need, 0, 0, std::move(meaning), access);
}

void add_chip_rows(std::vector<Field>& rows);
void add_power_rows(std::vector<Field>& rows);  // called by add_chip_rows
void add_sm_rows(std::vector<Field>& rows);
void add_op_rows(std::vector<Field>& rows);
void add_memory_rows(std::vector<Field>& rows);

}  // namespace gpumodel::schema_rows
