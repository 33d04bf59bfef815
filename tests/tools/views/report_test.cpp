// The views: numbers print without loss or tokens that are no numbers, csv quotes, json parses.
#include "tools/views/prediction/report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "base/json_text.h"
#include "base/note.h"
#include "model/counters/counters.h"
#include "model/sim/stalls.h"
#include "tools/views/prediction/disagreement.h"
#include "tools/views/prediction/prediction_json.h"

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
    CHECK(count(csv_header()) == 28 + static_cast<int>(counter_names().size()));
}

TEST_CASE("json of an infeasible prediction has a reason and no time", "[unit]") {
    Prediction p;
    p.status = Status::infeasible;
    p.reason = "K = 5 must be a multiple of BK = 8";
    const auto json =
        nlohmann::json::parse(json_text(predictions_json({p}, {"0.1.0", "a.yaml", "abc", "gpumodel"})));
    CHECK(json.at("schema_version") == schema_version);
    CHECK(json.at("predictions").at(0).at("reason") == p.reason);
    CHECK_FALSE(json.at("predictions").at(0).contains("time_us"));
}

TEST_CASE("json stays valid when a name is not UTF-8", "[unit]") {
    Prediction p;
    p.status = Status::error;
    p.kernel = "warp\xfftile";
    const auto json =
        nlohmann::json::parse(json_text(predictions_json({p}, {"0.1.0", "a.yaml", "abc", "gpumodel"})));
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
        const auto text = text_report({with_sites(space, 100)}, arch, true);
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
    const auto few = text_report({with_sites(MemorySpace::global, 24)}, arch, true);
    CHECK(rows_of(few, "  site1") == 24);
    CHECK(few.find("more with") == std::string::npos);
}

TEST_CASE("people read demangled names, programs the entry's", "[unit]") {
    const auto p = with_sites(MemorySpace::global, 1);
    CHECK(text_report({p}, ArchSpec(), false).starts_with("foo::bar(float*, int) on "));
    CHECK(csv_row(p).find("_ZN3foo3barEPfi") != std::string::npos);
}

namespace {

// Two warps' worth of figures that add up: 10 issues, 100 warp cycles.
Prediction simulated_prediction() {
    Prediction p;
    p.model = "simulate";
    p.kernel = "k";
    p.time_seconds = 2e-3;
    p.cycles = 50;
    p.bounds = {{"latency", 60, ""}, {"FMA pipe", 40, ""}};
    SimulationReport run;
    run.instructions = 10;
    run.warp_cycles = 100;
    run.issue_active = 0.05;
    run.stall_cycles[static_cast<std::size_t>(StallReason::selected)] = 10;
    run.stall_cycles[static_cast<std::size_t>(StallReason::not_selected)] = 60;
    run.stall_cycles[static_cast<std::size_t>(StallReason::long_scoreboard)] = 25;
    run.stall_cycles[static_cast<std::size_t>(StallReason::wait)] = 5;
    for (int i = 0; i < 12; ++i) {
        InstructionReport line;
        line.segment = "products";
        line.index = i;
        line.mnemonic = "LDS.U." + std::to_string(100 - i);
        line.issues = 1;
        line.stall_cycles[static_cast<std::size_t>(StallReason::short_scoreboard)] = 12.0 - i;
        run.instructions_by_stall.push_back(line);
    }
    run.instructions_by_stall[1].address = 0x3a0;
    run.blocks = 100;
    run.simulated_blocks = 20;
    p.simulation = run;
    return p;
}

Prediction analytic_prediction(double seconds) {
    Prediction p;
    p.time_seconds = seconds;
    p.cycles = 1;
    return p;
}

}  // namespace

TEST_CASE("stall shares sum to all warp cycles, most first", "[unit][sim]") {
    const auto stalls = ranked_stalls(*simulated_prediction().simulation);
    REQUIRE(stalls.size() == 4);
    CHECK(stalls[0].reason == StallReason::not_selected);
    CHECK(stalls[0].share_pct == Approx(60));
    CHECK(stalls[0].cycles_per_issue == Approx(6));
    CHECK(stalls[0].share_pct + stalls[1].share_pct + stalls[2].share_pct + stalls[3].share_pct ==
          Approx(100));
    const auto waits = ranked_waits(*simulated_prediction().simulation);
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].reason == StallReason::long_scoreboard);
}

TEST_CASE("text of a simulation: stalls, eight hot instructions, what was extrapolated", "[unit][sim]") {
    const ArchSpec arch;
    const auto text = text_report({simulated_prediction()}, arch, true);
    CHECK(text.find("20 of 100 blocks of the SM") != std::string::npos);
    CHECK(text.find("long_scoreboard") != std::string::npos);
    CHECK(text.find("Schedulers issue 0.050 instructions per cycle each") != std::string::npos);
    CHECK(text.find("products +0") != std::string::npos);
    CHECK(text.find("0x03a0") != std::string::npos);
    CHECK(text.find("products +1 ") == std::string::npos);  // it has an address
    CHECK(text.find("products +7") != std::string::npos);
    CHECK(text.find("products +8") == std::string::npos);
    const auto brief = text_report({simulated_prediction()}, arch, false);
    CHECK(brief.find("Warp stalls") == std::string::npos);
    CHECK(std::count(brief.begin(), brief.end(), '\n') <= 12);
}

