// What only the simulator knows, as text: warp stalls, hot instructions, how much was extrapolated.
#include <algorithm>
#include <numeric>

#include "model/sim/stalls.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/text_rows.h"

namespace gpumodel {
namespace {

constexpr std::size_t hot_rows = 8;

std::string place_of(const InstructionReport& line) {
    if (line.address > 0) {
        return fmt::format("{:#06x}", line.address);
    }
    return line.index < 0 ? line.segment : fmt::format("{} +{}", line.segment, line.index);
}

std::string part(std::int64_t done, std::int64_t all, const char* what) {
    return fmt::format("{} of {} {}", done, all, what);
}

}  // namespace

void text_extrapolation(TextOut out, const SimulationReport& run) {
    std::vector<std::string> parts;
    if (run.simulated_blocks < run.blocks) {
        parts.push_back(part(run.simulated_blocks, run.blocks, "blocks of the SM"));
    }
    if (run.simulated_trips < run.trips) {
        parts.push_back(part(run.simulated_trips, run.trips, "trips of the longest loop"));
    }
    text_row(
        out, "Simulated",
        fmt::format(
            "{}, {} warp instructions{}",
            parts.empty() ? "the busiest SM's whole launch" : fmt::format("{}", fmt::join(parts, ", ")),
            run.simulated_instructions, parts.empty() ? "" : "; the rest is extrapolated (--exact: none)"));
}

void text_stalls(TextOut out, const SimulationReport& run) {
    text_section(out, "Warp stalls: where the resident warps' cycles go");
    fmt::format_to(out, "  {:<20}{:>16}{:>20}   {}\n", "reason", "% of cycles", "cycles per issue",
                   "waits for");
    double share = 0;
    double per_issue = 0;
    for (const auto& s : ranked_stalls(run)) {
        fmt::format_to(out, "  {:<20}{:>16.1f}{:>20.2f}   {}\n", to_string(s.reason), s.share_pct,
                       s.cycles_per_issue, stall_words(s.reason));
        share += s.share_pct;
        per_issue += s.cycles_per_issue;
    }
    fmt::format_to(out, "  {:<20}{:>16.1f}{:>20.2f}\n", "sum", share, per_issue);
    fmt::format_to(out, "  Schedulers issue in {:.1f} % of the cycles.\n", 100 * run.issue_active);
}

void text_hot_instructions(TextOut out, const SimulationReport& run) {
    if (run.instructions_by_stall.empty()) {
        return;
    }
    text_section(out, "Hot instructions: where warps spend most cycles");
    fmt::format_to(out, "  {:>6}  {:<26}{:<22}{:<24}{}\n", "%", "at", "instruction", "access", "main reason");
    const auto rows = std::min(hot_rows, run.instructions_by_stall.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const auto& line = run.instructions_by_stall[i];
        const double cycles = std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0);
        const auto reason = main_stall(line);
        fmt::format_to(out, "  {:>6.1f}  {:<26}{:<22}{:<24}{} ({:.0f} %)\n", 100 * cycles / run.warp_cycles,
                       place_of(line), line.mnemonic, line.address > 0 ? "" : line.site,
                       to_string(reason.reason), reason.share_pct);
    }
    if (rows < run.instructions_by_stall.size()) {
        fmt::format_to(out, "  ({} more; json lists the first 64)\n",
                       run.instructions_by_stall.size() - rows);
    }
}

}  // namespace gpumodel
