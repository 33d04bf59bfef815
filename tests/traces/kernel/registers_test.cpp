#include "traces/kernel/compiler/registers.h"

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "traces/kernel/compiler/compiler_tables.h"
#include "validate/kernels/register_samples.h"

using namespace gpumodel;

namespace {

struct Score {
    int count = 0;
    double error = 0;  // sum of |estimate - ptxas| / ptxas
    int blocks_right = 0;

    void add(const RegisterSample& sample) {
        const int estimate = estimate_registers(sample.demand, sample.target);
        ++count;
        error += std::abs(estimate - sample.registers) / static_cast<double>(sample.registers);
        const int threads = sample.demand.threads;
        blocks_right +=
            blocks_by_registers(estimate, threads) == blocks_by_registers(sample.registers, threads) ? 1 : 0;
    }
    [[nodiscard]] double mean_error() const { return error / count; }
    [[nodiscard]] double block_rate() const { return static_cast<double>(blocks_right) / count; }
};

std::vector<RegisterSample> all_samples() {
    return read_register_samples(std::string(GPUMODEL_TEST_DATA) + "/ptxas_registers.csv");
}

Target sm(int cc, int max_registers = 255) {
    return {.cc = {.major = cc / 10, .minor = cc % 10}, .max_registers_per_thread = max_registers};
}

int estimate(const std::string& family, const std::string& params, const Target& target) {
    return estimate_registers(register_demand(family, parse_params(params)), target);
}

// All parameters of the family; nothing for a transpose with a pinned loop, for which there is no parameter.
std::optional<ParamValues> family_params(const RegisterSample& sample) {
    ParamValues params = parse_params(sample.params);
    if (sample.family.rfind("transpose_", 0) == 0) {
        if (params.at("UNROLL") != 0) {
            return std::nullopt;
        }
        params.erase("UNROLL");
    }
    return resolve_params(*find_family(sample.family), params);
}

const std::string warptile_default =
    "BM=128;BN=128;BK=16;WM=64;WN=64;WNITER=4;TM=8;TN=4;THREADS=128;UNROLL=0";

}  // namespace

