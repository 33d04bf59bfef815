// All notes of a prediction: what its model leaves out, that it has no error band, that the models disagree.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/note.h"
#include "model/prediction.h"

namespace gpumodel {

[[nodiscard]] std::vector<Note> notes_of(const Prediction& prediction);

// The text without its id; ids in the same order.
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<Note>& notes);
[[nodiscard]] std::vector<std::string> ids_of(const std::vector<Note>& notes);

// [{"id": ..., "warning": true, "text": ...}, ...]
[[nodiscard]] nlohmann::ordered_json notes_json(const std::vector<Note>& notes);

}  // namespace gpumodel
