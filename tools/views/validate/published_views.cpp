#include "tools/views/validate/published_views.h"

#include <fmt/format.h>

#include "base/csv_text.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {
namespace {

// median and p90 of |error|, and the same with the clock factor taken out, of a ladder or a sum.
std::string score_text(const PublishedScore& score) {
    const auto factor = score.clock_factor ? fmt::format("{:.2f}", *score.clock_factor) : "";
    const auto ratio = [&score](double ErrorStatistics::*figure) {
        return score.ratios ? fmt::format("{:.1f}", (*score.ratios).*figure) : "-";
    };
    return fmt::format("{:>6}{:>10.1f}{:>7.1f}{:>+8.1f}{:>8}{:>10}{:>7}\n", score.errors.launches,
                       score.errors.median_pct, score.errors.p90_pct, score.errors.bias_pct,
                       score.ladder && factor.empty() ? "-" : factor, ratio(&ErrorStatistics::median_pct),
                       ratio(&ErrorStatistics::p90_pct));
}

std::string heading(ModelKind model) {
    return fmt::format(
        "\n{:<63}{:>15}{:>17}{:>15}\n{:<15}{:<24}{:<8}{:<10}{:>6}{:>10}{:>7}{:>8}{:>8}{:>10}{:>7}\n",
        fmt::format("model {}", to_string(model)), "", "error %  clock", "factor out, %", "GPU", "ladder",
        "clock", "code", "rows", "median", "p90", "bias", "factor", "median", "p90");
}

std::string code_text(PublishedCode code) {
    return std::string(code == PublishedCode::library_default ? "library?" : to_string(code));
}

template <class Row>
void for_model(const std::vector<PublishedScore>& scores, ModelKind model, Row row) {
    for (const auto& s : scores) {
        if (s.model == model) {
            row(s);
        }
    }
}

std::vector<ModelKind> models_of(const PublishedReport& report) {
    std::vector<ModelKind> models;
    for (const auto& s : report.sums) {
        if (models.empty() || models.back() != s.model) {
            models.push_back(s.model);
        }
    }
    return models;
}

nlohmann::ordered_json score_json(const PublishedScore& s) {
    nlohmann::ordered_json row{{"model", to_string(s.model)}};
    if (s.ladder) {
        row["arch"] = s.ladder->arch;
        row["ladder"] = s.ladder->ladder;
        row["clock"] = to_string(s.ladder->clock);
        row["code"] = to_string(s.ladder->code);
        row["clock_factor"] = json_optional(s.clock_factor);
    } else {
        row["group"] = s.name;
    }
    row["launches"] = s.errors.launches;
    row["mape_pct"] = s.errors.mape_pct;
    row["median_pct"] = s.errors.median_pct;
    row["p90_pct"] = s.errors.p90_pct;
    row["bias_pct"] = s.errors.bias_pct;
    row["factor_out_median_pct"] = s.ratios ? nlohmann::ordered_json(s.ratios->median_pct) : nullptr;
    row["factor_out_p90_pct"] = s.ratios ? nlohmann::ordered_json(s.ratios->p90_pct) : nullptr;
    return row;
}

std::string score_csv(const PublishedScore& s) {
    const auto ratio = [&s](double ErrorStatistics::*figure) {
        return s.ratios ? std::optional((*s.ratios).*figure) : std::nullopt;
    };
    const auto& e = s.errors;
    return csv_record(to_string(s.model), s.ladder ? s.ladder->arch : s.name,
                      s.ladder ? s.ladder->ladder : "all", s.ladder ? to_string(s.ladder->clock) : "",
                      s.ladder ? to_string(s.ladder->code) : "", e.launches, e.mape_pct, e.median_pct,
                      e.p90_pct, e.bias_pct, s.clock_factor, ratio(&ErrorStatistics::median_pct),
                      ratio(&ErrorStatistics::p90_pct));
}

}  // namespace

std::string published_text(const PublishedReport& report) {
    auto text = fmt::format(
        "{} published launches on {} GPUs, to which nothing is fitted. Clock factor: exp(median "
        "log(predicted /\n"
        "measured)) of a ladder, as if the GPU had run at this share of the spec's clock; shown, not "
        "applied.\n",
        report.launches, report.products);
    for (const auto model : models_of(report)) {
        text += heading(model);
        for_model(report.ladders, model, [&text](const PublishedScore& s) {
            const auto& l = *s.ladder;
            text += fmt::format("{:<15}{:<24}{:<8}{:<10}", l.arch, l.ladder, to_string(l.clock),
                                code_text(l.code)) +
                    score_text(s);
        });
        for_model(report.gpus, model, [&text](const PublishedScore& s) {
            text += fmt::format("{:<57}", s.name + ", all ladders") + score_text(s);
        });
        for_model(report.sums, model, [&text](const PublishedScore& s) {
            text += fmt::format("{:<57}", s.name == "all" ? s.name : "all: " + s.name) + score_text(s);
        });
    }
    for (const auto& reason : report.skipped) {
        text += fmt::format("left out: {}\n", reason);
    }
    return text;
}

std::string published_csv(const PublishedReport& report) {
    std::string text =
        "model,arch,ladder,clock,code,launches,mape_pct,median_pct,p90_pct,bias_pct,clock_factor,"
        "factor_out_median_pct,factor_out_p90_pct\n";
    for (const auto* scores : {&report.ladders, &report.gpus, &report.sums}) {
        for (const auto& s : *scores) {
            text += score_csv(s);
        }
    }
    return text;
}

std::string published_json(const PublishedReport& report) {
    auto json = json_head();
    json["launches"] = report.launches;
    json["products"] = report.products;
    const auto list = [&json](const char* name, const std::vector<PublishedScore>& scores) {
        json[name] = nlohmann::ordered_json::array();
        for (const auto& s : scores) {
            json[name].push_back(score_json(s));
        }
    };
    list("ladders", report.ladders);
    list("gpus", report.gpus);
    list("sums", report.sums);
    json["left_out"] = report.skipped;
    return json.dump(2) + "\n";
}

std::string published_rows_header() {
    return "arch,ladder,kernel,params,M,N,K,measured_us,predicted_us,error_pct,bottleneck,model,main_stall\n";
}

std::string published_row(const PublishedLadder& ladder, const ComparedLaunch& l) {
    const auto& m = *l.measured;
    const auto size = [&m](std::int64_t value) { return m.entry ? "" : std::to_string(value); };
    const auto params = m.entry ? fmt::format("block={}", m.entry->block.x) : l.params;
    return csv_record(ladder.arch, ladder.ladder, m.entry ? m.label : m.family, params, size(m.m), size(m.n),
                      size(m.k), m.time_us, l.predicted_us, 100 * l.error, l.bottleneck, to_string(l.model),
                      l.stall);
}

}  // namespace gpumodel::cli
