// Loops of tensor instructions (validate/microbench/tensor) in the simulator against an H200's cycles per
// instruction (validate/data/h200_sxm_tensor_micro.csv).
//
// The spec's latencies come from the rows of one chain in one warp, its intervals from those of two chains in
// 32 warps (16 where there are none); these rows are "taken from". Nothing was fitted to the others.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include "arch_specs/loader.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

struct Row {
    std::string test, instruction, note;
    int warps = 0, chains = 0;
    double cycles = 0;
};

std::vector<Row> measured() {
    std::ifstream in(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_tensor_micro.csv");
    std::vector<Row> rows;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f.size() > 8 &&
            (f[0].starts_with("mma_") || f[0].starts_with("ldmatrix") || f[0].starts_with("stmatrix"))) {
            rows.push_back({f[0], f[1], f[8], std::stoi(f[2]), std::stoi(f[3]), std::stod(f[4])});
        }
    }
    return rows;
}

// The product of a row's instruction, as loops.cu names it; "" = not among them.
std::string product_of(const std::string& instruction) {
    static const std::map<std::string, std::string> names{
        {"m16n8k16.row.col.f32.f16.f16.f32", "f16_f32_16816"},
        {"m16n8k16.row.col.f32.bf16.bf16.f32", "bf16_f32_16816"},
        {"m16n8k16.row.col.f16.f16.f16.f16", "f16_f16_16816"},
        {"m16n8k8.row.col.f32.f16.f16.f32", "f16_f32_1688"},
        {"m16n8k8.row.col.f16.f16.f16.f16", "f16_f16_1688"},
        {"m16n8k8.row.col.f32.tf32.tf32.f32", "tf32_1688"},
        {"m16n8k4.row.col.f32.tf32.tf32.f32", "tf32_1684"},
        {"m16n8k32.row.col.s32.s8.s8.s32", "s8_16832"},
        {"m16n8k16.row.col.s32.s8.s8.s32", "s8_16816"},
        {"m8n8k4.row.col.f64.f64.f64.f64", "f64_884"}};
    const std::string prefix = "mma.sync.aligned.";
    const auto found = names.find(instruction.starts_with(prefix) ? instruction.substr(prefix.size()) : "");
    return found == names.end() ? "" : found->second;
}

struct Loop {
    std::string kernel;
    int per_trip = 64;
};

// The loop that stands for a row; no name: none does.
Loop loop_of(const Row& row) {
    const auto product = product_of(row.instruction);
    const bool power_of_two = row.chains == 1 || row.chains == 2 || row.chains == 4 || row.chains == 8;
    if (row.test == "mma_latency_c" || row.test == "mma_rate") {
        const bool shared = row.note.starts_with("A and B shared");
        return {shared && power_of_two && !product.empty() ? product + "_" + std::to_string(row.chains) : ""};
    }
    if (row.test.starts_with("mma_mix")) {  // "4 FFMA after every mma"
        std::stringstream words(row.note);
        std::string count, other;
        words >> count >> other;
        std::transform(other.begin(), other.end(), other.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return {"mix_" + other + "_" + count};
    }
    if (row.test == "ldmatrix_mma") {
        return {"ldmatrix_mma_" + std::to_string(row.chains), 4};
    }
    const auto at = row.instruction.find(".m8n8.x");
    if (at == std::string::npos || row.instruction.find("trans") != std::string::npos) {
        return {""};
    }
    const std::string width(1, row.instruction[at + 7]);
    return {
        row.test == "ldmatrix_latency" ? "ldmatrix_chain_" + width
        : row.test == "ldmatrix_rate"  ? "ldmatrix_" + width
                                       : "stmatrix_" + width,
        row.test == "ldmatrix_rate" ? 8 : 32};  // the compiler keeps the last eight of the independent loads
}

double cycles_of(const SassFunction& function, const ArchSpec& arch, int warps, int trips) {
    SassLaunch launch;
    launch.block = {32 * warps, 1, 1};
    const bool product = function.name.find("matrix") == std::string::npos;
    launch.arguments =
        parse_arguments(std::string(product ? "ptr:8KiB," : "") + "ptr:8KiB," + std::to_string(trips));
    const auto run = simulate(program_from_sass(function, launch), arch);
    REQUIRE(run.status == SimStatus::ok);
    return run.cycles;
}

// A long and a short run, so that what surrounds the loop falls out.
double predicted(const SassFunction& function, const ArchSpec& arch, int warps, int per_trip) {
    constexpr int trips = 24;
    return (cycles_of(function, arch, warps, 2 * trips) - cycles_of(function, arch, warps, trips)) /
           (trips * per_trip);
}

struct Errors {
    double sum = 0, worst = 0;
    int count = 0;
    void add(double error) {
        sum += std::abs(error);
        worst = std::max(worst, std::abs(error));
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / count; }
};

}  // namespace

TEST_CASE("loops of tensor instructions against an H200", "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/tensor/sm_90.sass.gz");
    Errors taken, rest;
    std::map<std::string, Errors> by_test;
    std::map<std::pair<std::string, int>, double> done;
    for (const auto& row : measured()) {
        const auto loop = loop_of(row);
        const auto* function = loop.kernel.empty() ? nullptr : module.find(loop.kernel);
        if (function == nullptr || !done.try_emplace({loop.kernel, row.warps}, row.cycles).second) {
            continue;
        }
        const double cycles = predicted(*function, arch, row.warps, loop.per_trip);
        const double error = cycles / row.cycles - 1;
        if (const char* shown = std::getenv("GPUMODEL_SHOW"); shown != nullptr) {
            std::cout << row.test << "," << loop.kernel << "," << row.warps << "," << row.cycles << ","
                      << cycles << "," << 100 * error << "\n";
        }
        const bool is_taken =
            row.test == "mma_latency_c" || (row.test == "mma_rate" && row.chains == 2 && row.warps == 32);
        (is_taken ? taken : rest).add(error);
        if (!is_taken) {
            by_test[row.test].add(error);
        }
    }
    std::cout << "tensor loops, mean and worst error: rows that numbers were taken from "
              << 100 * taken.mean() << " %, " << 100 * taken.worst << " % (" << taken.count
              << "); the others " << 100 * rest.mean() << " %, " << 100 * rest.worst << " % (" << rest.count
              << ")\n";
    for (const auto& [test, errors] : by_test) {
        std::cout << "  " << test << ": " << 100 * errors.mean() << " %, " << 100 * errors.worst << " % ("
                  << errors.count << ")\n";
    }
    CHECK(taken.count >= 18);
    CHECK(rest.count >= 150);
    CHECK(taken.mean() < 0.04);  // 3.4 %: shapes of half size follow each other after 16 cycles by their
                                 // stall count, 17 were measured
    CHECK(rest.mean() < 0.1);
}
