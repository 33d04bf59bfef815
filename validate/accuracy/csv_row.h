// Typed fields of a csv row; faults are collected, so that a file's faults can be reported all at once.
#pragma once

#include <fmt/format.h>

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

}  // namespace gpumodel
