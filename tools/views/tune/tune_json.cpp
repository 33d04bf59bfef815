#include <algorithm>

#include "base/enum_table.h"
#include "tools/tune/reasons.h"
#include "tools/views/result_json.h"
#include "tools/views/tune/tune_views.h"

namespace gpumodel::cli::tuning {
namespace {

using Json = nlohmann::ordered_json;

Json params_json(const Candidate& c) {
    Json json = Json::object();
    for (const auto& [key, value] : resolve_params(*find_family(c.job.kernel), c.job.params)) {
        json[key] = value;
    }
    return json;
}

Json candidate_json(const Candidate& c) {
    const auto& p = c.shown();
    Json json{{"kernel", p.kernel}, {"params", params_json(c)}, {"status", to_string(p.status)}};
    if (!c.ok()) {
        json["reason"] = is_predicted(c.analytic.status) ? p.reason : c.analytic.reason;
        return json;
    }
    if (!c.spills.empty()) {
        json["spills"] = c.spills;
    }
    json["model"] = p.model;
    json["time_us"] = 1e6 * p.time_seconds;
    json["analytic_time_us"] = 1e6 * c.analytic.time_seconds;
    json["rank_time_us"] = 1e6 * c.rank_seconds;
    json["loss_pct"] = c.loss_pct;
    json["analytic_rank"] = c.analytic_rank > 0 ? Json(c.analytic_rank) : Json(nullptr);
    json["generated_rank"] = c.generated_rank > 0 ? Json(c.generated_rank) : Json(nullptr);
    json["gflops"] = p.flops > 0 ? Json(p.flops_per_second() / 1e9) : Json(nullptr);
    json["theoretical_occupancy"] = p.occupancy.occupancy;
    json["bottlenecks"] = p.bottlenecks;
    json["program_source"] = p.program_source ? Json(to_string(*p.program_source)) : Json(nullptr);
    json["error_band_pct"] = json_optional(p.error_band_pct);
    return json;
}

Json difference_json(const Difference& d) {
    constexpr auto kinds = enum_words<DifferenceKind>("work_pct_of_time", "blocks_over_even_share",
                                                      "warps_per_sm", "wait_pct_of_others_time");
    return {{"kind", kinds[static_cast<std::size_t>(d.kind)]},
            {"what", d.what},
            {"winner", d.faster},
            {"other", d.other},
            {"saved_pct_of_others_time", d.saved_pct}};
}

Json against_json(const Candidate& winner, const Candidate* other) {
    if (other == nullptr) {
        return nullptr;
    }
    const auto list = differences(winner.shown(), other->shown());
    Json json{{"faster_pct", 100 * (other->rank_seconds / winner.rank_seconds - 1)},
              {"words", difference_words(list)},
              {"differences", Json::array()}};
    for (const auto& d : list) {
        json["differences"].push_back(difference_json(d));
    }
    return json;
}

Json confidence_json(const ShapeChoice& choice) {
    if (!choice.confidence) {
        return nullptr;
    }
    const auto& c = *choice.confidence;
    Json losses = Json::array();
    for (const double loss : c.odds.loss_of_first) {
        losses.push_back(100 * loss);
    }
    return {{"rank_sigma_pct", c.sigma_pct},
            {"best_probability", c.odds.best_probability.front()},
            {"expected_loss_pct", 100 * c.odds.loss_of_first.front()},
            {"expected_loss_pct_after_measuring", losses},
            {"measure_first", json_optional(c.measure_first)},
            {"not_told_apart", c.not_told_apart}};
}

Json top_json(const ShapeChoice& choice, std::size_t top) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(top, choice.ranked.size()); ++i) {
        list.push_back(candidate_json(choice.ranked[i]));
        list.back()["best_probability"] =
            choice.confidence ? Json(choice.confidence->odds.best_probability[i]) : Json(nullptr);
    }
    return list;
}

Json stages_json(const ShapeChoice& choice) {
    Json list = Json::array();
    for (const auto& stage : choice.stages) {
        Json json{{"ranked_by", to_string(stage.ranked_by)},
                  {"code", stage.compiled_code ? "compiled" : "generated"},
                  {"configurations", stage.configurations}};
        if (!list.empty()) {
            json["moved"] = stage.moved;
            json["first_was"] = stage.first_was > 0 ? Json(stage.first_was) : Json(nullptr);
        }
        json["expected_loss"] = nullptr;
        if (const auto& e = stage.expected) {
            json["expected_loss"] = {{"mean_pct", e->mean_pct},
                                     {"worst_pct", e->worst_pct},
                                     {"mean_of_best_of_eight_pct", e->mean_of_eight_pct},
                                     {"sweeps", e->sweeps},
                                     {"from", e->from}};
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json choice_json(const ShapeChoice& choice, const SearchSettings& settings) {
    Json json{{"M", choice.shape.m},         {"N", choice.shape.n},
              {"K", choice.shape.k},         {"combinations", choice.tally.points},
              {"valid", choice.tally.valid}, {"refined", choice.ranked.size()},
              {"rejected", Json::array()}};
    for (const auto& [rule, count] : choice.tally.rules_by_count()) {
        json["rejected"].push_back({{"rule", rule}, {"combinations", count}});
    }
    json["stages"] = stages_json(choice);
    json["without_compiled_code"] =
        choice.without_compiled.empty() ? Json(nullptr) : Json(choice.without_compiled);
    json["left_out"] = choice.left_out;
    const bool any = !choice.ranked.empty();
    json["winner"] = any ? candidate_json(choice.ranked.front()) : Json(nullptr);
    json["confidence"] = confidence_json(choice);
    json["top"] = top_json(choice, settings.top);
    json["defaults"] = Json::array();
    for (const auto& d : choice.defaults) {
        json["defaults"].push_back(candidate_json(d));
    }
    if (any) {
        const auto& winner = choice.ranked.front();
        json["against_default"] = against_json(winner, default_of(choice, winner));
        json["against_runner_up"] =
            against_json(winner, choice.ranked.size() > 1 ? &choice.ranked[1] : nullptr);
    }
    json["failed"] = choice.failed;
    return json;
}

}  // namespace

std::string tune_json(const TuneView& view) {
    auto json = json_head(view.arch);
    json["kernels"] = view.kernels;
    json["ranked_by"] = to_string(view.settings.ranked_by);
    json["shapes"] = Json::array();
    for (const auto& choice : view.choices) {
        json["shapes"].push_back(choice_json(choice, view.settings));
    }
    return json_text(json);
}

}  // namespace gpumodel::cli::tuning
