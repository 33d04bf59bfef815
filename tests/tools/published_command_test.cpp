// gpumodel validate --published on the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string published = "validate --published " GPUMODEL_SOURCE_DIR "/validate/data/published.csv";

}  // namespace

TEST_CASE("published times in every format say the same", "[cli][published]") {
    const auto some = published + " --kernel-filter vectorized";
    const auto json = run_gpumodel(some + " --format json");
    REQUIRE(json.exit_code == 0);
    const auto report = nlohmann::json::parse(json.out);
    const auto csv = run_gpumodel(some + " --format csv");
    const auto lines = lines_of(csv.out);
    CHECK(lines.size() == 1 + report["ladders"].size() + report["gpus"].size() + report["sums"].size());
    const auto rows = run_gpumodel(some + " --rows");
    CHECK(lines_of(rows.out).size() == 1 + report["launches"].get<std::size_t>());
    const auto text = run_gpumodel(some);
    CHECK(text.out.find(std::to_string(report["launches"].get<int>()) + " published launches on") == 0);
    const auto first = report["ladders"].front();
    CHECK(cells_of(lines[1])[2] == first["ladder"].get<std::string>());
    CHECK(std::stod(cells_of(lines[1])[7]) == Approx(first["median_pct"].get<double>()));
}

TEST_CASE("published times name their products themselves", "[cli][published]") {
    const auto wrong = run_gpumodel(published + " --arch k40 --listings a.sass --model analytic-sass");
    CHECK(wrong.exit_code == 2);
    for (const auto* option : {"--arch", "--listings", "--model"}) {
        CHECK(wrong.err.find(option) != std::string::npos);
    }
    CHECK(run_gpumodel("validate --published none.csv").exit_code == 2);
}
