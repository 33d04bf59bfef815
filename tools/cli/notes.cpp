#include "tools/cli/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <sstream>

#include "tools/cli/manners.h"

namespace gpumodel::cli {
namespace {

// Which text stands for all of an id does not depend on the order in which threads come.
struct Counted {
    std::string text;
    int count = 0;
};
std::mutex counted_mutex;
std::map<NoteId, Counted> counted;

constexpr const char* all_warnings = "true";  // --werror without ids

std::vector<std::string> asked_ids() {
    std::vector<std::string> ids;
    for (const auto& given : manners().werror) {
        std::istringstream list(given);
        for (std::string id; std::getline(list, id, ',');) {
            ids.push_back(id);
        }
    }
    return ids;
}

bool is_fault(NoteId id) {
    const auto& kind = kind_of(id);
    const auto ids = asked_ids();
    return std::any_of(ids.begin(), ids.end(), [&kind](const std::string& asked_id) {
        return asked_id == kind.name || (asked_id == all_warnings && kind.warns);
    });
}

}  // namespace

void note(NoteId id, const std::string& text) {
    count_notes({{id, text}});
    if (!is_fault(id)) {
        tell(noted(id, text));
    }
}

void count_notes(const std::vector<Note>& notes) {
    const std::lock_guard lock(counted_mutex);
    for (const auto& note : notes) {
        auto& entry = counted[note.id];
        if (entry.count == 0 || note.text < entry.text) {
            entry.text = note.text;
        }
        ++entry.count;
    }
}

void check_werror() {
    std::vector<std::string> known;
    for (const auto& kind : note_kinds()) {
        known.emplace_back(kind.name);
    }
    std::vector<Diagnostic> faults;
    for (const auto& id : asked_ids()) {
        if (id != all_warnings && std::find(known.begin(), known.end(), id) == known.end()) {
            faults.push_back({"", 0, 0, "--werror",
                              fmt::format("no note has the id '{}'{}", id, nearest_hint(id, known))});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

std::vector<Diagnostic> note_faults() {
    std::vector<Diagnostic> faults;
    const std::lock_guard lock(counted_mutex);
    for (const auto& [id, notes] : counted) {
        if (is_fault(id)) {
            const auto more = notes.count > 1 ? fmt::format(" (and {} more)", notes.count - 1) : "";
            faults.push_back({"", 0, 0, fmt::format("--werror={}", kind_of(id).name), notes.text + more});
        }
    }
    return faults;
}

void forget_notes() {
    const std::lock_guard lock(counted_mutex);
    counted.clear();
}

}  // namespace gpumodel::cli
