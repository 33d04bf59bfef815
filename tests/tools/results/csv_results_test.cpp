// Rows of result files as records, and what makes a row none.
#include "tools/results/csv_results.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tools/views/prediction/report.h"

using namespace gpumodel;
using namespace gpumodel::cli;

namespace {

constexpr const char* least_header = "arch,kernel,params,M,N,K,model,status,reason,time_us";

struct Read {
    std::vector<LaunchRecord> records;
    std::vector<std::string> faults;
};

Read read(const std::string& text, ReadCounters counters = ReadCounters::yes) {
    std::istringstream in(text);
    CsvReader table(in, "t.csv");
    ResultReader reader(table, counters);
    Read result;
    while (auto record = reader.next()) {
        result.records.push_back(std::move(*record));
    }
    try {
        reader.throw_if_faulty();
    } catch (const InputError& error) {
        for (const auto& fault : error.diagnostics()) {
            result.faults.push_back(to_string(fault));
        }
    }
    return result;
}

}  // namespace

TEST_CASE("a row is read by its columns' names, in any order", "[unit]") {
    const auto result = read(
        "time_us,waves,status,arch,kernel,params,M,N,K,model,reason,dram__bytes_read.sum,sm_count,shard,"
        "gflops\n"
        "12.5,0.75,ok,k40,smem,BS=32,512,256,128,simulate,,4096,30,1/2:0-3/9:ab,100\n");
    CHECK(result.faults.empty());
    REQUIRE(result.records.size() == 1);
    const auto& r = result.records[0];
    CHECK(r.arch == "k40");
    CHECK(r.kernel == "smem");
    CHECK(r.params == "BS=32");
    CHECK((r.m == 512 && r.n == 256 && r.k == 128));
    CHECK(r.status == Status::ok);
    CHECK(r.time_us == 12.5);
    CHECK(r.gflops == 100.0);
    CHECK_FALSE(r.cycles);
    CHECK(r.variant == "sm_count=30");  // a swept key; the shard is none
    REQUIRE(r.resources.size() == 1);
    CHECK((r.resources[0].name == "waves" && r.resources[0].value == 0.75));
    REQUIRE(r.counters.size() == 1);
    CHECK((r.counters[0].name == "dram__bytes_read.sum" && r.counters[0].value == 4096));
}

TEST_CASE("what predict writes reads back", "[unit]") {
    Prediction p;
    p.arch = "k40";
    p.kernel = "naive";
    p.params = "a,b";
    p.model = "simulate";
    p.m = p.n = p.k = 64;
    p.status = Status::ok;
    p.time_seconds = 2.5e-6;
    p.cycles = 1000;
    p.flops = 2.0 * 64 * 64 * 64;
    p.bottlenecks = {"dram", "issue"};
    const auto result = read(csv_header() + csv_row(p), ReadCounters::no);
    CHECK(result.faults.empty());
    REQUIRE(result.records.size() == 1);
    const auto& r = result.records[0];
    CHECK(r.params == p.params);
    CHECK(r.time_us == Approx(2.5));
    CHECK(r.cycles == 1000.0);
    CHECK(*r.gflops == Approx(524288 / 2.5e-6 / 1e9));
    CHECK(r.bottleneck == "dram+issue");
    CHECK(r.variant.empty());
    CHECK(r.counters.empty());
}

TEST_CASE("rows that are no results are faults with their places", "[unit]") {
    const auto result = read(std::string(least_header) +
                             ",gflops\n"
                             "k40,smem,,1,1,1,simulate,ok,,5,1\n"
                             "k40,smem,,1,1,1,simulate,ok,,fast,1\n"
                             "k40,smem,,1,1,1,simulate,fine,,5,1\n"
                             "k40,smem,,1,x,1,simulate,ok,,5,nan\n"
                             "k40,smem,,1,1,1,simulate,ok,,,1\n"
                             "k40,smem,,1,1,1,simulate,infeasible,why,5,1\n"
                             "k40,smem\n"
                             "k40,smem,,,,,simulate,infeasible,why,,\n");
    CHECK(result.records.size() == 2);
    CHECK(result.faults ==
          std::vector<std::string>{"t.csv:3:30: time_us: 'fast' is not a number of at least 0",
                                   "t.csv:4:26: status: 'fine' is none of ok, partial, infeasible, error",
                                   "t.csv:5:13: N: 'x' is not a whole number",
                                   "t.csv:5:32: gflops: 'nan' is not a number of at least 0",
                                   "t.csv:6:30: time_us: a launch with status ok needs a time above 0",
                                   "t.csv:7:41: time_us: is given in a row that is not ok",
                                   "t.csv:8:1: 2 fields, the header has 11"});
}

TEST_CASE("of many faults twenty are named and the others counted", "[unit]") {
    std::string text = std::string(least_header) + "\n";
    for (int i = 0; i < 25; ++i) {
        text += "k40\n";
    }
    const auto result = read(text);
    CHECK(result.records.empty());
    REQUIRE(result.faults.size() == 21);
    CHECK(result.faults.back() == "t.csv: 5 more faults");
}
