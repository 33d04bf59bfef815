// What branches cost that are no loop's, against an H200 (validate/microbench/control_flow): parts skipped or
// not, by all lanes or some, calls, loops of some lanes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "tests/traces/data/given_bytes.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace control_flow_test {

using namespace gpumodel;

namespace {

struct Row {
    std::string kind;
    int even = 0, odd = 0, warps = 0;
    double cycles = 0;
};

Row row_of(const std::vector<CsvField>& cells) {
    const auto& flags = cells[1].text;
    return {cells[0].text, std::stoi(flags), std::stoi(flags.substr(flags.find(':') + 1)),
            std::stoi(cells[2].text), std::stod(cells[3].text)};
}

std::shared_ptr<const GivenData> flags_of_lanes(const Row& row) {
    data_tests::Bytes bytes(128, 0);
    for (std::size_t lane = 0; lane < 32; ++lane) {
        bytes[4 * lane] = static_cast<std::uint8_t>(lane % 2 == 0 ? row.even : row.odd);
    }
    return std::make_shared<data_tests::GivenBytes>(bytes);
}

double cycles(const SassModule& module, const Row& row, const ArchSpec& arch) {
    constexpr std::array<std::string_view, 5> kinds{"uniform", "lanes", "sides", "call", "walk"};
    const auto kind = std::find(kinds.begin(), kinds.end(), row.kind) - kinds.begin();
    const auto name = fmt::format("KindE{}E", kind);
    const auto flow =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(name) != std::string::npos; });
    REQUIRE(flow != module.functions.end());
    SassLaunch launch;
    launch.grid = {arch.sm_count, 1, 1};
    launch.block = {32 * row.warps, 1, 1};
    launch.arguments = parse_arguments(fmt::format("ptr,ptr,ptr:128B,{},1.5f", row.even));
    launch.arguments.list[2].data = flags_of_lanes(row);
    return simulate(program_from_sass(*flow, launch), arch, {}).cycles;
}

}  // namespace

// Without what it costs where paths meet, parts with BSSY and BSYNC around them come out 20 to 30 % too fast,
// calls 33 %.
TEST_CASE("skipped parts, parts of some lanes and calls take what they take on the H200", "[issue]") {
    constexpr double times = 64;
    constexpr double begin_and_end = 700;  // cycles of the launch beside the loop: its loads and stores
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/control_flow/sm_90.sass.xz");
    double sum = 0;
    int rows = 0;
    for (const auto& cells : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_control_flow.csv").rows) {
        const auto row = row_of(cells);
        if (row.warps != 1) {
            continue;  // seconds; with 4 to 32 warps 3 to 15 % off
        }
        const double found = (cycles(module, row, arch) - begin_and_end) / times;
        const double error = 100 * (found / row.cycles - 1);
        CAPTURE(row.kind, row.even, row.odd, row.warps, row.cycles, found, error);
        CHECK(std::abs(error) < 14);
        sum += std::abs(error);
        ++rows;
    }
    CHECK(rows == 24);
    CHECK(sum / rows < 4);
}

}  // namespace control_flow_test
