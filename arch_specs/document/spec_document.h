// One spec file as data, before inheritance.
//
// The language: nested maps whose key paths are those of schema.h. A value is a scalar, a list
// ([16 KiB, 48 KiB]), or a map {value: ..., source: ...}. `source:` inside a section is the source of
// every value below it in this file that names none of its own. A source that begins with "estimated"
// marks an estimate. `~` removes an inherited value that may be absent. Five keys of the top level
// describe the file:
//   schema_version: 1       required
//   name: k40               required; equals the file's name without .yaml
//   inherits: sm_35         optional; a file name without .yaml
//   default_product: k40    makes the file a generation
//   aliases: [K40c, K40m]   other names that mean this product, as people write them (names/gpu_name.h: case,
//   dashes,
//                           vendor and brand need no alias); not inherited
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "arch_specs/schema/schema.h"
#include "base/diagnostics.h"

namespace gpumodel {

inline constexpr int spec_schema_version = 1;

struct SpecEntry {
    const Field* field = nullptr;
    FieldValue value;  // monostate: `~`
    Provenance provenance;
};

struct SpecDocument {
    std::string file;
    std::string name;
    Provenance inherits;         // text is the parent's name, "" = none
    Provenance default_product;  // text is the product's name, "" = not a generation
    std::vector<std::string> aliases;
    std::vector<SpecEntry> entries;        // in file order, sound values only
    std::vector<std::string> faulty_keys;  // given, but with a fault
};

// Reads `path`, appending every fault to `faults`. The document holds what was sound.
[[nodiscard]] SpecDocument read_spec_document(const std::string& path, std::vector<Diagnostic>& faults);

[[nodiscard]] bool is_estimate(std::string_view source);

}  // namespace gpumodel
