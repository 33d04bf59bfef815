#include "validate/measurements.h"

#include <fmt/format.h>

#include "validate/csv_row.h"

namespace gpumodel {

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
    const auto at = require_columns(table, {"family", "params", "M", "N", "K", "time_us_median"}, true);
    const auto registers = find_column(table, "registers");
    const auto local_bytes = find_column(table, "local_bytes");
    std::vector<Diagnostic> faults;
    CsvRowReader read(table, faults);
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
        m.time_us = read.number<double>(i, at[5]);
        if (registers) {
            m.registers = read.number<int>(i, *registers);
        }
        if (local_bytes) {
            m.local_bytes = read.number<int>(i, *local_bytes);
        }
        m.split = split_of(m.family, m.params);
        list.push_back(std::move(m));
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return list;
}

}  // namespace gpumodel
