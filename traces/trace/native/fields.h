// The fields of a structure, listed once for both directions: FieldWriter puts them into a JSON object,
// FieldReader takes them out and checks them. A number that is absent has the value that its list names (0
// where it names none), a flag is false, a text or list is empty; what says nothing is not written. Words are
// always there.
//
//     template <class Fields, class T>
//     void array_fields(Fields& f, T& array) {
//         f.text("name", array.name);
//         f.whole("bytes", array.bytes, 0, max_bytes);
//     }
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

class FieldWriter {
public:
    explicit FieldWriter(nlohmann::json& object) : object_(object) {}

    void text(const char* key, const std::string& value) { put(key, value, value.empty()); }
    void flag(const char* key, bool value) { put(key, value, !value); }
    void whole(const char* key, std::int64_t value, std::int64_t /*low*/, std::int64_t /*high*/,
               std::int64_t absent = 0) {
        put(key, value, value == absent);
    }
    // Not negative.
    void real(const char* key, double value) { put(key, value, value == 0); }
    template <class Enum>
    void word(const char* key, Enum value, std::span<const std::string_view> words) {
        put(key, words[static_cast<std::size_t>(value)], false);
    }
    // By name; zeros are left out.
    void counts(const char* key, std::span<const double> values, std::span<const std::string_view> names) {
        nlohmann::json list;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != 0) {
                list[std::string(names[i])] = values[i];
            }
        }
        put(key, std::move(list), list.empty());
    }
    // `each(fields, value)`: the list of the value's fields.
    template <class T, class Each>
    void object(const char* key, const T& value, Each each, bool present = true) {
        auto inner = nlohmann::json::object();
        FieldWriter fields(inner);
        each(fields, value);
        put(key, std::move(inner), !present);
    }
    template <class List, class Each>
    void list(const char* key, const List& values, Each each) {
        auto items = nlohmann::json::array();
        for (const auto& value : values) {
            FieldWriter fields(items.emplace_back(nlohmann::json::object()));
            each(fields, value);
        }
        put(key, std::move(items), values.empty());
    }
    // The first `count` of an array.
    template <class Array, class Each>
    void array(const char* key, const Array& values, std::uint8_t count, Each each) {
        list(key, std::span(values).first(count), each);
    }
    void texts(const char* key, const std::vector<std::string>& values) { put(key, values, values.empty()); }

private:
    template <class T>
    void put(const char* key, T&& value, bool absent) {
        if (!absent) {
            object_[key] = std::forward<T>(value);
        }
    }
    nlohmann::json& object_;
};

// What is wrong, and where in the document: "body.nodes[2].segments[0].thread_end".
struct FieldFault {
    std::string path, message;
};

// Throws FieldFault for what is missing, of another kind, out of bounds or not listed.
class FieldReader {
public:
    FieldReader(const nlohmann::json& object, const char* key, const FieldReader* outer = nullptr,
                std::ptrdiff_t index = -1);

    void text(const char* key, std::string& value);
    void flag(const char* key, bool& value);
    template <class Int>
    void whole(const char* key, Int& value, std::int64_t low, std::int64_t high, std::int64_t absent = 0) {
        value = static_cast<Int>(number(key, low, high, absent));
    }
    void real(const char* key, double& value);
    template <class Enum>
    void word(const char* key, Enum& value, std::span<const std::string_view> words) {
        value = static_cast<Enum>(place(key, words));
    }
    void counts(const char* key, std::span<double> values, std::span<const std::string_view> names);
    template <class T, class Each>
    void object(const char* key, T& value, Each each, bool /*present*/ = true) {
        if (const auto* found = find(key)) {
            FieldReader fields(*found, key, this);
            each(fields, value);
            fields.expect_all_read();
        }
    }
    template <class T, class Each>
    void list(const char* key, std::vector<T>& values, Each each) {
        for (const auto& item : items(key)) {
            FieldReader fields(item, key, this, static_cast<std::ptrdiff_t>(values.size()));
            each(fields, values.emplace_back());
            fields.expect_all_read();
        }
    }
    template <class T, std::size_t N, class Each>
    void array(const char* key, std::array<T, N>& values, std::uint8_t& count, Each each) {
        std::vector<T> found;
        list(key, found, each);
        if (found.size() > N) {
            fail(key, "has too many elements");
        }
        std::copy(found.begin(), found.end(), values.begin());
        count = static_cast<std::uint8_t>(found.size());
    }
    void texts(const char* key, std::vector<std::string>& values);

    // The elements of an array; none if it is absent.
    [[nodiscard]] std::span<const nlohmann::json> items(const char* key);
    [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
    [[nodiscard]] std::int64_t number(const char* key, std::int64_t low, std::int64_t high,
                                      std::int64_t absent = 0);
    // An element of items(key).
    [[nodiscard]] std::int64_t element(const char* key, const nlohmann::json& value, std::int64_t low,
                                       std::int64_t high) const;
    void expect_all_read() const;
    [[noreturn]] void fail(std::string_view key, std::string message) const;

private:
    [[nodiscard]] const nlohmann::json* find(const char* key);
    [[nodiscard]] std::size_t place(const char* key, std::span<const std::string_view> words);
    [[nodiscard]] double count(const char* key, const nlohmann::json& value) const;

    const nlohmann::json& object_;
    const char* key_;
    const FieldReader* outer_;
    std::ptrdiff_t index_;
    std::size_t read_ = 0;
};

}  // namespace gpumodel
