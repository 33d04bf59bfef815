// The committed tables of gpumodel-measure: they load, whole, with their metadata lines.
#include <catch2/catch.hpp>
#include <sstream>

#include "base/csv_table.h"
#include "validate/accuracy/measurements.h"
#include "validate/counters/counters.h"

using namespace gpumodel;

namespace {

std::string data(const std::string& file) {
    return GPUMODEL_SOURCE_DIR "/validate/data/" + file;
}

}  // namespace

TEST_CASE("lines before the header that begin with # are metadata", "[unit][csv]") {
    std::istringstream in("# gpu: A, B\n\n# date: \"today\nfamily,M\n#naive,1\n");
    CsvReader reader(in, "t.csv");
    REQUIRE(reader.header() == std::vector<std::string>{"family", "M"});
    const auto row = reader.next();
    REQUIRE(row.has_value());
    REQUIRE(row->fault.empty());
    REQUIRE(row->fields[0].text == "#naive");  // after the header it is a row like any other
    REQUIRE(row->fields[0].line == 5);
    REQUIRE_FALSE(reader.next().has_value());

    std::istringstream none("# gpu: A\n");
    REQUIRE_THROWS_AS(CsvReader(none, "t.csv"), InputError);
}

TEST_CASE("the committed measurements load", "[unit][data]") {
    for (const char* file : {"h200_sxm_times.csv", "h200_sxm_large_times.csv", "h100_sxm_times.csv"}) {
        INFO(file);
        const auto rows = read_measurements(data(file));
        REQUIRE(rows.size() > 300);
        for (const auto& row : rows) {
            REQUIRE(row.time_us > 0);
            REQUIRE(row.registers.has_value());
        }
    }
    REQUIRE(read_counters(data("h200_sxm_counters_sizes.csv")).launches.size() == 97);
    REQUIRE(read_counters(data("h200_sxm_counters.csv")).launches.size() > 600);
}
