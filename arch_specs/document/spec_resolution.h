// A spec file with everything it inherits and every override, merged key by key. Nearer files win:
// override, file, parent, grandparent.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch_specs/document/spec_document.h"
#include "arch_specs/loader.h"

namespace gpumodel {

struct ResolvedValue {
    const Field* field = nullptr;
    FieldValue value;
    Provenance provenance;
    int depth = 0;  // -1 override, 0 the file itself, 1 its parent ...
};

struct ResolvedSpec {
    std::vector<SpecDocument> chain;  // the file, its parent, ...
    std::map<std::string, ResolvedValue> values;
    bool complete = true;  // every parent was found and every file could be parsed

    [[nodiscard]] bool is_generation() const {
        return !chain.empty() && !chain.front().default_product.text.empty();
    }
    // Name of the nearest generation file in the chain; "" if there is none.
    [[nodiscard]] std::string generation() const;
};

// Reads and merges, and fills in what data sheets do not have (spec_completion.h); appends the faults of
// every file and override (syntax, unknown keys, bad values, missing parents, inheritance cycles) to
// `faults`.
[[nodiscard]] ResolvedSpec resolve_spec(const std::string& path, const std::vector<Override>& overrides,
                                        const std::vector<std::string>& search_path,
                                        std::vector<Diagnostic>& faults);

// Keys that the schema needs and nobody gave. Product keys are not asked of a generation.
void check_required(const ResolvedSpec& resolved, std::vector<Diagnostic>& faults);

// The values as a spec: all fields set, nothing derived.
[[nodiscard]] ArchSpec build_spec(const ResolvedSpec& resolved);

// 64-bit FNV-1a of all resolved keys and values in canonical form, 16 hex digits.
[[nodiscard]] std::string content_hash(const ResolvedSpec& resolved);

}  // namespace gpumodel
