// The csv reader against RFC 4180's own rules, and what it says about files that break them.
#include "base/csv_table.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/csv_lines.h"

using namespace gpumodel;

namespace {

CsvTable parsed(const std::string& text) {
    std::istringstream in(text);
    return parse_csv(in, "t.csv");
}

std::vector<std::string> texts(const std::vector<CsvField>& fields) {
    std::vector<std::string> result;
    for (const auto& field : fields) {
        result.push_back(field.text);
    }
    return result;
}

// What the error of `work` says, one line per diagnostic.
template <class Work>
std::string error_of(const Work& work) {
    try {
        work();
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        return error.what();
    }
    return "no error";
}

using Fields = std::vector<std::string>;

}  // namespace

TEST_CASE("RFC 4180: quotes hold commas, line breaks and doubled quotes", "[unit][csv]") {
    const auto table = parsed("aaa,bbb,ccc\n\"b,b\",\"x\ny\",\"q\"\"q\"\n,\"\",z\n");
    CHECK(table.header == Fields{"aaa", "bbb", "ccc"});
    REQUIRE(table.rows.size() == 2);
    CHECK(texts(table.rows[0]) == Fields{"b,b", "x\ny", "q\"q"});
    CHECK(texts(table.rows[1]) == Fields{"", "", "z"});
    CHECK(table.row_faults == Fields{"", ""});
}

TEST_CASE("the last line may lack its end, lines may end in CR LF, a byte-order mark is no text",
          "[unit][csv]") {
    const auto unix_lines = parsed("a,b\n1,2\n");
    for (const auto* same : {"a,b\n1,2", "a,b\r\n1,2\r\n",
                             "\xEF\xBB\xBF"
                             "a,b\n1,2\n",
                             "\n# made by: x\na,b\n\n1,2\n\n"}) {
        INFO(same);
        const auto table = parsed(same);
        CHECK(table.header == unix_lines.header);
        REQUIRE(table.rows.size() == 1);
        CHECK(texts(table.rows[0]) == Fields{"1", "2"});
    }
    // two of the mark's three bytes are text
    CHECK(parsed("\xEF\xBBz,b\n").header.front() == "\xEF\xBBz");
    // after the header '#' begins a field like any other
    CHECK(texts(parsed("a,b\n#1,2\n").rows.at(0)) == Fields{"#1", "2"});
}

TEST_CASE("fields know where they stand", "[unit][csv]") {
    const auto table = parsed("a,b\n1,22\n\"x\ny\",3\n4,5\n");
    REQUIRE(table.rows.size() == 3);
    const auto place = [&](std::size_t row, std::size_t column) {
        const auto& field = table.rows[row][column];
        return std::pair{field.line, field.column};
    };
    CHECK(place(0, 0) == std::pair{2, 1});
    CHECK(place(0, 1) == std::pair{2, 3});
    CHECK(place(1, 1) == std::pair{4, 4});  // the quoted field goes over two lines
    CHECK(place(2, 0) == std::pair{5, 1});
}

TEST_CASE("rows of another width and open quotes are faults of their row alone", "[unit][csv]") {
    const auto table = parsed("a,b\n1\n1,2,3\n4,5\n\"6,7\n");
    REQUIRE(table.rows.size() == 4);
    CHECK(table.row_faults == Fields{"1 fields, the header has 2", "3 fields, the header has 2", "",
                                     "quoted field is not closed"});
    for (const auto& row : table.rows) {
        CHECK(row.size() == 2);
    }
}

TEST_CASE("a file without a header or with a column twice is refused", "[unit][csv]") {
    CHECK(error_of([] { static_cast<void>(parsed("")); }) == "t.csv:1:1: no header line");
    CHECK(error_of([] { static_cast<void>(parsed("\n# only: this\n")); }) == "t.csv:1:1: no header line");
    CHECK(error_of([] { static_cast<void>(parsed("a,b,a,b\n")); }) ==
          "t.csv:1:5: a: column appears twice\nt.csv:1:7: b: column appears twice");
    CHECK(error_of([] { static_cast<void>(read_csv("/nowhere/x.csv")); }).find("cannot read this file") !=
          std::string::npos);
    const auto empty = write_temporary("empty.csv", "");
    CHECK(error_of([&] { static_cast<void>(read_csv(empty)); }).find("file is empty") != std::string::npos);
    std::remove(empty.c_str());
}

TEST_CASE("wanted columns are found in any order; missing and unknown ones are told together",
          "[unit][csv]") {
    const auto table = parsed("params,kernel,M\n");
    CHECK(require_columns(table, {"kernel", "M"}, true) == std::vector<std::size_t>{1, 2});
    CHECK(find_column(table, "M") == 2);
    CHECK_FALSE(find_column(table, "m").has_value());
    const auto fault = error_of([&] { static_cast<void>(require_columns(table, {"kernels", "M"}, false)); });
    CHECK(fault ==
          "t.csv:1:1: kernels: column is missing; expected kernels,M\n"
          "t.csv:1:1: params: unknown column\n"
          "t.csv:1:1: kernel: unknown column; nearest: kernels");
}

TEST_CASE("a reader holds one row and counts the bytes that it took", "[unit][csv]") {
    const std::string text = "a,b\n1,2\n\n3,4";
    std::istringstream in(text);
    CsvReader reader(in, "t.csv");
    CHECK(reader.bytes_read() == 4);
    CHECK(texts(reader.next()->fields) == Fields{"1", "2"});
    CHECK(reader.bytes_read() == 8);
    CHECK(texts(reader.next()->fields) == Fields{"3", "4"});
    CHECK_FALSE(reader.next().has_value());
    CHECK(reader.bytes_read() == static_cast<std::int64_t>(text.size()));
}
