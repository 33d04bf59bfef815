// gpumodel sensitivity: formats, what-ifs, faults of the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_command.h"

namespace {

const std::string small = "sensitivity --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256 ";

nlohmann::json study(const std::string& more) {
    const auto result = run_gpumodel(small + more + " --format json");
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out);
}

const nlohmann::json& key(const nlohmann::json& json, const std::string& name) {
    for (const auto& row : json.at("keys")) {
        if (row.at("name") == name) {
            return row;
        }
    }
    FAIL("no row for " + name);
    return json;
}

double predicted_us(const std::string& model, const std::string& more) {
    const auto result = run_gpumodel(
        "predict --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256 --format json "
        "--model " +
        model + " " + more);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out).at("predictions").at(0).at("time_us").get<double>();
}

}  // namespace

TEST_CASE("a study's times are those that predict gives with --set", "[cli][sensitivity]") {
    const auto json = study("--model analytic --keys clock.sm,l2.latency");
    CHECK(json.at("schema_version") == 1);
    CHECK(json.at("time").at("analytic_us").get<double>() ==
          Approx(predicted_us("analytic", "")).epsilon(1e-5));
    CHECK(json.at("time").at("simulated_us").is_null());
    const auto& clock = key(json, "clock.sm");
    CHECK(clock.at("high").at("text") == "1.683 GHz");
    CHECK(clock.at("high").at("analytic_time_us").get<double>() ==
          Approx(predicted_us("analytic", "--set 'clock.sm=1.683 GHz'")).epsilon(1e-5));
    CHECK(clock.at("elasticity").get<double>() < 0);
    CHECK(json.at("keys").size() == 2);
}

TEST_CASE("what-ifs are predict's times before and after", "[cli][sensitivity]") {
    const auto json = study("--scale sm.shared_memory.bandwidth=2 --scale sm_count=1.5");
    CHECK(json.at("keys").empty());
    CHECK(json.at("time").at("simulated_us").get<double>() ==
          Approx(predicted_us("simulate", "")).epsilon(1e-5));
    const auto& both = json.at("what_if").at(2);
    CHECK(both.at("set").at("sm_count") == 120);
    CHECK(both.at("time").at("simulated_us").get<double>() ==
          Approx(predicted_us("simulate", "--set 'sm.shared_memory.bandwidth=256 B/clk' --set sm_count=120"))
              .epsilon(1e-5));
}

TEST_CASE("by default all numbers are varied that can matter", "[cli][sensitivity]") {
    const auto json = study("--model analytic");
    CHECK(json.at("keys").size() > 60);
    for (const auto& row : json.at("keys")) {
        CHECK(row.at("name").get<std::string>().rfind("declared.", 0) == std::string::npos);
        const bool told =
            !row.at("elasticity").is_null() || !row.at("low").at("reason").get<std::string>().empty();
        INFO(row.at("name"));
        CHECK(told);
    }
    CHECK(json.at("parameters").size() == 3);  // BS, UNROLL, registers
}

TEST_CASE("the study does not depend on the number of threads", "[cli][sensitivity]") {
    for (const std::string format : {"text", "csv"}) {
        const auto one = run_gpumodel(small + "--keys 'l1.*,clock.*' --threads 1 --format " + format);
        const auto four = run_gpumodel(small + "--keys 'l1.*,clock.*' --threads 4 --format " + format);
        CHECK(one.exit_code == 0);
        CHECK(one.err.empty());
        CHECK(one.out == four.out);
    }
}

TEST_CASE("csv has one row per key and parameter, all of the header's width", "[cli][sensitivity]") {
    const auto result = run_gpumodel(small +
                                     "--model analytic --keys sm_count,sm.warp_size "
                                     "--scale sm_count=2 --format csv");
    REQUIRE(result.exit_code == 0);
    std::vector<std::string> lines;
    std::string line;
    for (std::istringstream in(result.out); std::getline(in, line);) {
        lines.push_back(line);
    }
    REQUIRE(lines.size() == 1 + 1 + 2 + 3);
    CHECK(lines[0].rfind("arch,kernel,params,M,N,K,model,kind,name,value,unit,time_us,elasticity,", 0) == 0);
    const auto width = [](const std::string& row) {
        bool quoted = false;
        int commas = 0;
        for (const char c : row) {
            quoted = quoted != (c == '"');
            commas += c == ',' && !quoted ? 1 : 0;
        }
        return commas;
    };
    for (const auto& row : lines) {
        INFO(row);
        CHECK(width(row) == width(lines[0]));
    }
    CHECK(lines[1].find(",what_if,sm_count = 160,") != std::string::npos);
}

TEST_CASE("text says what helps, what is in doubt and what could not be varied", "[cli][sensitivity]") {
    const auto result = run_gpumodel(small + "--model analytic");
    REQUIRE(result.exit_code == 0);
    for (const auto* needed :
         {"What hardware change would help this kernel most", "Which estimated input the answer hangs on",
          "The kernel's parameters", "not varied: sm.warp_size: allowed 32 to 32", "registers per thread",
          "clock.sm"}) {
        INFO(needed);
        CHECK(result.out.find(needed) != std::string::npos);
    }
}

TEST_CASE("faults of a study's command line, all at once", "[cli][sensitivity][bad]") {
    const auto several = run_gpumodel(small +
                                      "--keys sm_cout,zz.*,compute_capability --scale clock.sm=0 "
                                      "--scale sm.shared_memory=2");
    CHECK(several.exit_code == 2);
    CHECK(several.out.empty());
    CHECK(several.err ==
          "--keys: sm_cout: unknown key; nearest: sm_count\n"
          "--keys: zz.*: matches no number of v100_sxm2\n"
          "--keys: compute_capability: is no number\n"
          "--scale: clock.sm: '0' is no factor; expected a number above 0\n"
          "--scale: sm.shared_memory: this is a section; 'sm.shared_memory.*' means its keys\n");
    const auto options = run_gpumodel("sensitivity --arch v100_sxm2 --step 90 --model analytc --top 0");
    CHECK(options.exit_code == 2);
    CHECK(options.err.find("--kernel: give one of") != std::string::npos);
    CHECK(options.err.find("--step: '90' is no step") != std::string::npos);
    CHECK(options.err.find("nearest: analytic") != std::string::npos);
    CHECK(options.err.find("--top: 0 is out of range") != std::string::npos);
    // a machine that cannot be
    const auto odd = run_gpumodel(small + "--model analytic --scale sm.shared_memory.banks=1.5");
    CHECK(odd.exit_code == 2);
    CHECK(odd.err.find("power of two") != std::string::npos);
    CHECK(run_gpumodel(small + "--model analytic --scale sm_count=1.001").exit_code == 2);
}

TEST_CASE("a launch without a time exits with 3", "[cli][sensitivity]") {
    const auto result = run_gpumodel("sensitivity --arch k40 --kernel warptile -m 100 --model analytic");
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK(result.err.find("100") != std::string::npos);
}
