// Reader for job files (`--jobs FILE`, "-" = standard input) and measurements: RFC 4180 fields, one header
// line. Shared by everything that takes one.
#pragma once

#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

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

struct CsvRow {
    std::vector<CsvField> fields;  // as many as the header has (padded or cut)
    std::string fault;             // another width, an unclosed quote; "" = sound
};

// Row by row, in the memory of one row. Blank lines are skipped, and before the header lines that begin with
// '#'; a UTF-8 byte-order mark and CR LF are accepted. The constructor reads the header; it throws InputError
// (usage) for what spoils the whole file: no header, duplicate columns, as next() does for a row of more than
// 1 MiB. Faults of single rows are left to the
// caller, who knows whether the other rows can still run.
class CsvReader {
public:
    CsvReader(std::istream& in, std::string file);                   // `in` must outlive the reader
    [[nodiscard]] const std::string& file() const { return file_; }  // for diagnostics
    [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
    [[nodiscard]] std::optional<CsvRow> next();
    [[nodiscard]] std::int64_t bytes_read() const { return bytes_; }

private:
    [[nodiscard]] bool at_end() const;
    std::vector<CsvField> record();
    void read_quoted(CsvField& field);
    char take();

    std::streambuf* in_;
    std::string file_;
    std::vector<std::string> header_;
    std::int64_t bytes_ = 0;
    std::int64_t record_begin_ = 0;
    int line_ = 1;
    int column_ = 1;
    bool open_quote_ = false;  // only the last record can be cut so
};

// A file, or standard input for "-" (read through `standard_input` where one is given). Throws InputError
// (usage) that names `option` if there is no such file or nothing in it.
class CsvSource {
public:
    explicit CsvSource(const std::string& path, const std::string& option = "--jobs",
                       std::istream* standard_input = nullptr);
    CsvSource(const CsvSource&) = delete;  // the reader holds on to the stream
    CsvSource& operator=(const CsvSource&) = delete;
    ~CsvSource() = default;
    [[nodiscard]] CsvReader& reader() { return *reader_; }

private:
    std::ifstream stream_;
    std::optional<CsvReader> reader_;
};

// All rows at once; throws as CsvSource and CsvReader do.
[[nodiscard]] CsvTable read_csv(const std::string& path);
[[nodiscard]] CsvTable parse_csv(std::istream& in, const std::string& file);

// Index of each wanted column in the header; missing and (unless `extra_allowed`) unknown columns are
// reported together, unknown ones with the nearest wanted name.
[[nodiscard]] std::vector<std::size_t> require_columns(const std::string& file,
                                                       const std::vector<std::string>& header,
                                                       const std::vector<std::string>& wanted,
                                                       bool extra_allowed);
[[nodiscard]] std::vector<std::size_t> require_columns(const CsvTable& table,
                                                       const std::vector<std::string>& wanted,
                                                       bool extra_allowed);

[[nodiscard]] std::optional<std::size_t> find_column(const CsvTable& table, const std::string& name);

}  // namespace gpumodel
