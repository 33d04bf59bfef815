// The lines of a csv file as bytes: what resuming and merging copy and compare.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace gpumodel::cli {

struct CsvRecord {
    std::string text;       // with its line feed; line feeds inside of quotes do not end it
    int line = 0;           // 1-based, where it starts
    std::int64_t end = 0;   // bytes of the file up to here
    bool complete = false;  // false: the file or 1 MiB ends before the line feed
    // Without the line feed.
    [[nodiscard]] std::string_view row() const {
        return std::string_view(text).substr(0, text.size() - (complete ? 1 : 0));
    }
};

class CsvRecords {
public:
    explicit CsvRecords(std::istream& in) : in_(in.rdbuf()) {}
    [[nodiscard]] std::optional<CsvRecord> next();

private:
    std::streambuf* in_;
    std::int64_t bytes_ = 0;
    int line_ = 1;
};

}  // namespace gpumodel::cli
