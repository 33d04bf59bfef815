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

TEST_CASE("a launch's lanes and banks are drawn as memory -v draws the pattern", "[cli]") {
    const std::string transpose =
        "predict --arch v100_sxm2 --kernel transpose_shared -m 256 -n 256 --generated --model analytic ";
    const auto drawn = run_gpumodel(transpose + "--section bank");
    CHECK(drawn.exit_code == 0);
    // the tile is 32 words wide and read by columns
    CHECK(drawn.out.find("tile load: 32-bit load, 32 passes over the banks, 1 without conflicts") !=
          std::string::npos);
    CHECK(drawn.out.find("tile store: 32-bit store, 1 pass over the banks, 1 without conflicts") !=
          std::string::npos);
    const auto pattern = run_gpumodel("memory --arch v100_sxm2 --space shared --stride 32 --width 4 -v").out;
    const auto picture = pattern.substr(pattern.find("  phase 0: up to 32 words in a bank"));
    CHECK(drawn.out.find(picture) != std::string::npos);
    CHECK(run_gpumodel(transpose).out.find("Bank pictures") == std::string::npos);  // on request alone
    CHECK(run_gpumodel("predict --arch k40 --kernel naive -m 64 -n 64 -k 64 --section bank")
              .out.find("does not access shared memory") != std::string::npos);
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
