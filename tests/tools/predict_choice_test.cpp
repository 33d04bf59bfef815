// predict --section and --metrics: parts of what is printed without them.
#include <catch2/catch.hpp>
#include <sstream>

#include "base/csv_table.h"
#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

using namespace gpumodel;

namespace {

const std::string launch = "predict --arch v100_sxm2 --kernel smem -m 256 -n 256 -k 256 ";

// The paragraph of the whole report under this title.
std::string paragraph(const std::string& report, const std::string& title) {
    const auto begin = report.find("\n\n" + title) + 2;
    return report.substr(begin, report.find("\n\n", begin) + 1 - begin);
}

std::map<std::string, std::string> columns(const std::string& csv) {
    std::istringstream in(csv);
    CsvReader reader(in, "test");
    const auto row = reader.next();
    REQUIRE(row);
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < reader.header().size(); ++i) {
        values[reader.header()[i]] = row->fields[i].text;
    }
    return values;
}

}  // namespace

TEST_CASE("a section is the report's own", "[cli]") {
    const auto report = run_gpumodel(launch).out;
    const auto chosen = run_gpumodel(launch + "--section occ --section 'WARP stalls'");
    CHECK(chosen.exit_code == 0);
    const auto identity = report.substr(0, report.find("\n\n") + 1);
    CHECK(chosen.out ==
          identity + '\n' + paragraph(report, "Occupancy") + '\n' + paragraph(report, "Warp stalls"));
    CHECK(chosen.out.find("Throughput") == std::string::npos);
}

TEST_CASE("metrics are the columns of the same names", "[cli]") {
    const auto all = columns(run_gpumodel(launch + "--format csv").out);
    const auto chosen = run_gpumodel(launch + "--format csv --metrics 'time_us,smsp__inst_executed_op_*'");
    CHECK(chosen.exit_code == 0);
    const auto some = columns(chosen.out);
    CHECK(some.size() == 8 + 1 + 4);
    for (const auto& [name, value] : some) {
        INFO(name);
        CHECK(all.at(name) == value);
    }
    const auto text = run_gpumodel(launch + "--model simulate --metrics time_us,occupancy_limiter").out;
    CHECK(lines_of(text).size() == 3);
    CHECK(text.find("time_us            " + all.at("time_us") + " us\n") != std::string::npos);
    CHECK(text.find("occupancy_limiter  " + all.at("occupancy_limiter") + '\n') != std::string::npos);
}

TEST_CASE("names that nothing has, and choices without a meaning, are faults", "[cli]") {
    const auto fails = [](const std::string& options, const std::string& message) {
        const auto result = run_gpumodel(launch + options);
        INFO(options << ": " << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find(message) != std::string::npos);
    };
    fails("--section ocupancy", "--section: 'ocupancy' is no section, allowed: Speed of light");
    fails("--section ocupancy", "nearest: Occupancy");
    fails("--section ''", "the value is empty");
    fails("--metrics time", "--metrics: 'time' is no metric ('gpumodel metrics' lists them)");
    fails("--metrics time_us,", "'' is no metric");
    fails("--metrics time_us --format json", "json has all metrics");
    fails("--section time --format csv", "is for one launch as text");
    fails("--section time --brief", "is for one launch as text");
    fails("--section nothing --metrics none", "'none' is no metric");
}
