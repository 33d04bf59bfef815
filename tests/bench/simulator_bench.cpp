// Speed of the simulator: exact runs in warp-instructions per second, and `predict --model simulate` of every
// family at its default shape (4096^3), with the peak memory of the process.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "arch_specs/loader.h"
#include "model/sim/predict_simulated.h"
#include "sized_program.h"

namespace {

using namespace gpumodel;

ArchSpec spec(const std::string& name) {
    return load_arch(name, {}, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
}

KernelProgram generated(const std::string& family_name, const ProblemShape& shape, const ArchSpec& arch) {
    const auto* family = find_family(family_name);
    return make_program(*family, resolve_params(*family, {}), shape, target_of(arch)).program.value();
}

double peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// The 128 x 128 x 8 block tile at 512^3; one SM's share of the grid.
void exact_sgemm(benchmark::State& state, const std::string& arch_name) {
    const auto arch = spec(arch_name);
    const auto program = generated("vectorized", {512, 512, 512}, arch);
    SimOptions options;
    options.exact = true;
    double instructions = 0;
    for (auto _ : state) {
        const auto result = simulate(program, arch, options);
        instructions += static_cast<double>(result.simulated_instructions);
    }
    state.counters["warp_instructions/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
}

// The same tile, enough blocks for every SM to hold as many as fit, twice.
void exact_full_sm(benchmark::State& state, const std::string& arch_name) {
    const auto arch = spec(arch_name);
    const auto program = generated("vectorized", {512, 128 * arch.sm_count, 512}, arch);
    SimOptions options;
    options.exact = true;
    double instructions = 0;
    for (auto _ : state) {
        const auto result = simulate(program, arch, options);
        instructions += static_cast<double>(result.simulated_instructions);
    }
    state.counters["warp_instructions/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
}

void predict_family(benchmark::State& state, const std::string& arch_name, const Family& family) {
    const auto arch = spec(arch_name);
    double instructions = 0;
    for (auto _ : state) {
        const auto prediction =
            predict_simulated(generated(family.name, family.default_shape, arch), arch, {});
        instructions = static_cast<double>(prediction.simulation->simulated_instructions);
    }
    state.counters["simulated"] = instructions;
    state.counters["peak_MiB"] = peak_mebibytes();
}

}  // namespace

int main(int argc, char** argv) {
    for (const std::string name : {"h200_sxm", "v100_sxm2", "k40"}) {
        benchmark::RegisterBenchmark(("exact/sgemm_512/" + name).c_str(), exact_sgemm, name)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("exact/full_sm/" + name).c_str(), exact_full_sm, name)
            ->Unit(benchmark::kMillisecond);
        const auto arch = spec(name);
        for (const auto& family : generated_families()) {
            if (arch.cc.number() >= family.min_compute_capability) {
                benchmark::RegisterBenchmark(("predict_4096/" + family.name + "/" + name).c_str(),
                                             predict_family, name, family)
                    ->Unit(benchmark::kMillisecond)
                    ->Iterations(1);
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
