#include <fmt/format.h>

#include <cmath>

#include "tools/views/compare_page/compare_page.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli::page {
namespace {

std::string value_cell(const std::optional<double>& value, ValueText text) {
    return value ? SortableTable::cell(*value, text(*value)) : SortableTable::none();
}

std::string difference_cell(const TermPair& term, ValueText text) {
    const auto difference = term.difference();
    if (!difference) {
        return SortableTable::none();
    }
    constexpr double rounding = 1e-9;  // of the larger side
    const bool equal = std::abs(*difference) <= rounding * std::max(std::abs(*term.a), std::abs(*term.b));
    return equal ? SortableTable::cell(0, "0")
                 : SortableTable::cell(*difference,
                                       (*difference < 0 ? "-" : "+") + text(std::abs(*difference)));
}

}  // namespace

std::string change_text(double percent) {
    return fmt::format("{:+.1f} %", percent);
}

std::string terms_table(const std::string& what, const std::vector<TermPair>& terms, ValueText text) {
    SortableTable table({{what, HtmlTable::Align::text},
                         {"a", HtmlTable::Align::number},
                         {"b", HtmlTable::Align::number},
                         {"b - a", HtmlTable::Align::number},
                         {"b / a", HtmlTable::Align::number}});
    for (const auto& term : terms) {
        const auto ratio = term.ratio();
        table.row(
            {SortableTable::text_cell(term.name), value_cell(term.a, text), value_cell(term.b, text),
             difference_cell(term, text),
             ratio ? SortableTable::cell(*ratio, fmt::format("{:.3f}", *ratio)) : SortableTable::none()});
    }
    return table.str();
}

}  // namespace gpumodel::cli::page
