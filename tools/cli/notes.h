// The notes of a run: what results leave out or rest on, and what was passed over on the way (base/note.h).
// --werror makes faults of them: results come out all the same, then the faults, then exit code 3.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/note.h"

namespace gpumodel::cli {

// "gpumodel: TEXT [id]" on standard error, not with --quiet; only as a fault where --werror says so.
void note(NoteId id, const std::string& text);

// Notes that a result shows itself: nothing is printed, but --werror sees them. From any thread.
void count_notes(const std::vector<Note>& notes);

// Throws InputError (usage) for ids in --werror that no note has.
void check_werror();

// What --werror makes faults of all notes so far: one for each id, in the order of the ids.
[[nodiscard]] std::vector<Diagnostic> note_faults();
void forget_notes();  // of an earlier run in the same process

}  // namespace gpumodel::cli
