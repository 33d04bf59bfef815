// Charts against geometry worked out here.
#include <catch2/catch.hpp>
#include <regex>

#include "tools/views/chart/bars.h"
#include "tools/views/chart/heat_map.h"
#include "tools/views/chart/steps.h"

using namespace gpumodel::chart;

namespace {

// Values of an attribute of all elements of a tag and class, in document order.
std::vector<double> attributes(const std::string& svg, const std::string& tag, const std::string& css_class,
                               const std::string& name) {
    std::vector<double> values;
    const std::regex element("<" + tag + " class=\"" + css_class + "\"[^>]*? " + name + "=\"([^\"]*)\"");
    for (std::sregex_iterator it(svg.begin(), svg.end(), element), end; it != end; ++it) {
        values.push_back(std::stod((*it)[1]));
    }
    return values;
}

}  // namespace

TEST_CASE("bars are as long as their values", "[chart]") {
    BarChart chart;
    chart.title = "bounds";
    chart.bars = {{"FMA", 80, "80 %", "", 6, true},
                  {"L2 & more", 20, "20 %", "", 1, false},
                  {"zero", 0, "0 %", "", 1, false}};
    chart.reference = 100;
    chart.reference_label = "time";
    const auto svg = bar_chart(chart);
    const auto whole = attributes(svg, "rect", "track", "width");
    REQUIRE(whole.size() == 3);
    REQUIRE(attributes(svg, "rect", "c6", "width").size() == 1);
    CHECK(attributes(svg, "rect", "c6", "width")[0] == Approx(0.8 * whole[0]).margin(0.02));
    CHECK(attributes(svg, "rect", "c1", "width")[0] == Approx(0.2 * whole[0]).margin(0.02));
    CHECK(attributes(svg, "rect", "c1", "width")[1] == 0);
    CHECK(svg.find("L2 &amp; more") != std::string::npos);
    CHECK(svg.find("<desc>FMA: 80 %; L2 &amp; more: 20 %; zero: 0 %</desc>") != std::string::npos);
}

TEST_CASE("negative bars start at zero and point left", "[chart]") {
    BarChart chart;
    chart.bars = {{"gain", 30, "30", "", 3, false}, {"loss", -10, "-10", "", 6, false}};
    const auto svg = bar_chart(chart);
    const double gain_x = attributes(svg, "rect", "c3", "x").at(0);
    const double gain_width = attributes(svg, "rect", "c3", "width").at(0);
    const double loss_x = attributes(svg, "rect", "c6", "x").at(0);
    const double loss_width = attributes(svg, "rect", "c6", "width").at(0);
    CHECK(loss_x + loss_width == Approx(gain_x).margin(0.02));
    CHECK(gain_width == Approx(3 * loss_width).margin(0.1));
}

TEST_CASE("parts of a stacked bar fill it in proportion", "[chart]") {
    const auto svg = stacked_bar(
        "stalls", {{"a", 3, "75 %", 1, false}, {"none", 0, "0 %", 3, false}, {"b", 1, "25 %", 2, false}});
    const auto a = attributes(svg, "rect", "c1", "width");  // bar and legend
    const auto b = attributes(svg, "rect", "c2", "width");
    REQUIRE(a.size() == 2);
    CHECK(a[0] == Approx(0.75 * chart_width - 1).margin(0.02));
    CHECK(b[0] == Approx(0.25 * chart_width - 1).margin(0.02));
    CHECK(svg.find("none") == std::string::npos);
    CHECK(stacked_bar("nothing", {}).find("<svg") == 0);
}

TEST_CASE("viridis runs from dark violet to yellow", "[chart]") {
    CHECK(viridis(0) == "#440154");  // matplotlib's ends and middle
    CHECK(viridis(0.5) == "#21918c");
    CHECK(viridis(1) == "#fde725");
    CHECK(viridis(-3) == viridis(0));
    CHECK(viridis(7) == viridis(1));
    CHECK(ink_on_viridis(0) == "#ffffff");
    CHECK(ink_on_viridis(1) == "#000000");
}

TEST_CASE("a heat map draws each cell and marks the best", "[chart]") {
    HeatMap map{"t", "BM", "BN", {"64", "128"}, {"8", "16"}, {}, "slow", "fast"};
    map.cells = {
        {0.0, "9", "", false}, {1.0, "3", "", true}, {std::nullopt, "", "", false}, {0.5, "5", "", false}};
    const auto svg = heat_map(map);
    const auto fills = [&](const std::string& colour) {
        std::size_t count = 0;
        for (auto at = svg.find("height=\"29\" style=\"fill:" + colour); at != std::string::npos;
             at = svg.find("height=\"29\" style=\"fill:" + colour, at + 1)) {
            ++count;
        }
        return count;
    };
    CHECK(fills("#440154") == 1);
    CHECK(fills("#21918c") == 1);
    CHECK(fills("#fde725") == 1);
    CHECK(attributes(svg, "rect", "track", "x").size() == 1);
    CHECK(attributes(svg, "rect", "frame", "x").size() == 1);
    CHECK(heat_map(map) == svg);
}

TEST_CASE("steps go down where their ranges end", "[chart]") {
    StepChart chart;
    chart.title = "cliffs";
    chart.start = 0;
    chart.steps = {{50, 64}, {100, 32}};
    chart.y_end = 64;
    chart.mark = Point{75, 32};
    chart.mark_label = "here";
    const auto svg = step_chart(chart);
    std::smatch line;
    REQUIRE(std::regex_search(svg, line, std::regex("class=\"open s1\" points=\"([^\"]*)\"")));
    std::vector<double> xs;
    std::vector<double> ys;
    const std::string points = line[1];
    const std::regex pair("([0-9.]+),([0-9.]+)");
    for (std::sregex_iterator it(points.begin(), points.end(), pair), end; it != end; ++it) {
        xs.push_back(std::stod((*it)[1]));
        ys.push_back(std::stod((*it)[2]));
    }
    REQUIRE(xs.size() == 4);
    CHECK(xs[1] == Approx((xs[0] + xs[3]) / 2).margin(0.02));  // 50 is half way from 0 to 100
    CHECK(xs[1] == xs[2]);
    CHECK(ys[0] == ys[1]);
    CHECK(ys[2] > ys[1]);
    CHECK(attributes(svg, "circle", "mark", "cx").at(0) ==
          Approx(xs[0] + 0.75 * (xs[3] - xs[0])).margin(0.02));
    CHECK(attributes(svg, "circle", "mark", "cy").at(0) == Approx(ys[2]).margin(0.02));
}

TEST_CASE("bins of a histogram are as high as their counts", "[chart]") {
    Histogram chart;
    chart.scale = ScaleKind::logarithmic;
    chart.bins = {{1, 10, 4}, {10, 100, 8}, {100, 1000, 0}};
    const auto svg = histogram(chart);
    const auto heights = attributes(svg, "rect", "c1", "height");
    const auto widths = attributes(svg, "rect", "c1", "width");
    REQUIRE(heights.size() == 3);
    CHECK(heights[1] == Approx(2 * heights[0]).margin(0.02));
    CHECK(heights[2] == 0);
    CHECK(widths[0] == Approx(widths[2]).margin(0.02));  // a decade each
}
