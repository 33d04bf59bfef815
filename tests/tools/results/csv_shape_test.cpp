// --long and --param-columns hold what the contract's csv holds, cell by cell.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& csv) {
    const auto lines = lines_of(csv);
    REQUIRE_FALSE(lines.empty());
    const auto header = cells_of(lines[0]);
    std::vector<Row> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto cells = cells_of(lines[i]);
        REQUIRE(cells.size() == header.size());
        Row row;
        for (std::size_t c = 0; c < header.size(); ++c) {
            row[header[c]] = cells[c];
        }
        rows.push_back(row);
    }
    return rows;
}

const std::vector<std::string> identity{"arch", "kernel", "params", "M",     "N",
                                        "K",    "model",  "status", "reason"};

void check_long(const std::string& command) {
    INFO(command);
    const auto wide = run_gpumodel(command);
    const auto tidy = run_gpumodel(command + " --long");
    CHECK(tidy.exit_code == wide.exit_code);
    const auto long_rows = rows_of(tidy.out);
    std::size_t at = 0;
    for (const auto& row : rows_of(wide.out)) {
        std::size_t metrics = 0;
        for (const auto& [column, value] : row) {
            const bool metric = std::find(identity.begin(), identity.end(), column) == identity.end();
            metrics += metric && !value.empty() ? 1U : 0U;
        }
        for (std::size_t i = 0; i < std::max<std::size_t>(metrics, 1); ++i, ++at) {
            REQUIRE(at < long_rows.size());
            const auto& tidy_row = long_rows[at];
            for (const auto& column : identity) {
                CHECK(tidy_row.at(column) == row.at(column));
            }
            CHECK((metrics == 0 ? tidy_row.at("value").empty()
                                : tidy_row.at("value") == row.at(tidy_row.at("metric"))));
        }
    }
    CHECK(at == long_rows.size());
}

}  // namespace

TEST_CASE("the long csv has each cell of the wide one in a row", "[cli][csv]") {
    check_long("predict --arch k40 --kernel smem -m 128 -n 128 -k 128 --model both --format csv");
    check_long("predict --arch k40 --jobs jobs/mixed.csv --model analytic --format csv");
    check_long("sweep --arch k40 --kernel smem -p BS=8,16,32 --sizes 256,512 --format csv");
}

TEST_CASE("units of the long csv are those of metrics list", "[cli][csv]") {
    std::map<std::string, std::string> units;
    for (const auto& row : rows_of(run_gpumodel("metrics list --format csv").out)) {
        units[row.at("name")] = row.at("unit");
    }
    const auto rows = rows_of(
        run_gpumodel("predict --arch k40 --kernel smem -m 128 -n 128 -k 128 --format csv --long").out);
    CHECK(rows.size() > 30);
    for (const auto& row : rows) {
        CHECK(row.at("unit") == units.at(row.at("metric")));
        CHECK_FALSE(row.at("section").empty());
    }
}

TEST_CASE("parameters are columns, beside the contract's", "[cli][csv]") {
    const std::string command = "sweep --arch k40 --kernel warptile -p BM=64,128 -p WM=32,64 --format csv";
    const auto wide = rows_of(run_gpumodel(command).out);
    const auto with_columns = run_gpumodel(command + " --param-columns");
    const auto rows = rows_of(with_columns.out);
    REQUIRE(rows.size() == wide.size());
    REQUIRE_FALSE(rows.empty());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string params = wide[i].at("params") + ';';
        for (std::size_t begin = 0; begin < params.size();) {
            const auto end = params.find(';', begin);
            const auto pair = params.substr(begin, end - begin);
            const auto equals = pair.find('=');
            CHECK(rows[i].at(pair.substr(0, equals)) == pair.substr(equals + 1));
            begin = end + 1;
        }
        for (const auto& [column, value] : wide[i]) {
            CHECK(rows[i].at(column) == value);
        }
        CHECK(rows[i].at("BS").empty());  // of another family
    }
    const auto header = lines_of(with_columns.out)[0];
    CHECK(header.starts_with(lines_of(run_gpumodel(command).out)[0] + ","));
}

TEST_CASE("a listing's grid, block and arguments are columns too", "[cli][csv]") {
    const auto rows = rows_of(
        run_gpumodel("predict --arch h200_sxm --sass " + std::string(GPUMODEL_SOURCE_DIR) +
                     "/validate/general/sm_90.sass.gz --entry stencil7_march --grid 7,28 --block 32,8 "
                     "--args ptr,ptr,220,219,40 --model analytic --format csv --param-columns")
            .out);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("grid") == "7x28x1");
    CHECK(rows[0].at("block") == "32x8x1");
    CHECK(rows[0].at("args") == "ptr,ptr,220,219,40");
    CHECK(rows[0].at("BM").empty());
}
