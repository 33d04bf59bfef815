#include "traces/kernel/tiling/split_fragment.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr int group = 4;  // words of a 128-bit access

// Width of the access that covers words [begin, end) of one aligned group.
int access_width(int begin, int end) {
    if (end - begin >= 3) {
        return group;
    }
    return end - begin == 2 && begin % 2 == 0 ? 2 : 1;
}

}  // namespace

std::vector<FragmentPiece> split_fragment(int words, int steps, int pitch, int width) {
    std::vector<FragmentPiece> pieces;
    for (int step = 0; step < steps; ++step) {
        const int shift = step * pitch % group;  // position of the row's first word in its group
        for (int start = 0; start < shift + words; start += group) {
            const int begin = std::max(start, shift);
            const int end = std::min(start + group, shift + words);
            const int chosen = access_width(begin % group, begin % group + end - begin);
            if (chosen != width) {
                continue;
            }
            if (chosen == group) {
                pieces.push_back({step, start - shift});
                continue;
            }
            for (int word = begin; word < end; word += chosen) {
                pieces.push_back({step, word - shift});
            }
        }
    }
    return pieces;
}

}  // namespace gpumodel
