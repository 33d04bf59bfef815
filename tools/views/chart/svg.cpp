#include "tools/views/chart/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"

namespace gpumodel::chart {
namespace {

std::string class_attribute(std::string_view classes) {
    return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string_view anchor_class(Anchor anchor) {
    switch (anchor) {
        case Anchor::middle:
            return "am";
        case Anchor::end:
            return "ae";
        case Anchor::start:
            break;
    }
    return "";
}

std::string joined(std::string_view first, std::string_view second) {
    const bool both = !first.empty() && !second.empty();
    return fmt::format("{}{}{}", first, both ? " " : "", second);
}

bool starts_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::size_t characters_of(std::string_view text) {
    std::size_t count = 0;
    for (const char byte : text) {
        count += starts_character(byte) ? 1U : 0U;
    }
    return count;
}

// Text neither grows huge on a wide page nor too small to read on a narrow one, where wide drawings scroll.
std::string page_width(double width) {
    constexpr double largest_scale = 1.3;
    constexpr double smallest_scale = 0.75;
    constexpr double phone = 340;
    const double least = smallest_scale * width;
    return fmt::format(" style=\"max-width:{}px{}\"", coordinate(largest_scale * width),
                       least > phone + 10 ? fmt::format(";min-width:{}px", coordinate(least)) : "");
}

std::string fill_attribute(std::string_view fill) {
    return fill.empty() ? "" : fmt::format(" style=\"fill:{}\"", fill);
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : safe_to_print(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string coordinate(double value) {
    if (!std::isfinite(value) || std::abs(value) < 0.005) {
        return "0";
    }
    auto text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

double text_width(std::string_view text, double font_size) {
    constexpr double mean_advance = 0.66;  // of the font size: DejaVu Sans in capitals, wider than most
    return mean_advance * font_size * static_cast<double>(characters_of(valid_utf8(text)));
}

std::string shortened(std::string_view text, std::size_t characters) {
    auto sound = valid_utf8(text);
    if (characters_of(sound) <= characters) {
        return sound;
    }
    std::size_t kept = 0;
    std::size_t end = 0;
    while (end < sound.size() && (kept + 1 < characters || !starts_character(sound[end]))) {
        kept += starts_character(sound[end]) ? 1U : 0U;
        ++end;
    }
    return sound.substr(0, end) + "\u2026";
}

Svg::Svg(double width, double height, std::string title, std::string description)
    : width_(width), height_(height), title_(std::move(title)), description_(std::move(description)) {}

void Svg::element(std::string_view tag, std::string_view attributes, std::string_view classes,
                  std::string_view tip) {
    body_ += fmt::format("<{}{}{}", tag, class_attribute(classes), attributes);
    body_ += tip.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escaped(tip), tag);
}

void Svg::line(Point from, Point to, std::string_view classes, std::string_view tip) {
    element("line",
            fmt::format(R"( x1="{}" y1="{}" x2="{}" y2="{}")", coordinate(from.x), coordinate(from.y),
                        coordinate(to.x), coordinate(to.y)),
            classes, tip);
}

void Svg::rect(Point corner, double width, double height, std::string_view classes, std::string_view tip,
               std::string_view fill) {
    element("rect",
            fmt::format(R"( x="{}" y="{}" width="{}" height="{}"{})", coordinate(corner.x),
                        coordinate(corner.y), coordinate(std::max(width, 0.0)),
                        coordinate(std::max(height, 0.0)), fill_attribute(fill)),
            classes, tip);
}

void Svg::circle(Point centre, double radius, std::string_view classes, std::string_view tip) {
    element("circle",
            fmt::format(R"( cx="{}" cy="{}" r="{}")", coordinate(centre.x), coordinate(centre.y),
                        coordinate(radius)),
            classes, tip);
}

void Svg::poly(std::string_view tag, const std::vector<Point>& points, std::string_view classes,
               std::string_view tip) {
    std::string list;
    for (const auto& point : points) {
        list += fmt::format("{}{},{}", list.empty() ? "" : " ", coordinate(point.x), coordinate(point.y));
    }
    element(tag, fmt::format(" points=\"{}\"", list), classes, tip);
}

void Svg::path(const std::vector<Point>& points, std::string_view classes, std::string_view tip) {
    poly("polyline", points, joined("open", classes), tip);
}

void Svg::area(const std::vector<Point>& points, std::string_view classes, std::string_view tip) {
    poly("polygon", points, classes, tip);
}

void Svg::text(Point at, std::string_view text, std::string_view classes, Anchor anchor,
               std::string_view fill) {
    body_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>\n",
                         class_attribute(joined(classes, anchor_class(anchor))), coordinate(at.x),
                         coordinate(at.y), fill_attribute(fill), escaped(text));
}

void Svg::rotated_text(Point at, double degrees, std::string_view text, std::string_view classes,
                       Anchor anchor) {
    body_ += fmt::format("<text{0} x=\"{1}\" y=\"{2}\" transform=\"rotate({3} {1} {2})\">{4}</text>\n",
                         class_attribute(joined(classes, anchor_class(anchor))), coordinate(at.x),
                         coordinate(at.y), coordinate(-degrees), escaped(text));
}

std::string Svg::str(Embedding embedding) const {
    const bool alone = embedding == Embedding::standalone;
    const auto width = coordinate(width_);
    const auto height = coordinate(height_);
    std::string svg = R"(<svg class="chart" role="img")";
    if (alone) {
        svg += fmt::format(R"( xmlns="http://www.w3.org/2000/svg" width="{}" height="{}")", width, height);
    }
    svg += alone ? "" : page_width(width_);
    svg += fmt::format(" viewBox=\"0 0 {} {}\" aria-label=\"{}\">\n", width, height, escaped(title_));
    svg += fmt::format("<title>{}</title>\n", escaped(title_));
    if (!description_.empty()) {
        svg += fmt::format("<desc>{}</desc>\n", escaped(description_));
    }
    if (alone) {
        svg += "<style>" + chart_style() + "</style>\n";
        svg += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", width, height);
    }
    return svg + body_ + "</svg>\n";
}

}  // namespace gpumodel::chart
