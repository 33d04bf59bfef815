// The four Accel-Sim sample traces through this simulator, beside Accel-Sim's own figures.
//
// Accel-Sim: dev 73f9fac with GPGPU-Sim 4.2.0, its QV100 (launch latency of 5000 cycles taken out) and Kepler
// Titan configurations, on a two-core virtual machine. No hardware number backs either side; the bound is the
// FP32 pipe of one SM's share.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "arch_specs/loader.h"
#include "model/sim/simulate.h"
#include "traces/trace/accelsim/accelsim_reader.h"

namespace {

using namespace gpumodel;

struct Sample {
    const char* folder;
    const char* arch;
    double cycles;   // Accel-Sim, without launch latency
    double seconds;  // wall
};
constexpr Sample samples[] = {{"sm70_smem32_256", "v100_sxm2", 25164 - 5000, 25.40},
                              {"sm70_bt128_512", "v100_sxm2", 189960 - 5000, 53.97},
                              {"sm35_smem32_256", "k40", 75938, 21.27},
                              {"sm35_bt128_512", "k40", 468363, 73.65}};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double ffma_bound(const SimResult& result, const ArchSpec& arch) {
    const double ffmas = result.counters.issued_by_class[static_cast<std::size_t>(OpClass::ffma)];
    const auto& ffma = arch.sm.ops[static_cast<std::size_t>(OpClass::ffma)];
    return ffmas * arch.sm.warp_size / ffma.value().lanes_per_cycle;
}

void print_sample(const Sample& sample) {
    const std::string root = GPUMODEL_SOURCE_DIR;
    const auto arch = load_arch(sample.arch, {}, {root + "/arch_specs"});
    const auto start = std::chrono::steady_clock::now();
    const auto trace = program_from_accelsim(
        root + "/tests/traces/trace/accelsim/" + sample.folder + "/kernelslist.g", std::nullopt);
    const double read = seconds_since(start);
    const auto again = std::chrono::steady_clock::now();
    SimOptions options;
    options.exact = true;
    options.l2 = L2State::cold;
    const auto exact = simulate(trace.program, arch, options);
    const double run = seconds_since(again);
    options.exact = false;
    const auto fast = simulate(trace.program, arch, options);
    const double grid_instructions = exact.counters.instructions * static_cast<double>(exact.waves.blocks) /
                                     static_cast<double>(exact.waves.busiest_sm_blocks);
    fmt::print("{:18} {:10.0f} {:10.0f} {:10.0f} {:10.0f} {:9.3f} {:9.3f} {:8.2f} {:9.0f}x\n", sample.folder,
               exact.cycles, fast.cycles, sample.cycles, ffma_bound(exact, arch), read, run,
               static_cast<double>(exact.simulated_instructions) / run / 1e6, sample.seconds / (read + run));
    fmt::print("{:18} {:.2f} million warp instructions in the grid; one SM's share {:.2f} million\n", "",
               grid_instructions / 1e6, exact.counters.instructions / 1e6);
}

}  // namespace

int main() {
    fmt::print("{:18} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>8} {:>10}\n", "trace", "exact", "fast",
               "Accel-Sim", "FP32 bound", "read s", "exact s", "M/s", "speed-up");
    for (const auto& sample : samples) {
        print_sample(sample);
    }
    return EXIT_SUCCESS;
}
