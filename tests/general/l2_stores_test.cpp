// Stores of few bytes each, anywhere in what L2 holds, against an H200 (validate/microbench/l2_stores).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/analytic/predict.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace l2_stores_test {

using namespace gpumodel;

// Twice too fast where a store takes L2 for its sector alone.
TEST_CASE("scattered stores take the time that they take on the H200", "[general]") {
    const std::map<std::string, std::string> types{
        {"u8", "h"}, {"u16", "t"}, {"u32", "j"}, {"u64", "y"}, {"u128", "5uint4"}};
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/l2_stores/sm_90.sass.gz");
    double simulated = 0, analytic = 0;
    int rows = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_l2_stores.csv").rows) {
        const double measured = std::stod(row[6].text);
        // Each launch takes seconds to simulate.
        static const std::set<std::string> chosen{"u8 1", "u128 2"};
        if (row[0].text != "store_any" || !chosen.contains(row[1].text + " " + row[2].text)) {
            continue;
        }
        const auto mangled = "store_anyI" + types.at(row[1].text) + "Li" + row[2].text + "E";
        const auto kernel =
            std::find_if(module.functions.begin(), module.functions.end(),
                         [&](const SassFunction& f) { return f.name.find(mangled) != std::string::npos; });
        REQUIRE(kernel != module.functions.end());
        SassLaunch launch;
        launch.grid = {4096, 1, 1};
        launch.block = {256, 1, 1};
        launch.arguments = parse_arguments("ptr:16MiB=zeros");
        const auto program = program_from_sass(*kernel, launch);
        const double error = 100 * (simulate(program, arch, {}).time_seconds * 1e6 / measured - 1);
        CAPTURE(row[1].text, row[2].text, measured, error);
        CHECK(std::abs(error) < 20);
        simulated += std::abs(error);
        analytic += std::abs(100 * (predict_analytic(program, arch).time_seconds * 1e6 / measured - 1));
        ++rows;
    }
    CHECK(rows == 2);
    CHECK(simulated / rows < 6);
    CHECK(analytic / rows < 12);
}
}  // namespace l2_stores_test
