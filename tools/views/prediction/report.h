// Views of Prediction: text for people, csv for programs; json: prediction_json.h. All read the same struct.
// The csv columns and their order are the contract of design.md; a column is empty where nothing was
// predicted, never 0. Numbers are printed with enough digits to be reproducible, base units in the
// column name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/csv_text.h"
#include "base/demangle.h"
#include "base/number_text.h"
#include "model/prediction.h"

namespace gpumodel {

inline constexpr int schema_version = 1;

struct ReportMetadata {
    std::string tool_version;
    std::string spec_file;
    std::string spec_hash;
    std::string command_line;
    std::string revision = {};  // of the source, "" = not known
    std::string compiler = {}, build_type = {};
    std::vector<std::string> settings = {};  // not built in, nor on the command line: "l2=cold (file:3)"
    std::string host = {}, utc_time = {};    // "" = not wanted
};

[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_row(const Prediction& prediction);
// "" for 0: a launch of someone's own kernel has no M, N, K.
[[nodiscard]] std::string dimension_text(std::int64_t value);
// One launch, by one model or by both, the simulator's first; the first with a time is the predicted one.
// `sections`: false = the first screen only.
[[nodiscard]] std::string text_report(const std::vector<Prediction>& models, const ArchSpec& arch,
                                      bool sections);

}  // namespace gpumodel
