// Reports as markdown, to paste into an issue or a page.
#pragma once

#include <string>
#include <vector>

namespace gpumodel::cli {

// Of a report as people read it: its first line and the lines above indented blocks become headings, blocks
// whose columns stand apart by two spaces or more in every row become tables, lines without columns a list,
// what fits neither keeps its shape in a fence. No word and no number is left out or added.
[[nodiscard]] std::string markdown_report(const std::string& report);

// "| a | b |" with what markdown would take for its own escaped; without a line's end.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);
[[nodiscard]] std::string markdown_rule(std::size_t columns);  // "| --- | --- |"

}  // namespace gpumodel::cli
