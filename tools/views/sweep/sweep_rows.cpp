#include "tools/views/sweep/sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "tools/views/prediction/prediction_json.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string arch_cells(const ArchPoint& arch) {
    std::string cells;
    for (const auto& item : arch.overrides()) {
        cells += ',' + csv_field(item.value);
    }
    return cells + '\n';
}

// Only what the sweep varies; "default tile" when it varies sizes or keys alone.
std::string swept_params(const StudyPoint& point) {
    std::string text;
    for (const auto& axis : point.family->grid.params) {
        const auto value = point.params.at(axis.key);
        const auto& params = point.family->family->params;
        const auto spec = std::find_if(params.begin(), params.end(),
                                       [&axis](const ParamSpec& s) { return s.name == axis.key; });
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis.key, param_text(*spec, value));
    }
    return text.empty() ? "default parameters" : text;
}

std::size_t kernel_width(const Study& study) {
    std::size_t width = std::string("kernel").size();
    for (const auto& family : study.families) {
        width = std::max(width, family.family->name.size());
    }
    return width;
}

}  // namespace

std::string sweep_csv_header(const Study& study, bool sharded) {
    auto header = csv_header();
    header.pop_back();
    for (const auto& axis : study.arch_axes) {
        header += ',' + csv_field(axis.key);
    }
    return header + (sharded ? ",shard\n" : "\n");
}

std::string sweep_csv_rows(const std::vector<Prediction>& models, const ArchPoint& arch) {
    std::string text;
    for (const auto& p : models) {
        text += csv_row(p);
        text.pop_back();
        text += arch_cells(arch);
    }
    return text;
}

std::vector<RowKey> row_keys(const Study& study, const StudyPoint& point, const ArchPoint& arch) {
    const auto tail = arch_cells(arch);
    const auto& family = *point.family->family;
    const auto launch = csv_cells(study.arch_name, family.name, canonical_params(family, point.params),
                                  point.shape.m, point.shape.n, point.shape.k) +
                        ',';
    std::vector<RowKey> keys;
    for (const auto& p : for_each_model({}, study.settings.models)) {
        keys.push_back({launch + p.model + ',', tail});
    }
    return keys;
}

std::string sweep_json_items(const std::vector<Prediction>& models, const ArchPoint& arch) {
    std::string text;
    for (const auto& p : models) {
        Json item;
        for (const auto& set : arch.overrides()) {
            item["overrides"][set.key] = set.value;
        }
        item.update(prediction_json(p));
        text += (text.empty() ? "" : ",") + json_list_item(item);
    }
    return text;
}

std::string sweep_table_header(const Study& study) {
    return fmt::format("  {:>4}  {:>10} {:>9}  {:<8}  {:>9}  {:<26}  {:<{}}  {}\n", "rank", "time", "GFLOP/s",
                       "model", "occupancy", "bottleneck", "kernel", kernel_width(study), "parameters");
}

std::string sweep_table_rows(const Study& study, const StudyPoint& point,
                             const std::vector<Prediction>& models) {
    std::string text;
    for (const auto& p : models) {
        text += text.empty() ? "" : "      ";  // under the rank
        if (!is_predicted(p.status)) {
            text += fmt::format("  {}: {}\n", p.model, p.reason);
            continue;
        }
        text += fmt::format("  {:>10} {:>9.0f}  {:<8}  {:>7.1f} %  {:<26}  {:<{}}  {}\n",
                            human_time(p.time_seconds), p.flops_per_second() / 1e9, p.model,
                            100 * p.occupancy.occupancy, bottleneck_names(p), p.kernel, kernel_width(study),
                            swept_params(point));
    }
    return text;
}

}  // namespace gpumodel::cli
