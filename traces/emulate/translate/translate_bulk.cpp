// Bulk copies.
//   UBLKCP.S.G [UR6], [UR4], UR9        to shared memory at UR6, from UR4:UR5, 16 UR9 bytes, the barrier at
//   UR7 UBLKCP.G.S [UR6], [UR9], UR10       to UR6:UR7, from shared memory at UR9 UBLKRED.G.S.ADD.S32 [UR6],
//   [UR4], UR5
// Each is in a loop of ELECT over the active lanes, in which the registers are the elected lane's.
#include <bit>

#include "traces/emulate/operations/bulk_operations.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/tile_operations.h"
#include "traces/emulate/translate/memory_translation.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

void translate_bulk(Translator& t) {
    const auto* to = address_operand(t, 0);
    const auto* source = address_operand(t, 1);
    const auto size = first_data(t) + 1;
    if (to == nullptr || source == nullptr || !t.is_value(size)) {
        t.unsupported("has an operand that is not understood");
        return;
    }
    const auto& ways = t.in().modifiers;
    if (ways.size() < 2 || ways[0] == ways[1]) {
        t.unsupported("between blocks of a cluster is not emulated");
        return;
    }
    const bool load = ways[0] == "S";
    const auto* global = load ? source : to;
    const auto* shared = load ? to : source;
    Access access;
    access.instruction = t.instruction();
    access.space = SassSpace::global;
    access.kind = access_kind(t.in().effect->direction);
    access.bytes = static_cast<int>(bulk_unit_bytes);
    auto op = t.make(&report_bulk);
    op.uniform = false;
    op.from[0] = uniform_slot(t, *global, 0);
    op.from[1] = uniform_slot(t, *global, 1);
    op.from[2] = uniform_slot(t, *shared, 0);
    op.from[3] = load ? uniform_slot(t, *shared, 1) : static_cast<std::uint16_t>(zero_slot);
    op.from[6] = t.raw_value(size, 0);
    op.immediate = t.add_access(access);
    op.always = op.reports = true;
    t.add(op);
    op.always = op.reports = false;
    op.run = load ? &bulk_to_shared : &bulk_to_global;
    op.reads_global = op.writes_shared = op.writes_tile = load;
    op.reads_shared = op.writes_global = !load;
    if (t.in().opcode == "UBLKRED") {
        const bool adds = t.has("ADD") && (t.has("S32") || t.has("U32"));
        op.option = adds ? bulk_adds : bulk_not_emulated;
        op.reads_global = adds;
    }
    t.add(op);
    if (load) {
        op.run = &bulk_arrives;
        op.reads_global = op.writes_tile = false;
        op.reads_shared = op.writes_shared = op.reads_barrier = true;
        t.add(op);
        t.end().kind = Terminator::Kind::pause;
    }
}

// UTMALDG.2D [UR4], [UR10]     to shared memory at UR4, the barrier at UR5, coordinates in UR6, UR7, the map
// at UR10:11 UTMASTG.2D [UR8], [UR6]      from shared memory at UR8, coordinates in UR9, UR10, the map at
// UR6:7
void translate_tile(Translator& t) {
    const auto* place = address_operand(t, 0);
    const auto* map = address_operand(t, 1);
    const auto& ways = t.in().modifiers;
    const bool sized = !ways.empty() && ways[0].size() == 2 && ways[0][1] == 'D';
    const int dimensions = sized ? ways[0][0] - '0' : 0;
    const bool multicast = t.has("MULTICAST");
    if (ways.size() != (multicast ? 2 : 1) || dimensions < 1 || dimensions > most_tile_dimensions ||
        place == nullptr || map == nullptr) {
        t.unsupported("is a copy of a form that is not emulated (one to five dimensions, no .IM2COL are)");
        return;
    }
    const bool load = t.in().opcode == "UTMALDG";
    Access access;
    access.instruction = t.instruction();
    access.space = SassSpace::global;
    access.kind = access_kind(t.in().effect->direction);
    access.bytes = static_cast<int>(bulk_unit_bytes);
    auto op = t.make(&report_tile);
    op.uniform = false;
    op.option = static_cast<u32>(dimensions) | (multicast ? tile_multicast : 0);
    if (multicast) {
        op.from[multicast_ranks] = t.raw_value(first_data(t) + 1, 0);
    }
    op.from[0] = uniform_slot(t, *map, 0);
    op.from[1] = uniform_slot(t, *map, 1);
    op.from[2] = uniform_slot(t, *place, 0);
    op.from[3] = load ? uniform_slot(t, *place, 1) : static_cast<std::uint16_t>(zero_slot);
    for (int d = 0; d < dimensions; ++d) {
        op.from[static_cast<std::size_t>(4 + d)] = uniform_slot(t, *place, d + (load ? 2 : 1));
    }
    op.immediate = t.add_access(access);
    op.always = op.reports = true;
    t.add(op);
    op.always = op.reports = false;
    op.run = load ? &tile_to_shared : &tile_to_global;
    op.reads_global = op.writes_shared = op.writes_tile = load;
    op.reads_shared = op.writes_global = !load;
    t.add(op);
    if (load) {
        op.run = &tile_arrives;
        op.reads_global = op.writes_tile = false;
        op.reads_shared = op.writes_shared = op.reads_barrier = true;
        t.add(op);
        t.end().kind = Terminator::Kind::pause;
    }
}

// One of the active lanes: the lowest.
void elect(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 elected = mask & (0 - mask);
    Lanes lane;
    fill(lane, mask == 0 ? 0 : static_cast<u32>(std::countr_zero(mask)));
    assign(to(warp, op), lane, mask == 0 ? 0 : all_lanes);
    warp.set_predicate(op.predicate_to[0], elected, mask);
}

void translate_elect(Translator& t) {
    auto op = t.make(&elect);
    op.uniform = false;
    op.to[0] = t.result();
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

// Groups of copies: all are done at once.
void translate_group_of_copies(Translator&) {}

}  // namespace

const std::vector<OpcodeEntry>& bulk_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"UBLKCP", translate_bulk},
        {"UBLKRED", translate_bulk},
        {"UTMALDG", translate_tile},
        {"UTMASTG", translate_tile},
        {"UTMACCTL", translate_group_of_copies},
        {"ELECT", translate_elect},
        {"UTMACMDFLUSH", translate_group_of_copies},
    };
    return entries;
}

}  // namespace gpumodel::emulate
