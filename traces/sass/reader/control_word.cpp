#include "traces/sass/reader/control_word.h"

namespace gpumodel {

namespace {

unsigned field(std::uint64_t word, int first, int bits) {
    return static_cast<unsigned>((word >> first) & ((std::uint64_t{1} << bits) - 1));
}

int barrier(unsigned index) {
    constexpr unsigned none = 7;
    return index == none ? -1 : static_cast<int>(index);
}

}  // namespace

SassControl volta_control(std::uint64_t high) {
    constexpr int high_word = 64;  // the header's bit numbers count from the low word
    SassControl control;
    control.known = true;
    control.stall = static_cast<int>(field(high, 105 - high_word, 4));
    control.gives_way = field(high, 109 - high_word, 1) == 0;
    control.write_barrier = barrier(field(high, 110 - high_word, 3));
    control.read_barrier = barrier(field(high, 113 - high_word, 3));
    control.wait_mask = field(high, 116 - high_word, 6);
    control.reuse = field(high, 122 - high_word, 4);
    return control;
}

bool is_kepler_control_word(std::uint64_t word) {
    return field(word, 58, 6) == 2 && field(word, 0, 2) == 0;
}

SassControl kepler_control(std::uint64_t word, int position) {
    return kepler_code_meaning(field(word, 2 + 8 * position, 8));
}

SassControl kepler_code_meaning(unsigned code) {
    SassControl control;
    control.known = true;
    control.kepler_code = code;
    control.dual_issue = code == 0x04 || code == 0x05;
    control.texture_wait = (code & 0x80U) != 0;
    constexpr int long_wait = 16;
    if (control.dual_issue) {
        control.stall = 0;
    } else if (code == 0) {
        control.stall = long_wait;
    } else {
        control.stall = static_cast<int>(code & 0x1fU) + 1;
    }
    return control;
}

}  // namespace gpumodel
