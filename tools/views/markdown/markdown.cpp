#include "tools/views/markdown/markdown.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace gpumodel::cli {
namespace {

using Lines = std::vector<std::string>;
using Row = std::vector<std::string>;

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '<') {
            result += "&lt;";
        } else if (c == '|' || c == '*' || c == '`' || c == '\\') {
            result += std::string("\\") + c;
        } else {
            result += c;
        }
    }
    return result;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_marked(const std::string& line) {
    return line.starts_with("* ");
}

bool is_indented(const std::string& line) {
    return line.front() == ' ' || is_marked(line);
}

bool begins_with_digit(const std::string& cell) {
    return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front())) != 0;
}

// Where the gaps between columns end that all lines share: the first character of each column.
std::vector<std::size_t> column_starts(const Lines& lines) {
    std::size_t width = 0;
    for (const auto& line : lines) {
        width = std::max(width, line.size());
    }
    const auto blank = [&](std::size_t at) {
        return std::all_of(lines.begin(), lines.end(), [at](const std::string& line) {
            return at >= line.size() || line[at] == ' ' || (at == 0 && is_marked(line));
        });
    };
    std::vector<std::size_t> starts;
    std::size_t gap = 2;  // the line's start counts as one
    for (std::size_t at = 0; at < width; ++at) {
        if (blank(at)) {
            ++gap;
        } else {
            if (gap >= 2) {
                starts.push_back(at);
            }
            gap = 0;
        }
    }
    return starts;
}

Row cells_of(const std::string& line, const std::vector<std::size_t>& starts) {
    Row cells;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto end = i + 1 < starts.size() ? starts[i + 1] : std::string::npos;
        const bool there = starts[i] < line.size();
        cells.push_back(
            there ? trimmed(line.substr(starts[i], end == std::string::npos ? end : end - starts[i])) : "");
    }
    return cells;
}

bool has_digit(const std::string& cell) {
    return std::any_of(cell.begin(), cell.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Two columns are names and values unless all values but the first are numbers.
bool has_header(const std::vector<Row>& rows) {
    const auto& first = rows.front();
    if (rows.size() < 2 || std::any_of(first.begin() + 1, first.end(), begins_with_digit)) {
        return false;
    }
    return first.size() > 2 ||
           (!has_digit(first[1]) && std::all_of(rows.begin() + 1, rows.end(),
                                                [](const Row& row) { return begins_with_digit(row[1]); }));
}

std::string table(const Lines& lines, const std::vector<Row>& rows) {
    const bool header = has_header(rows);
    std::string text = markdown_row(header ? rows.front() : Row(rows.front().size())) + '\n' +
                       markdown_rule(rows.front().size()) + '\n';
    for (std::size_t i = header ? 1 : 0; i < rows.size(); ++i) {
        auto row = markdown_row(rows[i]);
        if (is_marked(lines[i])) {
            const auto first = escaped(rows[i].front());
            row = "| **" + first + "**" + row.substr(2 + first.size());
        }
        text += row + '\n';
    }
    return text;
}

std::string fence(const Lines& lines) {
    std::string text = "```text\n";
    for (const auto& line : lines) {
        text += line + '\n';
    }
    return text + "```\n";
}

std::string list(const Lines& lines) {
    std::string text;
    for (const auto& line : lines) {
        text += "- " + escaped(trimmed(line)) + '\n';
    }
    return text;
}

// Pieces that stand two spaces or more apart.
Row pieces_of(const std::string& line) {
    Row pieces;
    std::size_t at = is_marked(line) ? 1 : 0;
    while ((at = line.find_first_not_of(' ', at)) != std::string::npos) {
        const auto end = std::min(line.find("  ", at), line.size());
        pieces.push_back(line.substr(at, end - at));
        at = end;
    }
    return pieces;
}

bool is_prose(const std::string& line) {
    return pieces_of(line).size() < 2;
}

bool begins_table(const Lines& above, const std::string& line) {
    const auto pieces = pieces_of(line);
    return pieces.size() > 3 && std::none_of(pieces.begin(), pieces.end(), has_digit) &&
           pieces.size() > pieces_of(above.back()).size();
}

// By the columns that all lines share, else by pieces where each line has as many.
std::string rows_of(const Lines& lines) {
    const auto starts = column_starts(lines);
    const bool columns = starts.size() > 1 && (lines.size() > 1 || starts.size() < 3);
    std::vector<Row> rows;
    for (const auto& line : lines) {
        rows.push_back(columns ? cells_of(line, starts) : pieces_of(line));
    }
    const bool even = std::all_of(rows.begin(), rows.end(),
                                  [&](const Row& row) { return row.size() == rows.front().size(); });
    return even ? table(lines, rows) : fence(lines);
}

// Tables, and the remarks above, between and below them.
std::string body(const Lines& lines) {
    std::vector<std::string> parts;
    Lines group;
    bool prose = false;
    const auto end_group = [&] {
        if (!group.empty()) {
            parts.push_back(prose ? list(group) : rows_of(group));
            group.clear();
        }
    };
    for (const auto& line : lines) {
        if (is_prose(line) != prose || (!prose && !group.empty() && begins_table(group, line))) {
            end_group();
        }
        prose = is_prose(line);
        group.push_back(line);
    }
    end_group();
    std::string text;
    for (const auto& part : parts) {
        text += (text.empty() ? "" : "\n") + part;
    }
    return text;
}

bool is_table(const Lines& lines) {
    return lines.size() > 1 && pieces_of(lines.front()).size() > 2 && column_starts(lines).size() > 2;
}

// A line that is not indented, and what is indented below it.
std::string titled(const Lines& lines, const char* heading) {
    const Lines below(lines.begin() + 1, lines.end());
    return (below.empty() ? "" : heading) + escaped(lines.front()) + '\n' +
           (below.empty() ? "" : "\n" + body(below));
}

std::string block(const Lines& lines, bool first) {
    if (is_table(lines) || is_indented(lines.front())) {
        return body(lines);
    }
    if (first && lines.size() < 3 && !is_indented(lines.back())) {  // what is shown, and of which launch
        return "## " + escaped(lines.front()) + '\n' +
               (lines.size() > 1 ? "\n" + escaped(lines.back()) + '\n' : "");
    }
    std::string text;
    Lines group;
    const auto end_group = [&] {
        if (!group.empty()) {
            text += (text.empty() ? "" : "\n") + titled(group, first && text.empty() ? "## " : "### ");
        }
        group.clear();
    };
    for (const auto& line : lines) {
        if (!is_indented(line)) {
            end_group();
        }
        group.push_back(line);
    }
    end_group();
    return text;
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const auto& cell : cells) {
        row += ' ' + escaped(cell) + " |";
    }
    return row;
}

std::string markdown_rule(std::size_t columns) {
    std::string rule = "|";
    for (std::size_t i = 0; i < columns; ++i) {
        rule += " --- |";
    }
    return rule;
}

std::string markdown_report(const std::string& report) {
    std::istringstream in(report);
    std::string text;
    Lines lines;
    const auto end_block = [&] {
        if (!lines.empty()) {
            text += (text.empty() ? "" : "\n") + block(lines, text.empty());
            lines.clear();
        }
    };
    for (std::string line; std::getline(in, line);) {
        if (trimmed(line).empty()) {
            end_block();
        } else {
            lines.push_back(line);
        }
    }
    end_block();
    return text;
}

}  // namespace gpumodel::cli
