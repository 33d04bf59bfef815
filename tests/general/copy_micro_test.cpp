// Loops of bulk and tensor copies (validate/microbench/tensor/copies.cu) in the simulator against an H200's
// cycles per copy (validate/data/h200_sxm_tensor_micro.csv: bulk_copy*, tma2d*).
//
// sm.copy_engine and the latencies of the instructions around copies in sm_90.yaml were fitted to the rows of
// one SM that split_of() puts into the calibration half; the others judge.
#include <catch2/catch.hpp>
#include <cmath>
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

using namespace gpumodel;

namespace {

struct CopyRow {
    bool tensor = false, all_sms = false;
    int size = 0, depth = 0, per = 0;  // size: bytes, of tensor copies rows of 128 bytes
    double cycles = 0;
    [[nodiscard]] std::string name() const {
        return std::string(tensor ? "tensor" : "bulk") + (all_sms ? " all " : " ") + std::to_string(size) +
               " " + std::to_string(depth) + " " + std::to_string(per);
    }
};

// "cp.async.bulk.shared.global 256 B", "cp.async.bulk.tensor.2d 64x8 bf16 swizzle128"; "2 stages in flight; 4
// copies per stage; one SM; L2 hits"
std::vector<CopyRow> measured_copies() {
    std::ifstream in(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_tensor_micro.csv");
    std::vector<CopyRow> rows;
    for (std::string line; std::getline(in, line);) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        if (f.size() < 9 || (!f[0].starts_with("bulk_copy") && !f[0].starts_with("tma2d"))) {
            continue;
        }
        CopyRow row;
        row.tensor = f[0].starts_with("tma2d");
        row.all_sms = f[0].ends_with("all_sms");
        const auto blank = f[1].find(' ');
        row.size = std::stoi(row.tensor ? f[1].substr(f[1].find('x', blank) + 1) : f[1].substr(blank));
        row.depth = std::stoi(f[8]);
        row.per = std::stoi(f[8].substr(f[8].find(';') + 1));
        row.cycles = std::stod(f[4]);
        rows.push_back(row);
    }
    return rows;
}

double loop_cycles(const SassModule& module, const CopyRow& row, const ArchSpec& arch, int trips) {
    SassLaunch launch;
    launch.grid = {row.all_sms ? 132 : 1, 1, 1};
    launch.block = {32, 1, 1};
    launch.dynamic_shared_bytes =
        row.size * (row.tensor ? 128 : 1) * row.depth * row.per + (row.tensor ? 1024 : 0);
    const auto first = std::to_string(trips) + "," + std::to_string(row.depth) + "," +
                       std::to_string(row.per) + "," + std::to_string(row.size) + ",ptr:4KiB,";
    const auto box = ",64x" + std::to_string(row.size) + ",128),";
    launch.arguments =
        parse_arguments(first + (!row.tensor   ? (row.all_sms ? "ptr:16896KiB,131072" : "ptr:256KiB,262144")
                                 : row.all_sms ? "tmap(ptr,bf16,4096x2048,8192" + box + "2048,4096"
                                               : "tmap(ptr,bf16,256x512,512" + box + "512,256"));
    const auto* function = module.find(row.tensor ? "tensor_copies" : "bulk_copies");
    REQUIRE(function != nullptr);
    const auto run = simulate(program_from_sass(*function, launch), arch);
    REQUIRE(run.status == SimStatus::ok);
    return run.cycles;
}

struct CopyErrors {
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

TEST_CASE("loops of bulk and tensor copies against an H200", "[general]") {
    const auto arch = load_arch("h200_sxm");
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/tensor/copies.sass.gz");
    std::map<std::string, CopyErrors> errors;
    for (const auto& row : measured_copies()) {
        constexpr int trips = 16;
        const double cycles =
            (loop_cycles(module, row, arch, 2 * trips) - loop_cycles(module, row, arch, trips)) /
            (trips * row.per);
        const double error = cycles / row.cycles - 1;
        const std::string half = row.all_sms                               ? "132 SMs, test"
                                 : split_of(row.name(), {}) == Split::test ? "one SM, test"
                                                                           : "one SM, calibration";
        errors[std::string(row.tensor ? "tensor copies, " : "bulk copies, ") + half].add(error);
        if (std::getenv("GPUMODEL_SHOW") != nullptr) {
            std::cout << half << "," << row.name() << "," << row.cycles << "," << cycles << "," << 100 * error
                      << "\n";
        }
    }
    std::cout << "loops of copies, mean and worst error:\n";
    for (const auto& [name, e] : errors) {
        std::cout << "  " << name << ": " << 100 * e.mean() << " %, " << 100 * e.worst << " % (" << e.count
                  << ")\n";
    }
    CHECK(errors["tensor copies, one SM, test"].count >= 10);
    CHECK(errors["tensor copies, one SM, test"].mean() < 0.1);
    CHECK(errors["bulk copies, one SM, test"].mean() < 0.1);
}
