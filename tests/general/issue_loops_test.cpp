// Issue, register ports, reuse and shared loads against loops timed on an H200
// (validate/microbench/issue_loops).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

const std::string folder = GPUMODEL_SOURCE_DIR "/validate/microbench/issue_loops/";

double cycles(const SassFunction& loop, int warps_per_scheduler, int rounds, const ArchSpec& arch) {
    SassLaunch launch;
    launch.block = {128 * warps_per_scheduler, 1, 1};
    launch.dynamic_shared_bytes = 8192;
    launch.arguments = parse_arguments("ptr,ptr," + std::to_string(rounds) + ",0.5f");
    SimOptions options;
    options.exact = true;
    return simulate(program_from_sass(loop, launch), arch, options).cycles;
}

struct Timed {
    std::string loop;
    int warps = 0;
    double measured = 0;  // cycles per round
    double simulated = 0;
    [[nodiscard]] double error_pct() const { return 100 * (simulated / measured - 1); }
};

// `column`: of the cycles per round.
std::vector<Timed> timed_loops(const std::string& listing, const std::string& rows, std::size_t column) {
    constexpr int few = 10;
    constexpr int many = 30;
    // compiled loops take 10 to 13 cycles for a branch, these 29 (sm_90.yaml): what is judged here is the
    // rest
    const auto arch = load_arch("h200_sxm", {{"sm.branch_latency", "30 cycles"}});
    const auto module = read_sass_file(folder + listing);
    std::map<std::string, const SassFunction*> by_name;
    for (const auto& function : module.functions) {
        by_name.emplace(function.name, &function);
    }
    std::vector<Timed> loops;
    for (const auto& row : read_csv(folder + rows).rows) {
        Timed t{row[0].text, std::stoi(row[1].text), std::stod(row[column].text), 0};
        const auto& loop = *by_name.at(t.loop);
        t.simulated = (cycles(loop, t.warps, many, arch) - cycles(loop, t.warps, few, arch)) / (many - few);
        loops.push_back(t);
    }
    return loops;
}

}  // namespace

// A reuse entry that another warp's issue loses, as with warps that alternate, makes loops of products with
// two to four warps 4 to 11 % slower than measured; ports shared with loads' results make loops of both 13 %
// slower.
TEST_CASE("loops of products and shared loads take the cycles that they take on the H200", "[issue]") {
    const auto loops = timed_loops("sm_90.sass.gz", "h200_sxm.csv", 4);
    REQUIRE(loops.size() > 200);
    double sum = 0;
    double products = 0;
    int product_loops = 0;
    std::vector<double> errors;
    for (const auto& t : loops) {
        CAPTURE(t.loop, t.warps, t.measured, t.simulated);
        CHECK(std::abs(t.error_pct()) < 35);
        sum += std::abs(t.error_pct());
        errors.push_back(std::abs(t.error_pct()));
        if (t.loop.ends_with("_ffma")) {
            products += std::abs(t.error_pct());
            ++product_loops;
        }
    }
    std::sort(errors.begin(), errors.end());
    const double mean = sum / static_cast<double>(loops.size());
    const double p90 = errors[errors.size() * 9 / 10];
    CAPTURE(mean, p90, products / product_loops);
    CHECK(mean < 4.5);
    // 11.9 and 2.4 where every branch takes as long; with those decoded early the chains of
    // validate/data/h200_sxm_memory.csv come from 20 to 6 % of error
    CHECK(p90 < 13);  // shared loads of 16 bytes behind products of one bank: 12 to 24 % too fast
    CHECK(products / product_loops < 2.6);  // the compiler's own order, registers and control codes
}

// Where 64-bit products (IMAD.WIDE) read their operands once as any instruction, loops of them with others
// are 20 to 34 % faster than measured. Every other one between FFMAs they are 23 % too slow: the H200 fits an
// FFMA between the two passes.
TEST_CASE("loops of two kinds of instruction take the cycles that they take on the H200", "[issue]") {
    const auto loops = timed_loops("mixes.sass.gz", "mixes_h200_sxm.csv", 2);
    REQUIRE(loops.size() > 400);
    double sum = 0;
    int within = 0;
    int counted = 0;
    for (const auto& t : loops) {
        if (t.loop == "uldc_alone") {
            continue;  // taken for another of the uniform datapath, which go at half its rate
        }
        CAPTURE(t.loop, t.warps, t.measured, t.simulated);
        CHECK(std::abs(t.error_pct()) < 25);
        sum += std::abs(t.error_pct());
        within += std::abs(t.error_pct()) < 5 ? 1 : 0;
        ++counted;
    }
    CHECK(sum / counted < 2.7);     // 3.6 with one pass
    CHECK(within > 0.8 * counted);  // three warps: 6 % too fast in the median, 10 at most
}
