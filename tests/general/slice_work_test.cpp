// Atomics on words anywhere, with loads between them, and on one word that many name among others that nobody
// else does, against an H200 (validate/microbench/slice_work). The rules are from its rows with one load or
// none and from grouped_*; those here, of two loads, of the table that the swaps change, and of words that
// many name, judge.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/constant_bank.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace slice_work_test {

using namespace gpumodel;

namespace {

// Part of the function's name: template<type, what it does>.
std::string mangled(const std::string& kernel, const std::string& type) {
    const auto does = kernel == "mixed_atom" ? "2" : kernel == "mixed_cas" ? "3" : "1";
    return "mixedI" +
           std::string(type == "u32"   ? "j"
                       : type == "f32" ? "f"
                                       : "d") +
           "LNS_4DoesE" + does + "E";
}

}  // namespace

TEST_CASE("slices of L2 that have atomics and loads to do take the time that they take on the H200",
          "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/slice_work/sm_90.sass.gz");
    // kernel, type, a, b, c of the row; each launch takes seconds to simulate
    static const std::set<std::string> chosen{"mixed_cas u32 2 1 1", "hot_red f32 32 0 1"};
    double sum = 0;
    int rows = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_slice_work.csv").rows) {
        const auto kernel = row[0].text, type = row[1].text, a = row[2].text;
        const bool same = row[3].text == "1";
        if (!chosen.contains(kernel + " " + type + " " + a + " " + row[3].text + " " + row[4].text)) {
            continue;
        }
        const auto function = std::find_if(
            module.functions.begin(), module.functions.end(),
            [&](const SassFunction& f) { return f.name.find(mangled(kernel, type)) != std::string::npos; });
        REQUIRE(function != module.functions.end());
        const bool hot = kernel == "hot_red";
        SassLaunch launch;
        launch.grid = {1024, 1, 1};
        launch.block = {256, 1, 1};
        const auto first = std::to_string(std::int64_t{1} << emulate::allocation_shift) + "L";
        launch.arguments = parse_arguments("ptr:4MiB=zeros," + (same ? first : "ptr:4MiB=zeros") + "," +
                                           (hot ? "1,1," + a : a + ",1,0") + ",0");
        const double measured = std::stod(row[6].text);
        const auto run = predict_simulated(program_from_sass(*function, launch), arch, {});
        const double error = 100 * (run.time_seconds * 1e6 / measured - 1);
        CAPTURE(kernel, type, a, measured, error);
        CHECK(std::abs(error) < 12);
        sum += std::abs(error);
        ++rows;
    }
    CHECK(rows == 2);
    CHECK(sum / rows < 7);
}
}  // namespace slice_work_test
