// The fit of the overhead rows: from counts made up, from a listing, and what the tables look like as text.
#include "validate/fit/overhead_fit.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "traces/kernel/compiler/instruction_mix.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/fit/table_text.h"

using namespace gpumodel;

namespace {

std::string file_text(const std::string& name) {
    std::ifstream file(GPUMODEL_SOURCE_DIR "/traces/kernel/compiler/" + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

constexpr auto generation = CodeGeneration::volta;

std::vector<OverheadRule>& tile_rules(CompilerTables& tables) {
    return tables.rules[static_cast<std::size_t>(CodeRegion::tile)]
                       [static_cast<std::size_t>(CodeShape::warp_tile)][static_cast<std::size_t>(generation)];
}

// 20 + 3*loads instructions per tile, all of them IADDs.
std::vector<OverheadSample> made_up_samples() {
    std::vector<OverheadSample> samples;
    for (int loads = 2; loads <= 44; loads += 2) {
        OverheadSample sample;
        sample.instance = fmt::format("warptile;{}", loads);
        sample.held_back = loads == 44;
        sample.code = {
            .generation = generation, .shape = CodeShape::warp_tile, .loads = loads, .rolled = true};
        sample.counts[static_cast<std::size_t>(CodeRegion::tile)][2] = 20 + 3 * loads;
        samples.push_back(sample);
    }
    samples.back().counts.front()[2] = 1000;  // held back: must not show
    return samples;
}

}  // namespace

TEST_CASE("the tables as text are the committed files", "[unit][fit]") {
    CHECK(overhead_csv(compiler_tables()) == file_text("overhead.csv"));
    CHECK(overhead_shares_csv(compiler_tables()) == file_text("overhead_shares.csv"));
    CHECK(registers_csv(compiler_tables()) == file_text("registers.csv"));
}

TEST_CASE("a fit finds the line that counts lie on", "[unit][fit]") {
    CompilerTables tables;
    tile_rules(tables) = {{.body = BodyKind::rolled, .conditions = {}, .weights = {}, .instances = 1}};
    fit_overhead(tables, generation, made_up_samples());
    const OverheadRule& row = tile_rules(tables).front();
    CHECK(row.instances == 21);
    CHECK(row.weights[0] == Approx(20).margin(0.05));
    CHECK(row.weights[1] == Approx(3).margin(0.02));
    CHECK(row.weights[2] == 0);
}

TEST_CASE("a row that fewer than four listings decide stays as it is", "[unit][fit]") {
    CompilerTables tables;
    const OverheadRule kept{
        .body = BodyKind::rolled, .conditions = {}, .weights = {21, 3, 0}, .instances = 0};
    tile_rules(tables) = {kept};
    auto samples = made_up_samples();
    samples.resize(3);
    fit_overhead(tables, generation, samples);
    CHECK(tile_rules(tables).front().weights == kept.weights);
    CHECK(tile_rules(tables).front().instances == 0);
    // The same three again, as compiled for a second architecture of the generation.
    const auto again = samples;
    samples.insert(samples.end(), again.begin(), again.end());
    fit_overhead(tables, generation, samples);
    CHECK(tile_rules(tables).front().weights == kept.weights);
    fit_overhead(tables, generation, made_up_samples());
    CHECK(tile_rules(tables).front().instances == 21);
}

TEST_CASE("regions of a listing add up to what it executes", "[oracle][fit]") {
    const SassModule module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/listings/few/sm_70.sass.xz");
    Target target;
    target.cc = {.major = 7, .minor = 0};
    const auto few = overhead_samples(module, target, 8);
    const auto many = overhead_samples(module, target, 16);
    REQUIRE(few.size() == many.size());
    CHECK(few.size() == 25);  // 27 entries of tiled families, two of them split
    for (std::size_t i = 0; i < few.size(); ++i) {
        INFO(few[i].instance);
        // What is executed once does not depend on how many tiles there are.
        CHECK(few[i].total(CodeRegion::prologue) == Approx(many[i].total(CodeRegion::prologue)));
        CHECK(few[i].total(CodeRegion::epilogue) == Approx(many[i].total(CodeRegion::epilogue)));
        CHECK(few[i].total(CodeRegion::tile) == Approx(many[i].total(CodeRegion::tile)).epsilon(0.2));
        CHECK((few[i].total(CodeRegion::step_body) > 0) == few[i].code.rolled);
    }
}

TEST_CASE("the fitted overhead rows are what the listings give", "[oracle][fit]") {
    std::vector<OverheadSample> samples;
    Target target;
    target.cc = {.major = 9, .minor = 0};
    std::set<std::string> seen;
    for (const char* name : {"sm_90", "few/sm_90"}) {
        const std::string path = fmt::format("{}/validate/listings/{}.sass.xz", GPUMODEL_SOURCE_DIR, name);
        for (auto& sample : overhead_samples(read_sass_file(path), target)) {
            if (seen.insert(sample.instance).second) {
                samples.push_back(std::move(sample));
            }
        }
    }
    CompilerTables fitted = compiler_tables();
    fit_overhead(fitted, CodeGeneration::hopper, samples);
    CHECK(overhead_csv(fitted) == file_text("overhead.csv"));
    CHECK(overhead_shares_csv(fitted) == file_text("overhead_shares.csv"));
    const auto held = [](const OverheadSample& sample) { return !sample.held_back; };
    std::erase_if(samples, held);
    CHECK(samples.size() >= 100);
    CHECK(instruction_error(compiler_tables(), CodeGeneration::hopper, samples) <= 0.022);
}
