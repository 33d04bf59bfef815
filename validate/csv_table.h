// Reader for job files (`--jobs FILE`, "-" = standard input) and measurements: RFC 4180 fields, one header
// line. Shared by everything that takes one.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/diagnostics.h"

namespace gpumodel {

struct CsvField {
    std::string text;
    int line = 0;    // 1-based, where the field starts
    int column = 0;  // 1-based character
};

struct CsvTable {
    std::string file;  // for diagnostics
    std::vector<std::string> header;
    std::vector<std::vector<CsvField>> rows;  // every row has header.size() fields (padded or cut)
    std::vector<std::string> row_faults;      // per row: another width, an unclosed quote; "" = sound
};

// Reads everything; blank lines are skipped, a UTF-8 byte-order mark and CR LF are accepted. Throws
// InputError (usage) for what spoils the whole file: no such file, no header, duplicate columns. Faults
// of single rows are left to the caller, who knows whether the other rows can still run.
[[nodiscard]] CsvTable read_csv(const std::string& path);
[[nodiscard]] CsvTable parse_csv(std::istream& in, const std::string& file);

// Index of each wanted column in the header; missing and (unless `extra_allowed`) unknown columns are
// reported together, unknown ones with the nearest wanted name.
[[nodiscard]] std::vector<std::size_t> require_columns(const CsvTable& table,
                                                       const std::vector<std::string>& wanted,
                                                       bool extra_allowed);

[[nodiscard]] std::optional<std::size_t> find_column(const CsvTable& table, const std::string& name);

}  // namespace gpumodel
