// What only the simulator knows, as text: warp stalls, hot instructions, how much was extrapolated.
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction/text_rows.h"

namespace gpumodel {
void text_extrapolation(TextOut out, const SimulationReport& run) {
    text_row(out, "Simulated", simulated_part(run) + (run.extrapolated() ? " (--exact: none)" : ""));
}

void text_stalls(TextOut out, const SimulationReport& run) {
    text_section(out, "Warp stalls: where the resident warps' cycles go");
    fmt::format_to(out, "  {:<18}  {:>16} {:>19}   {}\n", "reason", "% of cycles", "cycles per issue",
                   "waits for");
    double share = 0;
    double per_issue = 0;
    for (const auto& s : ranked_stalls(run)) {
        fmt::format_to(out, "  {:<18}  {:>16.1f} {:>19.2f}   {}\n", to_string(s.reason), s.share_pct,
                       s.cycles_per_issue, stall_words(s.reason));
        share += s.share_pct;
        per_issue += s.cycles_per_issue;
    }
    fmt::format_to(out, "  {:<18}  {:>16.1f} {:>19.2f}\n", "sum", share, per_issue);
    fmt::format_to(out, "  Schedulers issue {:.3f} instructions per cycle each.\n", run.issue_active);
}

void text_hot_instructions(TextOut out, const SimulationReport& run) {
    if (run.instructions_by_stall.empty()) {
        return;
    }
    text_section(out, "Hot instructions: where warps spend most cycles");
    fmt::format_to(out, "  {:>6}  {:<24}  {:<22}{:<22}  {}\n", "%", "at", "instruction", "access",
                   "main reason");
    constexpr std::size_t most = 8;
    const auto rows = hot_instructions(run, most);
    for (const auto& [line, share, reason] : rows) {
        const auto at = place_of(*line) + (line->source.empty() ? "" : "  " + line->source);
        fmt::format_to(out, "  {:>6.1f}  {:<24}  {:<22}{:<22}  {} ({:.0f} %)\n", 100 * share, at,
                       line->mnemonic, line->address > 0 ? "" : line->site, to_string(reason.reason),
                       reason.share_pct);
    }
    if (rows.size() < run.instructions_by_stall.size()) {
        fmt::format_to(out, "  ({} more; json lists the first 64)\n",
                       run.instructions_by_stall.size() - rows.size());
    }
}

}  // namespace gpumodel
