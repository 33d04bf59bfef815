// gpumodel compare's page: the figures of its json, for files and launches, one pair and many.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/html_document.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace compare_page_test {

using Json = nlohmann::json;

namespace {

constexpr double digits = 1e-6;  // figures keep seven digits
const std::string pair =
    "compare --arch v100_sxm2 --kernel smem -m 512 -n 512 -k 512 --vs-kernel blocktile2d";

HtmlDocument checked(const std::string& html) {
    auto page = read_html(html);
    for (const auto& fault : page.faults) {
        FAIL_CHECK(fault);
    }
    CHECK(external_resources(html).empty());
    return page;
}

bool has_cell(const HtmlDocument& page, const std::string& text) {
    return std::find(page.cells.begin(), page.cells.end(), text) != page.cells.end();
}

}  // namespace

TEST_CASE("the page of two launches has the figures of the json", "[cli][compare]") {
    const auto html = run_gpumodel(pair + " --html");
    REQUIRE(html.exit_code == 0);
    const auto page = checked(html.out);
    const auto json = Json::parse(run_gpumodel(pair + " --format json").out).at("comparisons").at(0);
    for (const char* key : {"time_a_us", "time_b_us", "change_pct"}) {
        INFO(key);
        CHECK(std::stod(page.data.at(key)) == Approx(json.at(key).get<double>()).epsilon(digits));
    }
    for (const auto& part : json.at("parts")) {
        CHECK(has_cell(page, part.at("name")));
    }
    for (const auto& bound : json.at("bounds")) {
        CHECK(has_cell(page, bound.at("name")));
    }
    for (const char* id : {"summary", "parts", "bounds", "occupancy", "mix", "accesses", "counters"}) {
        INFO(id);
        CHECK(page.ids.count(id) == 1);
    }
    CHECK(run_gpumodel(pair + " --html").out == html.out);
}

TEST_CASE("a file that ends in .html is the page, of results too", "[cli][compare]") {
    const TemporaryFolder folder;
    const auto in_folder = [&](const std::string& script) {
        return run_shell("cd " + folder.path().string() + " && " + script);
    };
    REQUIRE(in_folder("for a in k40 v100_sxm2; do {gpumodel} predict --arch $a --kernel smem -m 256 -n 256 "
                      "-k 256 --format json --out $a.json; done")
                .exit_code == 0);
    REQUIRE(in_folder("{gpumodel} compare k40.json v100_sxm2.json --out x.html").exit_code == 0);
    const auto html = in_folder("cat x.html").out;
    const auto page = checked(html);
    const auto a = Json::parse(in_folder("cat k40.json").out).at("predictions").at(0);
    const auto b = Json::parse(in_folder("cat v100_sxm2.json").out).at("predictions").at(0);
    CHECK(std::stod(page.data.at("time_a_us")) == Approx(a.at("time_us").get<double>()).epsilon(digits));
    CHECK(std::stod(page.data.at("time_b_us")) == Approx(b.at("time_us").get<double>()).epsilon(digits));
    // a format that was asked for goes before the ending
    REQUIRE(in_folder("{gpumodel} compare k40.json v100_sxm2.json --format json --out y.html").exit_code ==
            0);
    CHECK(Json::accept(in_folder("cat y.html").out));
}

TEST_CASE("many launches are a table, the slowest b first", "[cli][compare]") {
    const TemporaryFolder folder;
    const auto in_folder = [&](const std::string& script) {
        return run_shell("cd " + folder.path().string() + " && " + script);
    };
    REQUIRE(in_folder("printf 'kernel,params,M,N,K\\nnaive,,256,256,256\\nsmem,,512,512,512\\nwarptile,,100,"
                      "100,100\\n' > jobs.csv; for a in k40 v100_sxm2; do {gpumodel} predict --arch $a "
                      "--jobs jobs.csv --format csv --model analytic --out $a.csv; done; test -s k40.csv")
                .exit_code == 0);
    const auto html = in_folder("{gpumodel} compare v100_sxm2.csv k40.csv --html");
    REQUIRE(html.exit_code == 0);
    const auto page = checked(html.out);
    const auto json = Json::parse(in_folder("{gpumodel} compare v100_sxm2.csv k40.csv --format json").out);
    CHECK(std::stod(page.data.at("geometric_mean_change_pct")) ==
          Approx(json.at("summary").at("geometric_mean_change_pct").get<double>()).epsilon(digits));
    std::vector<std::pair<double, std::string>> order;
    for (const auto& c : json.at("comparisons")) {
        if (c.at("change_pct").is_number()) {
            order.emplace_back(-c.at("change_pct").get<double>(), c.at("b").at("kernel"));
        }
    }
    std::sort(order.begin(), order.end());
    REQUIRE(order.size() == 2);
    CHECK(html.out.find(order[0].second + " on k40") < html.out.find(order[1].second + " on k40"));
    CHECK(has_cell(page, "infeasible"));
}

TEST_CASE("a page excludes another format", "[cli][compare][bad]") {
    const auto result = run_gpumodel(pair + " --html --format csv");
    CHECK(result.exit_code == 2);
    CHECK(result.err == "--html: excludes --format and --brief\n");
}

}  // namespace compare_page_test
