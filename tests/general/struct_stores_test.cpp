// Structures that threads store word by word, against an H200 (validate/microbench/structs): how much longer
// they take than the same bytes in wide stores. `store_joining.h` was chosen by those of 16, 24 and 32 bytes
// stored by eight warps an SM; the full grids judge it.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/memory/store_joining.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace struct_stores_test {

using namespace gpumodel;

constexpr int mebibytes = 24;

double predicted_us(const SassModule& module, const std::string& symbol, int blocks, int structs) {
    const auto found =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(symbol) != std::string::npos; });
    REQUIRE(found != module.functions.end());
    SassLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.arguments = parse_arguments(fmt::format("ptr:{}MiB,{},1.0f", mebibytes, structs));
    return predict_simulated(program_from_sass(*found, launch), load_arch("h200_sxm"), {}).time_seconds * 1e6;
}

TEST_CASE("structures of up to 16 bytes leave the SM as whole sectors", "[general]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/structs/sm_90.sass.gz");
    const auto table = read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_structs.csv").rows;
    double wide = 0, wide_measured = 0;
    for (const auto& row : table) {
        if (row[0].text == "store_wide" && row[4].text == std::to_string(mebibytes) &&
            row[5].text == "6144") {
            wide_measured = std::stod(row[6].text);
            wide = predicted_us(module, "store_wide", 6144, mebibytes << 16);
        }
    }
    REQUIRE(wide > 0);
    int rows = 0;
    for (const auto& row : table) {
        const int words = std::stoi(row[1].text), size = std::stoi(row[2].text);
        const int structs = (mebibytes << 18) / size, blocks = (structs + 255) / 256;
        const bool asked = row[0].text == "store_words" && words == size && size > 1 && row[3].text == "0" &&
                           row[4].text == std::to_string(mebibytes) && row[5].text == std::to_string(blocks);
        if (!asked) {
            continue;
        }
        const auto symbol = fmt::format("store_wordsILi{}ELi{}ELi0E", words, size);
        const double longer = predicted_us(module, symbol, blocks, structs) / wide;
        const double measured = std::stod(row[6].text) / wide_measured;
        CAPTURE(size, longer, measured);
        CHECK(longer < 1.4 * measured);
        CHECK(longer > measured / 1.4);
        ++rows;
    }
    CHECK(rows == 5);
}

TEST_CASE("a store joins sectors that the SM still has, and the oldest lines leave first", "[general]") {
    StoreJoining joining;
    CHECK(joining.add(7, 0b0011U, 0) == 0b0011U);
    CHECK(joining.add(7, 0b0110U, 0) == 0b0100U);
    CHECK(joining.add(7, 0b0111U, 1) == 0b0111U);  // of another warp
    CHECK(joining.add(8, 0b1111U, 0) == 0b1111U);
    CHECK(joining.add(7, 0b0111U, 0) == 0U);
    // line 7 holds three sectors, 8 four; so many more push 7 out, and 8 with the next
    for (int line = 100; line < 100 + most_joining_sectors / 4 - 1; ++line) {
        CHECK(joining.add(line, 0b1111U, 0) == 0b1111U);
    }
    CHECK(joining.add(8, 0b1111U, 0) == 0U);
    CHECK(joining.add(7, 0b0001U, 0) == 0b0001U);
}

}  // namespace struct_stores_test
