// Loops of copies, barriers and steps of a matrix product (validate/microbench/tensor/copy_costs.cu) in the
// simulator against an H200's cycles per trip (validate/data/h200_sxm_copies.csv).
//
// What these instructions cost in sm_90.yaml was chosen on the barriers, the steps and the rings that
// split_of() puts into the calibration half; the other rings judge.
#include <catch2/catch.hpp>
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
#include "validate/accuracy/measurements.h"

namespace copy_costs_test {

using namespace gpumodel;

namespace {

struct LoopRow {
    std::string kind, name;
    int blocks = 0, depth = 0, bytes = 0;
    double cycles = 0;
    [[nodiscard]] std::string label() const {
        return name + "," + std::to_string(blocks) + "," + std::to_string(depth) + "," +
               std::to_string(bytes);
    }
};

std::vector<LoopRow> measured_loops() {
    std::ifstream in(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_copies.csv");
    std::vector<LoopRow> rows;
    for (std::string line; std::getline(in, line);) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f.size() == 7 && (f[0] == "ring" || f[0] == "barrier" || f[0] == "step")) {
            rows.push_back({f[0], f[1], std::stoi(f[2]), std::stoi(f[3]), std::stoi(f[4]), std::stod(f[6])});
        }
    }
    return rows;
}

SassLaunch launch_of(const LoopRow& row, int trips) {
    const auto count = std::to_string(trips);
    const auto tile = "tmap(ptr,f16,64x8192,128,64x" + std::to_string(std::max(8, row.bytes / 128)) + ",128)";
    const auto lines = std::to_string(row.bytes / 128);
    SassLaunch launch;
    launch.grid = {row.blocks, 1, 1};
    launch.block = {row.kind == "step" || row.name == "syncs" ? 128 : 32, 1, 1};
    if (row.kind == "barrier") {
        launch.arguments = parse_arguments(count + ",ptr:64KiB");
    } else if (row.kind == "step") {
        launch.dynamic_shared_bytes = 4 * 32768;
        launch.arguments = parse_arguments(tile + "," + count + "," + lines + ",ptr:64KiB");
    } else {
        const auto per = row.name.back() - '0';
        launch.dynamic_shared_bytes = row.bytes * per * row.depth;
        const auto ring = "," + count + "," + std::to_string(row.depth) + ",";
        launch.arguments =
            parse_arguments(row.name.starts_with("bulk")
                                ? "ptr:1MiB" + ring + std::to_string(row.bytes) + ",1048575,ptr:64KiB"
                                : tile + ring + lines + ",8191,ptr:64KiB");
    }
    return launch;
}

double loop_cycles(const SassModule& module, const LoopRow& row, const ArchSpec& arch, int trips) {
    const auto* function = module.find(row.name);
    REQUIRE(function != nullptr);
    const auto run = simulate(program_from_sass(*function, launch_of(row, trips)), arch);
    REQUIRE(run.status == SimStatus::ok);
    return run.cycles;
}

struct LoopErrors {
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

TEST_CASE("copies, barriers and steps of a product against an H200", "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/tensor/copy_costs.sass.gz");
    std::map<std::string, LoopErrors> errors;
    for (const auto& row : measured_loops()) {
        if (row.blocks > 1) {
            continue;  // 132 blocks at once: how L2 serves them, not what a copy costs
        }
        constexpr int trips = 24;
        const double cycles =
            (loop_cycles(module, row, arch, 2 * trips) - loop_cycles(module, row, arch, trips)) / trips;
        const double error = cycles / row.cycles - 1;
        const auto half = row.kind != "ring"                         ? row.kind
                          : split_of(row.label(), {}) == Split::test ? "ring, test"
                                                                     : "ring, calibration";
        errors[half].add(error);
        if (std::getenv("GPUMODEL_SHOW") != nullptr) {
            std::cout << half << "," << row.label() << "," << row.cycles << "," << cycles << ","
                      << 100 * error << "\n";
        }
    }
    std::cout << "copies, barriers and steps of a product, mean and worst error:\n";
    for (const auto& [name, e] : errors) {
        std::cout << "  " << name << ": " << 100 * e.mean() << " %, " << 100 * e.worst << " % (" << e.count
                  << ")\n";
    }
    CHECK(errors["ring, test"].count >= 50);
    CHECK(errors["ring, test"].mean() < 0.1);
    CHECK(errors["step"].mean() < 0.1);
}

}  // namespace copy_costs_test
