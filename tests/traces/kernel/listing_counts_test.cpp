// Per-tile instruction counts of the main loop against listings of the same kernels compiled by nvcc 11.8
// (listing_counts.csv, written by listing_counts.py).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/support/program_checks.h"
#include "tests/traces/kernel/program_counts.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

struct Row {
    std::string family, params;
    int sm = 0;
    std::map<std::string, double> counts;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::vector<Row> read_rows() {
    std::ifstream file(GPUMODEL_TEST_DATA "/listing_counts.csv");
    std::string line;
    std::getline(file, line);
    const auto header = split(line, ',');
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const auto cells = split(line, ',');
        Row row{cells.at(0), cells.at(1), std::stoi(cells.at(2)), {}};
        for (std::size_t i = 3; i < cells.size(); ++i) {
            row.counts[header.at(i)] = std::stod(cells[i]);
        }
        rows.push_back(row);
    }
    return rows;
}

Counts tile_of(const Row& row) {
    ParamValues params;
    for (const auto& pair : split(row.params, ';')) {
        const auto equals = pair.find('=');
        params[pair.substr(0, equals)] = std::stoll(pair.substr(equals + 1));
    }
    const KernelProgram program = program_of(row.family, params, {1024, 1024, 1024}, row.sm);
    const Loop* loop = first_loop(program);
    REQUIRE(loop != nullptr);
    return count_nodes(loop->body, program.resources.threads);
}

double overhead_of(const Counts& tile) {
    double sum = 0;
    for (const double count : tile.ops) {
        sum += count;
    }
    for (const OpClass c : {OpClass::ffma, OpClass::shared_load, OpClass::shared_store, OpClass::global_load,
                            OpClass::global_store, OpClass::barrier}) {
        sum -= tile.of(c);
    }
    return sum;
}

}  // namespace

TEST_CASE("FFMA, stores and global loads of a tile equal the compiler's", "[oracle][families]") {
    const auto rows = read_rows();
    REQUIRE(rows.size() > 100);
    for (const Row& row : rows) {
        INFO(row.family << " " << row.params << " on sm_" << row.sm);
        const Counts tile = tile_of(row);
        CHECK(tile.of(OpClass::ffma) == row.counts.at("ffma"));
        CHECK(tile.of(OpClass::global_load) == row.counts.at("ldg"));
        CHECK(tile.shared_stores[1] == row.counts.at("sts32"));
        CHECK(tile.shared_stores[4] == row.counts.at("sts128"));
        CHECK(tile.of(OpClass::barrier) == row.counts.at("barrier"));
    }
}

TEST_CASE("shared loads of a tile equal the compiler's by width", "[oracle][families]") {
    int missed = 0;
    for (const Row& row : read_rows()) {
        UNSCOPED_INFO(row.family << " " << row.params << " on sm_" << row.sm);
        const Counts tile = tile_of(row);
        const bool same = tile.shared_loads[1] == row.counts.at("lds32") &&
                          tile.shared_loads[2] == row.counts.at("lds64") &&
                          tile.shared_loads[4] == row.counts.at("lds128");
        missed += same ? 0 : 1;
    }
    CHECK(missed <= 1);
}

// The constants were fitted to these rows, so this guards against drift and says nothing about others.
TEST_CASE("the estimate of address and control instructions fits the compiler's", "[oracle][families]") {
    double sum = 0;
    double worst = 0;
    const auto rows = read_rows();
    for (const Row& row : rows) {
        double total = 0;
        for (const auto& [column, count] : row.counts) {
            total += count;
        }
        const double error = std::abs(overhead_of(tile_of(row)) - row.counts.at("other")) / total;
        sum += error;
        worst = std::max(worst, error);
    }
    CHECK(sum / static_cast<double>(rows.size()) < 0.015);  // of all instructions of the tile
    CHECK(worst < 0.10);
}
