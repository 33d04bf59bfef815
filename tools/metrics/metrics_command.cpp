// gpumodel metrics: the columns of predictions and what they mean.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/csv_text.h"
#include "base/json_text.h"
#include "base/text_table.h"
#include "tools/cli/command.h"
#include "tools/metrics/metric_words.h"

namespace gpumodel::cli {
namespace {

struct MetricsOptions {
    OutputOptions output;
    std::string name;
};

std::string as_csv(const std::vector<Metric>& list) {
    std::string text = "name,unit,models,meaning\n";
    for (const auto& m : list) {
        text += csv_record(m.name, m.unit, m.models, m.meaning);
    }
    return text;
}

std::string as_json(const std::vector<Metric>& list) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& m : list) {
        rows.push_back({{"name", m.name}, {"unit", m.unit}, {"models", m.models}, {"meaning", m.meaning}});
    }
    return json_text(nlohmann::ordered_json{{"schema_version", 1}, {"metrics", std::move(rows)}});
}

std::string table_text(const std::vector<Metric>& list) {
    std::vector<std::vector<std::string>> rows{{"name", "unit", "models"}};
    for (const auto& m : list) {
        rows.push_back({m.name, m.unit.empty() ? "-" : m.unit, m.models});
    }
    return aligned(rows) + "\n'gpumodel metrics show NAME' says what one means; NAME may be a part of it.\n";
}

std::string meanings_text(const std::vector<Metric>& list) {
    std::string text;
    for (const auto& m : list) {
        text += fmt::format("{}{}\n  {}\n  predicted by: {}\n", m.name,
                            m.unit.empty() ? "" : " [" + m.unit + "]", m.meaning, m.models);
    }
    return text;
}

// The metric of that name, else all that have it as a part.
std::vector<Metric> chosen(const std::string& name) {
    auto list = metrics();
    std::vector<std::string> names;
    for (const auto& m : list) {
        names.push_back(m.name);
    }
    const bool exact = std::find(names.begin(), names.end(), name) != names.end();
    std::erase_if(list, [&](const Metric& m) {
        return exact ? m.name != name : m.name.find(name) == std::string::npos;
    });
    if (list.empty()) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "name",
                           fmt::format("{}: no such metric; see 'gpumodel metrics list'{}", name,
                                       nearest_hint(name, names))}});
    }
    return list;
}

int print(const OutputOptions& output, const std::vector<Metric>& list, const std::string& text) {
    return write_output(output, output.format == Format::json  ? as_json(list)
                                : output.format == Format::csv ? as_csv(list)
                                                               : text);
}

}  // namespace

void add_metrics_command(Command& app) {
    auto command = app.add_subcommand("metrics", "what the columns and counters of predictions mean");
    command.require_subcommand();
    const auto options = std::make_shared<MetricsOptions>();
    auto list = command.add_subcommand("list", "all of them, in the order of the csv columns");
    add_output_options(list, options->output);
    list.footer(
        "Examples:\n"
        "  gpumodel metrics list\n"
        "  gpumodel metrics list --format csv");
    list.run([options] {
        const auto all = metrics();
        return print(options->output, all, table_text(all));
    });
    auto show = command.add_subcommand("show", "what one means");
    show.add_option("name", options->name, "a name, or a part that several have").required();
    add_output_options(show, options->output);
    show.footer(
        "Examples:\n"
        "  gpumodel metrics show achieved_occupancy\n"
        "  gpumodel metrics show bank_conflicts\n"
        "  gpumodel metrics list --format csv");
    show.run([options] {
        const auto found = chosen(options->name);
        return print(options->output, found, meanings_text(found));
    });
}

}  // namespace gpumodel::cli
