// Steps of a product that load what they multiply, with and without barriers that most steps pass over,
// against an H200 (validate/microbench/load_bursts).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace load_bursts_test {

using namespace gpumodel;

namespace {

const std::map<std::string, std::string> code{
    {"wide16x4", "ILi16ELi4ELi4ELb0E"},  {"wide8x8", "ILi8ELi8ELi4ELb0E"},
    {"wide4x4", "ILi4ELi4ELi4ELb0E"},    {"pairs16x4", "ILi16ELi4ELi2ELb0E"},
    {"words16x4", "ILi16ELi4ELi1ELb0E"}, {"ahead16x4", "ILi16ELi4ELi4ELb1E"}};

double cycles(const SassFunction& loop, int blocks, int threads, int steps, const ArchSpec& arch) {
    SassLaunch launch;
    launch.grid = {std::int64_t{arch.sm_count} * blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.dynamic_shared_bytes = std::int64_t{226 / blocks - 1} * 1024;
    launch.arguments = parse_arguments("ptr,ptr," + std::to_string(steps) + ",0.5f");
    SimOptions options;
    options.exact = true;
    return simulate(program_from_sass(loop, launch), arch, options).cycles;
}

struct Errors {
    double sum = 0, worst = 0;
    int rows = 0;
    [[nodiscard]] double mean() const { return sum / rows; }
};

Errors errors(bool with_barriers) {
    constexpr int few = 16;
    constexpr int many = 48;
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/load_bursts/sm_90.sass.gz");
    Errors all;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_load_bursts.csv").rows) {
        if ((row[1].text == "1") != with_barriers) {
            continue;
        }
        const auto name = code.at(row[0].text) + "Lb" + row[1].text;
        const auto loop =
            std::find_if(module.functions.begin(), module.functions.end(),
                         [&](const SassFunction& f) { return f.name.find(name) != std::string::npos; });
        REQUIRE(loop != module.functions.end());
        const int blocks = std::stoi(row[2].text);
        const int threads = std::stoi(row[3].text);
        const double step =
            (cycles(*loop, blocks, threads, many, arch) - cycles(*loop, blocks, threads, few, arch)) /
            (many - few);
        const double error = std::abs(100 * (step / std::stod(row[5].text) - 1));
        all.sum += error;
        all.worst = std::max(all.worst, error);
        ++all.rows;
    }
    return all;
}

}  // namespace

// 12 % in the mean where a barrier that no lane passes counts as one.
TEST_CASE("steps that pass over a guarded barrier take the cycles that they take on the H200", "[issue]") {
    const auto all = errors(true);
    CAPTURE(all.worst);
    CHECK(all.rows > 40);
    CHECK(all.mean() < 3.5);
    CHECK(all.worst < 20);
}

// Up to 22 % too fast where the SM has more than about 60 loads of 16 bytes under way: not understood.
TEST_CASE("steps that load what they multiply take the cycles that they take on the H200", "[issue]") {
    const auto all = errors(false);
    CAPTURE(all.worst);
    CHECK(all.rows > 40);
    CHECK(all.mean() < 6);
    CHECK(all.worst < 25);
}

}  // namespace load_bursts_test
