#include "tools/views/html/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/prediction/report.h"

namespace gpumodel::cli::page {
namespace {

std::string class_of(std::string_view css_class) {
    return css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
}

std::string chips_html(const std::vector<std::string>& chips) {
    std::string html;
    for (const auto& chip : chips) {
        html += fmt::format("<li>{}</li>", escaped(chip));
    }
    return html.empty() ? "" : "<ul class=\"chips\">" + html + "</ul>\n";
}

std::string navigation(const std::vector<Section>& sections) {
    std::string html = "<nav aria-label=\"Sections\"><ul>";
    for (const auto& section : sections) {
        if (!section.html.empty() && !section.title.empty()) {
            html += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, escaped(section.title));
        }
    }
    return html + "</ul></nav>\n";
}

std::string section_html(const Section& section) {
    if (section.html.empty()) {
        return "";
    }
    const auto heading = section.title.empty() ? "" : fmt::format("<h2>{}</h2>\n", escaped(section.title));
    return fmt::format("<section id=\"{}\" class=\"{}\">\n{}{}</section>\n", section.id,
                       section.wide ? "card wide" : "card", heading, section.html);
}

// No "</script>" or "<!--" within the element: json may write any character by its number.
std::string data_text(std::string_view json) {
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        c == '<' ? text += "\\u003c" : text += c;
    }
    return text;
}

std::string footer_html(const PageHead& head) {
    std::string html = "<footer>\n<dl>";
    for (const auto& [what, value] : head.metadata) {
        html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(what), escaped(value));
    }
    return html + "</dl>\n</footer>\n";
}

}  // namespace

std::string figure(std::string_view id, double value, std::string_view text) {
    if (!std::isfinite(value)) {
        return escaped(text);
    }
    const auto id_attribute = id.empty() ? "" : fmt::format(" id=\"{}\"", id);
    return fmt::format("<data{} value=\"{}\">{}</data>", id_attribute, number(value), escaped(text));
}

void HtmlTable::row(const std::vector<std::string>& cells_html, std::string_view row_class) {
    rows_ += fmt::format("<tr{}>", class_of(row_class));
    for (std::size_t i = 0; i < cells_html.size(); ++i) {
        rows_ += fmt::format("<td{}>{}</td>", class_of(columns_[i].align == Align::number ? "n" : ""),
                             cells_html[i]);
    }
    rows_ += "</tr>\n";
}

std::string HtmlTable::str() const {
    std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const auto& column : columns_) {
        html += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(column.align == Align::number ? "n" : ""),
                            escaped(column.text));
    }
    return html + "</tr></thead>\n<tbody>\n" + rows_ + "</tbody></table></div>\n";
}

void SortableTable::row(const std::vector<std::string>& cells, std::string_view row_class,
                        std::string_view id) {
    rows_ += fmt::format("<tr{}{}>", id.empty() ? "" : fmt::format(" id=\"{}\"", id), class_of(row_class));
    for (const auto& cell : cells) {
        rows_ += cell;
    }
    rows_ += "</tr>\n";
}

std::string SortableTable::str() const {
    std::string html =
        fmt::format("<table class=\"sortable{}{}\">\n<thead><tr>", class_.empty() ? "" : " ", class_);
    for (const auto& column : columns_) {
        html +=
            fmt::format("<th scope=\"col\"{}>{}</th>",
                        class_of(column.align == HtmlTable::Align::number ? "n" : ""), escaped(column.text));
    }
    return "<div class=\"scroll\">" + html + "</tr></thead>\n<tbody>\n" + rows_ + "</tbody></table></div>\n";
}

std::string SortableTable::cell(double value, std::string_view text, std::string_view css_class) {
    return fmt::format("<td{} data-v=\"{}\">{}</td>", class_of(css_class), number(value), escaped(text));
}

std::string SortableTable::text_cell(std::string_view text, std::string_view css_class) {
    return fmt::format("<td{}>{}</td>", class_of(css_class), escaped(text));
}

std::string SortableTable::none() {
    return "<td class=\"n\" data-v=\"-1e300\"></td>";
}

std::string inline_bar(double share) {
    return fmt::format(R"(<span class="bar"><span style="width:{}%"></span></span>)",
                       chart::coordinate(100 * std::clamp(share, 0.0, 1.0)));
}

std::string paragraph(std::string_view text, std::string_view css_class) {
    return fmt::format("<p{}>{}</p>\n", class_of(css_class), escaped(text));
}

std::string tile(std::string_view name_text, std::string_view value_html, std::string_view note_text) {
    return fmt::format(
        "<div><dt>{}</dt><dd><span class=\"big\">{}</span><span class=\"note\">{}</span></dd></div>\n",
        escaped(name_text), value_html, escaped(note_text));
}

std::string details(std::string_view summary_text, std::string_view html) {
    return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(summary_text), html);
}

std::string figure_box(std::string_view svg) {
    return fmt::format("<div class=\"scroll\">{}</div>\n", svg);
}

std::string html_page(const PageHead& head, const std::vector<Section>& sections, const PageExtras& extras) {
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"gpumodel\">\n";
    html += fmt::format("<title>{}</title>\n", escaped(head.title));
    html += "<style>" + chart::chart_style() + page_style() + extras.style +
            "</style>\n</head>\n<body>\n<header>\n";
    html +=
        fmt::format("<p class=\"brand\">{}</p>\n<h1>{}</h1>\n", escaped(head.brand), escaped(head.heading));
    html += paragraph(head.subtitle, "subtitle") + chips_html(head.chips) + navigation(sections);
    html += "</header>\n<main>\n";
    for (const auto& section : sections) {
        html += section_html(section);
    }
    html += "</main>\n" + footer_html(head);
    if (!extras.data.empty()) {
        html += R"(<script type="application/json" id="data">)" + data_text(extras.data) + "</script>\n";
    }
    return html + "<script>" + page_script() + extras.script + "</script>\n</body>\n</html>\n";
}

}  // namespace gpumodel::cli::page
