// Bit fields, byte permutation, bit counting.
#include <algorithm>
#include <bit>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

// Position in bits 0-7 and length in bits 8-15 of the second source.
template <bool is_signed>
u32 extract_field(u32 a, u32 b) {
    const u32 position = b & 0xffU;
    const u32 length = std::min(b >> 8 & 0xffU, 32U);
    if (length == 0) {
        return 0;
    }
    const u64 extended = is_signed ? static_cast<u64>(sign_extend(a)) : u64{a};
    const u32 field = is_signed ? static_cast<u32>(static_cast<i64>(extended) >> std::min(position, 63U))
                                : (position < 32 ? a >> position : 0);
    const u32 unused = 32 - length;
    return is_signed ? static_cast<u32>(as_signed(field << unused) >> unused) : field << unused >> unused;
}

u32 reverse_bits(u32 x) {
    u32 result = 0;
    for (int i = 0; i < 32; ++i) {
        result = result << 1 | (x >> i & 1U);
    }
    return result;
}

u32 insert_field(u32 a, u32 b, u32 c) {
    const u32 position = b & 0xffU;
    const u32 length = b >> 8 & 0xffU;
    if (position >= 32 || length == 0) {
        return c;
    }
    const u32 field = (length < 32 ? (1U << length) - 1 : all_lanes) << position;
    return (c & ~field) | (a << position & field);
}

void translate_bfe(Translator& t) {
    auto op = t.make(t.has("U32") ? &map2<extract_field<false>> : &map2<extract_field<true>>);
    op.from[0] = t.value(0);
    op.from[1] = t.value(1);
    op.to[0] = t.result();
    if (t.has("BREV")) {  // the bits are reversed before
        auto reverse = t.make(&map1<reverse_bits>);
        reverse.guard = {};
        reverse.from[0] = op.from[0];
        reverse.to[0] = op.from[0] = t.temporary();
        t.add(reverse);
    }
    t.add(op);
}

void translate_bfi(Translator& t) {
    t.add(t.simple(&map3<insert_field>, 3));
}

// Nibble i of the selector names byte 0-7 of c:a for result byte i; its top bit spreads that byte's sign.
u32 permute(u32 a, u32 selector, u32 c) {
    const u64 bytes = join(a, c);
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 nibble = selector >> (4 * i) & 0xfU;
        u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7U))) & 0xffU;
        if ((nibble & 8U) != 0) {
            byte = (byte & 0x80U) != 0 ? 0xffU : 0;
        }
        result |= byte << (8 * i);
    }
    return result;
}

// The modes of prmt (PTX ISA, table "Permute modes"): which byte of c:a goes to result byte i, of the
// selector's low bits n.
enum class Permutation : unsigned char {
    forward,
    backward,
    replicate8,
    clamp_left,
    clamp_right,
    replicate16
};

template <Permutation mode>
u32 permute_by_mode(u32 a, u32 selector, u32 c) {
    const u64 bytes = join(a, c);
    const u32 n = selector & 3U;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 k = mode == Permutation::forward       ? n + i
                      : mode == Permutation::backward    ? (n - i) & 7U
                      : mode == Permutation::replicate8  ? n
                      : mode == Permutation::clamp_left  ? std::max(n, i)
                      : mode == Permutation::clamp_right ? std::min(n, i)
                                                         : 2 * (n & 1U) + (i & 1U);
        result |= (static_cast<u32>(bytes >> (8 * k)) & 0xffU) << (8 * i);
    }
    return result;
}

void translate_prmt(Translator& t) {
    const Handler run = t.has("F4E")    ? &map3<permute_by_mode<Permutation::forward>>
                        : t.has("B4E")  ? &map3<permute_by_mode<Permutation::backward>>
                        : t.has("RC8")  ? &map3<permute_by_mode<Permutation::replicate8>>
                        : t.has("ECL")  ? &map3<permute_by_mode<Permutation::clamp_left>>
                        : t.has("ECR")  ? &map3<permute_by_mode<Permutation::clamp_right>>
                        : t.has("RC16") ? &map3<permute_by_mode<Permutation::replicate16>>
                                        : &map3<permute>;
    t.add(t.simple(run, 3));
}

// Position of the highest set bit (signed: of the highest that differs from the sign), all ones if there is
// none; .SH counts from the top.
template <bool is_signed, bool from_top>
u32 find_leading(u32 a) {
    const u32 bits = is_signed && as_signed(a) < 0 ? ~a : a;
    if (bits == 0) {
        return all_lanes;
    }
    const auto zeros = static_cast<u32>(std::countl_zero(bits));
    return from_top ? zeros : 31 - zeros;
}

void translate_flo(Translator& t) {
    const bool is_unsigned = t.has("U32");
    const bool top = t.has("SH");
    t.add(t.simple(is_unsigned ? (top ? &map1<find_leading<false, true>> : &map1<find_leading<false, false>>)
                               : (top ? &map1<find_leading<true, true>> : &map1<find_leading<true, false>>),
                   1));
}

u32 count_bits(u32 a) {
    return static_cast<u32>(std::popcount(a));
}
u32 count_common_bits(u32 a, u32 b) {
    return count_bits(a & b);
}

// Kepler's takes the bits that two sources have in common.
void translate_popc(Translator& t) {
    t.add(t.kepler() ? t.simple(&map2<count_common_bits>, 2) : t.simple(&map1<count_bits>, 1));
}

void translate_brev(Translator& t) {
    t.add(t.simple(&map1<reverse_bits>, 1));
}

}  // namespace

const std::vector<OpcodeEntry>& bit_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"BFE", translate_bfe},    {"BFI", translate_bfi},    {"PRMT", translate_prmt},
        {"UPRMT", translate_prmt}, {"FLO", translate_flo},    {"UFLO", translate_flo},
        {"POPC", translate_popc},  {"UPOPC", translate_popc}, {"BREV", translate_brev},
        {"UBREV", translate_brev},
    };
    return entries;
}

}  // namespace gpumodel::emulate
