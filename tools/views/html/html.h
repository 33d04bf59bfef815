// Pieces of a HTML page as strings. Arguments named `text` are escaped here; those named `html` go in as they
// are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/views/chart/svg.h"

namespace gpumodel::cli::page {

using chart::escaped;

// <data id="time_us" value="10886.41">10.89 ms</data>: a figure that scripts can read; no id where it is "".
// An unknown value (NaN) is only its text.
[[nodiscard]] std::string figure(std::string_view id, double value, std::string_view text);

// A table that scrolls sideways by itself where the page is narrower.
class HtmlTable {
public:
    enum class Align : unsigned char { text, number };
    struct Column {
        std::string text;
        Align align = Align::text;
    };
    explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void row(const std::vector<std::string>& cells_html, std::string_view row_class = "");
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string str() const;

private:
    std::vector<Column> columns_;
    std::string rows_;
};

// The same with cells that a click on a column's head sorts by: numbers by value, not by their text.
class SortableTable {
public:
    explicit SortableTable(std::vector<HtmlTable::Column> columns, std::string_view css_class = "")
        : columns_(std::move(columns)), class_(css_class) {}
    // Cells: made by the functions below.
    void row(const std::vector<std::string>& cells, std::string_view row_class = "",
             std::string_view id = "");
    [[nodiscard]] std::string str() const;

    [[nodiscard]] static std::string cell(double value, std::string_view text,
                                          std::string_view css_class = "n");
    [[nodiscard]] static std::string text_cell(std::string_view text, std::string_view css_class = "");
    [[nodiscard]] static std::string none();  // sorts below all numbers

private:
    std::vector<HtmlTable::Column> columns_;
    std::string class_, rows_;
};

// A bar within a table cell, `share` of 0 ... 1.
[[nodiscard]] std::string inline_bar(double share);

[[nodiscard]] std::string paragraph(std::string_view text, std::string_view css_class = "");
// A figure with its name above and a note below, for the first screen's <dl class="tiles">.
[[nodiscard]] std::string tile(std::string_view name_text, std::string_view value_html,
                               std::string_view note_text);
// Folded away until asked for; open in print.
[[nodiscard]] std::string details(std::string_view summary_text, std::string_view html);
// A chart that keeps its size and scrolls sideways where it is wider than its card.
[[nodiscard]] std::string figure_box(std::string_view svg);

struct Section {
    std::string id;
    std::string title;
    std::string html;
    bool wide = false;
};

struct PageHead {
    std::string title;                                          // of the document
    std::string heading, subtitle;                              // text
    std::vector<std::string> chips;                             // text: parameters, sizes
    std::vector<std::pair<std::string, std::string>> metadata;  // text: what, value
    std::string brand = "gpumodel report";                      // text
};

// What a page has beside its sections; all of it goes in as it is.
struct PageExtras {
    std::string style, script;  // behind those of all pages
    std::string data;           // json, as <script type="application/json" id="data">
};

// The whole document. Sections without content are left out. Same arguments, same bytes; nothing is loaded
// from elsewhere, and all sections can be read without scripts.
[[nodiscard]] std::string html_page(const PageHead& head, const std::vector<Section>& sections,
                                    const PageExtras& extras = {});

// The page's own style sheet and script.
[[nodiscard]] std::string page_style();
[[nodiscard]] std::string page_script();

}  // namespace gpumodel::cli::page
