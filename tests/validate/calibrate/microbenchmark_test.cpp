#include "validate/calibrate/microbenchmark.h"

#include <catch2/catch.hpp>

#include "synthetic.h"
#include "tests/support/temporary_folder.h"

using namespace gpumodel;

namespace {

const std::string header = "benchmark,params,metric,median,min,max,samples\n";

std::vector<Diagnostic> faults_of(const std::string& text) {
    const TemporaryFile file(text, "m.csv");
    try {
        (void)read_microbenchmarks(file.path());
    } catch (const InputError& error) {
        return error.diagnostics();
    }
    return {};
}

}  // namespace

TEST_CASE("microbenchmarks: metadata, parameters and figures are read", "[calibrate]") {
    const TemporaryFile file("# gpu: NVIDIA H200\n# date: 2026-01-02T03:04:05Z\n" + header +
                                 "shared_latency,BITS=64;DEGREE=4,cycles,30,29,31,9\n"
                                 "clock,LOAD=ffma,hz,1.98e+09,1.97e9,1.99e9,3\n",
                             "m.csv");
    const auto read = read_microbenchmarks(file.path());
    CHECK(read.metadata.at("gpu") == "NVIDIA H200");
    CHECK(read.metadata.at("date") == "2026-01-02T03:04:05Z");
    REQUIRE(read.rows.size() == 2);
    CHECK(read.rows[0].number("BITS") == 64);
    CHECK(read.rows[0].number("DEGREE") == 4);
    CHECK(read.rows[0].median == 30);
    CHECK(read.rows[0].samples == 9);
    CHECK(read.rows[0].line == 4);
    CHECK(read.rows[1].word("LOAD") == "ffma");
    CHECK(read.rows[1].median == 1.98e9);
}

TEST_CASE("microbenchmarks: every fault at once, with line and column", "[calibrate]") {
    const auto faults =
        faults_of("# gpu: x\n" + header +
                  "shared_latncy,BITS=32,cycles,30,29,31,9\n"  // 3: benchmark
                  "barrier,WARPS=4,seconds,30,29,31,9\n"       // 4: metric
                  "barrier,WARP=4,cycles,30,29,31,9\n"         // 5: unknown and missing
                  "barrier,WARPS=four,cycles,30,29,31,9\n"     // 6: no number
                  "barrier,WARPS=8,cycles,nan,29,31,9\n"       // 7: no number
                  "barrier,WARPS=16,cycles,30,31,32,9\n"       // 8: below min
                  "barrier,WARPS=32,cycles,30,29,31,2.5\n"     // 9: samples
                  "dram_bandwidth,MODE=raed;BYTES_IN_FLIGHT=1,bytes_per_second,1,1,1,9\n"  // 10
                  "barrier,WARPS=2,cycles,30,29\n"                                         // 11: fields
                  "block_launch,BLOCKS=1,cycles_per_block,2,2,2,9\n"
                  "block_launch,BLOCKS=1,cycles_per_block,3,3,3,9\n");  // 13: twice
    const auto at = [&](int line, int column) {
        for (const auto& fault : faults) {
            if (fault.line == line && fault.column == column) {
                return fault.message;
            }
        }
        return std::string("no fault here");
    };
    CHECK(at(3, 1).find("nearest: shared_latency") != std::string::npos);
    CHECK(at(4, 17).find("expected cycles") != std::string::npos);
    CHECK(at(5, 9).find("nearest: WARPS") != std::string::npos);
    CHECK(at(6, 9).find("is not a number") != std::string::npos);
    CHECK(at(7, 24).find("not a number above 0") != std::string::npos);
    CHECK(at(8, 25).find("not between") != std::string::npos);
    CHECK(at(9, 34).find("not a count") != std::string::npos);
    CHECK(at(10, 16).find("nearest: read") != std::string::npos);
    CHECK(at(11, 1).find("5 fields, the header has 7") != std::string::npos);
    CHECK(at(13, 1).find("appears twice") != std::string::npos);
    CHECK(faults.size() == 11);  // line 5 has two
}

TEST_CASE("microbenchmarks: files that are none", "[calibrate]") {
    CHECK_FALSE(faults_of("").empty());
    CHECK_FALSE(faults_of("# gpu: x\n").empty());
    CHECK_FALSE(faults_of(header).empty());
    CHECK(faults_of("benchmark,params\n").size() == 5);
    CHECK_FALSE(faults_of(std::string("\0\xff,\"\n", 5)).empty());
    CHECK_THROWS_AS(read_microbenchmarks("/nonexistent/m.csv"), InputError);
}
