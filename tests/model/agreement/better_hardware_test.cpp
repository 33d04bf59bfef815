// A GPU that is better in one thing is never slower, in either model.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/analytic/predict.h"
#include "model/sim/simulate.h"
#include "tests/support/family_programs.h"
#include "tests/support/micro.h"

using namespace gpumodel;

namespace {

struct Change {
    std::string what;
    void (*apply)(ArchSpec&);
    double allowed = 0;  // slower, as part of the time
};

const std::vector<Change> changes{
    {"DRAM bandwidth", [](ArchSpec& a) { a.dram.bandwidth_bytes_per_second *= 2; }},
    {"DRAM latency", [](ArchSpec& a) { a.dram.latency_cycles = a.l2.latency_cycles; }},
    {"L2 bandwidth",
     [](ArchSpec& a) {
         a.l2.read_bytes_per_cycle *= 2;
         a.l2.write_bytes_per_cycle *= 2;
         a.l2.read_bytes_per_cycle_per_sm *= 2;
     }},
    {"L2 latency",
     [](ArchSpec& a) {
         a.l2.latency_cycles *= 0.75;
         if (a.l2.far_latency_cycles) {
             *a.l2.far_latency_cycles *= 0.75;
         }
     }},
    {"L2 size", [](ArchSpec& a) { a.l2.size_bytes *= 4; }},
    {"L1 latency", [](ArchSpec& a) { a.l1.latency_cycles *= 0.5; }},
    {"shared bandwidth", [](ArchSpec& a) { a.sm.shared_memory.bandwidth_bytes_per_cycle *= 2; }},
    {"shared latency",
     [](ArchSpec& a) {
         auto& shared = a.sm.shared_memory;
         for (auto* cycles :
              {&shared.latency_32_cycles, &shared.latency_64_cycles, &shared.latency_128_cycles}) {
             *cycles *= 0.5;
         }
     }},
    {"banks",
     [](ArchSpec& a) {
         a.sm.shared_memory.banks *= 2;
         a.sm.shared_memory.bandwidth_bytes_per_cycle *= 2;
     }},
    {"register ports", [](ArchSpec& a) { a.sm.register_file.reads_per_bank_per_cycle *= 2; }},
    {"barrier latency", [](ArchSpec& a) { a.sm.barrier.latency_cycles = 0; }},
    {"branch latency", [](ArchSpec& a) { a.sm.branch_latency_cycles *= 0.5; }},
    {"block turnover", [](ArchSpec& a) { a.launch.block_turnover_cycles = 0; }},
    {"clock", [](ArchSpec& a) { a.clock.sm_hz *= 1.2; }},
    // where L2 decides, an SM of half the blocks hides less of what one of them waits for
    {"SMs", [](ArchSpec& a) { a.sm_count *= 2; }, 0.002},
};

const std::vector<std::string> kernels{"naive",        "coalesced",   "smem",
                                       "blocktile1d",  "vectorized",  "warptile",
                                       "doublebuffer", "stride_copy", "transpose_naive"};

// Some 100 blocks for the tiled ones; copies and transposes of as many words.
ProblemShape shape_of(const std::string& kernel) {
    return kernel.ends_with("copy") || kernel.starts_with("transpose") ? ProblemShape{1024, 1024, 1}
                                                                       : ProblemShape{1024, 1024, 128};
}

// Rounds of blocks whose warps fall into another step when anything changes: more bandwidth may cost them
// more than it gives (as with any greedy scheduler).
struct Restless {
    std::string arch, kernel;
};
const std::vector<Restless> restless{{"k40", "blocktile1d"}, {"k40", "vectorized"},
                                     {"k40", "warptile"},    {"v100_sxm2", "smem"},
                                     {"rtx_a6000", "smem"},  {"rtx_a6000", "blocktile1d"}};

bool is_restless(const std::string& arch, const std::string& kernel) {
    return std::any_of(restless.begin(), restless.end(),
                       [&](const Restless& r) { return r.arch == arch && r.kernel == kernel; });
}

double analytic_seconds(const KernelProgram& program, const ArchSpec& arch) {
    return predict_analytic(program, arch).time_seconds;
}

double simulated_seconds(const KernelProgram& program, const ArchSpec& arch) {
    return simulate(program, arch).time_seconds;
}

// No change makes the kernel slower by more than `allowed` of its time.
void check_never_slower(const std::string& arch_name, const std::string& kernel, double allowed,
                        double (*seconds)(const KernelProgram&, const ArchSpec&)) {
    // no drift: with it a cycle can decide whether an SM takes one block more
    const auto base = micro::shipped_arch(arch_name, {"launch.sm_drift=0"});
    const auto program = test::family_program(kernel, base, shape_of(kernel));
    const double before = seconds(program, base);
    for (const auto& change : changes) {
        auto better = base;
        change.apply(better);
        INFO(kernel << " on " << arch_name << " with better " << change.what);
        CHECK(seconds(program, better) <= before * (1 + std::max(allowed, change.allowed)));
    }
}

const std::vector<std::string> archs{"k40", "v100_sxm2", "rtx_a6000", "h200_sxm"};

}  // namespace

TEST_CASE("better hardware is never slower: analytic", "[agreement][property]") {
    for (const auto& arch : archs) {
        for (const auto& kernel : kernels) {
            check_never_slower(arch, kernel, 1e-9, analytic_seconds);
        }
    }
}

TEST_CASE("better hardware is never slower: simulator", "[agreement][property][slow]") {
    for (const auto& arch : archs) {
        for (const auto& kernel : kernels) {
            if (!is_restless(arch, kernel)) {
                check_never_slower(arch, kernel, 0.02, simulated_seconds);
            }
        }
    }
}

TEST_CASE("better hardware: where warps fall into another step, an eighth slower at most",
          "[agreement][gap][slow]") {
    for (const auto& r : restless) {
        check_never_slower(r.arch, r.kernel, 0.125, simulated_seconds);  // A6000 blocktile1d: 10.7 %
    }
}
