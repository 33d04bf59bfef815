// The views: numbers print without loss or tokens that are no numbers, csv quotes, json parses.
#include "model/report/report.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/analytic/counters.h"

using namespace gpumodel;

TEST_CASE("numbers keep seven digits and never print nan or inf", "[unit]") {
    for (const double value :
         {0.0, 1.0, 0.001234567, 12.5, 123456.789, 1.0 / 3, 68719476736.0, 4.2e-7, -2.25}) {
        INFO(value);
        const auto text = number(value);
        CHECK(text.find_first_not_of("-0123456789.") == std::string::npos);
        CHECK(std::stod(text) == Approx(value).epsilon(1e-6));
    }
    CHECK(number(std::nan("")).empty());
    CHECK(number(std::numeric_limits<double>::infinity()).empty());
    CHECK(number(5) == "5");
    CHECK(number(0.5) == "0.5");
}

TEST_CASE("human-readable quantities carry SI prefixes", "[unit]") {
    CHECK(human_time(12.351e-3) == "12.35 ms");
    CHECK(human_time(1.5) == "1.5 s");
    CHECK(human_time(7e-6) == "7 us");
    CHECK(human_si(4.29e12, "FLOP/s") == "4.29 TFLOP/s");
    CHECK(human_bytes(268e6) == "268 MB");
}

TEST_CASE("csv fields are quoted only when they must be", "[unit]") {
    CHECK(csv_field("BM=128;BN=64") == "BM=128;BN=64");
    CHECK(csv_field("a,b") == "\"a,b\"");
    CHECK(csv_field("say \"no\"") == "\"say \"\"no\"\"\"");
}

TEST_CASE("a row has as many fields as the header, and unknown is empty", "[unit]") {
    Prediction p;
    p.status = Status::error;
    p.reason = "because, of this";
    p.arch = "k40";
    const auto count = [](const std::string& line) {
        int fields = 1;
        bool quoted = false;
        for (const char c : line) {
            quoted = quoted != (c == '"');
            fields += c == ',' && !quoted ? 1 : 0;
        }
        return fields;
    };
    CHECK(count(csv_row(p)) == count(csv_header()));
    CHECK(csv_row(p).find("k40,,,,,,analytic,error,\"because, of this\",,,,,,,,,,,,,") == 0);
    CHECK(csv_row(p).find('0', 4) == std::string::npos);  // no zero stands for unknown
    CHECK(count(csv_header()) == 22 + static_cast<int>(counter_names().size()));
}

TEST_CASE("json of an infeasible prediction has a reason and no time", "[unit]") {
    Prediction p;
    p.status = Status::infeasible;
    p.reason = "K = 5 must be a multiple of BK = 8";
    const auto json = nlohmann::json::parse(json_report({p}, {"0.1.0", "a.yaml", "abc", "gpumodel"}));
    CHECK(json.at("schema_version") == schema_version);
    CHECK(json.at("predictions").at(0).at("reason") == p.reason);
    CHECK_FALSE(json.at("predictions").at(0).contains("time_us"));
}

TEST_CASE("json stays valid when a name is not UTF-8", "[unit]") {
    Prediction p;
    p.status = Status::error;
    p.kernel = "warp\xfftile";
    const auto json = nlohmann::json::parse(json_report({p}, {"0.1.0", "a.yaml", "abc", "gpumodel"}));
    CHECK(json.at("predictions").at(0).at("kernel") == "warp\xEF\xBF\xBDtile");
}

namespace {

Prediction with_sites(MemorySpace space, int count) {
    Prediction p;
    p.kernel = "_ZN3foo3barEPfi";
    p.time_seconds = p.cycles = 1;
    for (int i = 0; i < count; ++i) {
        SiteReport s;
        s.name = "site" + std::to_string(1000 + i);
        s.space = space;
        s.instructions = 1;
        s.sectors = s.wavefronts = i % 7 == 3 ? 100 + i : 5;
        p.sites.push_back(s);
    }
    return p;
}

std::size_t rows_of(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("the memory section shows the 24 costliest sites in order, of spaces that have any", "[unit]") {
    const ArchSpec arch;
    for (const auto space : {MemorySpace::global, MemorySpace::shared, MemorySpace::local}) {
        const auto text = text_report(with_sites(space, 100), arch, true);
        CHECK(rows_of(text, "  site1") == 24);
        CHECK(text.find("76 more") != std::string::npos);
        for (int i = 3; i < 100; i += 7) {
            INFO(i);
            CHECK(text.find("site" + std::to_string(1000 + i)) != std::string::npos);
        }
        CHECK(text.find("site1003") < text.find("site1010"));
        CHECK(rows_of(text, " access ") == 1);
        CHECK(text.find(std::string(to_string(space)) + " access") != std::string::npos);
    }
    const auto few = text_report(with_sites(MemorySpace::global, 24), arch, true);
    CHECK(rows_of(few, "  site1") == 24);
    CHECK(few.find("more with") == std::string::npos);
}

TEST_CASE("people read demangled names, programs the entry's", "[unit]") {
    const auto p = with_sites(MemorySpace::global, 1);
    CHECK(text_report(p, ArchSpec(), false).starts_with("foo::bar(float*, int) on "));
    CHECK(csv_row(p).find("_ZN3foo3barEPfi") != std::string::npos);
}
