// Numbers as text: for programs (csv, json) and for people.
#pragma once

#include <cstdint>
#include <string>

namespace gpumodel {

// Plain decimals without an exponent or zeros at the end: 7 significant digits from 1 on, 7 decimals below,
// 11 below 0.01. Whole numbers up to 1e15 in full. "" for what is no number.
[[nodiscard]] std::string number(double value);

// "12.35 ms", "1.05 TB/s": three to four significant digits with an SI prefix.
[[nodiscard]] std::string human_time(double seconds);
[[nodiscard]] std::string human_si(double value, const std::string& unit);
[[nodiscard]] std::string human_bytes(double bytes);

// "1,234,567"
[[nodiscard]] std::string grouped(std::int64_t value);

}  // namespace gpumodel
