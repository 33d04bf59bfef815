#include "validate/accuracy/csv_row.h"

#include <algorithm>

namespace gpumodel {

ParamValues CsvRowReader::params(std::size_t row, std::size_t column) {
    ParamValues values;
    const auto& field = table_.rows[row][column];
    auto items = split(field.text, ';');
    if (items.back().empty()) {
        items.pop_back();  // an empty list, or a last separator
    }
    for (const auto item : items) {
        const auto equals = std::min(item.find('='), item.size());
        const auto key = item.substr(0, equals);
        const auto value = param_value(key, item.substr(std::min(equals + 1, item.size())));
        if (value) {
            values[std::string(key)] = *value;
        } else {
            fault(field, "params", fmt::format("'{}' is not KEY=NUMBER", item));
        }
    }
    return values;
}

}  // namespace gpumodel
