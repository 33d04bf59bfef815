// Products of a warp group (HGMMA, IGMMA): 64 rows of A, 16 for each of its four warps, times N columns of B.
// Here a warp computes its rows when it comes to the instruction: until the products have been waited for,
// nobody may change their operands (PTX ISA, "asynchronous warpgroup level matrix instructions").
//
// Descriptors of matrices in shared memory (PTX ISA, "matrix descriptor"): start address, leading and stride
// byte offset in units of 16 bytes at bits 0, 16 and 32, swizzle at bit 62. With W = 1 (no
// swizzle), 2, 4, 8, a matrix is put together of
//   along K (rows of A, columns of B):  8 rows, `stride` from one to the next eight; of 16 bytes along K the
//                                       second is `leading` away, or 16 bytes where W > 1
//   along M or N (.tnspA, .tnspB):      8 k of 16 W bytes; `leading` from one 16 W bytes along M or N to the
//                                       next, `stride` from one 8 k to the next; W = 1: the other way round
// and bits 4 ... 4 + log2 W - 1 of an address are exclusive-ored with those three places further up.
// Ignored: the base offset of a matrix whose pattern does not begin at a multiple of 8 W 16 bytes; it is
// refused.
#pragma once

#include "traces/emulate/operations/tensor_operations.h"

namespace gpumodel::emulate {

// What multiply_group() does, as it stands in `immediate`; types and sum in `option` as of multiply_rows().
struct GroupPart {
    int column = 0;  // of its eight, the first
    int half = 0;    // 0: the warp's rows 0 ... 7, 1: 8 ... 15
    bool a_in_registers = false;
    bool a_transposed = false, b_transposed = false;
    bool negative = false;  // of the product
    [[nodiscard]] constexpr std::int64_t packed() const {
        return column | half << 9 | int{a_in_registers} << 10 | int{a_transposed} << 11 |
               int{b_transposed} << 12 | int{negative} << 13;
    }
    [[nodiscard]] static constexpr GroupPart from(std::int64_t packed) {
        const auto bit = [&](int at) { return (packed >> at & 1) != 0; };
        return {static_cast<int>(packed & 0x1ff), bit(9) ? 1 : 0, bit(10), bit(11), bit(12), bit(13)};
    }
};

// Eight rows times eight columns: sources 0, 1 the descriptor of A, or its registers (first 16 bytes along K,
// second); 2, 3 the descriptor of B; 4, 5 the old sums (f16: 4 alone), which count where predicate source 0
// holds. Results as of multiply_rows().
void multiply_group(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
