#include "validate/calibrate/microbenchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "base/csv_table.h"
#include "base/files/file_text.h"
#include "base/parse.h"
#include "base/units.h"
#include "validate/calibrate/forward_model.h"

namespace gpumodel {
namespace {

// The text with the leading `#` lines taken out into `metadata`; their line ends stay, so that positions
// hold.
std::string take_metadata(const std::string& text, std::map<std::string, std::string>& metadata) {
    std::size_t at = 0;
    std::string line_ends;
    while (at < text.size() && (text[at] == '#' || text[at] == '\n' || text[at] == '\r')) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        const auto colon = line.find(':');
        if (line.front() == '#' && colon != std::string::npos) {
            metadata[std::string(trim(std::string_view(line).substr(1, colon - 1)))] =
                trim(std::string_view(line).substr(colon + 1));
        }
        line_ends += '\n';
        at = std::min(end + 1, text.size());
    }
    return line_ends + text.substr(at);
}

std::string text_of(const std::string& path) {
    return require_text(path, "--measurements");
}

std::optional<double> number_in(const std::string& text) {
    const auto value = parse_number<double>(text);
    return value && *value >= 0 && *value < 1e18 ? value : std::nullopt;
}

template <class Range, class Name>
std::vector<std::string> names_of(const Range& range, Name name) {
    std::vector<std::string> names;
    for (const auto& item : range) {
        names.emplace_back(name(item));
    }
    return names;
}

class RowReader {
public:
    RowReader(const CsvTable& table, std::vector<std::size_t> columns, std::vector<Diagnostic>& faults)
        : table_(table), columns_(std::move(columns)), faults_(faults) {}

    MicrobenchmarkRow read(std::size_t index) {
        row_ = &table_.rows[index];
        MicrobenchmarkRow row;
        row.line = row_->front().line;
        if (!table_.row_faults[index].empty()) {
            fault(row_->front(), "", table_.row_faults[index]);
            return row;
        }
        row.benchmark = field(0).text;
        row.metric = field(2).text;
        const auto* benchmark = find_benchmark(row.benchmark);
        if (benchmark == nullptr) {
            const auto names = names_of(benchmarks(), [](const Benchmark& b) { return b.name; });
            fault(field(0), "benchmark",
                  fmt::format("no benchmark {}{}", cite(row.benchmark), nearest_hint(row.benchmark, names)));
        } else {
            if (row.metric != benchmark->metric) {
                fault(field(2), "metric",
                      fmt::format("{}; expected {}", cite(row.metric), benchmark->metric));
            }
            read_params(*benchmark, row);
        }
        read_figures(row);
        return row;
    }

private:
    [[nodiscard]] const CsvField& field(std::size_t column) const { return (*row_)[columns_[column]]; }

    void fault(const CsvField& where, const std::string& key, const std::string& message) {
        faults_.push_back({table_.file, where.line, where.column, key, message});
    }

    void read_params(const Benchmark& benchmark, MicrobenchmarkRow& row) {
        std::istringstream pairs(field(1).text);
        for (std::string pair; std::getline(pairs, pair, ';');) {
            const auto equals = pair.find('=');
            if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size()) {
                fault(field(1), "params", fmt::format("{} is not KEY=VALUE", cite(pair)));
                continue;
            }
            const auto key = pair.substr(0, equals);
            if (!row.params.emplace(key, pair.substr(equals + 1)).second) {
                fault(field(1), "params", fmt::format("{} appears twice", key));
            }
            check_param(benchmark, key, row.params[key]);
        }
        for (const auto& param : benchmark.params) {
            if (!row.params.contains(std::string(param.name))) {
                fault(field(1), "params", fmt::format("{} is missing", param.name));
            }
        }
    }

    void check_param(const Benchmark& benchmark, const std::string& key, const std::string& value) {
        for (const auto& param : benchmark.params) {
            if (param.name != key) {
                continue;
            }
            const auto words = names_of(param.words, [](auto word) { return word; });
            if (param.kind == ParamKind::number && !number_in(value)) {
                fault(field(1), key, fmt::format("{} is not a number of at least 0", cite(value)));
            }
            if (!words.empty() && std::find(words.begin(), words.end(), value) == words.end()) {
                fault(field(1), key,
                      fmt::format("{} is none of {}{}", cite(value), fmt::join(words, ", "),
                                  nearest_hint(value, words)));
            }
            return;
        }
        const auto names = names_of(benchmark.params, [](const auto& param) { return param.name; });
        fault(field(1), "params",
              fmt::format("{} has no parameter {}{}", benchmark.name, cite(key), nearest_hint(key, names)));
    }

    void read_figures(MicrobenchmarkRow& row) {
        const auto faults_before = faults_.size();
        row.median = figure(3);
        row.min = figure(4);
        row.max = figure(5);
        const double samples = figure(6);
        if (faults_.size() != faults_before) {
            return;
        }
        if (row.min > row.median || row.median > row.max) {
            fault(field(3), "median",
                  fmt::format("{} is not between min {} and max {}", row.median, row.min, row.max));
        }
        if (samples != std::floor(samples) || samples > 1e9) {
            fault(field(6), "samples", fmt::format("{} is not a count", field(6).text));
        } else {
            row.samples = static_cast<int>(samples);
        }
    }

    double figure(std::size_t column) {
        const auto value = number_in(field(column).text);
        if (!value || *value == 0) {
            fault(field(column), table_.header[columns_[column]],
                  fmt::format("{} is not a number above 0", cite(field(column).text)));
        }
        return value.value_or(0);
    }

    const CsvTable& table_;
    std::vector<std::size_t> columns_;
    std::vector<Diagnostic>& faults_;
    const std::vector<CsvField>* row_ = nullptr;
};

}  // namespace

double MicrobenchmarkRow::number(const std::string& param) const {
    const auto found = params.find(param);
    return found == params.end() ? 0 : number_in(found->second).value_or(0);
}

const std::string& MicrobenchmarkRow::word(const std::string& param) const {
    static const std::string none;
    const auto found = params.find(param);
    return found == params.end() ? none : found->second;
}

std::string MicrobenchmarkRow::text() const {
    std::string list;
    for (const auto& [key, value] : params) {
        list.append(list.empty() ? " " : ";").append(key).append("=").append(value);
    }
    return benchmark + list;
}

MicrobenchmarkFile read_microbenchmarks(const std::string& path) {
    MicrobenchmarkFile file;
    file.path = path;
    std::istringstream text(take_metadata(text_of(path), file.metadata));
    const auto table = parse_csv(text, path);
    auto columns =
        require_columns(table, {"benchmark", "params", "metric", "median", "min", "max", "samples"}, true);
    std::vector<Diagnostic> faults;
    RowReader reader(table, std::move(columns), faults);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        auto row = reader.read(i);
        if (!row.benchmark.empty() && !seen.insert(row.text()).second) {
            faults.push_back({path, row.line, 1, "", fmt::format("{} appears twice", row.text())});
        }
        file.rows.push_back(std::move(row));
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    if (file.rows.empty()) {
        throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", "no measurements"}});
    }
    return file;
}

}  // namespace gpumodel
