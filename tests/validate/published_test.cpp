// Published times: the index, the clock factor, and that every committed row is scored.
#include "validate/published/published.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "arch_specs/loader.h"
#include "tests/support/temporary_folder.h"

namespace gpumodel {
namespace {

const std::string index_header = "ladder,arch,file,listing,set,clock,code,note\n";
const std::string index_path = GPUMODEL_SOURCE_DIR "/validate/data/published.csv";

void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// Four launches whose times are `slower` times those that the analytic model gives at the spec's clock.
std::string rows_of_model(double slower) {
    const auto arch = load_arch("v100_sxm2");
    std::string text = "family,params,M,N,K,time_us_median,id\n";
    for (const int size : {512, 1024, 2048, 4096}) {
        Measurement m;
        m.family = "vectorized";
        m.m = m.n = m.k = size;
        m.time_us = 1;
        const auto found = predict_launch(m, arch, {});
        REQUIRE(found.prediction);
        text += "vectorized,," + std::to_string(size) + "," + std::to_string(size) + "," +
                std::to_string(size) + "," + std::to_string(found.prediction->time_seconds * 1e6 * slower) +
                ",me-card-v-" + std::to_string(size) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("a GPU that runs slower by one factor: the factor is shown and not applied", "[unit][published]") {
    const TemporaryFolder folder;
    write(folder.file("rows.csv"), rows_of_model(1.25));
    write(folder.file("index.csv"), index_header + "me-card,v100_sxm2,rows.csv,,,unknown,written,\n");
    const auto report = score_published(read_published(folder.file("index.csv")), {});
    REQUIRE(report.ladders.size() == 1);
    const auto& score = report.ladders.front();
    CHECK(score.errors.median_pct == Approx(20).epsilon(1e-3));
    CHECK(score.errors.bias_pct == Approx(-20).epsilon(1e-3));
    REQUIRE(score.clock_factor);
    CHECK(*score.clock_factor == Approx(0.8).epsilon(1e-4));
    REQUIRE(score.ratios);
    CHECK(score.ratios->p90_pct == Approx(0).margin(1e-2));
    CHECK(report.launches == 4);
    CHECK(report.products == 1);
    CHECK(report.gpus.empty());  // one ladder: it is all
    for (const auto& sum : report.sums) {
        CHECK(sum.name != "code known, clock known");
        CHECK_FALSE(sum.clock_factor);
    }
}

TEST_CASE("what a source states of its clock is set, for this ladder only", "[unit][published]") {
    const TemporaryFolder folder;
    write(folder.file("rows.csv"), rows_of_model(1));
    write(folder.file("index.csv"), index_header +
                                        "me-card,v100_sxm2,rows.csv,,clock.sm=765 MHz,stated,written,\n"
                                        "me-card,v100_sxm2,rows.csv,,,unknown,written,\n");
    const auto report = score_published(read_published(folder.file("index.csv")), {});
    REQUIRE(report.ladders.size() == 2);
    CHECK(report.ladders[0].errors.bias_pct > 50);  // half of 1530 MHz
    CHECK(report.ladders[1].errors.median_pct == Approx(0).margin(1e-3));
    REQUIRE(report.gpus.size() == 1);
    CHECK(report.gpus.front().errors.launches == 8);
}

TEST_CASE("faults of an index come all at once", "[unit][published]") {
    const TemporaryFile index(index_header +
                              ",v100_sxm2,a.csv,,,stated,written,\nb,v100_sxm2,a.csv,,clock,sure,own,\n");
    try {
        (void)read_published(index.path());
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::invalid_input);
        std::multiset<std::string> keys;
        for (const auto& d : error.diagnostics()) {
            keys.insert(d.key);
        }
        CHECK(keys == std::multiset<std::string>{"clock", "code", "ladder", "set"});
    }
    const TemporaryFolder folder;
    write(folder.file("rows.csv"), rows_of_model(1));
    write(folder.file("index.csv"), index_header + "me-cart,v100_sxm2,rows.csv,,,unknown,written,\n");
    CHECK_THROWS_AS(score_published(read_published(folder.file("index.csv")), {}), InputError);
}

TEST_CASE("every committed published row belongs to one ladder of the index and is predicted",
          "[unit][published][data]") {
    const auto ladders = read_published(index_path);
    std::map<std::string, std::set<std::string>> of_file;
    for (const auto& l : ladders) {
        CHECK(of_file[l.file].insert(l.ladder).second);
    }
    std::size_t rows = 0;
    for (const auto& [file, names] : of_file) {
        INFO(file);
        for (const auto& m : read_measurements(file)) {
            INFO(m.label << " " << m.ladder);
            CHECK(names.contains(m.ladder));
            ++rows;
        }
    }
    const auto report = score_published(ladders, {});
    CHECK(report.skipped.empty());
    CHECK(report.launches == rows);
}

// The source prints occupancies of two blocks: 1024 threads each are 100 % of an SM for 2048.
TEST_CASE("published streams have two blocks on an SM", "[unit][published]") {
    for (const auto& ladder : read_published(index_path)) {
        if (ladder.listing.empty()) {
            continue;
        }
        const auto arch = load_arch(ladder.arch, ladder.set);
        const ListedKernels listing(ladder.listing);
        LaunchSettings settings;
        settings.listing = &listing;
        for (const auto& m : read_measurements(ladder.file)) {
            if (m.ladder == ladder.ladder && m.label == "stream_triad") {
                INFO(ladder.ladder << " block " << m.entry->block.x);
                const auto found = predict_launch(m, arch, settings);
                REQUIRE(found.prediction);
                CHECK(found.prediction->occupancy.blocks_per_sm == 2);
            }
        }
    }
}

}  // namespace gpumodel
