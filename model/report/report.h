// Views of Prediction: text for people, csv and json for programs. All three read the same struct.
// The csv columns and their order are the contract of design.md; a column is empty where nothing was
// predicted, never 0. Numbers are printed with enough digits to be reproducible, base units in the
// column name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"

namespace gpumodel {

inline constexpr int schema_version = 1;

struct ReportMetadata {
    std::string tool_version;
    std::string spec_file;
    std::string spec_hash;
    std::string command_line;
};

// "1.234e+06"-free shortest decimal that keeps 7 significant digits; never "nan" or "inf" (those give "").
[[nodiscard]] std::string number(double value);

[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_row(const Prediction& prediction);
// "" for 0: a launch of someone's own kernel has no M, N, K.
[[nodiscard]] std::string dimension_text(std::int64_t value);
// Quotes a field when it holds a comma, a quote or a line break (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);

// One launch: by one model, or by both, the simulator's first; then the document also carries their
// disagreement.
[[nodiscard]] std::string json_report(const std::vector<Prediction>& models, const ReportMetadata& metadata);

// The same document piece by piece, for many launches: head, items, tail.
[[nodiscard]] std::string json_head(const ReportMetadata& metadata);
[[nodiscard]] std::string json_item(const Prediction& prediction, bool first);
[[nodiscard]] std::string json_tail(bool any_items, bool interrupted = false);

// One launch, as json_report takes it; the first is the predicted time. `sections`: false = the first screen
// only.
[[nodiscard]] std::string text_report(const std::vector<Prediction>& models, const ArchSpec& arch,
                                      bool sections);

// A kernel's name for people: C++ names of listings demangled.
[[nodiscard]] std::string readable_entry(const std::string& entry);

// "12.35 ms", "1.05 TB/s": three to four significant digits with an SI prefix.
[[nodiscard]] std::string human_time(double seconds);
[[nodiscard]] std::string human_si(double value, const std::string& unit);
[[nodiscard]] std::string human_bytes(double bytes);

}  // namespace gpumodel
