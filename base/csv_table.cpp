#include "base/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <string_view>

#include "base/process.h"

namespace gpumodel {
namespace {

constexpr int end_of_input = std::streambuf::traits_type::eof();
constexpr std::int64_t longest_record = 1 << 20;  // bytes; what is longer is no table, and may have no end

void check_header(const std::vector<CsvField>& header, const std::string& file) {
    std::vector<Diagnostic> faults;
    std::set<std::string> seen;
    for (const auto& field : header) {
        if (!seen.insert(field.text).second) {
            faults.push_back({file, field.line, field.column, field.text, "column appears twice"});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

bool is_blank(const std::vector<CsvField>& record) {
    return record.size() == 1 && record.front().text.empty();
}

// Before the header: a blank line, or "# key: value" about how the table was made.
bool is_preamble(const std::vector<CsvField>& record) {
    return is_blank(record) || record.front().text.rfind('#', 0) == 0;
}

}  // namespace

CsvReader::CsvReader(std::istream& in, std::string file) : in_(in.rdbuf()), file_(std::move(file)) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    std::size_t matched = 0;
    while (matched < mark.size() && in_->sgetc() == static_cast<unsigned char>(mark[matched])) {
        in_->sbumpc();
        ++matched;
    }
    std::vector<CsvField> names;
    while (!at_end() && (names.empty() || is_preamble(names))) {
        names = record();
    }
    if (!names.empty() && matched < mark.size()) {
        names.front().text.insert(0, mark.substr(0, matched));  // it was no mark
    }
    if (names.empty() || is_preamble(names)) {
        throw InputError(InputErrorKind::usage, {{file_, 1, 1, "", "no header line"}});
    }
    check_header(names, file_);
    for (auto& field : names) {
        header_.push_back(std::move(field.text));
    }
}

std::optional<CsvRow> CsvReader::next() {
    while (!at_end()) {
        CsvRow row{record(), ""};
        if (is_blank(row.fields)) {
            continue;
        }
        if (open_quote_) {
            row.fault = "quoted field is not closed";
        } else if (row.fields.size() != header_.size()) {
            row.fault = fmt::format("{} fields, the header has {}", row.fields.size(), header_.size());
        }
        row.fields.resize(header_.size(), {"", row.fields.front().line, 1});
        return row;
    }
    return std::nullopt;
}

bool CsvReader::at_end() const {
    return in_->sgetc() == end_of_input;
}

std::vector<CsvField> CsvReader::record() {
    std::vector<CsvField> fields;
    record_begin_ = bytes_;
    bool more = true;
    while (more) {
        CsvField field{"", line_, column_};
        if (in_->sgetc() == '"') {
            read_quoted(field);
        }
        while (!at_end() && in_->sgetc() != ',' && in_->sgetc() != '\n') {
            field.text += take();
        }
        more = in_->sgetc() == ',';
        if (!more && !field.text.empty() && field.text.back() == '\r') {
            field.text.pop_back();
        }
        if (!at_end()) {
            take();
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

void CsvReader::read_quoted(CsvField& field) {
    take();
    while (!at_end()) {
        const char next = take();
        if (next == '"') {
            if (in_->sgetc() != '"') {
                return;
            }
            take();
        }
        field.text += next;
    }
    open_quote_ = true;
}

char CsvReader::take() {
    const auto next = static_cast<char>(in_->sbumpc());
    if (++bytes_ - record_begin_ > longest_record) {
        throw InputError(InputErrorKind::usage,
                         {{file_, line_, 1, "", "a row of more than 1 MiB: this is no csv file"}});
    }
    ++column_;
    if (next == '\n') {
        ++line_;
        column_ = 1;
    }
    return next;
}

CsvSource::CsvSource(const std::string& path, const std::string& option, std::istream* standard_input) {
    if (path == "-") {
        reader_.emplace(standard_input != nullptr ? *standard_input : standard_input_stream(), "stdin");
        return;
    }
    stream_.open(path, std::ios::binary);
    if (!stream_ || stream_.peek() == end_of_input) {
        const bool empty = stream_.eof();
        throw InputError(InputErrorKind::usage,
                         {{path, 0, 0, option, empty ? "file is empty" : "cannot read this file"}});
    }
    reader_.emplace(stream_, path);
}

namespace {

CsvTable all_rows(CsvReader& reader) {
    CsvTable table;
    table.file = reader.file();
    table.header = reader.header();
    while (auto row = reader.next()) {
        table.rows.push_back(std::move(row->fields));
        table.row_faults.push_back(std::move(row->fault));
    }
    return table;
}

}  // namespace

CsvTable parse_csv(std::istream& in, const std::string& file) {
    CsvReader reader(in, file);
    return all_rows(reader);
}

CsvTable read_csv(const std::string& path) {
    CsvSource source(path);
    return all_rows(source.reader());
}

std::vector<std::size_t> require_columns(const CsvTable& table, const std::vector<std::string>& wanted,
                                         bool extra_allowed) {
    return require_columns(table.file, table.header, wanted, extra_allowed);
}

std::vector<std::size_t> require_columns(const std::string& file, const std::vector<std::string>& header,
                                         const std::vector<std::string>& wanted, bool extra_allowed) {
    std::vector<Diagnostic> faults;
    std::vector<std::size_t> indices;
    for (const auto& name : wanted) {
        const auto found = std::find(header.begin(), header.end(), name);
        if (found == header.end()) {
            faults.push_back(
                {file, 1, 1, name, fmt::format("column is missing; expected {}", fmt::join(wanted, ","))});
            continue;
        }
        indices.push_back(static_cast<std::size_t>(found - header.begin()));
    }
    for (const auto& name : header) {
        if (!extra_allowed && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
            faults.push_back({file, 1, 1, name, "unknown column" + nearest_hint(name, wanted)});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return indices;
}

std::optional<std::size_t> find_column(const CsvTable& table, const std::string& name) {
    const auto found = std::find(table.header.begin(), table.header.end(), name);
    if (found == table.header.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - table.header.begin());
}

}  // namespace gpumodel
