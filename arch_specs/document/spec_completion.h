// What a product's file need not say: measured figures that no data sheet has, and figures of its parent that
// no longer hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/document/spec_resolution.h"

namespace gpumodel {

inline constexpr const char* filled_file = "not in the file";  // Provenance::file of values filled in

// Fills in, each as an estimate, what a product and its parents leave out, from the default product of its
// generation:
//   l2.read_bandwidth, l2.write_bandwidth, l2.size   as there, per SM
//   dram.latency, dram.read_efficiency, dram.copy_efficiency, dram.ecc, dram.capacity   as there
// and from the file itself: clock.sm = the boost or base clock, dram.bandwidth = bus width * data rate,
// marketing_name = name. Nothing of a generation or of a generation's default product.
void fill_unmeasured(ResolvedSpec& resolved, const std::vector<std::string>& search_path);

// Removes inherited declared.* whose inputs a nearer file replaces: the maker printed them for the parent.
void drop_declared_of_parents(ResolvedSpec& resolved);

// A key that fill_unmeasured knows how to fill in.
[[nodiscard]] bool can_be_filled_in(std::string_view key);

// Keys of a loaded spec that fill_unmeasured filled in, in the order of their names.
[[nodiscard]] std::vector<std::string> filled_keys(const ArchSpec& spec);

}  // namespace gpumodel
