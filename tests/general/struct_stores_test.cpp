// Structures that threads store word by word, against an H200 (validate/microbench/structs): how much longer
// they take than the same bytes in wide stores, and how many of their sectors leave the SM (store_joining.h).
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "arch_specs/loader.h"
#include "base/csv_table.h"
#include "model/memory/store_joining.h"
#include "model/sim/predict_simulated.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace struct_stores_test {

using namespace gpumodel;

constexpr int mebibytes = 24;

const SassFunction& function_of(const SassModule& module, const std::string& symbol) {
    const auto found =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(symbol) != std::string::npos; });
    REQUIRE(found != module.functions.end());
    return *found;
}

double predicted_us(const SassModule& module, const std::string& symbol, int blocks, int structs) {
    SassLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.arguments = parse_arguments(fmt::format("ptr:{}MiB,{},1.0f", mebibytes, structs));
    return predict_simulated(program_from_sass(function_of(module, symbol), launch), load_arch("h200_sxm"),
                             {})
               .time_seconds *
           1e6;
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

// Symbol and elements of a row's launch.
std::pair<std::string, int> stored(const std::string& kernel, int words, int parts) {
    if (kernel == "store_strips") {
        return {fmt::format("store_stripsILi{}E", parts), mebibytes << 18};
    }
    const std::map<int, std::string> types{{1, "f"}, {2, "6float2"}, {4, "6float4"}};
    return {fmt::format("store_partsI{}Li{}E", types.at(words), parts), (mebibytes << 18) / words / parts};
}

// store_joining.h was chosen by these rows: what it cannot say of them with three constants.
TEST_CASE("of a structure's sectors leave as many as the profiler counts", "[general]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/structs/sm_90.sass.gz");
    const auto table = read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_joined_stores.csv");
    const auto arch = load_arch("h200_sxm");
    int rows = 0, near = 0;
    for (const auto& row : table.rows) {
        const auto number = [&row](std::size_t column) -> int { return std::stoi(row[column].text); };
        const int threads = number(3), blocks = number(4);
        const auto [symbol, elements] = stored(row[0].text, number(1), number(2));
        SassLaunch launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        launch.arguments = parse_arguments(fmt::format("ptr:{}MiB,{},1.0f", mebibytes, elements));
        const auto run = simulate(program_from_sass(function_of(module, symbol), launch), arch, {});
        const double all = number(6), counted = number(7) / all;
        const double sent = run.counters.l2_write_bytes * arch.sm_count / 32 / all;
        ++rows;
        near += std::abs(sent - counted) < 0.15 ? 1 : 0;
    }
    CAPTURE(near);
    CHECK(rows == 152);
    CHECK(near >= 0.875 * rows);
}

TEST_CASE("a store joins sectors that the SM has not stored much behind", "[general]") {
    constexpr int places = JoiningPlaces::of_line(false);
    StoreJoining joining;
    CHECK(joining.add(7, 0b0011U, 0, places) == 0b0011U);
    CHECK(joining.add(7, 0b0110U, 0, places) == 0b0100U);
    CHECK(joining.add(7, 0b0111U, 1, places) == 0U);  // of another warp, at once
    int line = 100;
    const auto store_others = [&](int count) {
        for (const int end = line + count; line < end; ++line) {
            CHECK(joining.add(line, 0b1111U, 2, places) == 0b1111U);
        }
    };
    store_others(JoiningPlaces::others / places);
    CHECK(joining.add(7, 0b0111U, 0, places) == 0b0111U);
    store_others(JoiningPlaces::own / places - 1);
    CHECK(joining.add(7, 0b0001U, 0, places) == 0U);
    store_others(JoiningPlaces::own / places);
    CHECK(joining.add(7, 0b0001U, 0, places) == 0b0001U);
}

TEST_CASE("lanes are alone where they name as many sectors as they are", "[general]") {
    CHECK(JoiningPlaces::are_lone(32, 128, 4));        // structures of 32 bytes
    CHECK(JoiningPlaces::are_lone(30, 128, 4));        // words at random
    CHECK(JoiningPlaces::are_lone(1, 4, 4));           // one lane
    CHECK_FALSE(JoiningPlaces::are_lone(24, 128, 4));  // structures of 24 bytes
    CHECK_FALSE(JoiningPlaces::are_lone(4, 128, 4));
}

}  // namespace struct_stores_test
