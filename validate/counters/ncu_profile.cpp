#include "validate/counters/ncu_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "base/csv_table.h"
#include "base/files/file_text.h"
#include "base/parse.h"

namespace gpumodel {
namespace {

// SI prefixes as the profiler prints them; bytes scale by thousands.
std::optional<double> prefix_factor(const std::string& prefix) {
    constexpr std::array<std::pair<std::string_view, double>, 9> factors{{{"", 1},
                                                                          {"n", 1e-9},
                                                                          {"u", 1e-6},
                                                                          {"m", 1e-3},
                                                                          {"K", 1e3},
                                                                          {"k", 1e3},
                                                                          {"M", 1e6},
                                                                          {"G", 1e9},
                                                                          {"T", 1e12}}};
    for (const auto& [name, factor] : factors) {
        if (name == prefix) {
            return factor;
        }
    }
    return std::nullopt;
}

// To bytes and nanoseconds; units that have no prefix stay. Empty for a prefix nobody knows.
std::optional<double> unit_factor(const std::string& unit) {
    for (const std::string_view time : {"second", "s"}) {
        if (unit.ends_with(time) && unit.find('/') == std::string::npos) {
            if (const auto factor = prefix_factor(unit.substr(0, unit.size() - time.size()))) {
                return *factor * 1e9;
            }
        }
    }
    if (unit.ends_with("byte")) {
        return prefix_factor(unit.substr(0, unit.size() - 4));
    }
    return 1;
}

// "1,234.5"; empty for text ("n/a", "(!) nan").
std::optional<double> value_of(std::string text) {
    std::erase(text, ',');
    const auto value = parse_number<double>(text);
    return value && *value >= 0 ? value : std::nullopt;
}

// "(32, 8, 1)", also without blanks.
std::optional<Dim3> dimensions_of(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
    std::array<std::int64_t, 3> values{1, 1, 1};
    const char* at = text.data();
    const char* end = at + text.size();
    for (std::size_t d = 0; d < values.size() && (d == 0 || at != end); ++d) {
        if (d > 0 && *at++ != ',') {
            return std::nullopt;
        }
        const auto parsed = std::from_chars(at, end, values[d]);
        at = parsed.ptr;
        if (parsed.ec != std::errc() || values[d] < 1) {
            return std::nullopt;
        }
    }
    return at == end ? std::optional(Dim3{values[0], values[1], values[2]}) : std::nullopt;
}

// The csv alone, and on which line of the file it begins.
std::string csv_part(std::istream& in, int& header_line) {
    std::string text;
    std::string line;
    bool inside = false;
    for (int number = 1; std::getline(in, line); ++number) {
        if (!inside && line.find("Kernel Name") != std::string::npos) {
            inside = true;
            header_line = number;
        }
        // messages may stand between rows; an empty line keeps the numbers right
        if (inside) {
            text += line.starts_with("==") ? "\n" : line + "\n";
        }
    }
    return text;
}

class ProfileReader {
public:
    ProfileReader(CsvTable table, int header_line) : table_(std::move(table)), before_(header_line - 1) {}

