// Operations over the lanes of a warp, against an H200 (validate/microbench/warp_ops).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace warp_ops_test {

using namespace gpumodel;

// MATCH.ANY was 28 times too fast where all lanes have values of their own.
TEST_CASE("operations over lanes take the cycles that they take on the H200", "[general]") {
    constexpr int steps = 64;
    constexpr int unrolled = 16;
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/warp_ops/sm_90.sass.gz");
    double sum = 0;
    int rows = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_warp_ops.csv").rows) {
        const auto& name = row[0].text;
        if (!name.starts_with("match") && row[1].text != "1") {
            continue;
        }
        const auto mangled = std::to_string(name.size()) + name + "Eii";
        const auto kernel =
            std::find_if(module.functions.begin(), module.functions.end(),
                         [&](const SassFunction& f) { return f.name.find(mangled) != std::string::npos; });
        REQUIRE(kernel != module.functions.end());
        SassLaunch launch;
        launch.grid = {arch.sm_count, 1, 1};
        launch.block = {std::stoi(row[2].text), 1, 1};
        launch.arguments = parse_arguments(std::to_string(steps) + "," + row[1].text + ",ptr:4B,ptr:4KiB");
        const double cycles =
            simulate(program_from_sass(*kernel, launch), arch, {}).cycles / steps / unrolled;
        const double error = 100 * (cycles / std::stod(row[3].text) - 1);
        CAPTURE(name, row[1].text, row[2].text, cycles, error);
        CHECK(std::abs(error) < 55);  // a full SM: its warps share evenly on the H200, and not here
        sum += std::abs(error);
        ++rows;
    }
    CHECK(rows > 40);
    CHECK(sum / rows < 12);
}
}  // namespace warp_ops_test
