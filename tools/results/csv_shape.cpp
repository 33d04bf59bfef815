#include "tools/results/csv_shape.h"

#include <algorithm>
#include <sstream>

#include "base/csv_table.h"
#include "base/csv_text.h"
#include "base/parse.h"
#include "tools/metrics/metric_words.h"
#include "tools/views/markdown/markdown.h"
#include "traces/kernel/family.h"

namespace gpumodel::cli {
namespace {

const std::vector<std::string> named_columns{"arch", "kernel", "params", "M",     "N",
                                             "K",    "model",  "status", "reason"};

// What --args kernels have for parameters.
const std::vector<std::string> launch_params{"grid", "block", "args"};

bool is_in(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

// All that any family has, in the families' order: the same columns whatever is predicted.
std::vector<std::string> all_params() {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (!is_in(names, name)) {
            names.push_back(name);
        }
    };
    for (const auto& family : families()) {
        for (const auto& param : family.params) {
            add(param.name);
        }
        for (const auto& param : family.derived) {
            add(param.name);
        }
    }
    for (const auto& name : launch_params) {
        add(name);
    }
    return names;
}

// The report's section that shows it.
std::string section_of(const std::string& metric) {
    static const std::map<std::string, std::string> sections{{"time_us", "Time"},
                                                             {"gflops", "Time"},
                                                             {"cycles", "Time"},
                                                             {"error_band_pct", "Time"},
                                                             {"threads_per_block", "Launch statistics"},
                                                             {"registers_per_thread", "Launch statistics"},
                                                             {"shared_bytes_per_block", "Launch statistics"},
                                                             {"waves", "Launch statistics"},
                                                             {"blocks_per_sm", "Occupancy"},
                                                             {"occupancy_limiter", "Occupancy"},
                                                             {"theoretical_occupancy", "Occupancy"},
                                                             {"achieved_occupancy", "Occupancy"},
                                                             {"bottleneck", "Speed of light"},
                                                             {"program_source", "Estimates and gaps"},
                                                             {"unknown_data", "Estimates and gaps"},
                                                             {"sm_clock_mhz", "Time"},
                                                             {"average_power_w", "Time"},
                                                             {"energy_mj", "Time"},
                                                             {"power_band_pct", "Time"}};
    const auto found = sections.find(metric);
    return found == sections.end() ? "Counters" : found->second;
}

bool names_counter(const std::string& column) {
    return column.find("__") != std::string::npos;
}

}  // namespace

CsvShape::CsvShape(const OutputOptions& output)
    : long_rows_(output.long_rows), param_columns_(output.param_columns), markdown_(output.markdown) {}

void CsvShape::read_header(const Record& header) {
    std::map<std::string, std::string> units;
    for (const auto& metric : metrics()) {
        units.emplace(metric.name, metric.unit);
    }
    for (std::size_t i = 0; i < header.size(); ++i) {
        const bool metric = units.contains(header[i]) && !is_in(named_columns, header[i]);
        if (header[i] == "params") {
            params_ = i;
        }
        if (!metric) {
            identity_.push_back(i);
        } else if (!markdown_ || !names_counter(header[i])) {
            metrics_.push_back(i);
            words_[i] = {section_of(header[i]), header[i], units.at(header[i])};
        }
    }
    if (param_columns_) {
        for (const auto& name : all_params()) {
            if (!is_in(header, name)) {  // a sweep's own column says the same
                param_names_.push_back(name);
            }
        }
    }
}

CsvShape::Record CsvShape::params_of(const Record& record) const {
    std::map<std::string, std::string> given;
    for (const auto pair : split(record[params_], ';')) {
        const auto equals = pair.find('=');
        if (equals != std::string_view::npos) {
            given.emplace(pair.substr(0, equals), pair.substr(equals + 1));
        }
    }
    Record values;
    for (const auto& name : param_names_) {
        const auto found = given.find(name);
        values.push_back(found == given.end() ? "" : found->second);
    }
    return values;
}

std::string CsvShape::line(const Record& record) const {
    return markdown_ ? markdown_row(record) + '\n' : csv_record(record);
}

std::string CsvShape::header_line(const Record& header) const {
    Record names;
    for (const auto i : identity_) {
        names.push_back(header[i]);
    }
    if (long_rows_) {
        names.insert(names.end(), param_names_.begin(), param_names_.end());
        for (const char* column : {"section", "metric", "value", "unit"}) {
            names.emplace_back(column);
        }
    } else {
        names.clear();
        for (std::size_t i = 0; i < header.size(); ++i) {
            if (!markdown_ || !names_counter(header[i])) {
                names.push_back(header[i]);
            }
        }
        names.insert(names.end(), param_names_.begin(), param_names_.end());
    }
    return line(names) + (markdown_ ? markdown_rule(names.size()) + '\n' : "");
}

std::string CsvShape::long_lines(const Record& record) const {
    Record launch;
    for (const auto i : identity_) {
        launch.push_back(record[i]);
    }
    const auto params = params_of(record);
    launch.insert(launch.end(), params.begin(), params.end());
    std::string text;
    const auto add = [&](const Record& metric) {
        auto row = launch;
        row.insert(row.end(), metric.begin(), metric.end());
        text += line(row);
    };
    for (const auto i : metrics_) {
        if (!record[i].empty()) {
            const auto& words = words_.at(i);
            add({words[0], words[1], record[i], words[2]});
        }
    }
    if (text.empty()) {
        add({"", "", "", ""});
    }
    return text;
}

std::string CsvShape::shaped(const std::string& records) {
    const bool first = header_text_.empty();
    if (first) {
        header_text_ = records.substr(0, records.find('\n') + 1);
    }
    std::istringstream in(first ? records : header_text_ + records);
    CsvReader reader(in, "results");
    std::string text;
    if (first) {
        read_header(reader.header());
        text = header_line(reader.header());
    }
    while (const auto row = reader.next()) {
        Record record, shown;
        for (std::size_t i = 0; i < row->fields.size(); ++i) {
            record.push_back(row->fields[i].text);
            if (!markdown_ || !names_counter(reader.header()[i])) {
                shown.push_back(record.back());
            }
        }
        if (long_rows_) {
            text += long_lines(record);
        } else {
            const auto params = params_of(record);
            shown.insert(shown.end(), params.begin(), params.end());
            text += line(shown);
        }
    }
    return text;
}

void add_csv_shape_options(Command& command, OutputOptions& output) {
    command.add_flag("--long", output.long_rows, "csv: one metric a row, with its section and unit");
    command.add_flag("--param-columns", output.param_columns,
                     "csv: a column for each kernel parameter, behind the others");
}

}  // namespace gpumodel::cli
