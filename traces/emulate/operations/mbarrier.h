// A barrier in shared memory (PTX mbarrier) as sm_90 keeps it: 64 bits.
//
//   bits 1 ... 20    expected arrivals, as a negative number
//   bits 21 ... 42   bytes that copies still have to bring; negative where more has come than was announced
//   bits 43 ... 62   pending arrivals, as a negative number
//   bit 63           phase
// Where arrivals and the phase lie is known from listings: SYNCS.EXCH stores a whole barrier, and
// SYNCS.PHASECHK compares with an old one's upper word. Where the bytes lie is ours: no code looks at them.
// The phase completes when neither arrivals nor bytes are missing (PTX ISA, section on mbarrier).
#pragma once

#include <cstdint>

namespace gpumodel::emulate {

inline constexpr int mbarrier_expected_at = 1, mbarrier_bytes_at = 21, mbarrier_pending_at = 43;
inline constexpr int mbarrier_count_bits = 20, mbarrier_bytes_bits = 22;

[[nodiscard]] constexpr std::uint64_t mbarrier_field(std::uint64_t barrier, int at, int bits) {
    return barrier >> at & ((std::uint64_t{1} << bits) - 1);
}

[[nodiscard]] constexpr std::uint64_t mbarrier_with(std::uint64_t barrier, int at, int bits,
                                                    std::uint64_t value) {
    const auto mask = ((std::uint64_t{1} << bits) - 1) << at;
    return (barrier & ~mask) | (value << at & mask);
}

// A barrier of so many expected arrivals, in phase 0: what SYNCS.EXCH stores.
[[nodiscard]] constexpr std::uint64_t mbarrier_of(std::uint64_t expected) {
    const auto negative = 0 - expected;
    return mbarrier_with(mbarrier_with(0, mbarrier_expected_at, mbarrier_count_bits, negative),
                         mbarrier_pending_at, mbarrier_count_bits, negative);
}

// Nobody but one, as who announces the bytes of copies.
[[nodiscard]] constexpr bool mbarrier_expects_one(std::uint64_t barrier) {
    constexpr std::uint64_t minus_one = (std::uint64_t{1} << mbarrier_count_bits) - 1;
    return mbarrier_field(barrier, mbarrier_expected_at, mbarrier_count_bits) == minus_one;
}

[[nodiscard]] constexpr bool mbarrier_phase(std::uint64_t barrier) {
    return barrier >> 63 != 0;
}

// The barrier after so many arrivals, and with so many more bytes to come (negative: that have come).
[[nodiscard]] constexpr std::uint64_t mbarrier_after(std::uint64_t barrier, std::uint64_t arrivals,
                                                     std::int64_t bytes) {
    const auto pending = mbarrier_field(barrier, mbarrier_pending_at, mbarrier_count_bits) + arrivals;
    const auto missing =
        mbarrier_field(barrier, mbarrier_bytes_at, mbarrier_bytes_bits) + static_cast<std::uint64_t>(bytes);
    barrier = mbarrier_with(barrier, mbarrier_pending_at, mbarrier_count_bits, pending);
    barrier = mbarrier_with(barrier, mbarrier_bytes_at, mbarrier_bytes_bits, missing);
    const bool complete = mbarrier_field(barrier, mbarrier_pending_at, mbarrier_count_bits) == 0 &&
                          mbarrier_field(barrier, mbarrier_bytes_at, mbarrier_bytes_bits) == 0;
    if (!complete) {
        return barrier;
    }
    const auto expected = mbarrier_field(barrier, mbarrier_expected_at, mbarrier_count_bits);
    return mbarrier_with(barrier, mbarrier_pending_at, mbarrier_count_bits, expected) ^ std::uint64_t{1}
                                                                                            << 63;
}

}  // namespace gpumodel::emulate
