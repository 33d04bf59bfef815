// Text of unknown origin made printable. Expected forms from RFC 3629 and its table of ill-formed ones.
#include "base/printable.h"

#include <catch2/catch.hpp>

#include "base/diagnostics.h"

using namespace gpumodel;

TEST_CASE("well-formed UTF-8 stays as it is", "[unit]") {
    for (const auto* text : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEE\x80\x80",
                             "\xF0\x90\x8D\x88", "\xF4\x8F\xBF\xBF"}) {
        CHECK(valid_utf8(text) == text);
    }
}

TEST_CASE("every stray byte becomes one replacement character", "[unit]") {
    const std::string bad = "\xEF\xBF\xBD";
    CHECK(valid_utf8("a\xFFz") == "a" + bad + "z");
    CHECK(valid_utf8("\x80") == bad);
    CHECK(valid_utf8("\xC3") == bad);                                // cut short
    CHECK(valid_utf8("\xC0\xAF") == bad + bad);                      // overlong '/'
    CHECK(valid_utf8("\xE0\x80\xAF") == bad + bad + bad);            // overlong
    CHECK(valid_utf8("\xED\xA0\x80") == bad + bad + bad);            // surrogate
    CHECK(valid_utf8("\xF4\x90\x80\x80") == bad + bad + bad + bad);  // above U+10FFFF
    CHECK(valid_utf8("\xE2\x82x") == bad + bad + "x");
    CHECK(safe_to_print("a\x1B[31m\n\x7F") == "a" + bad + "[31m" + bad + bad);
}

TEST_CASE("diagnostics about binary files are short and printable", "[unit][bug]") {
    const Diagnostic fault{"f.csv", 1, 1, std::string(5000, '\x01'), "unknown column"};
    const auto text = to_string(fault);
    CHECK(text.size() < 700);
    CHECK(text.find('\x01') == std::string::npos);
    CHECK(text.substr(text.size() - 19) == "...: unknown column");
}
