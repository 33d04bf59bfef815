// What blocks hand to one another through L2, against an H200 (validate/microbench/handoffs): flags, locks,
// one counter. Of the pacer's constants (traces/emulate/run/pacer.h) the reads at slices were chosen by
// gather_count; its trips and fences are of other measurements, and the relays and locks judge them.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace handoffs_test {

using namespace gpumodel;

struct Errors {
    double sum = 0;
    int rows = 0;
    [[nodiscard]] double mean() const { return sum / rows; }
};

std::string arguments_of(const std::string& kernel, int threads, const std::string& p1,
                         const std::string& p2) {
    if (kernel == "lock") {
        return fmt::format("{},{},ptr:8MiB=zeros,ptr:8MiB=zeros", threads, p1);
    }
    if (kernel == "look_back") {
        return "ptr:1MiB=zeros,ptr:4B=zeros,ptr:32MiB," + p1;
    }
    return kernel == "gather_count" ? fmt::format("ptr:8MiB=zeros,ptr:4B=zeros,ptr:4MiB,{},{}", p1, p2)
                                    : "ptr:64KiB=zeros";
}

TEST_CASE("flags, locks and counters between blocks take the time that they take on the H200", "[general]") {
    // larger ones take seconds each
    constexpr int most_blocks = 600, most_waiting = 200, most_threads = 256, most_loads = 4;
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/handoffs/sm_90.sass.gz");
    std::map<std::string, Errors> errors;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_handoffs.csv").rows) {
        const auto& kernel = row[0].text;
        const int blocks = std::stoi(row[1].text), threads = std::stoi(row[2].text);
        const bool gathers = kernel == "gather_count";
        const bool crowded = kernel == "lock" && std::stoi(row[3].text) < 16384;
        const bool large = blocks > (gathers ? most_blocks : most_waiting) || threads > most_threads ||
                           (gathers && std::stoi(row[3].text) > most_loads);
        const double measured = std::stod(row[5].text);
        if (blocks == 1 || large || crowded) {
            continue;
        }
        const auto mangled = fmt::format("{}{}", kernel.size(), kernel);
        const auto found =
            std::find_if(module.functions.begin(), module.functions.end(),
                         [&](const SassFunction& f) { return f.name.find(mangled) != std::string::npos; });
        REQUIRE(found != module.functions.end());
        SassLaunch launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        launch.arguments = parse_arguments(arguments_of(kernel, blocks * threads, row[3].text, row[4].text));
        const auto p = predict_simulated(program_from_sass(*found, launch), arch, {});
        const double us = p.time_seconds * 1e6;
        CAPTURE(kernel, blocks, threads, row[3].text, row[4].text, measured, us);
        CHECK(us > measured / 2);
        CHECK(us < measured * 2);
        auto& of_kind = errors[kernel.starts_with("relay") ? "relay" : kernel];
        of_kind.sum += std::abs(us / measured - 1);
        ++of_kind.rows;
    }
    CHECK(errors.at("relay").rows == 10);
    CHECK(errors.at("relay").mean() < 0.1);
    CHECK(errors.at("gather_count").rows == 6);
    CHECK(errors.at("gather_count").mean() < 0.15);
    CHECK(errors.at("look_back").mean() < 0.15);
    CHECK(errors.at("lock").mean() < 0.3);
}

}  // namespace handoffs_test
