// What passes between the lanes of a warp.
#include <algorithm>
#include <bit>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

enum class Shuffle : unsigned char { idx, up, down, bfly };

struct ShuffleSource {
    u32 lane = 0;
    bool in_range = false;
};

// PTX ISA, shfl: lanes in segments that the third source describes (clamp in bits 0-4, segment mask in 8-12).
ShuffleSource shuffle_source(Shuffle mode, u32 lane, u32 b, u32 c) {
    const u32 segment = c >> 8 & 0x1fU;
    const u32 clamp = c & 0x1fU;
    const u32 most = (lane & segment) | (clamp & ~segment);
    const u32 least = lane & segment;
    b &= 0x1fU;
    switch (mode) {
        case Shuffle::up:
            return {lane - b, as_signed(lane - b) >= as_signed(most)};
        case Shuffle::down:
            return {lane + b, lane + b <= most};
        case Shuffle::bfly:
            return {lane ^ b, (lane ^ b) <= most};
        case Shuffle::idx:
            break;
    }
    return {least | (b & ~segment), (least | (b & ~segment)) <= most};
}

void shuffle(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    Lanes result;
    u32 in_range = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto source =
            shuffle_source(static_cast<Shuffle>(op.option), static_cast<u32>(i), b.at[i], c.at[i]);
        result.at[i] = a.at[source.in_range ? source.lane & 0x1fU : i];
        in_range |= source.in_range ? lane_bit[i] : 0;
    }
    assign(to(warp, op), result, mask);
    warp.set_predicate(op.predicate_to[0], in_range, mask);
}

void translate_shfl(Translator& t) {
    auto op = t.simple(&shuffle, 3);
    op.option = static_cast<u32>(t.has("UP")     ? Shuffle::up
                                 : t.has("DOWN") ? Shuffle::down
                                 : t.has("BFLY") ? Shuffle::bfly
                                                 : Shuffle::idx);
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

enum class Vote : unsigned char { any, all, equal };

void vote(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 ballot = warp.predicate(op.predicate_from[0]) & mask;
    const auto mode = static_cast<Vote>(op.option);
    const bool all = ballot == mask;
    const bool holds = mode == Vote::any ? ballot != 0 : mode == Vote::all ? all : all || ballot == 0;
    // uniform results belong to the warp, not to lanes
    const u32 written = op.immediate != 0 && mask != 0 ? all_lanes : mask;
    Lanes result;
    fill(result, ballot);
    assign(to(warp, op), result, written);
    warp.set_predicate(op.predicate_to[0], holds ? all_lanes : 0, written);
}

void translate_vote(Translator& t) {
    auto op = t.make(&vote);
    op.option = static_cast<u32>(t.has("ALL") ? Vote::all : t.has("EQ") ? Vote::equal : Vote::any);
    op.immediate = t.in().opcode == "VOTEU" ? 1 : 0;
    op.predicate_from[0] = t.predicate(0);
    op.to[0] = t.result();
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

void match(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& low = from(warp, op, 0);
    const auto& high = from(warp, op, 1);
    Lanes result{};
    u32 all = mask;
    for (std::size_t i = 0; i < lane_count; ++i) {
        u32 same = 0;
        for (std::size_t j = 0; j < lane_count; ++j) {
            same |= low.at[i] == low.at[j] && high.at[i] == high.at[j] ? lane_bit[j] : 0;
        }
        result.at[i] = same & mask;
        all &= (mask & lane_bit[i]) != 0 ? same : all_lanes;
    }
    if (op.option != 0) {  // .ALL
        fill(result, all == mask ? mask : 0);
        warp.set_predicate(op.predicate_to[0], all == mask ? all_lanes : 0, mask);
    } else {
        auto& seen = (*warp.block->matches)[op.instruction];
        ++seen.executions;
        for (std::size_t i = 0; i < lane_count; ++i) {  // a value counts where its first lane is
            const bool first = (result.at[i] & mask & (lane_bit[i] - 1)) == 0;
            seen.values += (mask & lane_bit[i]) != 0 && first ? 1 : 0;
        }
    }
    assign(to(warp, op), result, mask);
}

void translate_match(Translator& t) {
    auto op = t.simple(&match, 1);
    op.from[1] = t.has("U64") ? t.value(0, Reading::integer, 1) : static_cast<std::uint16_t>(zero_slot);
    op.option = t.has("ALL") ? 1 : 0;
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

// REDUX: one value from those of all active lanes, to a uniform register.
template <auto F>
void reduce(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto& a = from(warp, op, 0);
    u32 result = a.at[static_cast<std::size_t>(std::countr_zero(mask))];
    for (u32 rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
        result = F(result, a.at[static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    fill(to(warp, op), result);
}

Handler reduction_of(const Translator& t) {
    const bool is_signed = t.has("S32");
    if (t.has("OR")) {
        return &reduce<[](u32 a, u32 b) { return a | b; }>;
    }
    if (t.has("AND")) {
        return &reduce<[](u32 a, u32 b) { return a & b; }>;
    }
    if (t.has("XOR")) {
        return &reduce<[](u32 a, u32 b) { return a ^ b; }>;
    }
    if (t.has("SUM")) {
        return &reduce<[](u32 a, u32 b) { return a + b; }>;
    }
    if (t.has("MIN")) {
        return is_signed ? &reduce<[](u32 a, u32 b) {
            return static_cast<u32>(std::min(as_signed(a), as_signed(b)));
        }>
                         : &reduce<[](u32 a, u32 b) { return std::min(a, b); }>;
    }
    if (t.has("MAX")) {
        return is_signed ? &reduce<[](u32 a, u32 b) {
            return static_cast<u32>(std::max(as_signed(a), as_signed(b)));
        }>
                         : &reduce<[](u32 a, u32 b) { return std::max(a, b); }>;
    }
    return t.in().modifiers.empty() ? &reduce<[](u32 a, u32 b) { return a & b; }> : nullptr;
}

void translate_redux(Translator& t) {
    const auto run = reduction_of(t);
    if (run == nullptr) {
        t.unsupported("is not emulated");
        return;
    }
    t.add(t.simple(run, 1));
}

}  // namespace

const std::vector<OpcodeEntry>& warp_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"SHFL", translate_shfl},   {"VOTE", translate_vote},   {"VOTEU", translate_vote},
        {"MATCH", translate_match}, {"REDUX", translate_redux}, {"CREDUX", translate_redux},
    };
    return entries;
}

}  // namespace gpumodel::emulate
