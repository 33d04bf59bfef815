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

// The 21 bits from `first` on.
SassControl control_at(std::uint64_t word, int first) {
    SassControl control;
    control.known = true;
    control.stall = static_cast<int>(field(word, first, 4));
    control.gives_way = field(word, first + 4, 1) == 0;
    control.write_barrier = barrier(field(word, first + 5, 3));
    control.read_barrier = barrier(field(word, first + 8, 3));
    control.wait_mask = field(word, first + 11, 6);
    control.reuse = field(word, first + 17, 4);
    return control;
}

}  // namespace

SassControl volta_control(std::uint64_t high) {
    constexpr int high_word = 64;  // the header's bit numbers count from the low word
    return control_at(high, 105 - high_word);
}

bool is_maxwell_control_word(std::uint64_t word) {
    return field(word, 63, 1) == 0;
}

SassControl maxwell_control(std::uint64_t word, int position) {
    constexpr int bits = 21;
    auto control = control_at(word, bits * position);
    control.dual_issue = control.stall == 0;
    return control;
}

bool is_kepler_control_word(std::uint64_t word) {
    return field(word, 58, 6) == 2 && field(word, 0, 2) == 0;
}

SassControl kepler_control(std::uint64_t word, int position) {
    return kepler_code_meaning(field(word, 2 + 8 * position, 8));
}

namespace {

// Cycles to the warp's next instruction, of a code that issues alone (control_word.h).
int kepler_wait(unsigned code) {
    constexpr int of_zero = 16;
    constexpr int longest = 32;
    constexpr unsigned first_wait = 0x20;
    constexpr unsigned texture_bit = 0x80;
    constexpr unsigned first_single_steps = 0xe0;
    if (code < first_wait) {
        return code == 0 ? of_zero : 1;
    }
    const bool double_steps = (code & texture_bit) != 0 && code < first_single_steps;
    const int steps = static_cast<int>(code & (double_steps ? 0x0fU : 0x1fU));
    constexpr int most_double = 10;
    constexpr int most_single = 20;
    if (steps > (double_steps ? most_double : most_single)) {
        return longest;
    }
    return (double_steps ? 2 * steps : steps) + 1;
}

}  // namespace

SassControl kepler_code_meaning(unsigned code) {
    SassControl control;
    control.known = true;
    control.kepler_code = code;
    control.dual_issue = code == 0x04;
    control.texture_wait = (code & 0x80U) != 0;
    control.stall = control.dual_issue ? 0 : kepler_wait(code);
    return control;
}

}  // namespace gpumodel
