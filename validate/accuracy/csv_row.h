// Typed fields of a csv row; faults are collected, so that a file's faults can be reported all at once.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/csv_table.h"
#include "base/parse.h"
#include "traces/kernel/family.h"

namespace gpumodel {

class CsvRowReader {
public:
    CsvRowReader(const CsvTable& table, std::vector<Diagnostic>& faults) : table_(table), faults_(faults) {}

    // A number of at least 0; anything else is a fault and reads as 0.
    template <class Number>
    Number number(std::size_t row, std::size_t column) {
        const auto& field = table_.rows[row][column];
        const auto value = parse_number<Number>(field.text);
        if (!value || *value < 0) {
            fault(field, table_.header[column],
                  fmt::format("'{}' is not a number of at least 0", field.text));
            return Number{};
        }
        return *value;
    }

    // "KEY=NUMBER;KEY=NUMBER"; may be empty.
    ParamValues params(std::size_t row, std::size_t column);

    void fault(const CsvField& field, const std::string& key, const std::string& message) {
        faults_.push_back({table_.file, field.line, field.column, key, message});
    }

private:
    const CsvTable& table_;
    std::vector<Diagnostic>& faults_;
};

// Calls use(read, row, fields, at) with every sound row of a file that has exactly these columns; at[i] is
// where columns[i] stands. Throws InputError with all faults of the file: `use` reports its own through
// `read`.
template <class Use>
void for_each_row(const std::string& path, const std::vector<std::string>& columns, Use use) {
    const auto table = read_csv(path);
    const auto at = require_columns(table, columns, false);
    std::vector<Diagnostic> faults;
    CsvRowReader read(table, faults);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.row_faults[i].empty()) {
            use(read, i, table.rows[i], at);
        } else {
            read.fault(table.rows[i].front(), "row", table.row_faults[i]);
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
}

// read(file) of the first folder that has a file of this name; an empty table if none has.
template <class Read>
auto load_first(const std::vector<std::string>& search_path, const char* name, Read read) {
    for (const auto& folder : search_path) {
        const auto path = std::filesystem::path(folder) / name;
        if (std::filesystem::exists(path)) {
            return read(path.string());
        }
    }
    return decltype(read(std::string())){};
}

}  // namespace gpumodel
