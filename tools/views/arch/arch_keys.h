// `gpumodel arch keys` and `gpumodel arch schema`: the spec language's own table (schema.h), for people and
// for editors.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

// Every key of the section `prefix` ("" = all): unit or kind, allowed range, when it is needed, what it
// means, and what `example` has and where that figure comes from. Throws InputError (usage) for a prefix that
// names nothing.
[[nodiscard]] std::string arch_keys(const std::string& prefix, const ArchSpec& example, Format format);

// JSON schema (draft 2020-12) of a spec file.
[[nodiscard]] std::string arch_json_schema();

}  // namespace gpumodel::cli
