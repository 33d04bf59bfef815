// Hashes: of text, the same on every machine and in every version; of numbers, for this process.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace gpumodel {

// FNV-1a of 32 or 64 bits: offset basis and prime from the FNV reference (Fowler, Noll, Vo;
// draft-eastlake-fnv). `hash` of what came before goes on with `text`.
template <std::unsigned_integral Word>
inline constexpr Word fnv_offset_basis = sizeof(Word) == 8 ? static_cast<Word>(0xcbf29ce484222325U)
                                                           : static_cast<Word>(0x811c9dc5U);
template <std::unsigned_integral Word>
[[nodiscard]] constexpr Word fnv1a(std::string_view text, Word hash = fnv_offset_basis<Word>) {
    constexpr Word prime =
        sizeof(Word) == 8 ? static_cast<Word>(0x100000001b3U) : static_cast<Word>(0x1000193U);
    for (const char c : text) {
        hash = static_cast<Word>((hash ^ static_cast<unsigned char>(c)) * prime);
    }
    return hash;
}

// Of numbers, in the order given; for keys within one process. Each is mixed in by Fibonacci hashing and a
// shift: sequences that differ in one number never collide, others once in 2^64.
class ValueHash {
public:
    template <class... Numbers>
    void add(Numbers... numbers) {
        (mix(word_of(numbers)), ...);
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    template <class Number>
    static std::uint64_t word_of(Number number) {
        static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
        if constexpr (std::is_floating_point_v<Number>) {
            return std::bit_cast<std::uint64_t>(static_cast<double>(number));
        } else {
            return static_cast<std::uint64_t>(number);
        }
    }
    void mix(std::uint64_t word) {
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
        constexpr unsigned half = 32;
        state_ = (state_ ^ word) * golden;
        state_ ^= state_ >> half;
    }
    std::uint64_t state_ = fnv_offset_basis<std::uint64_t>;
};

}  // namespace gpumodel
