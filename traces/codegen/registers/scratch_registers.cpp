#include "traces/codegen/registers/scratch_registers.h"

namespace gpumodel {

bool ScratchRegisters::is_free(int at, int width) const {
    for (int i = at; i < at + width; ++i) {
        if (taken_[static_cast<std::size_t>(i)]) {
            return false;
        }
    }
    return true;
}

void ScratchRegisters::mark(int at, int width, bool taken) {
    for (int i = at; i < at + width; ++i) {
        taken_[static_cast<std::size_t>(i)] = taken;
    }
}

bool ScratchRegisters::has_room(int width) const {
    for (int at = 0; at + width <= static_cast<int>(taken_.size()); at += width) {
        if (is_free(at, width)) {
            return true;
        }
    }
    return false;
}

int ScratchRegisters::take(int width, int bank) {
    const int size = static_cast<int>(taken_.size());
    if (width == 1) {
        for (const int parity : {bank, 1 - bank}) {
            for (int at = size - 2 + parity; at >= 0; at -= 2) {
                if (is_free(at, 1)) {
                    mark(at, 1, true);
                    return first_ + at;
                }
            }
        }
    }
    const int groups = size / width;
    for (int tried = 0; tried < groups; ++tried) {
        const int at = (next_ / width + tried) % groups * width;
        if (is_free(at, width)) {
            next_ = (at + width) % size;
            mark(at, width, true);
            return first_ + at;
        }
    }
    const int at = next_ / width % groups * width;
    next_ = (at + width) % size;
    mark(at, width, true);
    return first_ + at;
}

void ScratchRegisters::release(int first, int width) {
    mark(first - first_, width, false);
}

}  // namespace gpumodel
