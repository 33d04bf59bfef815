// From a name or a path to an immutable ArchSpec: find, parse, inherit, override, check, convert, derive.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/diagnostics.h"

namespace gpumodel {

// One `--set key=value`: replaces the value of a key path, same units as in YAML. `file` and what follows say
// where it stands, where that is no command line.
struct Override {
    std::string key;
    std::string value;
    std::string file = "--set";
    int line = 0;
    int column = 0;
};

// Directories searched for `<name>.yaml`, in this order: `GPUMODEL_ARCH_PATH` (colon-separated),
// `<prefix>/share/gpumodel/arch_specs` beside the executable's bin/ where it exists, the source tree's
// arch_specs/ where it exists, the configured installation prefix's where it exists. Each is searched
// itself and in its products/ and generations/. A program linked against a package installed under
// another prefix passes the package's gpumodel_ARCH_SPECS instead.
[[nodiscard]] std::vector<std::string> default_spec_path();
// Those of GPUMODEL_ARCH_PATH that are no folders or cannot be read; the search passes them over.
[[nodiscard]] std::vector<std::string> unreadable_spec_folders();

// `name_or_path`: a product ("k40", or as people write it: "Tesla K40", names/spec_names.h), a generation
// ("sm_35": its default product), or a YAML file's path (contains '/' or ends in .yaml). Throws InputError
// with every fault of the spec and the overrides (kind invalid_input for a bad spec file, usage for an
// unknown name, a missing file, or if all faults lie in the overrides). The language is described in
// spec_document.h and schema.h.
[[nodiscard]] ArchSpec load_arch(const std::string& name_or_path, const std::vector<Override>& overrides = {},
                                 const std::vector<std::string>& search_path = default_spec_path());

// The YAML file that `name_or_path` means; a generation's own file, not its default product's. Throws
// InputError (usage) for an unknown name or a missing file.
[[nodiscard]] std::string arch_file(const std::string& name_or_path,
                                    const std::vector<std::string>& search_path = default_spec_path());

struct ArchListing {
    std::string name;
    std::string marketing_name;
    std::string generation;       // "" for a generation file
    std::string default_product;  // generations only
    std::string file;
};

// Everything found on the search path, products first, each group sorted by compute capability, name.
[[nodiscard]] std::vector<ArchListing> list_archs(
    const std::vector<std::string>& search_path = default_spec_path());

// Reads one file and returns every fault found in it (and in what it inherits); empty = sound.
[[nodiscard]] std::vector<Diagnostic> check_arch(
    const std::string& path, const std::vector<std::string>& search_path = default_spec_path());

}  // namespace gpumodel
