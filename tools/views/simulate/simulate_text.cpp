#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/sim/stalls.h"
#include "tools/views/explain/explain_views.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/text_rows.h"
#include "tools/views/simulate/simulate_views.h"

namespace gpumodel::cli {
namespace {

using Out = TextOut;

void head(Out out, const Simulation& s, const ArchSpec& arch) {
    const auto& p = s.prediction;
    fmt::format_to(out, "simulate {} on {} [{}]\n", p.kernel, arch.marketing_name, arch.generation);
    text_launch(out, p);
}

// One line per warp of the dump that a stopped run leaves.
void failure(Out out, const Prediction& p) {
    fmt::format_to(out, "  {}: ", to_string(p.status));
    std::string reason = p.reason;
    for (auto at = reason.find("; "); at != std::string::npos; at = reason.find("; ", at)) {
        reason.replace(at, 2, "\n    ");
    }
    fmt::format_to(out, "{}\n", reason);
}

void summary(Out out, const Simulation& s, const ArchSpec& arch) {
    const auto& p = s.prediction;
    const auto& run = s.run;
    text_row(out, "Time",
             fmt::format("{}   ({:.0f} cycles at {} + {} launch overhead, L2 {})",
                         human_time(run.time_seconds), run.cycles, human_si(p.sm_hz, "Hz"),
                         human_time(arch.launch.overhead_seconds), s.cold ? "cold" : "warm"));
    if (!p.unknown_data.empty()) {
        text_row(out, "Hangs on data that nobody gave",
                 unknown_data_words(p, 2) + "; give it with --args or --variables");
    }
    text_row(out, "Blocks",
             fmt::format("{} of {} threads, {} resident per SM; the busiest SM runs {}", run.waves.blocks,
                         p.resources.threads, run.waves.blocks_per_sm, run.waves.busiest_sm_blocks));
    text_row(out, "Occupancy",
             fmt::format("{:.1f} % theoretical, {:.1f} % achieved", 100 * p.occupancy.occupancy,
                         100 * run.achieved_occupancy));
    text_row(out, "Issue active",
             fmt::format("{:.1f} % of the schedulers' cycles, {:.2f} instructions per cycle",
                         100 * run.issue_active, run.issue_active * arch.sm.schedulers));
    text_extrapolation(out, *p.simulation);
}

void stall_check(Out out, const SimResult& run) {
    const bool holds = run.accounted_warp_cycles == run.resident_warp_cycles;
    fmt::format_to(
        out, "  Check: {:.0f} warp cycles have a reason, the simulated warps were resident for {:.0f}: {}\n",
        run.accounted_warp_cycles, run.resident_warp_cycles,
        holds ? "every cycle has exactly one" : "THEY DIFFER");
}

// "long_scoreboard 60 %, barrier 20 %": what a row waits for most.
template <typename Cycles>
std::string main_reasons(const Cycles& cycles) {
    const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
    std::vector<std::size_t> order(cycles.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cycles[a] > cycles[b]; });
    std::string words;
    constexpr double least = 0.1;
    for (const auto r : order) {
        if (all > 0 && cycles[r] >= least * all) {
            words += fmt::format("{}{} {:.0f} %", words.empty() ? "" : ", ",
                                 to_string(static_cast<StallReason>(r)), 100 * cycles[r] / all);
        }
    }
    return words;
}

void more(Out out, std::size_t shown, std::size_t all) {
    if (shown < all) {
        fmt::format_to(out, "  ({} more: --instructions N, or --format csv for all)\n", all - shown);
    }
}

void instructions(Out out, const Simulation& s) {
    const auto& lines = s.prediction.simulation->instructions_by_stall;
    text_section(out, "Instructions: where warps spend most cycles");
    fmt::format_to(out, "  {:>6} {:>13} {:>13}  {:<22}  {:<22}{:<22}  {}\n", "%", "warp cycles", "issues",
                   "at", "instruction", "access", "reasons from 10 % on");
    const auto rows = std::min(s.instructions, lines.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const auto& line = lines[i];
        const double cycles = std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0);
        fmt::format_to(out, "  {:>6.1f} {:>13.0f} {:>13.0f}  {:<22}  {:<22}{:<22}  {}\n",
                       100 * cycles / s.run.counters.warp_cycles, cycles, line.issues, place_of(line),
                       line.mnemonic, line.site, main_reasons(line.stall_cycles));
    }
    more(out, rows, lines.size());
}

