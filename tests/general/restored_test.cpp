// What DRAM has of a launch's data where other data are copied between one launch and the next, against an
// H200 (validate/microbench/restored).
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/predict_simulated.h"
#include "tests/general/listed_function.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace restored_test {

using namespace gpumodel;

namespace {

constexpr double mib = 1 << 20;

struct Row {
    std::string kernel;
    double read = 0, written = 0, restored = 0, blocks = 0, time_us = 0, dram_read = 0, dram_written = 0;
};

std::vector<Row> measured() {
    std::vector<Row> rows;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_restored.csv").rows) {
        const auto number = [&](std::size_t i) { return std::stod(row[i].text); };
        rows.push_back(
            {row[0].text, number(1), number(2), number(3), number(4), number(5), number(6), number(7)});
    }
    return rows;
}

Prediction predicted(const Row& row, const SassModule& module, const ArchSpec& arch) {
    const auto name = fmt::format("{}{}E", row.kernel.size(), row.kernel);
    SassLaunch launch;
    launch.grid = {static_cast<std::int64_t>(row.blocks), 1, 1};
    launch.block = {256, 1, 1};
    const double restored = row.written > 0 ? row.written : std::max(row.restored, 1.0);
    auto arguments = fmt::format("ptr:{:.0f}MiB,ptr:{:.0f}MiB", row.read, restored);
    if (row.kernel == "mixed") {
        arguments += fmt::format(",{:.0f}", std::floor(row.read / row.written));
    }
    launch.arguments = parse_arguments(arguments);
    auto program = program_from_sass(listed_function(module, name), launch);
    program.arrays.back().restored = true;
    program.arrays.back().bytes = static_cast<std::int64_t>(row.restored * mib);
    return predict_simulated(program, arch);
}

}  // namespace

// How far DRAM's reads and writes are off in all, and at most: MiB; and the times. Which half of L2 the copy
// passes, and what it takes a slice that DRAM brings something, were chosen on these rows, all else not.
TEST_CASE("what a copy between two launches leaves of their data in L2", "[general]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/restored/sm_90.sass.gz");
    auto arch = load_arch("h200_sxm");
    arch.launch.overhead_seconds = arch.launch.held_overhead_seconds.value();
    double reads_off = 0, writes_off = 0, times_off = 0;
    int rows = 0;
    for (const auto& row : measured()) {
        if (row.restored == 0) {
            continue;
        }
        const auto p = predicted(row, module, arch);
        const auto& traffic = p.traffic;
        const double time_off = 1e6 * p.time_seconds / row.time_us - 1;
        const double read = traffic.dram_read_bytes / mib, written = traffic.dram_write_bytes / mib;
        CAPTURE(row.kernel, row.read, row.written, row.restored, read, row.dram_read, written,
                row.dram_written, time_off);
        CHECK(std::abs(time_off) < 0.17);
        CHECK(std::abs(read - row.dram_read) < 7);
        CHECK(std::abs(written - row.dram_written) < 5);
        reads_off += std::abs(read - row.dram_read);
        writes_off += std::abs(written - row.dram_written);
        times_off += std::abs(time_off);
        ++rows;
    }
    CHECK(rows == 80);
    CHECK(reads_off < 1.2 * rows);
    CHECK(writes_off < 1.0 * rows);
    CHECK(times_off < 0.052 * rows);
}

}  // namespace restored_test
