// One warp-wide memory access: 32 byte addresses, the width per lane and the active lanes.
#pragma once

#include <array>
#include <cstdint>

namespace gpumodel {

struct WarpAccess {
    std::array<std::int64_t, 32> address{};  // byte address of each lane
    std::uint32_t active = 0xffffffffU;      // bit l = lane l takes part
    int bytes_per_lane = 4;                  // 1, 2, 4, 8 or 16; addresses are aligned to it
    bool matrix_rows = false;                // rows of 8x8 matrices, eight lanes each (LDSM, STSM)
    // Local memory: a lane's words of 4 bytes lie as many apart as a warp has lanes, all lanes' first words
    // side by side.
    bool local = false;

    [[nodiscard]] bool is_active(int lane) const {
        return ((active >> static_cast<unsigned>(lane)) & 1U) != 0;
    }
    friend bool operator==(const WarpAccess&, const WarpAccess&) = default;

    // Of wide accesses to local memory one for each of a lane's words; of others themselves.
    static constexpr int local_word_bytes = 4, local_words_apart = 32 * local_word_bytes;
    // Of a byte of a lane's local memory, from its warp's first.
    [[nodiscard]] static constexpr std::int64_t local_address(std::int64_t offset, int lane) {
        return offset / local_word_bytes * local_words_apart + lane * local_word_bytes +
               offset % local_word_bytes;
    }
    [[nodiscard]] int pieces() const {
        return local && bytes_per_lane > local_word_bytes ? bytes_per_lane / local_word_bytes : 1;
    }
    [[nodiscard]] WarpAccess piece(int number) const {
        WarpAccess word = *this;
        word.local = false;
        word.bytes_per_lane = pieces() > 1 ? local_word_bytes : bytes_per_lane;
        for (auto& at : word.address) {
            at += std::int64_t{number} * local_words_apart;
        }
        return word;
    }
};

}  // namespace gpumodel
