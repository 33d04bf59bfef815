// The suites that gpumodel-measure runs. Each takes up a csv that exists and adds the rows that it lacks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "validate/measure/instance.cuh"
#include "validate/microbench/microbench.cuh"

namespace gpumodel::measure {

// Shows the row at work on a terminal; keeps the lines that matter.
class Progress {
public:
    explicit Progress(bool terminal) : terminal_(terminal) {}
    void show(const std::string& text) const;
    void line(const std::string& text) const;

private:
    bool terminal_;
};

struct KernelChoice {
    std::vector<Shape> shapes;
    std::vector<std::string> families;  // empty: all
    int configurations = 0;       // at most so many of each family, in the order of instances.cuh; 0: all
    std::set<std::string> rows;   // family,params,M,N,K of the only launches to make; empty: all
    double longest_launch_s = 1;  // slower ones are left out, with a line that says so
};

// The chosen instances that this GPU can run. Throws std::runtime_error for a family that does not exist.
[[nodiscard]] std::vector<Instance> chosen_instances(const KernelChoice& choice);

// csv: benchmark,params,metric,median,min,max,samples
void run_microbenchmarks(const microbench::Device& device, const std::string& out, const Progress& progress);

// The two halves of L2 (microbench/l2) and the L1's cost of a request; csv as above. `once`: one launch of
// every residence and tile walk behind a warm-up one, nothing timed, the rows' names on stdout in launch
// order.
void run_l2(const microbench::Device& device, const std::string& out, bool once, const Progress& progress);

// Kernels that live on memory and loops of dependent arithmetic (microbench/memory); csv as above. `once`:
// one launch of every held-back kernel, nothing timed, the rows' names on stdout in launch order.
void run_memory(const microbench::Device& device, const std::string& out, bool once,
                const Progress& progress);

// csv: family,params,M,N,K,threads,registers,blocks_per_sm,static_shared_bytes,local_bytes,
// time_us_median,time_us_min,time_us_max,launches
// Every instance is checked before its first row; returns how many were wrong, which are not timed.
[[nodiscard]] int run_kernels(const microbench::Device& device, const KernelChoice& choice,
                              const std::string& out, const Progress& progress);

// Power and clock of every choice, launched for 2.5 s after a rest (power_meter.cuh); csv:
// family,params,M,N,K, time_us_first_80ms,time_us_second_half, power_columns()
void run_power(const microbench::Device& device, const KernelChoice& choice, const std::string& out,
               const Progress& progress);

// One launch of every choice, nothing checked or timed: for a profiler.
void run_once(const KernelChoice& choice);

// Checks every choice; returns how many were wrong.
[[nodiscard]] int run_checks(const KernelChoice& choice, const Progress& progress);

}  // namespace gpumodel::measure