TEST_CASE("register estimate against ptxas: the third it was not fitted on", "[oracle]") {
    std::map<std::string, std::map<bool, Score>> scores;
    for (const auto& sample : all_samples()) {
        const bool calibration = for_calibration(sample);
        for (const std::string& group :
             {std::string("all"), sample.arch, std::string(to_string(sample.demand.shape))}) {
            scores[group][calibration].add(sample);
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
    for (const char* const arch : {"sm_35", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}) {
        INFO(arch);
        REQUIRE(scores.contains(arch));
        CHECK(scores[arch][false].count >= 40);
        CHECK(scores[arch][false].mean_error() <= 0.10);
    }
}

TEST_CASE("the sample covers the generations as asked", "[unit]") {
    const std::set<std::string> tiled{"blocktile2d", "vectorized", "autotuned", "warptile", "doublebuffer"};
    std::map<std::string, std::set<std::string>> configurations;
    std::map<std::string, std::set<std::string>> families;
    for (const auto& sample : all_samples()) {
        families[sample.arch].insert(sample.family);
        if (tiled.contains(sample.family)) {
            configurations[sample.arch].insert(sample.family + sample.params);
        }
    }
    REQUIRE(configurations.size() == 6);
    for (const auto& [arch, set] : configurations) {
        INFO(arch);
        CHECK(set.size() >= 45);
        // every family of the design but the library's; asynchronous copies from sm_80 on
        CHECK(families[arch].size() == (std::stoi(arch.substr(3)) >= 80 ? 24 : 23));
    }
}

TEST_CASE("demand of the families", "[unit]") {
    const RegisterDemand warp = register_demand("warptile", parse_params(warptile_default));
    CHECK(warp.shape == CodeShape::warp_tile);
    CHECK(warp.accumulators == 128);  // 64x64 results of a warp over 32 lanes
    CHECK(warp.row_words == 8);       // WMITER = 64*64/(32*8*4*4) = 1
    CHECK(warp.fragment_words == 24);
    CHECK(warp.staged_words == 32);  // (128 + 128)*16 words by 128 threads
    CHECK(warp.threads == 128);
    CHECK(warp.k_steps == 16);

    const RegisterDemand sub =
        register_demand("autotuned", parse_params("BM=128;BN=256;BK=16;TM=4;TN=8;UNROLL=4"));
    CHECK(sub.accumulators == 128);
    CHECK(sub.sub_tiles == 4);
    CHECK(sub.fragment_words == 12);
    CHECK(sub.staged_words == 24);
    CHECK(sub.unrolled_steps == 4);

    const RegisterDemand column = register_demand("blocktile1d", parse_params("BM=64;BN=64;BK=8;TM=8"));
    CHECK(column.accumulators == 8);
    CHECK(column.threads == 512);
    CHECK(column.staged_words == 2);

    const RegisterDemand vendor = register_demand("cublas_sgemm", parse_params("BM=128;BN=64"));
    CHECK(vendor.threads == 128);
    CHECK(vendor.accumulators == 64);

    CHECK_THROWS_AS(register_demand("nonsense", {}), std::invalid_argument);
}

TEST_CASE("every shape has register weights for the generations that can run it", "[unit]") {
    for (std::size_t i = 0; i < code_shape_count; ++i) {
        const auto shape = static_cast<CodeShape>(i);
        std::vector<int> generations;
        for (const auto& row : compiler_tables().registers.at(i)) {
            generations.push_back(row.cc);
        }
        INFO(to_string(shape));
        CHECK(generations == (shape == CodeShape::library ? std::vector<int>{}
                              : shape == CodeShape::async ? std::vector{80, 86, 90}
                                                          : std::vector{35, 70, 75, 80, 86, 90}));
    }
}

TEST_CASE("the estimate keeps the target's limits", "[unit]") {
    for (const int cc : {10, 20, 30, 35, 52, 61, 70, 75, 80, 86, 89, 90, 120}) {
        for (const auto& sample : all_samples()) {
            if (sample.arch != "sm_90") {
                continue;
            }
            const int limit = cc <= 30 ? 63 : 255;
            const int registers = estimate_registers(sample.demand, sm(cc, limit));
            REQUIRE(registers >= 8);
            REQUIRE(registers <= limit);
        }
    }
    // 256 threads with a launch bound of one block: 65536/512 with 512 threads.
    const std::string bound = "BM=256;BN=256;BK=8;TM=8;TN=16;UNROLL=8";
    CHECK(estimate("blocktile2d", bound, sm(70)) <= 65536 / 512);
}

TEST_CASE("kept register counts are ptxas'", "[oracle]") {
    std::map<std::string, std::set<std::string>> kept;
    for (const auto& sample : all_samples()) {
        const auto params = family_params(sample);
        const auto registers =
            params ? compiled_registers(sample.family, *params, sample.target) : std::nullopt;
        if (registers) {
            INFO(sample.family << " " << sample.params << " " << sample.arch);
            CHECK(*registers == sample.registers);
            kept[sample.arch].insert(sample.family);
        }
    }
    for (const auto& [arch, families] : kept) {
        CHECK(families.size() == (std::stoi(arch.substr(3)) >= 80 ? 24 : 23));
    }
    CHECK(kept.size() == 6);
    const ParamValues defaults = resolve_params(*find_family("warptile"), parse_params(warptile_default));
    CHECK(compiled_registers("warptile", defaults, sm(70)).has_value());
    CHECK(!compiled_registers("warptile", defaults, sm(61)));
    ParamValues other = defaults;
    other["UNROLL"] = 3;
    CHECK(!compiled_registers("warptile", other, sm(70)));
    other.erase("UNROLL");
    CHECK(!compiled_registers("warptile", other, sm(70)));
    CHECK(!compiled_registers("cublas_sgemm", parse_params("BM=128;BN=128"), sm(70)));
}

TEST_CASE("of the tiles held back only defaults are kept", "[oracle]") {
    int held = 0;
    for (const auto& sample : all_samples()) {
        const auto params = family_params(sample);
        if (params && !for_calibration(sample) &&
            *params != resolve_params(*find_family(sample.family), {})) {
            INFO(sample.family << " " << sample.params << " " << sample.arch);
            CHECK_FALSE(compiled_registers(sample.family, *params, sample.target));
            ++held;
        }
    }
    CHECK(held > 1000);
}

TEST_CASE("generations without data take the nearest with data", "[unit]") {
    CHECK(estimate("warptile", warptile_default, sm(30)) == estimate("warptile", warptile_default, sm(35)));
    CHECK(estimate("warptile", warptile_default, sm(61)) == estimate("warptile", warptile_default, sm(70)));
    CHECK(estimate("warptile", warptile_default, sm(72)) == estimate("warptile", warptile_default, sm(70)));
    CHECK(estimate("warptile", warptile_default, sm(89)) == estimate("warptile", warptile_default, sm(86)));
    CHECK(estimate("warptile", warptile_default, sm(120)) == estimate("warptile", warptile_default, sm(90)));
}
