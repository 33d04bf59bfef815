// `gpumodel arch new`: a GPU of one's own as a YAML file, from another product and what a data sheet has.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"

namespace gpumodel::cli {

struct SourcedValue {
    std::string key, value, source;
};

struct NewArch {
    std::string from;  // product or generation, as people type it
    std::string name;
    std::string marketing_name;
    std::string sm_count, memory, l2, base_clock, boost_clock;  // "" = as `from`
    std::vector<std::string> sets;                              // KEY=VALUE of any other key
    std::vector<SourcedValue> measured;  // each with a source of its own; wins over `sets`
    std::string source = "given";
};

// The file's text. What the change makes untrue of the parent is left out or scaled, as an estimate: L2
// bandwidths go with the SMs, the pins and the base clock are dropped where only bandwidth or boost is given.
// Throws InputError (usage) with every fault: an unknown parent, bad values, an unusable name.
[[nodiscard]] std::string new_arch_yaml(const NewArch& arch);

// The spec that new_arch_yaml(arch) is where it stands as `out` ("" = in the working directory). Throws what
// that throws, and InputError (usage) with what contradicts itself in the file.
[[nodiscard]] ArchSpec load_new_arch(const NewArch& arch, const std::string& out);

// What of a product does not follow another number of SMs (the L2's bandwidths do): one line, "" if nothing.
[[nodiscard]] std::string unscaled_note(const NewArch& arch);

// What the file at `path` describes, what of it is estimated for want of data, and how to use it.
[[nodiscard]] std::string new_arch_summary(const std::string& path);

}  // namespace gpumodel::cli
