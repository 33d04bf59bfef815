// Launches whose blocks do what blocks of real programs do, against an H200 (validate/microbench/block_work).
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/predict_simulated.h"
#include "tests/general/listed_function.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace block_work_test {

using namespace gpumodel;

namespace {

struct Row {
    std::string kernel;
    std::int64_t blocks = 0, threads = 0, n = 0;
    double time_us = 0;

    // The first word of its name.
    [[nodiscard]] std::string group() const { return kernel.substr(0, kernel.find('_')); }
};

std::vector<Row> measured() {
    std::vector<Row> rows;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_block_work.csv").rows) {
        rows.push_back({row[0].text, std::stoll(row[1].text), std::stoll(row[2].text),
                        std::stoll(row[3].text), std::stod(row[4].text)});
    }
    return rows;
}

// Of the time measured, as a part of it.
double off(const Row& row, const SassModule& module, const ArchSpec& arch) {
    SassLaunch launch;
    launch.grid = {row.blocks, 1, 1};
    launch.block = {row.threads, 1, 1};
    if (row.group() == "tile") {
        launch.grid = {row.n / 32, row.blocks / (row.n / 32), 1};
        launch.block = {32, 8, 1};
    }
    launch.dynamic_shared_bytes = row.group() == "steps" ? 32 * row.threads : 0;
    launch.arguments = parse_arguments(fmt::format("ptr:64MiB=zeros,ptr:64MiB=zeros,{}", row.n));
    const auto& function = listed_function(module, fmt::format("main{}{}E", row.kernel.size(), row.kernel));
    return 1e6 * predict_simulated(program_from_sass(function, launch), arch).time_seconds / row.time_us - 1;
}

double mean_size(const std::vector<double>& list) {
    return std::accumulate(list.begin(), list.end(), 0.0,
                           [](double sum, double v) { return sum + std::abs(v); }) /
           static_cast<double>(list.size());
}

}  // namespace

// Not judged: local memory that all warps store to is up to 20 % too fast, and bytes that a few warps store
// one after another to words of which nothing was stored before 60 %: each pass over them fetches their lines
// anew.
TEST_CASE("wavefronts, rows, tiles and steps of shared memory with barriers", "[general][slow]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/block_work/sm_90.sass.xz");
    auto arch = load_arch("h200_sxm");
    arch.launch.overhead_seconds = arch.launch.held_overhead_seconds.value();
    std::map<std::string, std::vector<double>> by_group;
    std::vector<double> alone;  // local memory, a warp on an SM
    std::map<std::string, int> met;
    for (const auto& row : measured()) {
        // Of the large groups each fourth; bytes are as steps.
        const bool large = row.group() == "steps" || row.group() == "rows" || row.group() == "touch" ||
                           row.group() == "starts";
        if (row.group() == "bytes" || (large && met[row.group()]++ % 4 != 0)) {
            continue;
        }
        const double error = off(row, module, arch);
        by_group[row.group()].push_back(error);
        if (row.group() == "touch" && row.threads == 32) {
            alone.push_back(error);
        }
    }
    CHECK(mean_size(by_group.at("steps")) < 0.04);   // 7 % with releases that take nothing of the pipe
    CHECK(mean_size(by_group.at("front")) < 0.025);  // 3.7 %
    CHECK(mean_size(by_group.at("tile")) < 0.03);
    CHECK(mean_size(by_group.at("rows")) < 0.07);  // data of 32 MiB stay in L2 or do not
    CHECK(mean_size(by_group.at("straight")) < 0.05);
    CHECK(mean_size(by_group.at("looped")) < 0.03);
    CHECK(mean_size(by_group.at("starts")) < 0.025);
    CHECK(mean_size(by_group.at("doubles")) < 0.015);
    for (const double error : alone) {
        CHECK(std::abs(error) < 0.025);
    }
}

}  // namespace block_work_test
