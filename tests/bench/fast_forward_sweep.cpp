// Extrapolated runs against exact ones over all families: prints the deviation, the bound that the result
// claims, and how much was simulated.
//
//   bench_fast_forward [ARCH...]      default: k40 v100_sxm2 rtx_a6000 h200_sxm
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "model/sim/simulate.h"
#include "sized_program.h"

namespace {

using namespace gpumodel;

struct Worst {
    double deviation = 0;
    int rows = 0, beyond_one_percent = 0, beyond_bound = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void compare(const bench::SizedProgram& sized, const ArchSpec& arch, Worst& worst) {
    const auto start = std::chrono::steady_clock::now();
    const auto fast = simulate(sized.program, arch);
    const double fast_seconds = seconds_since(start);
    SimOptions options;
    options.exact = true;
    const auto again = std::chrono::steady_clock::now();
    const auto exact = simulate(sized.program, arch, options);
    const double exact_seconds = seconds_since(again);
    if (fast.status != SimStatus::ok || exact.status != SimStatus::ok) {
        fmt::print("{:12} {:20} {}\n", arch.name, sized.name, fast.reason + exact.reason);
        return;
    }
    const double deviation = 100 * (fast.cycles / exact.cycles - 1);
    const auto& done = fast.extrapolation;
    fmt::print(
        "{:12} {:20} {:48} {:10.0f} {:+7.2f} % bound {:5.2f} %  trips {:6.0f}/{:5} blocks {:4}/{:4}  "
        "{:5.1f} % of {:9} in {:.2f} s of {:.2f} s\n",
        arch.name, sized.name, sized.params, exact.cycles, deviation, done.error_bound_pct,
        static_cast<double>(done.simulated_trips), done.trips, done.simulated_blocks, done.blocks,
        100.0 * static_cast<double>(fast.simulated_instructions) /
            static_cast<double>(exact.simulated_instructions),
        exact.simulated_instructions, fast_seconds, exact_seconds);
    std::fflush(stdout);
    ++worst.rows;
    worst.deviation = std::max(worst.deviation, std::abs(deviation));
    worst.beyond_one_percent += std::abs(deviation) > 1 ? 1 : 0;
    worst.beyond_bound += std::abs(deviation) > done.error_bound_pct + 0.05 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> names(argv + 1, argv + argc);
    if (names.empty()) {
        names = {"k40", "v100_sxm2", "rtx_a6000", "h200_sxm"};
    }
    for (const auto& name : names) {
        const auto arch =
            load_arch(name, {{"launch.sm_drift", "0"}}, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
        Worst worst;
        for (const auto& sized : bench::all_families(arch, bench::tile_variants, 8, 1024)) {
            compare(sized, arch, worst);
        }
        fmt::print("{}: {} rows, worst {:.2f} %, {} beyond 1 %, {} beyond their bound\n", name, worst.rows,
                   worst.deviation, worst.beyond_one_percent, worst.beyond_bound);
    }
    return EXIT_SUCCESS;
}
