// Loops of threads' asynchronous copies (validate/microbench/tensor/async_copies.cu) in the simulator against
// an H200's cycles per trip (validate/data/h200_sxm_async_copies.csv).
//
// What a copy takes of the SM's pipe was chosen on the loops that split_of() puts into the calibration half;
// the others judge.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "arch_specs/loader.h"
#include "model/sim/simulate.h"
#include "tests/support/csv_lines.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/accuracy/measurements.h"

using namespace gpumodel;

namespace {

struct LoopRow {
    std::string kind, path;
    int warps = 0, blocks = 0, piece = 0;
    double cycles = 0;
    [[nodiscard]] std::string kernel() const {
        return kind == "rate"    ? "rate_" + path
               : kind == "trip"  ? "trip_" + path
               : kind == "loads" ? kind
               : path == "none"  ? kind
                                 : kind + "_" + path;
    }
    [[nodiscard]] std::string label() const {
        return kind + "," + path + "," + std::to_string(warps) + "," + std::to_string(blocks) + "," +
               std::to_string(piece);
    }
};

std::vector<LoopRow> measured_loops() {
    std::vector<LoopRow> rows;
    for (const auto& line :
         lines_of(read_temporary(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_async_copies.csv"))) {
        const auto f = cells_of(line);
        if (f.size() == 7 && f[0] != "kind") {
            rows.push_back({f[0], f[1], std::stoi(f[2]), std::stoi(f[3]), std::stoi(f[4]), std::stod(f[6])});
        }
    }
    return rows;
}

double loop_cycles(const SassModule& module, const LoopRow& row, const ArchSpec& arch, int trips) {
    constexpr int thread_bytes = 64, stages = 4;
    SassLaunch launch;
    launch.grid = {row.blocks, 1, 1};
    launch.block = {32 * row.warps, 1, 1};
    launch.dynamic_shared_bytes = 32 * row.warps * thread_bytes * stages;
    const std::string mask = row.blocks == 1 ? "1048575" : "131071";
    launch.arguments = parse_arguments("ptr:132MiB," + std::to_string(row.piece) + "," + mask + "," +
                                       std::to_string(trips) + ",ptr:4KiB");
    const auto* function = module.find(row.kernel());
    REQUIRE(function != nullptr);
    SimOptions options;
    options.exact = true;
    const auto run = simulate(program_from_sass(*function, launch), arch, options);
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

TEST_CASE("loops of threads' asynchronous copies against an H200", "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module =
        read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/tensor/async_copies.sass.gz");
    std::map<std::string, LoopErrors> errors;
    const bool show = std::getenv("GPUMODEL_SHOW") != nullptr;  // the calibration half too
    int of_test = 0;
    for (const auto& row : measured_loops()) {
        const bool judges = split_of(row.label(), {}) == Split::test;
        // every other one of the test half: each is executed and simulated exactly, twice
        if (!show && (!judges || ++of_test % 2 != 0)) {
            continue;
        }
        constexpr int trips = 8;
        const double cycles =
            (loop_cycles(module, row, arch, 2 * trips) - loop_cycles(module, row, arch, trips)) / trips;
        const double error = cycles / row.cycles - 1;
        const std::string of = row.blocks == 1 ? "" : " of all SMs";
        const auto half = of + (judges ? ", test" : ", calibration");
        errors[row.kind + half].add(error);
        errors["all" + std::string(half)].add(error);
        if (show) {
            std::cout << row.label() << half << "," << row.cycles << "," << cycles << "," << 100 * error
                      << "\n";
        }
    }
    std::cout << "asynchronous copies of threads, mean and worst error:\n";
    for (const auto& [name, e] : errors) {
        std::cout << "  " << name << ": " << 100 * e.mean() << " %, " << 100 * e.worst << " % (" << e.count
                  << ")\n";
    }
    CHECK(errors["all, test"].count >= 30);
    CHECK(errors["all, test"].mean() < 0.1);
    CHECK(errors["trip of all SMs, test"].mean() < 0.1);
    CHECK(errors["loads of all SMs, test"].mean() < 0.1);
}
