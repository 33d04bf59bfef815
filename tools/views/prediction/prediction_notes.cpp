#include "tools/views/prediction/prediction_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/disagreement.h"

namespace gpumodel {

std::vector<Note> notes_of(const Prediction& p) {
    auto notes = read_notes(p.gaps);
    if (!is_predicted(p.status)) {
        return notes;
    }
    if (const auto words = disagreement_words(p); !words.empty()) {
        notes.push_back({NoteId::models_disagree, fmt::format("the models disagree ({:+.1f} %): {}",
                                                              *p.model_disagreement_pct, words)});
    }
    const bool told =
        std::any_of(notes.begin(), notes.end(), [](const Note& note) { return note.id == NoteId::no_band; });
    if (!p.error_band_pct && !told) {
        notes.push_back({NoteId::no_band, "no error band"});
    }
    return notes;
}

std::vector<std::string> texts_of(const std::vector<Note>& notes) {
    std::vector<std::string> texts;
    for (const auto& note : notes) {
        texts.push_back(note.text);
    }
    return texts;
}

std::vector<std::string> ids_of(const std::vector<Note>& notes) {
    std::vector<std::string> ids;
    for (const auto& note : notes) {
        ids.emplace_back(kind_of(note.id).name);
    }
    return ids;
}

nlohmann::ordered_json notes_json(const std::vector<Note>& notes) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& note : notes) {
        const auto& kind = kind_of(note.id);
        list.push_back({{"id", kind.name}, {"warning", kind.warns}, {"text", note.text}});
    }
    return list;
}

}  // namespace gpumodel
