// Charts as SVG text (SVG 1.1). Shapes name their colours by CSS class and custom property, so that a page's
// light or dark theme holds for its charts; a stand-alone file brings the same style sheet with it.
//
// Same calls, same bytes: coordinates have two decimals at most. Text is escaped, bytes that are no UTF-8
// become U+FFFD. Coordinates must be finite; one that is not is drawn at 0.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpumodel::chart {

// For XML and HTML, between tags and within quoted attribute values.
[[nodiscard]] std::string escaped(std::string_view text);
// "12.5", "-3", "0": at most two decimals, no trailing zeros.
[[nodiscard]] std::string coordinate(double value);
// Width of a line of text in units of the drawing, as wide fonts have it (0.66 of the font size a character).
[[nodiscard]] double text_width(std::string_view text, double font_size = 12);
// At most `characters` characters, the last one an ellipsis where something was cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t characters);

struct Point {
    double x = 0, y = 0;
};

enum class Anchor : unsigned char { start, middle, end };

enum class Embedding : unsigned char {
    page,        // an <svg> element for a HTML page that has chart_style()
    standalone,  // a file of its own: name space, size and style sheet included
};

// Classes of the style sheet: c1 ... c8 (fill of a category), s1 ... s8 (its stroke), ink, dim (text), grid,
// axis (lines), mark (the point that a chart is about), faint (half-transparent), bold, small, mono.
class Svg {
public:
    // `title` is what a screen reader says; `description` may hold the chart's main figures.
    Svg(double width, double height, std::string title, std::string description = "");

    // `tip`: text on hover; "" = none. Several classes are separated by blanks.
    void line(Point from, Point to, std::string_view classes, std::string_view tip = "");
    void rect(Point corner, double width, double height, std::string_view classes, std::string_view tip = "",
              std::string_view fill = "");  // a colour ("#440154") that overrides the classes'
    void circle(Point centre, double radius, std::string_view classes, std::string_view tip = "");
    void path(const std::vector<Point>& points, std::string_view classes, std::string_view tip = "");
    void area(const std::vector<Point>& points, std::string_view classes,
              std::string_view tip = "");  // closed
    void text(Point at, std::string_view text, std::string_view classes = "ink",
              Anchor anchor = Anchor::start, std::string_view fill = "");
    // Around `at`, counter-clockwise.
    void rotated_text(Point at, double degrees, std::string_view text, std::string_view classes = "ink",
                      Anchor anchor = Anchor::start);

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const { return height_; }
    [[nodiscard]] std::string str(Embedding embedding = Embedding::page) const;

private:
    void element(std::string_view tag, std::string_view attributes, std::string_view classes,
                 std::string_view tip);
    void poly(std::string_view tag, const std::vector<Point>& points, std::string_view classes,
              std::string_view tip);

    double width_, height_;
    std::string title_, description_, body_;
};

// The custom properties and classes that charts use. For pages; standalone drawings contain it.
// A page's theme: prefers-color-scheme, unless the root element says data-theme="light" or "dark".
// Printed: always light.
[[nodiscard]] std::string chart_style();

}  // namespace gpumodel::chart