TEST_CASE("the first screen tells of sampled blocks and of accesses beyond allocations", "[unit][sim]") {
    auto p = simulated_prediction();
    const ArchSpec arch;
    const auto first_screen = [&] { return text_report({p}, arch, false); };
    CHECK(first_screen().find("  Blocks ") == std::string::npos);
    CHECK(first_screen().find("beyond allocations") == std::string::npos);
    p.gaps.push_back(noted(NoteId::blocks_sampled, "17 blocks stand for all 1024"));
    p.gaps.push_back(noted(NoteId::out_of_bounds, "0x0170: accesses arg3 beyond its 4096 bytes (81 times)"));
    p.gaps.push_back(noted(NoteId::out_of_bounds, "0x0180: accesses arg3 beyond its 4096 bytes (2 times)"));
    const auto text = first_screen();
    CHECK_THAT(text, Catch::Contains("  Blocks ") && Catch::Contains("17 blocks stand for all 1024\n"));
    CHECK_THAT(text, Catch::Contains("  Accesses beyond allocations ") &&
                         Catch::Contains(
                             "2 instructions: 0x0170: accesses arg3 beyond its 4096 bytes (81 times), ..."));
    CHECK_THAT(text, Catch::Contains("none: accesses go beyond what was allocated"));
}

TEST_CASE("the models' disagreement is signed, and large ones name the model to distrust", "[unit][sim]") {
    auto p = simulated_prediction();
    const ArchSpec arch;
    note_disagreement(p, analytic_prediction(2.2e-3));
    CHECK(*p.model_disagreement_pct == Approx(10));
    CHECK(disagreement_words(p).empty());
    note_disagreement(p, analytic_prediction(1e-3));
    CHECK(*p.model_disagreement_pct == Approx(-50));
    CHECK(disagreement_words(p).find("distrust the analytic model") == 0);
    CHECK(disagreement_words(p).find("long_scoreboard, 25 %") != std::string::npos);
    const auto text = text_report({p, analytic_prediction(1e-3)}, arch, false);
    CHECK(text.find("2 ms   (model: simulate") != std::string::npos);
    CHECK(text.find("1 ms   (-50.0 %)") != std::string::npos);
    CHECK(text.find("distrust") != std::string::npos);
    p.cycles = 30;  // below the FMA pipe's 40; the latency bound of 60 is no such limit
    CHECK(disagreement_words(p).find("distrust the simulator") == 0);
}

TEST_CASE("a simulator that refuses leaves the analytic prediction", "[unit][sim]") {
    Prediction refused;
    refused.model = "simulate";
    refused.status = Status::error;
    refused.reason = "TEX instructions do not exist";
    auto other = analytic_prediction(1e-3);
    note_disagreement(refused, other);
    CHECK_FALSE(refused.model_disagreement_pct);
    const auto text = text_report({refused, other}, ArchSpec(), true);
    CHECK(text.find("1 ms   (model: analytic") != std::string::npos);
    CHECK(text.find("error: TEX instructions do not exist") != std::string::npos);
}

TEST_CASE("json of both models: simulator first, disagreement, stalls, hot instructions", "[unit][sim]") {
    auto p = simulated_prediction();
    note_disagreement(p, analytic_prediction(1e-3));
    const ReportMetadata metadata{"0.1.0", "a.yaml", "abc", "gpumodel"};
    const auto json = predictions_json({p, analytic_prediction(1e-3)}, metadata);
    CHECK(json.at("model_disagreement_pct") == Approx(-50));
    const auto& first = json.at("predictions").at(0);
    CHECK(first.at("model") == "simulate");
    CHECK(first.at("model_disagreement_pct") == Approx(-50));
    CHECK(first.at("issue_active_pct") == Approx(5));
    CHECK(first.at("stalls").at(0).at("reason") == "not_selected");
    CHECK(first.at("hot_instructions").size() == 12);
    CHECK(first.at("hot_instructions").at(0).at("main_reason") == "short_scoreboard");
    CHECK(first.at("hot_instructions").at(0).at("address").is_null());
    CHECK(first.at("hot_instructions").at(1).at("address") == 0x3a0);
    CHECK(first.at("extrapolation").at("extrapolated") == true);
    CHECK_FALSE(json.at("predictions").at(1).contains("stalls"));
    // in pieces: the same document but for the figure that only one launch has
    auto whole = predictions_json({p, analytic_prediction(1e-3)}, metadata);
    whole.erase("model_disagreement_pct");
    CHECK(json_list_opening(predictions_head(metadata), "predictions") + json_list_item(prediction_json(p)) +
              "," + json_list_item(prediction_json(analytic_prediction(1e-3))) +
              json_list_closing(true, nlohmann::ordered_json::object()) ==
          json_text(whole));
}
