// Text from files and command lines, made safe to print and to put into JSON.
#pragma once

#include <string>
#include <string_view>

namespace gpumodel {

// `text` with every byte that is not part of a well-formed UTF-8 sequence (RFC 3629, section 4) replaced
// by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// valid_utf8 whose control characters (U+0000 to U+001F and U+007F) are replaced by U+FFFD as well.
[[nodiscard]] std::string safe_to_print(std::string_view text);

}  // namespace gpumodel
