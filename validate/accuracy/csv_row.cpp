#include "validate/accuracy/csv_row.h"

#include <algorithm>

namespace gpumodel {

ParamValues CsvRowReader::params(std::size_t row, std::size_t column) {
    ParamValues values;
    const auto& field = table_.rows[row][column];
    std::size_t begin = 0;
    while (begin < field.text.size()) {
        const auto end = std::min(field.text.find(';', begin), field.text.size());
        const auto item = field.text.substr(begin, end - begin);
        const auto equals = item.find('=');
        std::int64_t value = 0;
        const char* last = item.data() + item.size();
        bool sound = equals != std::string::npos;
        if (sound) {
            const auto parsed = std::from_chars(item.data() + equals + 1, last, value);
            sound = parsed.ec == std::errc() && parsed.ptr == last;
        }
        if (sound) {
            values[item.substr(0, equals)] = value;
        } else {
            fault(field, "params", fmt::format("'{}' is not KEY=NUMBER", item));
        }
        begin = end + 1;
    }
    return values;
}

}  // namespace gpumodel
