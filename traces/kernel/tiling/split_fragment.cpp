#include "traces/kernel/tiling/split_fragment.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr int group = 4;  // words of a 128-bit access

// Width of the access that covers word `begin` of the words [begin, end) wanted of one aligned group.
int access_width(int begin, int end, int widest) {
    if (end - begin >= 3 && widest == group) {
        return group;
    }
    return end - begin >= 2 && begin % 2 == 0 ? 2 : 1;
}

}  // namespace

std::vector<FragmentPiece> split_fragment(int words, int steps, int pitch, int width, int widest) {
    std::vector<FragmentPiece> pieces;
    for (int step = 0; step < steps; ++step) {
        const int shift = step * pitch % group;  // position of the row's first word in its group
        for (int start = 0; start < shift + words; start += group) {
            const int begin = std::max(start, shift);
            const int end = std::min(start + group, shift + words);
            int chosen = 0;
            for (int word = begin; word < end; word += chosen) {
                chosen = access_width(word - start, end - start, widest);
                const int first = chosen == group ? start : word;
                if (chosen == width) {
                    pieces.push_back({step, first - shift});
                }
                word = first;
            }
        }
    }
    return pieces;
}

}  // namespace gpumodel
