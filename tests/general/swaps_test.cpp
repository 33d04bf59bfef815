// Lists that threads push on by compare-and-swap, against an H200 (validate/microbench/random_words): the
// more threads want a word, the more often each tries.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace swaps_test {

using namespace gpumodel;

// 15 to 60 times too fast where each block's swaps hold at once.
TEST_CASE("lists that threads push on take the time that they take on the H200", "[general]") {
    constexpr double launch_decides = 15;                         // us; below
    constexpr long long most_threads = 1 << 18, of_most = 16384;  // all others take seconds each
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/random_words/sm_90.sass.gz");
    const auto push =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [](const SassFunction& f) { return f.name.find("4pushE") != std::string::npos; });
    REQUIRE(push != module.functions.end());
    double sum = 0;
    int rows = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_random_words.csv").rows) {
        if (row[0].text != "push" || row[3].text != "256") {
            continue;
        }
        const auto threads = std::stoll(row[1].text), lists = std::stoll(row[2].text);
        const double measured = std::stod(row[4].text);
        if (measured < launch_decides || threads > most_threads ||
            (threads == most_threads && lists != of_most)) {
            continue;
        }
        SassLaunch launch;
        launch.grid = {threads / 256, 1, 1};
        launch.block = {256, 1, 1};
        launch.arguments =
            parse_arguments(fmt::format("{},{},ptr:4MiB=random:-1..-1:i32,ptr:8MiB", threads, lists));
        const auto p = predict_simulated(program_from_sass(*push, launch), arch, {});
        const double us = p.time_seconds * 1e6;
        CAPTURE(threads, lists, measured, us);
        CHECK(us > measured / 2);
        CHECK(us < measured * 2);
        sum += std::abs(us / measured - 1);
        ++rows;
    }
    CHECK(rows == 3);
    CHECK(sum / rows < 0.35);
}

}  // namespace swaps_test
