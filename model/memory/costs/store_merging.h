// Stores that join one another on their way to L2.
//
// A store that fills a sector only in part may still be on its way when the same warp's next store brings
// more of the sector: then L2 gets one write of both. Of such pieces
//   part that joins = at_most * (1 - bytes of the piece / 32)
// `estimated`: H200 counters (validate/data/h200_sxm_counters.csv, calibration half), writes of L2 over
// stored sectors: 0.63 to 0.80 where a sector is stored in eight pieces of 4 bytes, 0.65 to 0.75 in four,
// 0.90 to 0.99 in two of 16; stores of whole sectors are as many writes. Not known by which rule of time or
// place.
//
// Ignored: pieces of other warps (0.93 for copies off by one word, 1.00 for transposes), other generations
// than sm_90 (as there).
#pragma once

namespace gpumodel {

struct StoreMerging {
    double at_most = 0.43;
    static constexpr double sector_bytes = 32;
    // Of the pieces that come right behind another one of their sector.
    [[nodiscard]] double joining(double piece_bytes) const {
        return at_most * (1 - piece_bytes / sector_bytes);
    }
};

}  // namespace gpumodel
