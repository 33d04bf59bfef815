// A comparison as one HTML page, of the struct that text, json and csv read.
#pragma once

#include <string>

#include "tools/views/compare/compare_views.h"
#include "tools/views/html/html.h"

namespace gpumodel::cli::page {

// One pair in full: times, where they differ, bounds, occupancy, instruction mix, accesses and counters side
// by side, the largest differences first. Several pairs: a table of them, the slowest b first.
[[nodiscard]] std::string compare_page(const CompareView& view);

// Parts of a page about one pair; empty without anything to show.
[[nodiscard]] Section pair_summary_section(const ComparedPair& pair, const CompareView& view);
[[nodiscard]] Section pair_parts_section(const ComparedPair& pair);
[[nodiscard]] Section pair_bounds_section(const ComparedPair& pair);
[[nodiscard]] Section pair_resources_section(const ComparedPair& pair);
[[nodiscard]] Section pair_mix_section(const ComparedPair& pair);
[[nodiscard]] Section pair_sites_section(const ComparedPair& pair);
[[nodiscard]] Section pair_counters_section(const ComparedPair& pair);

// A row per term: a, b, b - a, b / a; sortable. `text` makes a value readable.
using ValueText = std::string (*)(double value);
[[nodiscard]] std::string terms_table(const std::string& what, const std::vector<TermPair>& terms,
                                      ValueText text);
// "-25.3 %", "+0.0 %"
[[nodiscard]] std::string change_text(double percent);

}  // namespace gpumodel::cli::page
