// Special registers.
#include <bit>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

enum class Special : unsigned char {
    zero,
    tid_x,
    tid_y,
    tid_z,
    tid,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    laneid,
    eqmask,
    ltmask,
    lemask,
    gtmask,
    gemask,
    shared_window_low,
    shared_window_high,
    local_window_low,
    clock,
    warpid,
    cluster_rank,
};

struct SpecialName {
    std::string_view name;
    Special special;
};
// The windows' upper words are 0 (constant_bank.h).
constexpr SpecialName special_names[] = {
    {"SRZ", Special::zero},
    {"SR_TID.X", Special::tid_x},
    {"SR_TID.Y", Special::tid_y},
    {"SR_TID.Z", Special::tid_z},
    {"SR_TID", Special::tid},
    {"SR_CTAID.X", Special::ctaid_x},
    {"SR_CTAID.Y", Special::ctaid_y},
    {"SR_CTAID.Z", Special::ctaid_z},
    {"SR_LANEID", Special::laneid},
    {"SR_EQMASK", Special::eqmask},
    {"SR_LTMASK", Special::ltmask},
    {"SR_LEMASK", Special::lemask},
    {"SR_GTMASK", Special::gtmask},
    {"SR_GEMASK", Special::gemask},
    {"SR_CgaCtaId", Special::cluster_rank},
    {"SR_CgaSize", Special::zero},
    {"SR_SWINLO", Special::shared_window_low},
    {"SR_SWINHI", Special::shared_window_high},
    {"SR_LWINLO", Special::local_window_low},
    {"SR_LWINHI", Special::zero},
    {"SR_CLOCKLO", Special::clock},
    {"SR_CLOCKHI", Special::zero},
    {"SR_GLOBALTIMERLO", Special::clock},
    {"SR_GLOBALTIMERHI", Special::zero},
    {"SR_VIRTID", Special::zero},
    {"SR_SMID", Special::zero},
    {"SR_WARPID", Special::warpid},
    {"SR_VIRTUALSMID", Special::zero},
};

u32 of_lane(const Warp& warp, Special special, std::size_t lane) {
    const auto bit = lane_bit[lane];
    const auto block = [](std::int64_t index) { return static_cast<u32>(index); };
    switch (special) {
        case Special::tid_x:
            return warp.thread[0].at[lane];
        case Special::tid_y:
            return warp.thread[1].at[lane];
        case Special::tid_z:
            return warp.thread[2].at[lane];
        case Special::tid:
            return warp.thread[0].at[lane] | warp.thread[1].at[lane] << 16 | warp.thread[2].at[lane] << 26;
        case Special::ctaid_x:
            return block(warp.block->index.x);
        case Special::ctaid_y:
            return block(warp.block->index.y);
        case Special::ctaid_z:
            return block(warp.block->index.z);
        case Special::laneid:
            return static_cast<u32>(lane);
        case Special::eqmask:
            return bit;
        case Special::ltmask:
            return bit - 1;
        case Special::lemask:
            return bit | (bit - 1);
        case Special::gtmask:
            return ~(bit | (bit - 1));
        case Special::gemask:
            return ~(bit - 1);
        case Special::shared_window_low:
            return block(shared_window);
        case Special::shared_window_high:
            return shared_window_high;
        case Special::local_window_low:
            return block(local_window);
        case Special::clock:
            return block(warp.executed);  // instructions: time is the model's business
        case Special::cluster_rank:
            return warp.block->rank;
        case Special::warpid:
            return static_cast<u32>(warp.index);
        case Special::zero:
            break;
    }
    return 0;
}

// A uniform register takes the value of one lane.
u32 first_lane_value(const Lanes& lanes, u32 mask) {
    return mask == 0 ? lanes.at[0] : lanes.at[static_cast<std::size_t>(std::countr_zero(mask))];
}

void read_special(Warp& warp, const MicroOp& op, u32 mask) {
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = of_lane(warp, static_cast<Special>(op.option), i);
    }
    if (op.immediate != 0) {
        fill(result, first_lane_value(result, mask));
        mask = mask == 0 ? 0 : all_lanes;
    }
    assign(to(warp, op), result, mask);
}

void translate_special(Translator& t) {
    const auto& name = t.value_operand(0).text;
    for (const auto& entry : special_names) {
        if (entry.name == name) {
            auto op = t.make(&read_special);
            op.option = static_cast<u32>(entry.special);
            op.immediate = t.in().opcode == "S2UR" || t.in().opcode == "CS2UR" ? 1 : 0;
            op.to[0] = t.result();
            t.add(op);
            if (t.in().opcode.starts_with("CS2") && t.in().operands.front().width > 1) {
                op.option = static_cast<u32>(Special::zero);
                op.to[0] = t.result(1);
                t.add(op);
            }
            return;
        }
    }
    auto op = t.make(&map1<[](u32 a) { return a; }>);
    op.to[0] = t.result();
    t.add(op);
    t.unsupported("reads " + name + ", which is not known");
}

}  // namespace

const std::vector<OpcodeEntry>& special_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"S2R", translate_special},
        {"S2UR", translate_special},
        {"CS2R", translate_special},
        {"CS2UR", translate_special},
    };
    return entries;
}

}  // namespace gpumodel::emulate
