#include "validate/measurements.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "validate/csv_table.h"

namespace gpumodel {
namespace {

class RowReader {
public:
    RowReader(const CsvTable& table, std::vector<Diagnostic>& faults) : table_(table), faults_(faults) {}

    template <class Number>
    Number number(std::size_t row, std::size_t column) {
        const auto& field = table_.rows[row][column];
        Number value{};
        const char* end = field.text.data() + field.text.size();
        const auto result = std::from_chars(field.text.data(), end, value);
        if (result.ec != std::errc() || result.ptr != end || value < 0) {
            fault(field, table_.header[column],
                  fmt::format("'{}' is not a number of at least 0", field.text));
        }
        return value;
    }

    ParamValues params(std::size_t row, std::size_t column) {
        ParamValues values;
        const auto& field = table_.rows[row][column];
        std::size_t begin = 0;
        while (begin < field.text.size()) {
            const auto end = std::min(field.text.find(';', begin), field.text.size());
            const auto item = field.text.substr(begin, end - begin);
            const auto equals = item.find('=');
            std::int64_t value = 0;
            const char* last = item.data() + item.size();
            if (equals == std::string::npos ||
                std::from_chars(item.data() + equals + 1, last, value).ptr != last) {
                fault(field, "params", fmt::format("'{}' is not KEY=NUMBER", item));
            } else {
                values[item.substr(0, equals)] = value;
            }
            begin = end + 1;
        }
        return values;
    }

    void fault(const CsvField& field, const std::string& key, const std::string& message) {
        faults_.push_back({table_.file, field.line, field.column, key, message});
    }

private:
    const CsvTable& table_;
    std::vector<Diagnostic>& faults_;
};

}  // namespace

Split split_of(const std::string& family, const ParamValues& params) {
    std::string text = family;
    for (const auto& [key, value] : params) {
        if (key != "UNROLL") {
            text += fmt::format(";{}={}", key, value);
        }
    }
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return ((hash >> 8U) & 1U) != 0 ? Split::test : Split::calibration;
}

std::vector<Measurement> read_measurements(const std::string& path) {
    const auto table = read_csv(path);
    const auto at = require_columns(table,
                                    {"family", "params", "M", "N", "K", "registers", "local_bytes",
                                     "time_us_median", "time_us_min", "time_us_max"},
                                    true);
    std::vector<Diagnostic> faults;
    RowReader read(table, faults);
    std::vector<Measurement> list;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        if (!table.row_faults[i].empty()) {
            read.fault(row.front(), "", table.row_faults[i]);
            continue;
        }
        Measurement m;
        m.family = row[at[0]].text;
        m.params = read.params(i, at[1]);
        m.m = read.number<std::int64_t>(i, at[2]);
        m.n = read.number<std::int64_t>(i, at[3]);
        m.k = read.number<std::int64_t>(i, at[4]);
        m.registers = read.number<int>(i, at[5]);
        m.local_bytes = read.number<int>(i, at[6]);
        m.time_us = read.number<double>(i, at[7]);
        m.time_us_min = read.number<double>(i, at[8]);
        m.time_us_max = read.number<double>(i, at[9]);
        m.split = split_of(m.family, m.params);
        list.push_back(std::move(m));
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return list;
}

}  // namespace gpumodel
