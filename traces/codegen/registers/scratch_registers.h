// The registers that fragments and words on their way take turns in. First in, first out as far as possible,
// so that a register is not written again right after its last reader.
#pragma once

#include <vector>

namespace gpumodel {

class ScratchRegisters {
public:
    // [first, first + words), both multiples of four.
    ScratchRegisters(int first, int words) : first_(first), taken_(static_cast<std::size_t>(words), false) {}

    // `width` (1, 2, 4) consecutive registers, aligned to it; single ones with number mod 2 = bank where one
    // is free, from the upper end. Takes registers in use where none are left.
    [[nodiscard]] int take(int width, int bank = 0);
    void release(int first, int width);
    [[nodiscard]] bool has_room(int width) const;

private:
    [[nodiscard]] bool is_free(int at, int width) const;
    void mark(int at, int width, bool taken);

    int first_;
    std::vector<bool> taken_;
    int next_ = 0;  // where the search for the next aligned group begins
};

}  // namespace gpumodel
