// A hash that is the same on every machine and in every version.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

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

}  // namespace gpumodel
