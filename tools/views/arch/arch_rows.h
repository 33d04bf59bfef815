// The values of a spec as rows of text, for `arch show`, `arch check` and `arch diff`.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "arch_specs/document/spec_document.h"

namespace gpumodel::cli {

struct ArchRow {
    std::string key;
    std::string value;   // with its unit; "-" = not given
    std::string source;  // "derived" for what follows from other keys; "" = none named
    bool estimated = false;
    std::string place;  // file:line, "--set", "" where there is none
    FieldValue number;  // value in base units
    std::string unit;   // base unit, "" for counts, ratios and words
};

// What one file says itself, in its own order and words.
[[nodiscard]] std::vector<ArchRow> file_rows(const SpecDocument& document);

// Every value of a loaded spec in schema order, then what the loader derived. Keys that nobody gave are
// "-", except those of opcode classes that the architecture lacks.
[[nodiscard]] std::vector<ArchRow> resolved_rows(const ArchSpec& spec);

[[nodiscard]] int estimated_values(const ArchSpec& spec);

}  // namespace gpumodel::cli
