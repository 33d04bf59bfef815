#include "base/csv_text.h"

namespace gpumodel {

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + '"';
}

std::string csv_record(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& cell : cells) {
        line += csv_field(cell) + ',';
    }
    line.back() = '\n';
    return line;
}

std::string csv_table(const std::vector<std::vector<std::string>>& records) {
    std::string text;
    for (const auto& record : records) {
        text += csv_record(record);
    }
    return text;
}

}  // namespace gpumodel
