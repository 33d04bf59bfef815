// A column of figures as compact json: exact, for a page's script to read as typed arrays.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel::cli::page {

// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

// `values` holds `each` values per row, one after the other. The shortest of
//   {"c": 1.5}                             all alike (null: NaN)
//   {"f": base64}                          doubles, little-endian
//   {"u": base64, "w": 2, "i": base64}     distinct doubles, and where each value stands among them as
//                                          little-endian indices of w = 1, 2 or 4 bytes
// with "per": 1 when the values of each row are alike and stand once, else `each`.
[[nodiscard]] nlohmann::ordered_json number_column(const std::vector<double>& values, std::size_t each);

}  // namespace gpumodel::cli::page
