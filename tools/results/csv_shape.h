// Other shapes of the result csv (predict, its --jobs, sweep): one metric a row, parameters as columns, or
// the contract's columns as a table in markdown. They are made of the contract's rows, so they say the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/cli/command.h"

namespace gpumodel::cli {

class CsvShape {
public:
    explicit CsvShape(const OutputOptions& output);

    // False: records stay as they are.
    [[nodiscard]] bool changes() const { return long_rows_ || param_columns_ || markdown_; }
    // Whole records, of the first call the header first. A cell that is empty is no row of --long; a launch
    // that has no metric keeps one row.
    [[nodiscard]] std::string shaped(const std::string& records);

private:
    using Record = std::vector<std::string>;

    void read_header(const Record& header);
    [[nodiscard]] Record params_of(const Record& record) const;
    [[nodiscard]] std::string line(const Record& record) const;
    [[nodiscard]] std::string long_lines(const Record& record) const;
    [[nodiscard]] std::string header_line(const Record& header) const;

    bool long_rows_, param_columns_, markdown_;
    std::size_t params_ = 0;                       // the column of that name
    std::vector<std::size_t> identity_, metrics_;  // columns
    std::vector<std::string> param_names_;
    std::map<std::size_t, std::vector<std::string>> words_;  // of a metric: section, name; unit
    std::string header_text_;
};

// --long and --param-columns.
void add_csv_shape_options(Command& command, OutputOptions& output);

}  // namespace gpumodel::cli
