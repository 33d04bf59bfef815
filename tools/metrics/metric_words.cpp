#include "tools/metrics/metric_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/parse.h"
#include "model/counters/counters.h"
#include "model/sim/stalls.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

struct Words {
    std::string_view name, unit, meaning;
};

// By the names of the columns; units of counters are the counter table's.
constexpr auto words = std::to_array<Words>({
    {"arch", "", "the architecture file's name"},
    {"kernel", "", "family, or the entry of a listing or trace"},
    {"params", "", "the kernel's parameters, defaults included; of a listing its launch"},
    {"M", "", "rows of A and C"},
    {"N", "", "columns of B and C"},
    {"K", "", "columns of A, rows of B"},
    {"model", "", "which model the row is of: analytic or simulate"},
    {"status", "", "ok; partial: unknown instructions were stepped over; infeasible; error"},
    {"reason", "", "why there is no prediction, or what a partial one left out"},
    {"time_us", "us",
     "the predicted time: what CUDA events report as the median of back-to-back launches, launch overhead "
     "included"},
    {"gflops", "GFLOP/s", "floating-point operations of the kernel over the time"},
    {"cycles", "cycle", "SM clock cycles of the launch, without launch overhead"},
    {"threads_per_block", "", "threads of a block"},
    {"registers_per_thread", "", "registers of a thread, as compiled, given or estimated"},
    {"shared_bytes_per_block", "byte", "static and dynamic shared memory of a block"},
    {"blocks_per_sm", "", "blocks that are resident on an SM at once"},
    {"occupancy_limiter", "", "what limits them: warps, registers, shared_memory, blocks, barriers"},
    {"theoretical_occupancy", "", "resident warps of the SM's maximum, by the block's resources, 0 to 1"},
    {"achieved_occupancy", "", "the same on average over the launch, tail included"},
    {"waves", "", "blocks of the grid over those that all SMs hold at once"},
    {"bottleneck", "",
     "what saves most of the time if its limit is lifted; unknown where nothing explains it"},
    {"error_band_pct", "%",
     "nine of ten such predictions were within; empty: not measured for this family and generation"},
    {"program_source", "", "where the code came from: given, compiled, shipped, generated, library"},
    {"unknown_data", "", "instructions whose path or address hangs on device memory that nobody gave"},
    {"sm_clock_mhz", "MHz", "the SMs' clock during the launch, as --clock has it"},
    {"average_power_w", "W",
     "what the board draws on average in a long back-to-back series, random data; empty: not measured for "
     "this GPU or these instructions"},
    {"energy_mj", "mJ", "energy of a launch in such a series, what the board draws idle included"},
    {"power_band_pct", "%", "nine of ten measured launches drew within that of the predicted power"},
    {"smsp__inst_executed.sum", "", "warp instructions executed"},
    {"smsp__inst_executed_op_global_ld.sum", "", "warp instructions that load from global memory"},
    {"smsp__inst_executed_op_global_st.sum", "", "warp instructions that store to global memory"},
    {"smsp__inst_executed_op_shared_ld.sum", "", "warp instructions that load from shared memory"},
    {"smsp__inst_executed_op_shared_st.sum", "", "warp instructions that store to shared memory"},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "",
     "FFMA instructions of single threads whose predicate is on"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "",
     "global loads as requests of the L1, asynchronous copies among them"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "global stores as requests of the L1"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "",
     "32-byte sectors that global loads ask for; over the requests: 4 for 32 lanes of 4 bytes in a row, 32 "
     "at "
     "worst"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "", "32-byte sectors that global stores write"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "",
     "passes of shared loads through the banks, conflicts included"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "",
     "passes of shared stores through the banks, conflicts included"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "",
     "passes of shared loads beyond those of conflict-free accesses of their width"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "",
     "passes of shared stores beyond those of conflict-free accesses of their width"},
    {"l1tex__t_sector_hit_rate.pct", "", "sectors found in L1 of those looked up, stores included"},
    {"lts__t_sectors_srcunit_tex_op_read.sum", "", "sectors that L2 serves to the SMs"},
    {"lts__t_sectors_srcunit_tex_op_write.sum", "", "sectors that the SMs write to L2"},
    {"dram__bytes_read.sum", "", "bytes read from DRAM"},
    {"dram__bytes_write.sum", "", "bytes written to DRAM"},
    {"launch__waves_per_multiprocessor", "", "waves, as the column of that name"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "",
     "achieved occupancy over the cycles in which an SM has work"},
    {"gpu__time_duration.sum", "", "the time without launch overhead"},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "", "cycles in which a scheduler issues"},
    {"smsp__inst_executed.avg.per_cycle_active", "", "instructions per scheduler and cycle"},
    {"smsp__warps_active.avg.per_cycle_active", "", "resident warps per scheduler"},
    {"smsp__warps_eligible.avg.per_cycle_active", "", "warps per scheduler and cycle that could issue"},
    {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "",
     "use of the FMA pipe: its instructions over those it could take"},
    {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "",
     "use of the ALU pipe: its instructions over those it could take"},
    {"sm__inst_executed_pipe_tensor.avg", "", "tensor instructions of an SM"},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "",
     "cycles in which the tensor pipes work on an instruction"},
    {"lts__t_sector_hit_rate.pct", "", "what L2 serves and takes without reading it from DRAM"},
});

std::string stall_meaning(const std::string& name) {
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (stall_counter_name(reason) == name) {
            return fmt::format(
                "warp cycles in {} ({}) per cycle in which the scheduler issues; the reasons add up to the "
                "cycles a warp takes per instruction",
                to_string(reason), stall_words(reason));
        }
    }
    return "";
}

const Words* words_of(std::string_view name) {
    const auto found =
        std::find_if(words.begin(), words.end(), [name](const Words& w) { return w.name == name; });
    return found == words.end() ? nullptr : &*found;
}

Metric counter(const CounterRow& row) {
    const auto* known = words_of(row.name);
    return {row.name, row.unit, row.analytic ? "analytic, simulate" : "simulate",
            known != nullptr ? std::string(known->meaning) : stall_meaning(row.name)};
}

}  // namespace

std::vector<Metric> metrics() {
    std::vector<Metric> list;
    const auto header = csv_header();
    const auto columns = split(std::string_view(header).substr(0, header.size() - 1), ',');
    const auto fixed = columns.size() - counter_table().size();
    for (std::size_t i = 0; i < fixed; ++i) {
        const auto* known = words_of(columns[i]);
        list.push_back({std::string(columns[i]), known != nullptr ? std::string(known->unit) : "",
                        "analytic, simulate", known != nullptr ? std::string(known->meaning) : ""});
    }
    for (const auto& row : counter_table()) {
        list.push_back(counter(row));
    }
    return list;
}

}  // namespace gpumodel::cli
