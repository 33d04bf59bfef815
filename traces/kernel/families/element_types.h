// Elements that tensor cores multiply, and what their products are added up in: values of TYPE and ACC
// (validate/kernels/mma.cuh).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/kernel/family.h"

namespace gpumodel {

enum class ProductSum : unsigned char { f32, f16, s32 };
struct SumType {
    std::string_view word;
    std::int64_t bytes;
};
inline constexpr std::array<SumType, 3> sum_types{{{"f32", 4}, {"f16", 2}, {"s32", 4}}};

struct ElementType {
    std::string_view word;
    std::int64_t bytes;
    ProductSum own_sum;    // the default of ACC, and all there is but for f16
    int least_capability;  // PTX ISA, mma: f16 m8n8k4 from sm_70, s8 m8n8k16 from sm_75, bf16 and tf32 from
                           // sm_80

    [[nodiscard]] std::int64_t piece() const { return 16 / bytes; }  // elements that a thread loads at once
    [[nodiscard]] std::int64_t step() const { return 32 / bytes; }   // k of a product
    // B of 16-bit elements is row-major, of the others column-major: products want a column's k side by side,
    // and matrix loads and wgmma turn 16-bit elements alone round.
    [[nodiscard]] bool b_by_columns() const { return bytes != 2; }
};
inline constexpr std::array<ElementType, 4> element_types{{{"f16", 2, ProductSum::f32, 70},
                                                           {"bf16", 2, ProductSum::f32, 80},
                                                           {"tf32", 4, ProductSum::f32, 80},
                                                           {"int8", 1, ProductSum::s32, 75}}};
inline constexpr std::size_t f16_elements = 0;  // its place among them

[[nodiscard]] inline const ElementType& element_type(const ParamValues& params) {
    return element_types.at(static_cast<std::size_t>(params.at("TYPE")));
}
[[nodiscard]] inline const SumType& sum_type(ProductSum sum) {
    return sum_types.at(static_cast<std::size_t>(sum));
}

template <class Types>
[[nodiscard]] std::vector<std::string> type_words(const Types& types) {
    std::vector<std::string> words;
    for (const auto& type : types) {
        words.emplace_back(type.word);
    }
    return words;
}

[[nodiscard]] inline ParamSpec word_param(std::string name, std::string meaning,
                                          std::vector<std::string> words) {
    ParamSpec spec{std::move(name), 0, 0, static_cast<std::int64_t>(words.size()) - 1, std::move(meaning)};
    spec.words = std::move(words);
    return spec;
}

}  // namespace gpumodel
