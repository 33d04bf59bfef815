#include "tools/views/calibrate/calibrate_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/printable.h"
#include "base/text_table.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "validate/calibrate/calibrated_spec.h"

namespace gpumodel::cli {
namespace {

const char* status_text(KeyStatus status) {
    switch (status) {
        case KeyStatus::changed:
            return "changed";
        case KeyStatus::confirmed:
            return "confirmed";
        case KeyStatus::refused:
            break;
    }
    return "refused";
}

std::string metadata(const MicrobenchmarkFile& file, const char* name) {
    const auto found = file.metadata.find(name);
    return found == file.metadata.end() ? "" : safe_to_print(found->second);
}

std::vector<const CalibratedKey*> all_keys(const CalibrationViews& views) {
    std::vector<const CalibratedKey*> keys;
    for (const auto& key : views.calibration->keys) {
        keys.push_back(&key);
    }
    for (std::size_t i = 0; views.residuals != nullptr && i < views.residuals->keys.size(); ++i) {
        keys.push_back(&views.residuals->keys[i]);
    }
    return keys;
}

std::string fitted_table(const std::vector<const CalibratedKey*>& keys) {
    std::vector<std::vector<std::string>> rows{{"key", "base", "new", "+-", "", "from", "rows", "rms %"}};
    for (const auto* key : keys) {
        if (key->status != KeyStatus::refused) {
            const auto& field = *key->field;
            rows.push_back({field.key, print_value(field, key->base), print_value(field, key->value),
                            error_text(field, key->standard_error), status_text(key->status),
                            fmt::format("{}", fmt::join(key->benchmarks, " ")), std::to_string(key->rows),
                            fmt::format("{:.2f}", key->rms_pct)});
        }
    }
    return rows.size() == 1 ? "no key could be fitted\n" : aligned(rows);
}

// Keys with the same reason on one line.
std::string refused_lines(const std::vector<const CalibratedKey*>& keys) {
    std::vector<std::string> reasons;
    std::map<std::string, std::string> names;
    for (const auto* key : keys) {
        if (key->status == KeyStatus::refused) {
            auto& list = names[key->reason];
            if (list.empty()) {
                reasons.push_back(key->reason);
            }
            list.append(list.empty() ? "" : ", ").append(key->field->key);
        }
    }
    std::string text = reasons.empty() ? "" : "\nrefused, the base value stays:\n";
    for (const auto& reason : reasons) {
        text += fmt::format("  {}: {}\n", names[reason], reason);
    }
    return text;
}

std::string misfit_lines(const CalibrationViews& views) {
    std::string text;
    for (const auto& row : views.calibration->rows) {
        if (row.misfit) {
            text +=
                fmt::format("  {}:{}: {}: measured {:.4g}, fitted {:.4g} ({:+.1f} %)\n", views.measured->path,
                            row.measured->line, row.measured->text(), row.measured->median, row.predicted,
                            100 * (row.measured->median / row.predicted - 1));
        }
    }
    return text.empty() ? "" : "\nrows that do not fit (beyond three robust standard deviations):\n" + text;
}

std::string unused_lines(const Calibration& calibration) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const auto& row : calibration.rows) {
        if (!row.unused.empty()) {
            ++counts[{row.measured->benchmark, row.unused}];
        }
    }
    std::string text = counts.empty() ? "" : "\nrows that determine nothing:\n";
    for (const auto& [what, count] : counts) {
        text += fmt::format("  {} of {}: {}\n", count, what.first, what.second);
    }
    return text;
}

std::string held_back_lines(const CalibrationViews& views) {
    const auto& [model, before, after] = *views.held_back;
    if (before.launches == 0) {
        return fmt::format("\n{}: no launch of the test half can be predicted\n", views.kernels);
    }
    return fmt::format(
        "\n{}: {} launches of the test half, which nothing was fitted to, {}: MAPE {:.1f} % and median "
        "{:.1f} % "
        "before, {:.1f} % and {:.1f} % after\n",
        views.kernels, before.launches, to_string(model), before.mape_pct, before.median_pct, after.mape_pct,
        after.median_pct);
}

