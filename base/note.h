// Notes: what a result leaves out or rests on, and what a run passed over. They are no faults.
// Each kind has an id that stays: people look it up, and --werror=ID makes a fault of it.
//
// Where notes are kept as text (programs, trace files, results) the id stands behind the text, as in
// compilers' warnings: "9 of 64 blocks were executed [blocks-sampled]".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

enum class NoteId : unsigned char {
    // of the program
    blocks_sampled,
    warps_in_turn,
    shared_barriers,
    bulk_copies,
    clusters,
    clusters_at_once,
    grid_barrier,
    blocks_side_by_side,
    waits_for_blocks,
    waits_left_out,
    rare_case,
    local_memory,
    async_copies,
    unknown_data,
    constant_memory,
    out_of_bounds,
    call_skipped,
    unknown_opcode,
    shared_size,
    other_code,
    code_passed_over,
    // of the model
    register_ports,
    shared_latency,
    dispatch_rate,
    memory_queue,
    instruction_fetch,
    instruction_order,
    atomics_queue,
    swaps_retried,
    op_timing,
    partial,
    models_disagree,
    no_band,
    no_power,
    clock_under_load,
    // of the run
    dump_unknown,
    trace_changed,
    events_cut,
    option_left_out,
    different_origin,
    spec_folder,
    other,  // without an id: in files that something else wrote
};

struct NoteKind {
    NoteId id;
    std::string_view name;  // "blocks-sampled"
    // Of this input, and not of every launch on this GPU: what --werror without an id makes faults.
    bool warns;
    std::string_view meaning;
};

[[nodiscard]] const std::vector<NoteKind>& note_kinds();  // by NoteId
[[nodiscard]] const NoteKind& kind_of(NoteId id);

struct Note {
    NoteId id = NoteId::other;
    std::string text;
    [[nodiscard]] bool operator==(const Note&) const = default;
};

// "TEXT [id]", and back.
[[nodiscard]] std::string noted(NoteId id, std::string_view text);
[[nodiscard]] Note read_note(std::string_view noted);
[[nodiscard]] std::vector<Note> read_notes(const std::vector<std::string>& list);

}  // namespace gpumodel
