#include "base/note.h"

#include <algorithm>
#include <array>

#include "base/enum_table.h"

namespace gpumodel {
namespace {

using enum NoteId;

constexpr bool warning = true;
constexpr bool remark = false;

constexpr auto kinds = enum_table<NoteId, NoteKind>(
    NoteKind{blocks_sampled, "blocks-sampled", remark, "some blocks were executed and stand for the others"},
    NoteKind{warps_in_turn, "warps-in-turn", remark,
             "warps pass different barriers: taken one after the other"},
    NoteKind{shared_barriers, "shared-barriers", remark,
             "a wait at a barrier in shared memory is taken for a barrier of the block"},
    NoteKind{bulk_copies, "bulk-copies", remark, "which bulk copies a wait needs is not known"},
    NoteKind{
        clusters, "clusters", remark,
        "blocks of a cluster are taken to be in step: what comes from others is there when their own is"},
    NoteKind{clusters_at_once, "clusters-at-once", remark,
             "a cluster runs in one GPC: SMs on which none finds room stay idle, and the launch waits"},
    NoteKind{grid_barrier, "grid-barrier", remark,
             "cooperative launch whose blocks do not run side by side: each is taken for the last to come"},
    NoteKind{blocks_side_by_side, "blocks-side-by-side", remark,
             "blocks read what others store: they are taken to run side by side, each warp at the pace of "
             "its trips to L2"},
    NoteKind{waits_for_blocks, "waits-for-blocks", warning,
             "blocks wait for what others store: how long is known by their steps alone"},
    NoteKind{waits_left_out, "waits-left-out", warning,
             "blocks wait for what others store, or lose swaps to them, for too long to be executed side by "
             "side: what that takes is estimated at best"},
    NoteKind{rare_case, "rare-case", remark,
             "a branch leads around the rare cases of a division or a root: taken as ordinary"},
    NoteKind{local_memory, "local-memory", remark, "the kernel uses local memory (stack, spills)"},
    NoteKind{async_copies, "async-copies", remark,
             "the trace does not say where asynchronous copies write: taken as free of conflicts"},
    NoteKind{unknown_data, "unknown-data", warning,
             "a path or an address hangs on memory that nobody gave (--args, --variables)"},
    NoteKind{constant_memory, "constant-memory", warning,
             "a path or an address hangs on __constant__ memory: taken as the module initialises it"},
    NoteKind{out_of_bounds, "out-of-bounds", warning, "an access lies outside of what was allocated"},
    NoteKind{call_skipped, "call-skipped", warning, "a call out of the listing was stepped over"},
    NoteKind{unknown_opcode, "unknown-opcode", warning,
             "an opcode of a trace is not known: taken for a move"},
    NoteKind{
        shared_size, "shared-size", warning,
        "static shared memory is taken up to the highest address accessed; cuobjdump -elf says its size"},
    NoteKind{other_code, "other-code", warning, "the code was compiled for another generation"},
    NoteKind{code_passed_over, "code-passed-over", warning,
             "compiled code could not be had or executed: another source is used"},
    NoteKind{register_ports, "register-ports", remark, "register ports are unpublished: not limited"},
    NoteKind{shared_latency, "shared-latency", remark, "shared memory's latency is unknown: not counted"},
    NoteKind{dispatch_rate, "dispatch-rate", remark, "the rate of block dispatch is unknown: not limited"},
    NoteKind{memory_queue, "memory-queue", remark, "the depth of the memory queue is unknown: not limited"},
    NoteKind{instruction_fetch, "instruction-fetch", remark,
             "the cost of instruction fetch is unknown: not counted"},
    NoteKind{instruction_order, "instruction-order", remark, "the analytic model reads no control words"},
    NoteKind{atomics_queue, "atomics-queue", remark,
             "atomics queue at the L2: the time is that bound, stalls are of the simulated cycles"},
    NoteKind{
        swaps_retried, "swaps-retried", warning,
        "compare-and-swaps lose to those of other threads and come again: the time for it is an estimate"},
    NoteKind{op_timing, "op-timing", warning, "the spec has no timing for instructions that are executed"},
    NoteKind{partial, "partial", warning, "unknown instructions were left out (--allow-unknown)"},
    NoteKind{models_disagree, "models-disagree", warning, "the two models' times are far apart"},
    NoteKind{no_band, "no-band", remark, "no error band: the model is not measured here, or far off"},
    NoteKind{no_power, "no-power", warning,
             "sustained: what the launch draws is not known, the clock is a burst's"},
    NoteKind{
        clock_under_load, "clock-under-load", remark,
        "the board is promised far less than this clock under load that lasts, and its power is not known"},
    NoteKind{dump_unknown, "dump-unknown", warning, "bytes of a --dump hang on memory that nobody gave"},
    NoteKind{trace_changed, "trace-changed", warning, "a trace was changed to what Accel-Sim can read"},
    NoteKind{events_cut, "events-cut", warning, "--timeline-out holds the first events alone"},
    NoteKind{option_left_out, "option-left-out", warning, "compare: side b has no such parameter"},
    NoteKind{different_origin, "different-origin", warning,
             "compare: the sides are of another spec, version or source of the program"},
    NoteKind{spec_folder, "spec-folder", warning, "a folder of GPUMODEL_ARCH_PATH cannot be read"},
    NoteKind{other, "other", warning, "a note without an id, of a file that something else wrote"});
static_assert(rows_in_order<NoteId>(kinds, &NoteKind::id));

}  // namespace

const std::vector<NoteKind>& note_kinds() {
    static const std::vector<NoteKind> list(kinds.begin(), kinds.end());
    return list;
}

const NoteKind& kind_of(NoteId id) {
    return kinds[static_cast<std::size_t>(id)];
}

std::string noted(NoteId id, std::string_view text) {
    return std::string(text) + " [" + std::string(kind_of(id).name) + ']';
}

Note read_note(std::string_view noted) {
    const auto open = noted.rfind(" [");
    if (open != std::string_view::npos && noted.ends_with(']')) {
        const auto name = noted.substr(open + 2, noted.size() - open - 3);
        const auto* found = std::find_if(kinds.begin(), kinds.end(),
                                         [name](const NoteKind& kind) { return kind.name == name; });
        if (found != kinds.end()) {
            return {found->id, std::string(noted.substr(0, open))};
        }
    }
    return {NoteId::other, std::string(noted)};
}

std::vector<Note> read_notes(const std::vector<std::string>& list) {
    std::vector<Note> notes;
    notes.reserve(list.size());
    for (const auto& text : list) {
        notes.push_back(read_note(text));
    }
    return notes;
}

}  // namespace gpumodel
