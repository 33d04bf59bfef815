// The report's advice: each gain is the one that predict --explain finds for the limiter.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/html_document.h"
#include "tests/support/run_command.h"
#include "tools/report/advice.h"

using Json = nlohmann::json;

namespace {

// 32 passes to read a column of a tile 32 words wide
const std::string conflicts = "--arch v100_sxm2 --kernel aat_coalesced -m 512 -n 512 -k 32";
// lanes a row apart write whole sectors for a word each
const std::string uncoalesced = "--arch v100_sxm2 --kernel transpose_naive -m 1024 -n 1024";

std::map<std::string, double> savings(const std::string& options) {
    std::map<std::string, double> found;
    const auto json = Json::parse(run_gpumodel("predict --explain --format json " + options).out);
    for (const auto& row : json.at("explain")) {
        if (row.at("status") == "ok") {
            found[row.at("limiter")] = row.at("saved_pct");
        }
    }
    return found;
}

std::map<std::string, double> gains(const HtmlDocument& page) {
    std::map<std::string, double> found;
    const std::string prefix = "gain_";
    for (const auto& [id, text] : page.data) {
        if (id.rfind(prefix, 0) == 0) {
            auto name = id.substr(prefix.size());
            std::replace(name.begin(), name.end(), '-', ' ');
            found[name] = std::stod(text);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("gains of the advice are those of predict --explain", "[cli][report]") {
    for (const auto& [launch, rule] :
         {std::pair{conflicts, "bank conflicts"}, {uncoalesced, "uncoalesced accesses"}}) {
        const auto html = run_gpumodel("report " + launch);
        REQUIRE(html.exit_code == 0);
        const auto page = read_html(html.out);
        CHECK(page.faults.empty());
        const auto found = gains(page);
        CHECK(found.count(rule) == 1);
        auto expected = savings(launch);
        for (auto& [name, saved] : std::map<std::string, double>(expected)) {
            auto words = name;
            std::replace(words.begin(), words.end(), '-', ' ');
            expected[words] = saved;
        }
        for (const auto& [name, gain] : found) {
            INFO(name);
            REQUIRE(expected.count(name) == 1);
            CHECK(gain == Approx(expected.at(name)).epsilon(1e-6).margin(1e-6));
        }
        CHECK(gains(read_html(run_gpumodel("report --explain " + launch).out)) == found);
    }
}

TEST_CASE("a rule names the two numbers that it lays side by side", "[cli][report]") {
    const auto html = run_gpumodel("report " + uncoalesced).out;
    const auto json = Json::parse(run_gpumodel("predict --format json " + uncoalesced).out);
    double now = 0, ideal = 0;
    for (const auto& site : json.at("predictions").at(0).at("sites")) {
        if (site.at("space") == "global") {
            now += site.at("sectors").get<double>();
            ideal += site.at("ideal_sectors").get<double>();
        }
    }
    // of 32 sectors that a warp writes, four would do: (4 + 32) / (4 + 4)
    CHECK(now / ideal == Approx(4.5));
    CHECK(html.find("4.50 times as many") != std::string::npos);
}

TEST_CASE("explain knows the limiter of every rule", "[report]") {
    const auto json = Json::parse(run_gpumodel("predict --explain --format json " + conflicts).out);
    for (const auto limiter : gpumodel::cli::page::all_limiters_of_rules()) {
        INFO(limiter);
        const auto& rows = json.at("explain");
        CHECK(std::any_of(rows.begin(), rows.end(),
                          [&](const Json& row) { return row.at("limiter") == limiter; }));
    }
}