    std::vector<ProfiledLaunch> read() {
        const auto name = find_column(table_, "Metric Name");
        name ? read_long(*name) : read_wide();
        if (faults_.empty() && launches_.empty()) {
            faults_.push_back({table_.file, 1, 0, "", "no launch in it"});
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return std::move(launches_);
    }

private:
    void read_wide() {
        const auto kernel = require_columns(table_, {"Kernel Name"}, true)[0];
        std::vector<std::string> units(table_.header.size());
        for (const auto& row : sound_rows()) {
            if (row[kernel].text.empty()) {
                for (std::size_t c = 0; c < units.size(); ++c) {
                    units[c] = row[c].text;
                }
                continue;
            }
            auto& launch = launches_.emplace_back(identity(row));
            for (std::size_t c = 0; c < units.size(); ++c) {
                if (table_.header[c].find("__") != std::string::npos) {
                    add(launch, table_.header[c], row[c], units[c]);
                }
            }
        }
    }

    void read_long(std::size_t name) {
        const auto at = require_columns(table_, {"ID", "Kernel Name", "Metric Unit", "Metric Value"}, true);
        for (const auto& row : sound_rows()) {
            if (launches_.empty() || launches_.back().id != row[at[0]].text) {
                launches_.push_back(identity(row));
            }
            if (row[name].text.find("__") != std::string::npos) {
                add(launches_.back(), row[name].text, row[at[3]], row[at[2]].text);
            }
        }
    }

    std::vector<std::vector<CsvField>> sound_rows() {
        std::vector<std::vector<CsvField>> rows;
        for (std::size_t i = 0; i < table_.rows.size(); ++i) {
            if (table_.row_faults[i].empty()) {
                rows.push_back(table_.rows[i]);
            } else {
                fault(table_.rows[i].front(), "", table_.row_faults[i]);
            }
        }
        return rows;
    }

    ProfiledLaunch identity(const std::vector<CsvField>& row) {
        ProfiledLaunch launch;
        const auto id = find_column(table_, "ID");
        launch.id = id ? row[*id].text : std::to_string(launches_.size());
        launch.kernel = row[*find_column(table_, "Kernel Name")].text;
        for (const auto& [key, target] :
             {std::pair{"Grid Size", &launch.grid}, {"Block Size", &launch.block}}) {
            const auto column = find_column(table_, key);
            if (!column) {
                continue;
            }
            if (const auto size = dimensions_of(row[*column].text)) {
                *target = *size;
            } else {
                fault(row[*column], key, fmt::format("'{}' is not (X, Y, Z)", row[*column].text));
            }
        }
        return launch;
    }

    void add(ProfiledLaunch& launch, const std::string& name, const CsvField& field,
             const std::string& unit) {
        const auto value = value_of(field.text);
        if (!value) {
            return;
        }
        const auto factor = unit_factor(unit);
        if (!factor) {
            fault(field, name, fmt::format("unknown unit '{}'", unit));
            return;
        }
        launch.counters[name] = *value * *factor;
    }

    void fault(const CsvField& field, const std::string& key, const std::string& message) {
        faults_.push_back({table_.file, field.line + before_, field.column, key, message});
    }

    CsvTable table_;
    int before_;
    std::vector<Diagnostic> faults_;
    std::vector<ProfiledLaunch> launches_;
};

}  // namespace

std::vector<ProfiledLaunch> parse_ncu_profile(std::istream& in, const std::string& file) {
    int header_line = 0;
    std::istringstream csv(csv_part(in, header_line));
    if (header_line == 0) {
        throw InputError(InputErrorKind::invalid_input,
                         {{file, 1, 0, "Kernel Name", "no such column: not what 'ncu --csv' prints"}});
    }
    return ProfileReader(parse_csv(csv, file), header_line).read();
}

std::vector<ProfiledLaunch> read_ncu_profile(const std::string& path) {
    std::istringstream file(require_text(path, "--ncu"));
    return parse_ncu_profile(file, path);
}

std::vector<ProfiledCounter> compare_profile(const ProfiledLaunch& launch, const Prediction& prediction) {
    const auto value_of_name = [&launch](const std::string& name) -> std::optional<double> {
        const auto found = launch.counters.find(name);
        return found == launch.counters.end() ? std::nullopt : std::optional(found->second);
    };
    std::vector<ProfiledCounter> list;
    for (const auto& counter : prediction.counters) {
        const std::string name(counter.name);
        if (const auto measured = value_of_name(name)) {
            list.push_back({name, *measured, counter.value,
                            counter_error(*measured, counter.value, counter_scale(name, value_of_name))});
        }
    }
    return list;
}

}  // namespace gpumodel
