// The simulate command and predict --explain as a user runs them.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace simulate_command_test {

using Json = nlohmann::json;

namespace {

const std::string small = "simulate --arch v100_sxm2 --kernel blocktile2d -m 256 -n 256 -k 64";

std::string line_with(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(part) != std::string::npos) {
            return line;
        }
    }
    return "";
}

}  // namespace

TEST_CASE("simulate accounts for every warp cycle and says so", "[cli][simulate]") {
    const auto text = run_gpumodel(small);
    REQUIRE(text.exit_code == 0);
    CHECK(line_with(text.out, "Check:").find("every cycle has exactly one") != std::string::npos);
    CHECK(line_with(text.out, "Simulated").find("the busiest SM's whole launch") != std::string::npos);
    const auto json = Json::parse(run_gpumodel(small + " --format json").out);
    CHECK(json.at("schema_version") == 1);
    double sum = 0;
    for (const auto& stall : json.at("stalls").at("reasons")) {
        sum += stall.at("warp_cycles").get<double>();
    }
    CHECK(sum == Approx(json.at("stalls").at("warp_cycles").get<double>()));
    CHECK(json.at("stalls").at("resident_warp_cycles_simulated") ==
          json.at("stalls").at("accounted_warp_cycles_simulated"));
    // 256 x 256 x 64 products of 32 lanes on the SM that has one of the four 128 x 128 blocks
    CHECK(json.at("sm").at("pipes").at("fma").at("instructions").get<double>() >= 256.0 * 256 * 64 / 32 / 4);
    double by_site = 0;
    for (const auto& site : json.at("sites")) {
        by_site += site.at("warp_cycles").get<double>();
    }
    CHECK(by_site == Approx(sum));
}

TEST_CASE("simulate as csv is one tidy table", "[cli][simulate]") {
    const auto csv = run_gpumodel(small + " --format csv");
    REQUIRE(csv.exit_code == 0);
    CHECK(csv.out.rfind("arch,kernel,params,M,N,K,section,item,metric,value,unit\n", 0) == 0);
    CHECK(line_with(csv.out, ",launch,,cycles,").rfind("v100_sxm2,blocktile2d,", 0) == 0);
    CHECK_FALSE(line_with(csv.out, "smsp__inst_executed.sum").empty());
}

TEST_CASE("the timeline has one letter per warp and cycle", "[cli][simulate]") {
    const auto json = Json::parse(run_gpumodel(small + " --timeline --timeline-from 700 --timeline-cycles 40 "
                                                       "--timeline-warps 5 --format json")
                                      .out)
                          .at("timeline");
    REQUIRE(json.at("rows").size() == 5);
    for (const auto& row : json.at("rows")) {
        const auto cells = row.at("cells").get<std::string>();
        CHECK(cells.size() == 40);
        for (const char cell : cells) {
            CHECK((cell == ' ' || json.at("legend").contains(std::string(1, cell))));
        }
    }
    const auto text = run_gpumodel(small + " --timeline --timeline-from 0");
    CHECK(line_with(text.out, "Timeline: cycles 0 to 99").find("warps 8 of 8") != std::string::npos);
}

TEST_CASE("the trace-event file is json whose warps tile", "[cli][simulate]") {
    const TemporaryFolder folder;
    const auto path = folder.file("timeline.json");
    const auto result = run_gpumodel(small + " --exact --timeline-out " + path);
    REQUIRE(result.exit_code == 0);
    std::ifstream file(path);
    const auto trace = Json::parse(file);
    CHECK(trace.at("otherData").at("time_unit").get<std::string>().find("cycle") != std::string::npos);
    double blocks = 0, spans = 0;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "X" && event.at("pid") == 1) {
            (event.at("cat") == "block" ? blocks : spans) += event.at("dur").get<double>();
        }
    }
    CHECK(blocks > 0);
    CHECK(blocks == spans);
    CHECK(run_gpumodel(small + " --timeline-out /no/such/folder/t.json").exit_code == 2);
}

TEST_CASE("a capped trace file says so", "[cli][simulate]") {
    const TemporaryFolder folder;
    const auto path = folder.file("timeline.json");
    const auto result = run_gpumodel(small + " --timeline-events 100 --timeline-out " + path);
    CHECK(result.exit_code == 0);
    CHECK(result.err.find("first 100 events") != std::string::npos);
    std::ifstream file(path);
    CHECK(Json::parse(file).at("truncated") == true);
}

TEST_CASE("a run that stops leaves where each warp stands, exit 3", "[cli][simulate][errors]") {
    const auto result = run_gpumodel(small + " --max-cycles 200");
    CHECK(result.exit_code == 3);
    CHECK(result.out.find("cycle limit reached") != std::string::npos);
    CHECK(result.out.find("block slot 0 warp 7") != std::string::npos);
    CHECK(result.err.find("cycle limit reached") != std::string::npos);
}

TEST_CASE("a block that does not fit: exit 3 with the reason", "[cli][simulate][errors]") {
    const auto result = run_gpumodel(small + " --registers 255 -p BM=256 -p BN=256 -p TM=8 -p TN=8");
    CHECK(result.exit_code == 3);
    CHECK_FALSE(result.err.empty());
}

TEST_CASE("simulate reports all usage faults at once", "[cli][simulate][errors]") {
    const auto result = run_gpumodel(
        "simulate --arch v100_sxm2 --timeline-from x --timeline-events 5 --max-cycles 0 --instructions -1");
    CHECK(result.exit_code == 2);
    for (const auto* option :
         {"--kernel", "--timeline-from", "--timeline:", "--timeline-out", "--max-cycles", "--instructions"}) {
        INFO(option);
        CHECK(result.err.find(option) != std::string::npos);
    }
}

TEST_CASE("predict --explain: largest saving first, text and json", "[cli][explain]") {
    const std::string launch = " --arch v100_sxm2 --kernel blocktile2d -m 256 -n 256 -k 64 --explain";
    const auto json = Json::parse(run_gpumodel("predict" + launch + " --format json").out);
    const auto& rows = json.at("explain");
    REQUIRE(rows.size() > 15);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].at("status") == "ok") {
            CHECK(rows[i].at("saved_us").get<double>() <= rows[i - 1].at("saved_us").get<double>());
        }
    }
    const auto text = run_gpumodel("predict" + launch);
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("Savings do not add up") != std::string::npos);
    CHECK(run_gpumodel("predict --model analytic" + launch).exit_code == 2);
    CHECK(run_gpumodel("predict --format csv" + launch).exit_code == 2);
}

TEST_CASE("simulate takes listings", "[cli][simulate][sass]") {
    const auto json = Json::parse(
        run_gpumodel("simulate --arch h200_sxm --sass " GPUMODEL_SOURCE_DIR
                     "/validate/general/sm_90.sass.gz --entry stencil5 --grid 32,64 --block 32,8 --args "
                     "ptr:4MiB,ptr:4MiB,1000,507 --format json")
            .out);
    CHECK(json.at("status") == "ok");
    CHECK(json.at("counters").at("smsp__inst_executed.sum") == 682592);
    CHECK(json.at("instructions").at(0).at("address").is_number());
}

}  // namespace simulate_command_test