std::string text_view(const CalibrationViews& views) {
    const auto& calibration = *views.calibration;
    const auto used = std::count_if(calibration.rows.begin(), calibration.rows.end(),
                                    [](const auto& row) { return row.unused.empty(); });
    const auto gpu = metadata(*views.measured, "gpu");
    auto text = fmt::format("{} on {} of {} rows of {}{}\n\n", views.from, used, calibration.rows.size(),
                            views.measured->path, gpu.empty() ? "" : ", " + gpu);
    const auto keys = all_keys(views);
    text += fitted_table(keys) + refused_lines(keys) + misfit_lines(views) + unused_lines(calibration);
    if (views.residuals != nullptr) {
        const auto& fitted = *views.residuals;
        text += fmt::format(
            "\n{}: {} launches of the calibration half, MAPE {:.2f} % before the residual keys, {:.2f} % "
            "after\n",
            views.kernels, fitted.launches, fitted.mape_before_pct, fitted.mape_after_pct);
    }
    if (views.held_back != nullptr) {
        text += held_back_lines(views);
    }
    const auto written =
        std::count_if(keys.begin(), keys.end(), [](const auto* k) { return k->is_written(); });
    return text + fmt::format("\nwrote {}: {} inherits {}, {} {}\n", views.out, views.calibration->arch.name,
                              views.from, written, written == 1 ? "key" : "keys");
}

std::string csv_view(const CalibrationViews& views) {
    std::string text = "key,unit,base,value,standard_error,status,written,benchmarks,rows,rms_pct,reason\n";
    for (const auto* key : all_keys(views)) {
        const bool fitted = key->status != KeyStatus::refused;
        const auto if_fitted = [fitted](double value) {
            return fitted ? std::optional(value) : std::nullopt;
        };
        text +=
            csv_record(key->field->key, base_unit(key->field->dimension), key->base, if_fitted(key->value),
                       if_fitted(key->standard_error), status_text(key->status),
                       key->is_written() ? "yes" : "no", fmt::format("{}", fmt::join(key->benchmarks, " ")),
                       key->rows, if_fitted(key->rms_pct), key->reason);
    }
    return text;
}

nlohmann::ordered_json key_json(const CalibratedKey& key) {
    nlohmann::ordered_json json{{"key", key.field->key},
                                {"unit", base_unit(key.field->dimension)},
                                {"base", key.base},
                                {"status", status_text(key.status)},
                                {"written", key.is_written()},
                                {"rows", key.rows}};
    if (key.status == KeyStatus::refused) {
        json["reason"] = key.reason;
    } else {
        json["value"] = key.value;
        json["standard_error"] = key.standard_error;
        json["rms_pct"] = key.rms_pct;
        json["benchmarks"] = key.benchmarks;
    }
    return json;
}

std::string json_view(const CalibrationViews& views) {
    auto json = json_head(*views.base);
    json["measurements"] = {{"file", views.measured->path}, {"metadata", views.measured->metadata}};
    json["out"] = views.out;
    json["keys"] = nlohmann::ordered_json::array();
    for (const auto* key : all_keys(views)) {
        json["keys"].push_back(key_json(*key));
    }
    json["misfits"] = nlohmann::ordered_json::array();
    json["unused"] = nlohmann::ordered_json::array();
    for (const auto& row : views.calibration->rows) {
        if (row.misfit) {
            json["misfits"].push_back({{"line", row.measured->line},
                                       {"row", row.measured->text()},
                                       {"measured", row.measured->median},
                                       {"fitted", row.predicted}});
        } else if (!row.unused.empty()) {
            json["unused"].push_back(
                {{"line", row.measured->line}, {"row", row.measured->text()}, {"reason", row.unused}});
        }
    }
    if (views.residuals != nullptr) {
        json["kernels"] = {{"file", views.kernels},
                           {"split", "calibration"},
                           {"launches", views.residuals->launches},
                           {"mape_before_pct", views.residuals->mape_before_pct},
                           {"mape_after_pct", views.residuals->mape_after_pct}};
    }
    if (views.held_back != nullptr) {
        const auto figures = [](const ErrorStatistics& e) {
            return nlohmann::ordered_json{
                {"mape_pct", e.mape_pct}, {"median_pct", e.median_pct}, {"p90_pct", e.p90_pct}};
        };
        json["held_back"] = {{"file", views.kernels},
                             {"split", "test"},
                             {"model", to_string(views.held_back->model)},
                             {"launches", views.held_back->before.launches},
                             {"before", figures(views.held_back->before)},
                             {"after", figures(views.held_back->after)}};
    }
    return json_text(json);
}

}  // namespace

std::string calibration_text(const CalibrationViews& views, Format format) {
    return format == Format::csv    ? csv_view(views)
           : format == Format::json ? json_view(views)
                                    : text_view(views);
}

}  // namespace gpumodel::cli
