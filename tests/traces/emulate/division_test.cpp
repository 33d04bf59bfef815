// Which FP32 divisions take the slow path: FCHK against an H200, all exponents of both numbers
// (validate/microbench/division).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/csv_table.h"
#include "tests/traces/emulate/opcode_runner.h"

using namespace gpumodel;

namespace {

// By numerator's exponent.
std::vector<bool> fast_divisions(bool zeros, std::uint32_t mantissas, std::uint32_t denominator) {
    std::vector<bool> fast;
    for (std::uint32_t first = 0; first < (zeros ? 32U : 256U); first += 32) {
        const auto results = run_lines(
            "sm_90",
            {fmt::format("IADD3 R5, R0, {:#x}, RZ", first), "SHF.L.U32 R5, R5, 0x17, RZ",
             "LOP3.LUT R5, R5, " + word("sm_90", 0) + ", RZ, 0xfc, !PT", zeros ? "MOV R5, RZ" : "NOP",
             "MOV R6, " + word("sm_90", 1), "FCHK P0, R5, R6", "SEL R4, RZ, 0x1, P0"},
            {mantissas, denominator << 23U | mantissas});
        for (const auto r : results) {
            fast.push_back(r == 1);
        }
    }
    return fast;
}

}  // namespace

TEST_CASE("divisions take the slow path where they do on the H200", "[emulate]") {
    int rows = 0;
    for (const auto& cells : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_division.csv").rows) {
        const bool zeros = cells[0].text == "zero";
        const auto mantissas = cells[1].text == "none" ? 0U : 0x7fffffU;
        const int denominator = std::stoi(cells[2].text);
        const int from = std::stoi(cells[3].text), to = std::stoi(cells[4].text);
        const auto fast = fast_divisions(zeros, mantissas, static_cast<std::uint32_t>(denominator));
        int different = 0;
        for (int n = 0; n < static_cast<int>(fast.size()); ++n) {
            const bool expected = !zeros && from >= 0 && from <= n && n <= to;
            different += fast[static_cast<std::size_t>(n)] != expected ? 1 : 0;
        }
        CAPTURE(zeros, mantissas, denominator, from, to);
        CHECK(different == 0);
        CHECK(std::stoi(cells[5].text) == (from < 0 ? 0 : to - from + 1));  // without gaps
        ++rows;
    }
    CHECK(rows == 1024);
}
