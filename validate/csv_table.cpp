#include "validate/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

namespace gpumodel {
namespace {

using Record = std::vector<CsvField>;

// Splits text into records, keeping positions.
class Splitter {
public:
    explicit Splitter(std::string text) : text_(std::move(text)) {
        if (text_.rfind("\xEF\xBB\xBF", 0) == 0) {
            at_ = 3;
        }
    }

    std::vector<Record> records() {
        std::vector<Record> list;
        while (at_ < text_.size()) {
            Record record = next_record();
            if (record.size() > 1 || !record.front().text.empty()) {
                list.push_back(std::move(record));
            }
        }
        return list;
    }

    // The record just read, counted from 0, ended in an unclosed quote.
    [[nodiscard]] bool ends_open() const { return open_quote_; }

private:
    Record next_record() {
        Record record;
        bool more = true;
        while (more) {
            CsvField field{"", line_, static_cast<int>(at_ - line_start_) + 1};
            if (at_ < text_.size() && text_[at_] == '"') {
                read_quoted(field);
            }
            while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
                field.text += text_[at_++];
            }
            more = at_ < text_.size() && text_[at_] == ',';
            if (!more && !field.text.empty() && field.text.back() == '\r') {
                field.text.pop_back();
            }
            if (at_ < text_.size()) {
                advance();
            }
            record.push_back(std::move(field));
        }
        return record;
    }

    void read_quoted(CsvField& field) {
        ++at_;
        while (at_ < text_.size()) {
            if (text_[at_] == '"') {
                if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                    ++at_;
                } else {
                    ++at_;
                    return;
                }
            }
            field.text += text_[at_];
            advance();
        }
        open_quote_ = true;
    }

    void advance() {
        if (text_[at_++] == '\n') {
            ++line_;
            line_start_ = at_;
        }
    }

    std::string text_;
    bool open_quote_ = false;  // only the last record can be cut so
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
};

void check_header(const Record& header, const std::string& file, std::vector<Diagnostic>& faults) {
    std::set<std::string> seen;
    for (const auto& field : header) {
        if (!seen.insert(field.text).second) {
            faults.push_back({file, field.line, field.column, field.text, "column appears twice"});
        }
    }
}

}  // namespace

CsvTable parse_csv(std::istream& in, const std::string& file) {
    Splitter splitter(std::string(std::istreambuf_iterator<char>(in), {}));
    auto records = splitter.records();
    if (records.empty()) {
        throw InputError(InputErrorKind::usage, {{file, 1, 1, "", "no header line"}});
    }
    std::vector<Diagnostic> faults;
    check_header(records.front(), file, faults);
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    CsvTable table;
    table.file = file;
    for (const auto& field : records.front()) {
        table.header.push_back(field.text);
    }
    for (std::size_t i = 1; i < records.size(); ++i) {
        std::string fault;
        if (i + 1 == records.size() && splitter.ends_open()) {
            fault = "quoted field is not closed";
        } else if (records[i].size() != table.header.size()) {
            fault = fmt::format("{} fields, the header has {}", records[i].size(), table.header.size());
        }
        records[i].resize(table.header.size(), {"", records[i].front().line, 1});
        table.rows.push_back(std::move(records[i]));
        table.row_faults.push_back(std::move(fault));
    }
    return table;
}

CsvTable read_csv(const std::string& path) {
    if (path == "-") {
        return parse_csv(std::cin, "stdin");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof()) {
        const bool empty = file.eof();
        throw InputError(InputErrorKind::usage,
                         {{path, 0, 0, "--jobs", empty ? "file is empty" : "cannot read this file"}});
    }
    return parse_csv(file, path);
}

std::vector<std::size_t> require_columns(const CsvTable& table, const std::vector<std::string>& wanted,
                                         bool extra_allowed) {
    std::vector<Diagnostic> faults;
    std::vector<std::size_t> indices;
    for (const auto& name : wanted) {
        const auto found = std::find(table.header.begin(), table.header.end(), name);
        if (found == table.header.end()) {
            faults.push_back({table.file, 1, 1, name,
                              fmt::format("column is missing; expected {}", fmt::join(wanted, ","))});
            continue;
        }
        indices.push_back(static_cast<std::size_t>(found - table.header.begin()));
    }
    for (const auto& name : table.header) {
        if (!extra_allowed && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
            faults.push_back({table.file, 1, 1, name, "unknown column" + nearest_hint(name, wanted)});
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
