// Which scheduler a block's warps go to, against an H200 (validate/microbench/warp_homes): of each block one
// warp works longer than the others, and the launch takes as long as the schedulers share such warps evenly.
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

namespace warp_homes_test {

using namespace gpumodel;

namespace {

constexpr int trips = 512, products = 32;

struct Row {
    int warps = 0, blocks = 0, waves = 0;
    bool wide = false;
    double others_part = 0, cycles = 0;
};

Row row_of(const std::vector<CsvField>& cells) {
    return {std::stoi(cells[0].text), std::stoi(cells[1].text), std::stoi(cells[2].text),
            cells[3].text == "fp64",  std::stod(cells[4].text), std::stod(cells[5].text)};
}

double cycles(const SassModule& module, const Row& row, const ArchSpec& arch) {
    const std::string name = row.wide ? "workIdE" : "workIfE";
    const auto loop =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(name) != std::string::npos; });
    REQUIRE(loop != module.functions.end());
    SassLaunch launch;
    launch.grid = {std::int64_t{arch.sm_count} * row.blocks * row.waves, 1, 1};
    launch.block = {32 * row.warps, 1, 1};
    launch.dynamic_shared_bytes = std::int64_t{std::min(227, 228 / row.blocks - 1)} * 1024;
    launch.arguments =
        parse_arguments("ptr,ptr," + std::to_string(static_cast<int>(trips * row.others_part)) +
                        (row.wide ? ",0.5" : ",0.5f"));
    return simulate(program_from_sass(*loop, launch), arch, {}).cycles / (trips * products * row.waves);
}

}  // namespace

// With every block's warp w at scheduler w modulo 4 the long warps of blocks of 4, 8, 12 or 16 warps share
// one scheduler: four of them take 4 cycles where the H200 takes 1.2.
TEST_CASE("schedulers share the long warps of blocks as they do on the H200", "[issue]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/warp_homes/sm_90.sass.gz");
    double sum = 0, worst = 0;
    int rows = 0;
    for (const auto& cells : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_warp_homes.csv").rows) {
        const auto row = row_of(cells);
        const bool taken = row.blocks == 2 || row.blocks == 4 || row.blocks == 5;
        if (!taken || row.waves > 1 || row.warps * row.blocks > 32) {
            continue;  // seconds
        }
        const double error = 100 * (cycles(module, row, arch) / row.cycles - 1);
        CAPTURE(row.warps, row.blocks, row.wide, row.others_part, row.cycles, error);
        CHECK(std::abs(error) < 25);
        sum += std::abs(error);
        worst = std::max(worst, std::abs(error));
        ++rows;
    }
    CAPTURE(worst);
    CHECK(rows > 30);
    CHECK(sum / rows < 3);
}

}  // namespace warp_homes_test
