// Memory instructions that a guard keeps all lanes from, barriers and trees of both, against an H200
// (validate/microbench/guarded).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace guarded_test {

using namespace gpumodel;

namespace {

struct Errors {
    double sum = 0, worst = 0;
    int rows = 0;
    [[nodiscard]] double mean() const { return sum / rows; }
};

// Of the kernels whose name holds `part`.
Errors errors(const std::string& part) {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/guarded/sm_90.sass.gz");
    Errors all;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_guarded.csv").rows) {
        const auto& name = row[0].text;
        if (name.find(part) == std::string::npos) {
            continue;
        }
        const auto mangled = std::to_string(name.size()) + name + "Eii";
        const auto kernel =
            std::find_if(module.functions.begin(), module.functions.end(),
                         [&](const SassFunction& f) { return f.name.find(mangled) != std::string::npos; });
        REQUIRE(kernel != module.functions.end());
        const int blocks = std::stoi(row[2].text);
        SassLaunch launch;
        launch.grid = {std::int64_t{arch.sm_count} * blocks, 1, 1};
        launch.block = {std::stoi(row[1].text), 1, 1};
        launch.dynamic_shared_bytes = std::int64_t{226 / blocks - 1} * 1024;
        launch.arguments = parse_arguments(row[3].text + ",0,ptr:4KiB=zeros,ptr:1MiB");
        const auto cycles = simulate(program_from_sass(*kernel, launch), arch, {}).cycles;
        const double error = std::abs(100 * (cycles / std::stod(row[3].text) / std::stod(row[4].text) - 1));
        CAPTURE(name, row[1].text, blocks, cycles, error);
        CHECK(error < 35);  // one warp a block, eight blocks: their barriers
        all.sum += error;
        all.worst = std::max(all.worst, error);
        ++all.rows;
    }
    return all;
}

}  // namespace

// A third of that where they pass the memory queue without a place in it.
TEST_CASE("memory instructions of no lanes take the data pipe's time", "[general]") {
    const auto loads = errors("ldg");
    CHECK(loads.rows > 12);
    CHECK(loads.mean() < 4);
    const auto stores = errors("st");
    CHECK(stores.rows > 24);
    CHECK(stores.mean() < 4);
}

TEST_CASE("barriers of blocks side by side take the cycles that they take on the H200", "[general]") {
    const auto all = errors("barriers");
    CHECK(all.rows > 12);
    CHECK(all.mean() < 5);
}

// Three times too slow where warps that drop out of a loop's levels are taken one after the other.
TEST_CASE("sums in shared memory take the cycles that they take on the H200", "[general]") {
    const auto all = errors("tree");
    CHECK(all.rows == 12);
    // their loads of parameters take as long as indexed ones, which alone were measured
    CHECK(all.mean() < 9);
}
}  // namespace guarded_test
