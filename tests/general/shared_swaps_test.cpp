// How often sums of floats in shared memory go round, against an H200 (validate/microbench/shared_swaps).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/csv_table.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

namespace shared_swaps_test {

using namespace gpumodel;

namespace {

struct Swaps final : WarpSink {
    explicit Swaps(const SassFunction& function) : function_(function) {}
    void straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) override {
        for (int i = begin; i < end; ++i) {
            tries += function_.instructions[static_cast<std::size_t>(i)].opcode == "ATOMS" ? 1 : 0;
        }
    }
    void access(int /*warp*/, const AccessEvent& /*event*/) override {}
    std::int64_t tries = 0;

private:
    const SassFunction& function_;
};

// Of a warp, for each of its 64 sums.
double tries(const SassModule& module, const std::vector<CsvField>& row) {
    const bool random = row[0].text == "random";
    const std::string name = random ? "random_words" : "strided";
    const auto& function =
        *std::find_if(module.functions.begin(), module.functions.end(),
                      [&](const SassFunction& f) { return f.name.find(name) != std::string::npos; });
    const int warps = std::stoi(row[1].text);
    const int own = row[0].text == "strided" ? 1024 : 0;
    SassLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {32 * warps, 1, 1};
    launch.dynamic_shared_bytes = random ? 4 * std::stoi(row[3].text) : (own * warps + 1024) * 4;
    launch.arguments = parse_arguments(random ? "ptr,ptr," + row[3].text
                                              : "ptr,ptr," + row[2].text + ",1024," + std::to_string(own));
    Swaps swaps(function);
    make_sass_source(function, launch)->run_block({0, 0, 0}, swaps);
    return static_cast<double>(swaps.tries) / warps / 64;
}

}  // namespace

// A try serves one lane of each bank, so that a warp alone takes as many as its fullest bank has lanes. Other
// warps' swaps come between: for sums of many warps to random words that is estimated. Warps that go round in
// step for one word or two are tried two to five times as often there (`together`, and 1 or 2 random words).
TEST_CASE("sums of floats in shared memory are tried as often as on the H200", "[general]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/shared_swaps/sm_90.sass.gz");
    int alone = 0, among_others = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_shared_swaps.csv").rows) {
        const bool undisturbed = row[1].text == "1" || row[0].text == "strided";
        const bool spread = row[0].text == "random" && std::stoi(row[3].text) >= 8;
        if (!undisturbed && !spread) {
            continue;
        }
        const double found = tries(module, row);
        const double measured = std::stod(row[5].text);
        CAPTURE(row[0].text, row[1].text, row[2].text, row[3].text);
        CHECK(found == Approx(measured).epsilon(undisturbed ? 0.02 : 0.25));
        ++(undisturbed ? alone : among_others);
    }
    CHECK(alone == 32);
    CHECK(among_others == 12);
}

}  // namespace shared_swaps_test
