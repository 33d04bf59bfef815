// Which pipe an instruction goes to and at what rate, against an H200 (validate/microbench/op_pipes): blocks
// of 16 warps whose loops are of one or two instructions.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace op_pipes_test {

using namespace gpumodel;

TEST_CASE("loops of one instruction take the cycles that its pipe asks for", "[general]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/op_pipes/sm_90.sass.gz");
    const auto table = read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_op_pipes.csv");
    const auto arch = load_arch("h200_sxm");
    int rows = 0;
    for (const auto& row : table.rows) {
        const double cycles = std::stod(row[2].text);
        if (cycles < 10000) {  // what the compiler made a few instructions of
            continue;
        }
        const auto name = fmt::format("{}EP", row[0].text);
        const auto function =
            std::find_if(module.functions.begin(), module.functions.end(), [&](const SassFunction& f) {
                const auto at = f.name.find(name);
                return at != std::string::npos && std::isdigit(f.name[at - 1]) != 0;
            });
        REQUIRE(function != module.functions.end());
        SassLaunch launch;
        launch.grid = {arch.sm_count, 1, 1};
        launch.block = {512, 1, 1};
        launch.arguments =
            parse_arguments(row[1].text == "int" ? "ptr:64KiB,3,5,0" : "ptr:64KiB,3.0f,5.0f,0");
        const double simulated = simulate(program_from_sass(*function, launch), arch, {}).cycles;
        CAPTURE(row[0].text, cycles, simulated);
        CHECK(simulated < 1.07 * cycles);
        CHECK(simulated > 0.93 * cycles);
        ++rows;
    }
    CHECK(rows == 37);
}

}  // namespace op_pipes_test
