// Reading and choosing measured rows.
#include "validate/accuracy/measurements.h"

#include <catch2/catch.hpp>
#include <set>

#include "base/diagnostics.h"
#include "tests/support/temporary_folder.h"

namespace gpumodel {
namespace {

const std::string header = "family,params,M,N,K,time_us_median\n";

const std::vector<Measurement>& h200() {
    static const auto rows = read_measurements(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_times.csv");
    return rows;
}

std::string key(const Measurement& m) {
    return m.family + params_text(m.params) + std::to_string(m.m) + "," + std::to_string(m.n) + "," +
           std::to_string(m.k);
}

}  // namespace

TEST_CASE("an instance measured twice comes once, with the mean time", "[unit][measurements]") {
    const TemporaryFile file(header +
                             "naive,,512,512,512,10\nnaive,,512,512,512,20\nnaive,,512,512,512,60\n");
    const auto rows = choose(read_measurements(file.path()), {});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].time_us == Approx(30));
}

TEST_CASE("launches of one entry with other grids, blocks, shared bytes or arguments are rows of their own",
          "[unit][measurements]") {
    const TemporaryFile file(
        "kernel,grid,block,shared_bytes,args,time_us\n"
        "scan,\"1,1,1\",\"32,1,1\",0,\"ptr,1\",10\nscan,\"1,1,1\",\"32,1,1\",0,\"ptr,1\",30\n"
        "scan,\"2,1,1\",\"32,1,1\",0,\"ptr,1\",50\nscan,\"1,1,1\",\"64,1,1\",0,\"ptr,1\",60\n"
        "scan,\"1,1,1\",\"32,1,1\",8,\"ptr,1\",70\nscan,\"1,1,1\",\"32,1,1\",0,\"ptr,2\",80\n");
    std::vector<double> times;
    for (const auto& m : choose(read_measurements(file.path()), {})) {
        times.push_back(m.time_us);
    }
    CHECK(times == std::vector<double>{20, 50, 60, 70, 80});
}

TEST_CASE("the halves share no configuration and together are everything", "[property][measurements]") {
    MeasurementChoice choice;
    choice.pinned = true;
    const auto all = choose(h200(), choice);
    choice.split = Split::calibration;
    const auto calibration = choose(h200(), choice);
    choice.split = Split::test;
    const auto test = choose(h200(), choice);
    CHECK(calibration.size() + test.size() == all.size());
    std::set<std::string> configurations;
    for (const auto& m : calibration) {
        auto params = m.params;
        params.erase("UNROLL");
        configurations.insert(m.family + params_text(params));
    }
    for (const auto& m : test) {
        auto params = m.params;
        params.erase("UNROLL");
        CHECK_FALSE(configurations.contains(m.family + params_text(params)));
    }
}

TEST_CASE("a sample is a part, the same one in every order of the rows", "[property][measurements]") {
    MeasurementChoice choice;
    choice.split = Split::calibration;
    std::set<std::string> all;
    for (const auto& m : choose(h200(), choice)) {
        all.insert(key(m));
    }
    choice.sample = 50;
    const auto sample = choose(h200(), choice);
    REQUIRE(sample.size() == 50);
    std::set<std::string> keys;
    for (const auto& m : sample) {
        keys.insert(key(m));
        CHECK(all.contains(key(m)));
    }
    CHECK(keys.size() == 50);
    const std::vector<Measurement> reversed(h200().rbegin(), h200().rend());
    for (const auto& m : choose(reversed, choice)) {
        CHECK(keys.contains(key(m)));
    }
}

TEST_CASE("size classes: depth counts only where it is the problem's", "[unit][measurements]") {
    CHECK(size_class("warptile", {512, 512, 512}) == SizeClass::large);
    CHECK(size_class("warptile", {4096, 4096, 256}) == SizeClass::small);
    CHECK(size_class("warptile", {4096, 256, 4096}) == SizeClass::small);
    CHECK(size_class("ab_simple", {4096, 4096, 32}) == SizeClass::large);
    CHECK(size_class("offset_copy", {1024, 1024, 1}) == SizeClass::large);
    CHECK_FALSE(size_class("warptile", {128, 4096, 4096}));
    CHECK(size_class("sass", {0, 0, 0}) == SizeClass::any);
}

TEST_CASE("launches of listed entries are read with their grid and arguments", "[unit][measurements]") {
    const auto rows = read_measurements(GPUMODEL_SOURCE_DIR "/validate/general/h200_sxm.csv");
    REQUIRE(rows.size() == 22);
    CHECK(rows[0].family == "sass");
    CHECK(rows[0].label == "stencil5");
    CHECK(rows[0].entry->grid == Dim3{32, 64, 1});
    CHECK(rows[0].entry->block == Dim3{32, 8, 1});
    CHECK(rows[0].entry->arguments == "ptr:4MiB,ptr:4MiB,1000,507");
    CHECK(rows[0].time_us == Approx(4.88));
}

TEST_CASE("ladders are one author's rows on one GPU", "[unit][measurements]") {
    const auto rows = read_measurements(GPUMODEL_SOURCE_DIR "/validate/data/published_rtx_a6000.csv");
    std::set<std::string> ladders;
    for (const auto& m : rows) {
        ladders.insert(m.ladder);
    }
    CHECK(ladders ==
          std::set<std::string>{"siboehm-a6000", "siboehm-a6000r", "kitsunetic-a6000", "cudawarped-a6000"});
}

TEST_CASE("rows without a time, or with a grid that is none, are refused together", "[unit][measurements]") {
    const TemporaryFile zero(header + "naive,,512,512,512,0\n");
    CHECK_THROWS_AS(read_measurements(zero.path()), InputError);
    const TemporaryFile grids(
        "kernel,grid,block,shared_bytes,args,time_us\n"
        "a,\"1,1\",\"32,1,1\",0,ptr,1\nb,\"0,1,1\",\"32,1,1,\",0,ptr,1\n");
    try {
        static_cast<void>(read_measurements(grids.path()));
        FAIL("no exception");
    } catch (const InputError& error) {
        REQUIRE(error.diagnostics().size() == 3);
        CHECK(error.diagnostics()[0].line == 2);
        CHECK(error.diagnostics()[2].key == "block");
    }
}

}  // namespace gpumodel
