// predict --model: which models speak in which format, jobs in parallel, interruption.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string small = "predict --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256 ";

std::vector<std::string> models_of(const std::string& csv) {
    std::vector<std::string> models;
    for (const auto& line : lines_of(csv)) {
        for (const auto* model : {"simulate", "analytic"}) {
            if (line.find(std::string(",") + model + ",") != std::string::npos) {
                models.emplace_back(model);
            }
        }
    }
    return models;
}

// json quotes the command, which names the threads
std::string without_command_line(const std::string& text) {
    std::string rest;
    for (const auto& line : lines_of(text)) {
        if (line.find("\"command_line\"") == std::string::npos) {
            rest += line + '\n';
        }
    }
    return rest;
}

using Models = std::vector<std::string>;

}  // namespace

TEST_CASE("csv: simulate by default, one row per model asked for", "[cli][sim]") {
    CHECK(models_of(run_gpumodel(small + "--format csv").out) == Models{"simulate"});
    CHECK(models_of(run_gpumodel(small + "--format csv --model analytic").out) == Models{"analytic"});
    CHECK(models_of(run_gpumodel(small + "--format csv --model both").out) == Models{"simulate", "analytic"});
}

TEST_CASE("json: both by default, the simulator's with what only it knows", "[cli][sim]") {
    const auto json = nlohmann::json::parse(run_gpumodel(small + "--format json").out);
    REQUIRE(json.at("predictions").size() == 2);
    const auto& simulated = json.at("predictions").at(0);
    const auto& analytic = json.at("predictions").at(1);
    CHECK(simulated.at("model") == "simulate");
    CHECK(analytic.at("model") == "analytic");
    const double ratio = analytic.at("time_us").get<double>() / simulated.at("time_us").get<double>();
    CHECK(json.at("model_disagreement_pct").get<double>() == Approx(100 * (ratio - 1)).margin(1e-6));
    double share = 0;
    for (const auto& stall : simulated.at("stalls")) {
        share += stall.at("share_pct").get<double>();
    }
    CHECK(share == Approx(100));
    CHECK_FALSE(simulated.at("hot_instructions").empty());
    CHECK(simulated.at("issue_active_pct").get<double>() > 0);
    CHECK(simulated.at("extrapolation").contains("sm_blocks_simulated"));
    CHECK_FALSE(analytic.contains("stalls"));
    const auto one = nlohmann::json::parse(run_gpumodel(small + "--format json --model simulate").out);
    CHECK(one.at("predictions").size() == 1);
    CHECK_FALSE(one.contains("model_disagreement_pct"));
}

TEST_CASE("text: the simulator's time, the analytic one below, stalls on request", "[cli][sim]") {
    const auto both = run_gpumodel(small).out;
    for (const auto* part : {"(model: simulate", "Analytic model", "Warp stalls", "Hot instructions"}) {
        INFO(part);
        CHECK(both.find(part) != std::string::npos);
    }
    const auto brief = run_gpumodel(small + "--brief").out;
    CHECK(brief.find("Analytic model") != std::string::npos);
    CHECK(brief.find("Warp stalls") == std::string::npos);
    CHECK(run_gpumodel(small + "--model analytic").out.find("Warp stalls") == std::string::npos);
}

TEST_CASE("--exact extrapolates nothing, --max-cycles gives up with a reason", "[cli][sim]") {
    const auto exact = nlohmann::json::parse(run_gpumodel(small + "--exact --format json").out);
    CHECK(exact.at("predictions").at(0).at("extrapolation").at("extrapolated") == false);
    const auto cut = run_gpumodel(small + "--max-cycles 100 --model both --format json");
    CHECK(cut.exit_code == 3);  // the simulation was asked for; the analytic model's answer is printed
    const auto json = nlohmann::json::parse(cut.out);
    CHECK(json.at("predictions").at(0).at("status") == "error");
    CHECK_FALSE(json.at("predictions").at(0).at("reason").get<std::string>().empty());
    CHECK(json.at("predictions").at(1).at("status") == "ok");
    CHECK(run_gpumodel(small + "--max-cycles 100 --model simulate").exit_code == 3);
}

TEST_CASE("jobs with both models: two rows each, and the same bytes at any thread count", "[cli][sim]") {
    const std::string jobs =
        "i=64; (echo kernel,params,M,N,K; while [ $i -le 320 ]; do echo smem,,$i,$i,$i; "
        "echo naive,,$i,64,64; echo nothing,,1,1,1; i=$((i+64)); done) | {gpumodel} predict --arch k40 "
        "--jobs - --model both --format ";
    for (const auto* format : {"csv", "json", "text"}) {
        INFO(format);
        const auto one = run_shell(jobs + format + " --threads 1");
        const auto five = run_shell(jobs + format + " --threads 5");
        CHECK(one.exit_code == 0);
        CHECK(one.out.size() > 1000);
        CHECK(without_command_line(one.out) == without_command_line(five.out));
    }
    const auto models = models_of(run_shell(jobs + "csv --threads 3").out);
    REQUIRE(models.size() == 30);
    CHECK(models[0] == "simulate");
    CHECK(models[1] == "analytic");
}

TEST_CASE("Ctrl-C: what was finished is there, json is whole, exit code 130", "[cli][sim]") {
    // standard input stays open after two rows: the run waits for more when the signal comes
    const auto interrupted = [](const std::string& format) {
        return run_shell(
            "d=$(mktemp -d); mkfifo $d/in; env --default-signal=INT {gpumodel} predict --arch k40 --jobs - "
            "--format " +
            format +
            " <$d/in >$d/out 2>$d/err & exec 3>$d/in; "
            "printf 'kernel,params,M,N,K\\nsmem,,64,64,64\\nnaive,,64,64,64\\n' >&3; i=0; "
            "until [ $(grep -cE '[,\"]ok[,\"]' $d/out) -ge 2 ] || [ $i -ge 600 ]; do sleep 0.1; i=$((i+1)); "
            "done; "
            "kill -INT $!; wait $!; code=$?; cat $d/out; cat $d/err >&2; rm -r $d; exit $code");
    };
    const auto csv = interrupted("csv");
    CHECK(csv.exit_code == 130);
    CHECK(lines_of(csv.out).size() == 3);
    CHECK(csv.err.find("interrupted after 2 rows") != std::string::npos);
    const auto json = interrupted("json");
    CHECK(json.exit_code == 130);
    const auto document = nlohmann::json::parse(json.out);
    CHECK(document.at("predictions").size() == 2);
    CHECK(document.at("interrupted") == true);
}
