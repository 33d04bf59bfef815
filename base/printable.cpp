#include "base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gpumodel {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// One row of RFC 3629's syntax: bytes after the first are 0x80 to 0xbf, the second within its own range,
// which shuts out overlong forms, surrogates and what lies above U+10FFFF.
struct Form {
    std::uint8_t first_low, first_high;
    std::size_t length;
    std::uint8_t second_low, second_high;
};

constexpr std::array forms{
    Form{0x00, 0x7f, 1, 0, 0},       Form{0xc2, 0xdf, 2, 0x80, 0xbf}, Form{0xe0, 0xe0, 3, 0xa0, 0xbf},
    Form{0xe1, 0xec, 3, 0x80, 0xbf}, Form{0xed, 0xed, 3, 0x80, 0x9f}, Form{0xee, 0xef, 3, 0x80, 0xbf},
    Form{0xf0, 0xf0, 4, 0x90, 0xbf}, Form{0xf1, 0xf3, 4, 0x80, 0xbf}, Form{0xf4, 0xf4, 4, 0x80, 0x8f},
};

bool within(char c, std::uint8_t low, std::uint8_t high) {
    const auto byte = static_cast<std::uint8_t>(c);
    return byte >= low && byte <= high;
}

// Bytes of the sequence that `text` begins with, 0 if it is not well formed.
std::size_t sequence_length(std::string_view text) {
    const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& f) {
        return within(text.front(), f.first_low, f.first_high);
    });
    if (form == forms.end() || text.size() < form->length) {
        return 0;
    }
    for (std::size_t i = 1; i < form->length; ++i) {
        if (!within(text[i], i == 1 ? form->second_low : 0x80, i == 1 ? form->second_high : 0xbf)) {
            return 0;
        }
    }
    return form->length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string valid;
    while (!text.empty()) {
        const auto length = sequence_length(text);
        valid += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

std::string safe_to_print(std::string_view text) {
    std::string safe;
    for (const char c : valid_utf8(text)) {
        const bool control = within(c, 0x00, 0x1f) || c == 0x7f;
        safe += control ? replacement : std::string_view(&c, 1);
    }
    return safe;
}

}  // namespace gpumodel
