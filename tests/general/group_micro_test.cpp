// Loops of warp-group products (validate/microbench/tensor/groups.cu) in the simulator against an H200's
// cycles per product (validate/data/h200_sxm_tensor_micro.csv, wgmma_latency and wgmma_group).
//
// The drain and the gap behind operands in registers in sm_90.yaml were fitted to the rows whose loop and
// number of warps split_of() puts into the calibration half; the other half judges.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "model/sim/simulate.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/accuracy/measurements.h"

using namespace gpumodel;

namespace {

struct GroupRow {
    std::string loop;
    int warps = 0, products = 0;
    double cycles = 0;
};

// "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 (A in registers)", "4 per group; regs 90"
std::string loop_of(const std::string& instruction, const std::string& note) {
    static const std::map<std::string, std::string> types{{"k16.f32.f16.f16", "f16_f32"},
                                                          {"k16.f16.f16.f16", "f16_f16"},
                                                          {"k16.f32.bf16.bf16", "bf16_f32"},
                                                          {"k8.f32.tf32.tf32", "tf32_f32"},
                                                          {"k32.s32.s8.s8", "s8_s32"}};
    const auto n = instruction.find(".m64n") + 5;
    const auto k = instruction.find('k', n), end = std::min(instruction.find(' '), instruction.size());
    const auto type = types.find(instruction.substr(k, end - k));
    if (type == types.end()) {
        return "";
    }
    return "group_" + type->second + "_" + instruction.substr(n, k - n) +
           (instruction.find("registers") != std::string::npos ? "_r_" : "_") +
           note.substr(0, note.find(' '));
}

std::vector<GroupRow> measured_groups() {
    std::ifstream in(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_tensor_micro.csv");
    std::vector<GroupRow> rows;
    for (std::string line; std::getline(in, line);) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f.size() > 8 && (f[0] == "wgmma_latency" || f[0] == "wgmma_group")) {
            const auto loop = loop_of(f[1], f[8]);
            if (!loop.empty()) {
                rows.push_back({loop, std::stoi(f[2]), std::stoi(f[8]), std::stod(f[4])});
            }
        }
    }
    return rows;
}

KernelProgram loop_program(const SassFunction& function, int warps, int trips) {
    SassLaunch launch;
    launch.block = {32 * warps, 1, 1};
    launch.arguments = parse_arguments("ptr:8KiB," + std::to_string(trips));
    return program_from_sass(function, launch);
}

double cycles_of_loop(const KernelProgram& program, const ArchSpec& arch, bool simulated) {
    if (!simulated) {
        const auto p = predict_analytic(program, arch);
        return p.time_seconds * p.sm_hz;
    }
    const auto run = simulate(program, arch);
    REQUIRE(run.status == SimStatus::ok);
    return run.cycles;
}

struct GroupErrors {
    double sum = 0, worst = 0;
    int count = 0;
    void add(double error) {
        sum += std::abs(error);
        worst = std::abs(error) > std::abs(worst) ? error : worst;
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / count; }
};

}  // namespace

TEST_CASE("loops of warp-group products against an H200", "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/tensor/sm_90a.sass.gz");
    std::map<std::string, GroupErrors> errors;
    for (const auto& row : measured_groups()) {
        const auto* function = module.find(row.loop);
        if (function == nullptr) {
            continue;
        }
        const bool test = split_of(row.loop + ";" + std::to_string(row.warps), {}) == Split::test;
        constexpr int trips = 24;
        const auto longer = loop_program(*function, row.warps, 2 * trips);
        const auto shorter = loop_program(*function, row.warps, trips);
        for (const bool simulated : {true, false}) {
            const double cycles =
                (cycles_of_loop(longer, arch, simulated) - cycles_of_loop(shorter, arch, simulated)) /
                (trips * row.products);
            const double error = cycles / row.cycles - 1;
            errors[std::string(simulated ? "simulator" : "analytic") + (test ? ", test" : ", calibration")]
                .add(error);
            if (std::getenv("GPUMODEL_SHOW") != nullptr) {
                std::cout << (simulated ? "simulator," : "analytic,") << (test ? "test," : "calibration,")
                          << row.loop << "," << row.warps << "," << row.cycles << "," << cycles << ","
                          << 100 * error << "\n";
            }
        }
    }
    std::cout << "loops of warp-group products, mean and worst error:\n";
    for (const auto& [name, e] : errors) {
        std::cout << "  " << name << ": " << 100 * e.mean() << " %, " << 100 * e.worst << " % (" << e.count
                  << ")\n";
    }
    CHECK(errors["simulator, test"].count >= 60);
    CHECK(errors["simulator, test"].mean() < 0.05);
    CHECK(errors["analytic, test"].mean() < 0.1);
}
