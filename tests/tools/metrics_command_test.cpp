// gpumodel metrics: every column of a prediction has words, a unit as the counter table has it, and its
// models.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

nlohmann::json listed() {
    const auto result = run_gpumodel("metrics list --format json");
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out).at("metrics");
}

}  // namespace

TEST_CASE("metrics list names the columns of a prediction, in their order, each with words",
          "[cli][metrics]") {
    const auto header = cells_of(
        lines_of(run_gpumodel("predict --arch k40 --kernel naive --model analytic --format csv").out).at(0));
    const auto list = listed();
    REQUIRE(list.size() == header.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        INFO(header[i]);
        CHECK(list[i].at("name") == header[i]);
        CHECK(list[i].at("meaning").get<std::string>().size() > 5);
    }
}

TEST_CASE("a metric that a model predicts is listed for it", "[cli][metrics]") {
    std::map<std::string, std::string> models;
    for (const auto& metric : listed()) {
        models[metric.at("name")] = metric.at("models");
    }
    for (const std::string model : {"analytic", "simulate"}) {
        const auto lines = lines_of(run_gpumodel("predict --arch h200_sxm --kernel smem -m 256 -n 256 -k 256 "
                                                 "--format csv --model " +
                                                 model)
                                        .out);
        REQUIRE(lines.size() == 2);
        const auto names = cells_of(lines[0]);
        const auto cells = cells_of(lines[1]);
        std::size_t filled = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!cells.at(i).empty()) {
                INFO(names[i]);
                CHECK(models.at(names[i]).find(model) != std::string::npos);
                ++filled;
            }
        }
        CHECK(filled > 30);
    }
}

TEST_CASE("metrics show takes a name or a part, and names the nearest otherwise", "[cli][metrics]") {
    const auto one = run_gpumodel("metrics show waves");
    CHECK(one.exit_code == 0);
    CHECK(lines_of(one.out).size() == 3);
    CHECK(lines_of(one.out).at(0) == "waves");
    const auto several = run_gpumodel("metrics show bank_conflicts --format csv");
    CHECK(lines_of(several.out).size() == 3);  // loads and stores, behind the header
    const auto stall = run_gpumodel("metrics show stalled_barrier");
    CHECK(stall.out.find("the block's other warps, at a barrier") != std::string::npos);
    const auto none = run_gpumodel("metrics show dram__bytes_reed.sum");
    CHECK(none.exit_code == 2);
    CHECK(none.err ==
          "name: dram__bytes_reed.sum: no such metric; see 'gpumodel metrics list'; nearest: "
          "dram__bytes_read.sum\n");
}
