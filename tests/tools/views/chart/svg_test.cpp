#include "tools/views/chart/svg.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace gpumodel::chart;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("coordinates have two decimals at most and no exponent", "[chart]") {
    CHECK(coordinate(12) == "12");
    CHECK(coordinate(12.5) == "12.5");
    CHECK(coordinate(-3.14159) == "-3.14");
    CHECK(coordinate(100) == "100");
    CHECK(coordinate(-0.001) == "0");
    CHECK(coordinate(1e6) == "1000000");
    CHECK(coordinate(std::numeric_limits<double>::quiet_NaN()) == "0");
    CHECK(coordinate(std::numeric_limits<double>::infinity()) == "0");
}

TEST_CASE("text is escaped and made valid UTF-8", "[chart]") {
    CHECK(escaped("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    CHECK(escaped("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(escaped("x\xff\x01y") == "x\xef\xbf\xbd\xef\xbf\xbdy");
}

TEST_CASE("shortened text counts characters, not bytes", "[chart]") {
    CHECK(shortened("products", 8) == "products");
    CHECK(shortened("products", 5) == "prod\u2026");
    CHECK(shortened("\u00e9\u00e9\u00e9\u00e9", 3) == "\u00e9\u00e9\u2026");
    CHECK(text_width("ab", 10) == Approx(text_width("\u00e9\u00e9", 10)));
}

TEST_CASE("a drawing says what it is", "[chart]") {
    Svg svg(100, 50, "bounds <cycles>");
    svg.rect({1, 2}, -5, 3, "c1", "tip & more");
    svg.text({0, 10}, "<b>", "dim", Anchor::end);
    const auto page = svg.str();
    CHECK(page.find("role=\"img\"") != std::string::npos);
    CHECK(page.find("aria-label=\"bounds &lt;cycles&gt;\"") != std::string::npos);
    CHECK(page.find("<title>bounds &lt;cycles&gt;</title>") != std::string::npos);
    CHECK(page.find("viewBox=\"0 0 100 50\"") != std::string::npos);
    CHECK(page.find("width=\"0\"") != std::string::npos);  // no negative widths
    CHECK(page.find("<title>tip &amp; more</title></rect>") != std::string::npos);
    CHECK(page.find(">&lt;b&gt;</text>") != std::string::npos);
    CHECK(page.find("class=\"dim ae\"") != std::string::npos);
    CHECK(count(page, "<style>") == 0);
    CHECK(page == svg.str());
}

TEST_CASE("a drawing of its own brings name space and style sheet", "[chart]") {
    const auto file = Svg(100, 50, "t").str(Embedding::standalone);
    CHECK(file.find("xmlns=\"http://www.w3.org/2000/svg\"") != std::string::npos);
    CHECK(count(file, "<style>") == 1);
    CHECK(file.find("prefers-color-scheme:dark") != std::string::npos);
    CHECK(file.find("<rect class=\"paper\"") != std::string::npos);
}

TEST_CASE("every class that drawings use has a rule", "[chart]") {
    const auto css = chart_style();
    for (const char* name :
         {"c1",    "c8",   "s1",   "s8",       "dim",   "bold", "small", "grid",  "axis", "dash", "track",
          "faint", "wash", "mark", "markline", "frame", "am",   "ae",    "paper", "open", "wire"}) {
        INFO(name);
        CHECK(css.find(std::string(".") + name + "{") != std::string::npos);
    }
    CHECK(css.find("http") == std::string::npos);
}
