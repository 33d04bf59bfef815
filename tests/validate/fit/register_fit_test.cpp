// The register estimate against ptxas, and the program that fits it.
#include "validate/fit/register_fit.h"

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "traces/kernel/compiler/registers.h"
#include "validate/fit/table_text.h"

using namespace gpumodel;

namespace {

struct Score {
    int count = 0;
    double error = 0;  // sum of |estimate - ptxas| / ptxas
    int blocks_right = 0;

    void add(const RegisterSample& sample) {
        const int estimate = estimate_registers(sample.code, sample.target);
        ++count;
        error += std::abs(estimate - sample.registers) / static_cast<double>(sample.registers);
        const int threads = sample.code.threads;
        blocks_right +=
            blocks_by_registers(estimate, threads) == blocks_by_registers(sample.registers, threads) ? 1 : 0;
    }
    [[nodiscard]] double mean_error() const { return error / count; }
    [[nodiscard]] double block_rate() const { return static_cast<double>(blocks_right) / count; }
};

const std::vector<RegisterSample>& all_samples() {
    static const auto samples =
        read_register_samples(GPUMODEL_SOURCE_DIR "/tests/traces/kernel/ptxas_registers.csv");
    return samples;
}

}  // namespace

TEST_CASE("register estimate against ptxas: the third it was not fitted on", "[oracle]") {
    std::map<std::string, std::map<bool, Score>> scores;
    for (const auto& sample : all_samples()) {
        for (const std::string& group :
             {std::string("all"), sample.arch, std::string(to_string(sample.code.shape))}) {
            scores[group][!sample.held_back].add(sample);
        }
    }
    fmt::print("register estimate against ptxas (n, mean error, blocks per SM right)\n");
    for (const auto& [group, halves] : scores) {
        fmt::print("  {:20}", group);
        for (const bool calibration : {true, false}) {
            const auto found = halves.find(calibration);
            if (found != halves.end()) {
                const Score& score = found->second;
                fmt::print("  {} {:4} {:5.1f} % {:5.1f} %", calibration ? "fitted" : "held back", score.count,
                           100 * score.mean_error(), 100 * score.block_rate());
            }
        }
        fmt::print("\n");
    }
    const Score& held_back = scores["all"][false];
    CHECK(held_back.count > 1000);
    CHECK(held_back.mean_error() <= 0.10);
    CHECK(held_back.block_rate() >= 0.80);
    for (const char* const arch :
         {"sm_35", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"}) {
        INFO(arch);
        REQUIRE(scores.contains(arch));
        CHECK(scores[arch][false].count >= 40);
        CHECK(scores[arch][false].mean_error() <= 0.10);
    }
}

TEST_CASE("the sample covers the generations as asked", "[unit]") {
    const std::set<std::string> tiled{"blocktile2d", "vectorized", "autotuned", "warptile", "doublebuffer"};
    std::map<std::string, std::set<std::pair<std::string, ParamValues>>> configurations;
    std::map<std::string, std::set<std::string>> families;
    for (const auto& sample : all_samples()) {
        families[sample.arch].insert(sample.family);
        if (tiled.contains(sample.family)) {
            configurations[sample.arch].emplace(sample.family, sample.params);
        }
    }
    REQUIRE(configurations.size() == 8);
    for (const auto& [arch, set] : configurations) {
        INFO(arch);
        CHECK(set.size() >= 45);
        // every family of the design but the library's; asynchronous copies from sm_80 on
        CHECK(families[arch].size() == (std::stoi(arch.substr(3)) >= 80 ? 24 : 23));
    }
}

// A stack frame of one word per accumulator, and a few words spilled beside them, is what ptxas reports.
// Three kinds are missed: 128x256x8 with 4x4 words from sm_70 to sm_86, and frames of 256 accumulators that
// are spills. On sm_100 and sm_120 spilled words lie in the frame beside 256 accumulators, and blocktile2d
// has a frame for the results of 128-word tiles that its loop does not touch.
TEST_CASE("accumulators lie in local memory where ptxas puts them", "[oracle]") {
    int local = 0;
    int missed = 0;
    for (const auto& sample : all_samples()) {
        if (sample.target.cc.number() >= 100 && sample.family == "blocktile2d") {
            continue;
        }
        const int all = 4 * sample.code.accumulators;
        const int few_spills = sample.target.cc.number() < 100 ? 16 : 256;
        const bool expected = sample.stack_bytes >= all && sample.stack_bytes <= all + few_spills && all > 0;
        if (sample.code.local_accumulators != expected) {
            UNSCOPED_INFO(sample.arch << " " << sample.family << " " << sample.code.accumulators << " "
                                      << sample.stack_bytes << " "
                                      << canonical_params(*find_family(sample.family), sample.params));
        }
        missed += sample.code.local_accumulators != expected ? 1 : 0;
        local += expected ? 1 : 0;
    }
    CHECK(missed <= 8);
    CHECK(local > 40);
}

TEST_CASE("the committed register weights are what the fit gives", "[unit]") {
    for (std::size_t at = 0; at < code_shape_count; ++at) {
        CompilerTables fitted;
        CompilerTables committed;
        fitted.registers[at] = fit_registers(static_cast<CodeShape>(at), all_samples());
        committed.registers[at] = compiler_tables().registers[at];
        CHECK(registers_csv(fitted) == registers_csv(committed));
    }
}
