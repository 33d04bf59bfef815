// Shared-memory words of a fragment whose rows start at every alignment (odd pitch, k loop unrolled):
// ptxas covers each aligned group of four words that the fragment touches with one access: 128-bit if
// three or four of them are wanted (a word may be read for nothing), 64-bit for an aligned pair, else
// 32-bit. Seen in cuobjdump listings of bank_extracol on sm_35, sm_70, sm_86 and sm_90 (nvcc 11.8). Where
// the body is not the whole k loop, no access is wider than 64 bits (sm_90, one listing).
#pragma once

#include <vector>

namespace gpumodel {

struct FragmentPiece {
    int step = 0;    // k step
    int offset = 0;  // first word, relative to the step's first fragment word; may be negative
};

// The pieces of `width` words (1, 2 or 4) of a fragment of `words` consecutive words (a multiple of
// four, the first row aligned to 16 bytes) over `steps` rows that lie `pitch` words apart; no access takes
// more than `widest` words (2 or 4).
[[nodiscard]] std::vector<FragmentPiece> split_fragment(int words, int steps, int pitch, int width,
                                                        int widest);

}  // namespace gpumodel
