#include "tools/predict/predict_choice.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "base/csv_table.h"
#include "base/diagnostics.h"
#include "base/parse.h"
#include "tools/metrics/metric_words.h"
#include "tools/predict/bank_pictures.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

const std::vector<std::string> report_titles{"Speed of light",   "Time",        "Launch statistics",
                                             "Occupancy",        "Warp stalls", "Memory workload",
                                             "Hot instructions", "Counters",    "Estimates and gaps",
                                             bank_pictures_title};
const std::vector<std::string> launch_columns{"arch", "kernel", "params", "M", "N", "K", "model", "status"};

bool same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool begins_with(const std::string& text, const std::string& start) {
    return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), same_letter);
}

// Column -> text of one prediction.
std::map<std::string, std::string> values_of(const Prediction& prediction) {
    std::istringstream csv(csv_header() + csv_row(prediction));
    CsvReader reader(csv, "predict");
    std::map<std::string, std::string> values;
    if (const auto row = reader.next()) {
        for (std::size_t i = 0; i < reader.header().size(); ++i) {
            values.emplace(reader.header()[i], row->fields[i].text);
        }
    }
    return values;
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const auto& field : fields) {
        line += (line.empty() ? "" : ",") + csv_field(field);
    }
    return line + '\n';
}

}  // namespace

std::vector<std::string> section_titles(const std::vector<std::string>& names, OptionFaults& faults) {
    std::vector<std::string> chosen;
    for (const auto& name : names) {
        std::vector<std::string> found;
        for (const auto& title : report_titles) {
            if (!name.empty() && begins_with(title, name)) {
                found.push_back(title);
            }
        }
        if (found.size() == 1) {
            chosen.push_back(found.front());
        } else {
            faults.add("--section", fmt::format("'{}' is {}, allowed: {}{}", name,
                                                found.empty() ? "no section" : "the beginning of several",
                                                fmt::join(found.empty() ? report_titles : found, ", "),
                                                found.empty() ? nearest_hint(name, report_titles) : ""));
        }
    }
    return chosen;
}

std::string only_sections(const std::string& report, const std::vector<std::string>& chosen) {
    std::istringstream lines(report);
    std::string text;
    int number = 0;
    bool kept = false;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        constexpr int identity_lines = 2;
        if (number > identity_lines && !line.empty() && line.front() != ' ' && line.front() != '*') {
            const auto title = line.substr(0, line.find_first_of(":("));
            kept = std::any_of(chosen.begin(), chosen.end(),
                               [&](const std::string& wanted) { return begins_with(title, wanted); });
            text += kept ? "\n" : "";
        }
        if (number <= identity_lines || (kept && !line.empty())) {
            text += line + '\n';
        }
    }
    return text;
}

std::vector<std::string> metric_names(const std::string& patterns, OptionFaults& faults) {
    const auto known = metrics();
    std::vector<bool> wanted(known.size());
    std::vector<std::string> all;
    for (const auto& metric : known) {
        all.push_back(metric.name);
    }
    for (const auto part : patterns.empty() ? std::vector<std::string_view>{} : split(patterns, ',')) {
        const std::string pattern(trim(part));
        bool found = false;
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (fnmatch(pattern.c_str(), known[i].name.c_str(), 0) == 0) {
                wanted[i] = found = true;
            }
        }
        if (!found) {
            faults.add("--metrics", fmt::format("'{}' is no metric ('gpumodel metrics' lists them){}",
                                                pattern, nearest_hint(pattern, all)));
        }
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (wanted[i]) {
            names.push_back(known[i].name);
        }
    }
    return names;
}

std::string metrics_text(const std::vector<Prediction>& predictions, const std::vector<std::string>& names) {
    std::map<std::string, std::string> units;
    std::size_t width = 0;
    for (const auto& metric : metrics()) {
        units.emplace(metric.name, metric.unit);
    }
    for (const auto& name : names) {
        width = std::max(width, name.size());
    }
    std::string text;
    for (const auto& prediction : predictions) {
        const auto values = values_of(prediction);
        text += fmt::format("{} on {}, {}: {}\n", values.at("kernel"), values.at("arch"), values.at("model"),
                            values.at("status"));
        for (const auto& name : names) {
            const auto& value = values.at(name);
            text += value.empty() ? fmt::format("  {:<{}}  -\n", name, width)
                                  : fmt::format("  {:<{}}  {}{}{}\n", name, width, value,
                                                units.at(name).empty() ? "" : " ", units.at(name));
        }
    }
    return text;
}

std::string metrics_csv(const std::vector<Prediction>& predictions, const std::vector<std::string>& names) {
    auto columns = launch_columns;
    for (const auto& name : names) {
        if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
            columns.push_back(name);
        }
    }
    std::string text = csv_line(columns);
    for (const auto& prediction : predictions) {
        const auto values = values_of(prediction);
        std::vector<std::string> fields;
        for (const auto& column : columns) {
            fields.push_back(values.at(column));
        }
        text += csv_line(fields);
    }
    return text;
}

}  // namespace gpumodel::cli
