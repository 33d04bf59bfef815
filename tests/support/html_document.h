// A strict reader of the HTML that gpumodel writes: every tag closed, every attribute quoted, every id once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

struct HtmlDocument {
    std::vector<std::string> faults;  // none: well-formed
    std::set<std::string> ids;
    std::map<std::string, std::string> data;  // id -> value of <data id="" value="">
    std::vector<std::string> cells;           // text of each table cell, tags left out, in order
    std::vector<std::string> cell_values;     // value of each <data class="cell">
    std::map<std::string, int> elements;      // count of each tag
};

[[nodiscard]] HtmlDocument read_html(const std::string& text);

// Whatever would make a browser load something: addresses, sources, imports, frames.
[[nodiscard]] std::vector<std::string> external_resources(const std::string& text);