void sites(Out out, const Simulation& s) {
    text_section(out, "Source sites: the same by access and segment");
    fmt::format_to(out, "  {:>6} {:>13} {:>13}  {:<22}  {:<24}{}\n", "%", "warp cycles", "instructions",
                   "segment", "access", "reasons from 10 % on");
    const auto rows = std::min(s.instructions, s.sites.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const auto& site = s.sites[i];
        fmt::format_to(out, "  {:>6.1f} {:>13.0f} {:>13.0f}  {:<22}  {:<24}{}\n",
                       100 * site.warp_cycles / s.run.counters.warp_cycles, site.warp_cycles,
                       site.instructions, site.segment, site.site.empty() ? "(other)" : site.site,
                       main_reasons(site.cycles));
    }
    more(out, rows, s.sites.size());
}

void pipes(Out out, const Simulation& s) {
    text_section(out, "Pipes and caches of the simulated SM");
    fmt::format_to(out, "  {:<22}  {:>16} {:>15}\n", "pipe", "instructions", "% of peak");
    for (const auto& pipe : s.use.pipes) {
        fmt::format_to(out, "  {:<22}  {:>16.0f} {:>15.1f}\n", to_string(pipe.pipe), pipe.instructions,
                       100 * pipe.utilisation);
    }
    fmt::format_to(out, "  {:<22}  {:>16} {:>15.1f}\n", "data pipe (wavefronts)", "", 100 * s.use.data_pipe);
    const auto& c = s.run.counters;
    text_row(out, "Shared-memory wavefronts",
             fmt::format("{:.0f}, of which bank conflicts {:.0f}", c.shared_wavefronts, c.shared_conflicts));
    text_row(out, "L1 hit rate of loads",
             s.use.l1_hit_rate
                 ? fmt::format("{:.1f} % of {:.0f} sectors", 100 * *s.use.l1_hit_rate, c.l1_load_sectors)
                 : "-");
    text_row(
        out, "L2 reads, writes",
        fmt::format("{:.2f}, {:.2f} B/cycle", s.use.l2_read_bytes_per_cycle, s.use.l2_write_bytes_per_cycle));
}

void counters(Out out, const Simulation& s) {
    text_section(out, "Counters of the launch");
    for (const auto& counter : s.prediction.counters) {
        fmt::format_to(out, "  {:<70}  {:>18}\n", counter.name, number(counter.value));
    }
}

}  // namespace

std::string timeline_text(const TimelineView& timeline) {
    std::string text;
    const auto out = std::back_inserter(text);
    const auto& w = timeline.window;
    fmt::format_to(out, "\nTimeline: cycles {} to {} of {} simulated, warps {} of {}\n", w.from,
                   w.from + w.cycles - 1, timeline.last_cycle, timeline.rows.size(), timeline.warps);
    fmt::format_to(out, "  scheduler block-slot warp\n");
    constexpr std::int64_t tick = 10;
    std::string ruler;
    for (std::int64_t c = 0; c < w.cycles; c += tick) {
        ruler += fmt::format("{:<10}", w.from + c);
    }
    fmt::format_to(out, "  {:>3} {:>4} {:>4}  {}\n", "", "", "", ruler);
    for (const auto& row : timeline.rows) {
        fmt::format_to(out, "  {:>3} {:>4} {:>4}  {}\n", row.scheduler, row.slot, row.warp, row.cells);
    }
    text += "  upper case: issued; lower case and '-': why not; blank: not resident\n";
    std::string line = " ";
    constexpr std::size_t width = 100;
    for (const auto& entry : timeline_legend()) {
        const auto item = fmt::format(" {} {},", entry.letter, entry.meaning);
        if (line.size() + item.size() > width) {
            text += line + "\n";
            line = " ";
        }
        line += item;
    }
    line.pop_back();
    return text + line + "\n";
}

std::string simulation_text(const Simulation& s, const ArchSpec& arch) {
    std::string text;
    const auto out = std::back_inserter(text);
    head(out, s, arch);
    if (!is_predicted(s.prediction.status)) {
        failure(out, s.prediction);
    } else {
        if (s.prediction.status == Status::partial) {
            text_row(out, "Partial", s.prediction.reason);
        }
        summary(out, s, arch);
        text_stalls(out, *s.prediction.simulation);
        stall_check(out, s.run);
        instructions(out, s);
        sites(out, s);
        pipes(out, s);
        counters(out, s);
        text += explain_text(s.explained);
    }
    if (s.timeline) {
        text += timeline_text(*s.timeline);
    }
    if (!s.prediction.gaps.empty()) {
        text_section(out, "Left out");
        for (const auto& gap : s.prediction.gaps) {
            fmt::format_to(out, "  {}\n", gap);
        }
    }
    return text;
}

}  // namespace gpumodel::cli
