// What instructions cost to fetch, against an H200 (validate/microbench/code_fetch): loops longer than the
// nearest instruction cache, walked by warps together or apart.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace code_fetch_test {

using namespace gpumodel;

namespace {

struct Row {
    bool alu = false;
    int instructions = 0, warps = 0, blocks = 0, turns = 0, trips = 0;
    double cycles = 0;
};

Row row_of(const std::vector<CsvField>& cells) {
    return {cells[0].text == "alu",   std::stoi(cells[1].text), std::stoi(cells[2].text),
            std::stoi(cells[3].text), std::stoi(cells[4].text), std::stoi(cells[5].text),
            std::stod(cells[6].text)};
}

double cycles(const SassModule& module, const Row& row, const ArchSpec& arch) {
    const auto name = std::string(row.alu ? "loopIjLi" : "loopIfLi") + std::to_string(row.instructions) + "E";
    const auto loop =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(name) != std::string::npos; });
    REQUIRE(loop != module.functions.end());
    SassLaunch launch;
    launch.grid = {std::int64_t{arch.sm_count} * row.blocks, 1, 1};
    launch.block = {32 * row.warps, 1, 1};
    launch.dynamic_shared_bytes = std::int64_t{std::min(227, 228 / row.blocks - 1)} * 1024;
    launch.arguments =
        parse_arguments("ptr,ptr," + std::to_string(row.trips) + "," + std::to_string(row.turns) + "," +
                        std::to_string(arch.sm_count) + (row.alu ? ",1" : ",1.5f"));
    return simulate(program_from_sass(*loop, launch), arch, {}).cycles;
}

bool is_taken(const Row& row) {
    const bool size =
        row.instructions == 2560 || (!row.alu && (row.instructions == 2048 || row.instructions == 2304));
    return size && row.warps * row.blocks <= 8;  // more take seconds
}

}  // namespace

// Up to 32 KiB an instruction a cycle, 40 KiB 2.4 cycles; warps apart by more than the SM's cache holds wait
// for one another's lines, up to 2.8.
TEST_CASE("loops longer than the instruction caches take what they take on the H200", "[issue]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/code_fetch/sm_90.sass.xz");
    double sum = 0, worst = 0;
    int rows = 0;
    for (const auto& cells : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_code_fetch.csv").rows) {
        const auto row = row_of(cells);
        if (!is_taken(row)) {
            continue;
        }
        const double error = 100 * (cycles(module, row, arch) / row.cycles - 1);
        CAPTURE(row.alu, row.instructions, row.warps, row.blocks, row.turns, row.cycles, error);
        CHECK(std::abs(error) < 25);
        sum += std::abs(error);
        worst = std::max(worst, std::abs(error));
        ++rows;
    }
    CAPTURE(worst, sum / rows);
    CHECK(rows > 60);
    CHECK(sum / rows < 5);
}

}  // namespace code_fetch_test
