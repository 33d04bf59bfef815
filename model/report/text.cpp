#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/report/report.h"

namespace gpumodel {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string limiter_words(const Occupancy& o) {
    std::vector<std::string> names;
    for (const auto l : o.limiters) {
        names.emplace_back(to_string(l));
    }
    return fmt::format("{}", fmt::join(names, " and "));
}

void row(Out out, const std::string& label, const std::string& value) {
    fmt::format_to(out, "  {:<34}{}\n", label, value);
}

void headline(Out out, const Prediction& p, const ArchSpec& arch) {
    std::string meaning;
    if (!arch.requested_name.empty() && arch.requested_name != arch.name &&
        arch.requested_name == arch.generation) {
        meaning = fmt::format(" ({} means its default product {})", arch.requested_name, arch.name);
    }
    fmt::format_to(out, "{} on {} [{}]{}\n", p.kernel, arch.marketing_name, arch.generation, meaning);
    fmt::format_to(out, "M={} N={} K={}  {}\n\n", p.m, p.n, p.k,
                   p.params.empty() ? "(no parameters)" : p.params);
}

void estimates_summary(Out out, const Prediction& p) {
    constexpr std::size_t shown = 4;
    std::string list = fmt::format(
        "{}",
        fmt::join(p.estimates.begin(),
                  p.estimates.begin() + static_cast<std::ptrdiff_t>(std::min(shown, p.estimates.size())),
                  ", "));
    if (p.estimates.size() > shown) {
        list += fmt::format(" and {} spec values (section Estimates)", p.estimates.size() - shown);
    }
    row(out, "Estimated inputs", list);
}

void first_screen(Out out, const Prediction& p, const ArchSpec& arch) {
    headline(out, p, arch);
    if (p.status != Status::ok) {
        fmt::format_to(out, "  {}: {}\n", to_string(p.status), p.reason);
        return;
    }
    row(out, "Time",
        fmt::format("{}   (model: {}, L2 and clocks as below)", human_time(p.time_seconds), p.model));
    if (p.flops > 0) {
        row(out, "Throughput",
            fmt::format("{:.0f} GFLOP/s, {:.1f} % of the FP32 peak of {}", p.flops_per_second() / 1e9,
                        100 * p.fraction_of_peak(), human_si(p.peak_flops, "FLOP/s")));
    }
    row(out, "Effective bandwidth", human_si(p.effective_bytes / p.time_seconds, "B/s"));
    row(out, "Bottleneck", p.bottleneck_words);
    row(out, "Occupancy",
        fmt::format("{:.1f} % theoretical ({} of {} warps, {} blocks/SM), limited by {}",
                    100 * p.occupancy.occupancy, p.occupancy.active_warps, arch.sm.max_warps,
                    p.occupancy.blocks_per_sm, limiter_words(p.occupancy)));
    estimates_summary(out, p);
    row(out, "Error band",
        p.error_band_pct ? fmt::format("+-{:.0f} %", *p.error_band_pct)
                         : "not measured for this kernel family and generation");
}

void section_title(Out out, const std::string& title) {
    fmt::format_to(out, "\n{}\n", title);
}

void speed_of_light(Out out, const Prediction& p) {
    section_title(out, "Speed of light: lower bounds on the launch, each by one cause alone");
    fmt::format_to(out, "  {:<18}{:>14}{:>11}   {}\n", "bound", "cycles", "% of time", "formula");
    for (const auto& b : p.bounds) {
        const bool winner =
            std::find(p.bottlenecks.begin(), p.bottlenecks.end(), b.name) != p.bottlenecks.end();
        fmt::format_to(out, "{} {:<18}{:>14.0f}{:>11.1f}   {}\n", winner ? "*" : " ", b.name, b.cycles,
                       100 * b.cycles / p.cycles, b.formula);
    }
    fmt::format_to(out, "  * = bottleneck (within 2 % of the largest)\n");
}

void time_terms(Out out, const Prediction& p, const ArchSpec& arch) {
    section_title(out, "Time");
    row(out, "Full rounds",
        fmt::format("{:.0f} cycles ({} x {} blocks/SM)", p.terms.steady_cycles, p.waves.full_rounds,
                    p.waves.blocks_per_sm));
    row(out, "Tail round",
        fmt::format("{:.0f} cycles ({} blocks/SM)", p.terms.tail_cycles, p.waves.tail_blocks));
    row(out, "Lost to wave quantisation", fmt::format("{:.0f} cycles", p.terms.quantisation_cycles));
    row(out, "One block alone",
        fmt::format("{:.0f} cycles, of which waiting {:.0f}, at barriers {:.0f}", p.terms.block_alone_cycles,
                    p.terms.block_latency_cycles, p.terms.block_barrier_cycles));
    row(out, "Launch overhead", human_time(p.terms.launch_seconds));
    row(out, "SM clock", human_si(arch.clock.sm_hz, "Hz"));
}

void launch_section(Out out, const Prediction& p) {
    section_title(out, "Launch statistics");
    row(out, "Grid, block",
        fmt::format("{} x {} blocks of {} threads", p.grid.x, p.grid.y, p.resources.threads));
    row(out, "Registers per thread",
        fmt::format("{} ({})", p.resources.registers_per_thread, p.resources.registers_source));
    row(out, "Shared memory per block",
        fmt::format("{} B", p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes));
    row(out, "Waves per SM",
        fmt::format("{:.2f} over {} SMs; busiest SM runs {} blocks", p.waves.waves, p.waves.sm_count,
                    p.waves.busiest_sm_blocks));
}

std::string limit_text(const std::optional<int>& limit) {
    return limit ? std::to_string(*limit) : "-";
}

void occupancy_section(Out out, const Prediction& p) {
    const auto& o = p.occupancy;
    section_title(out, "Occupancy");
    row(out, "Block limits",
        fmt::format("warps {}, registers {}, shared memory {}, block slots {}", o.limit_warps,
                    limit_text(o.limit_registers), limit_text(o.limit_shared_memory), o.limit_blocks));
    row(out, "Allocated per block",
        fmt::format("{} registers (asked {} x {} threads), {} B shared (asked {} B) of a {} B carve-out",
                    o.registers_allocated_per_block, o.registers_asked_per_thread, p.resources.threads,
                    o.shared_allocated_bytes, o.shared_asked_bytes, o.carveout_bytes));
    row(out, "Achieved", fmt::format("{:.1f} %", 100 * p.achieved_occupancy));
    std::vector<std::string> steps;
    if (o.registers_fewer_for_next_block) {
        steps.push_back(fmt::format("{} registers fewer", *o.registers_fewer_for_next_block));
    }
    if (o.shared_bytes_fewer_for_next_block) {
        steps.push_back(fmt::format("{} B of shared memory fewer", *o.shared_bytes_fewer_for_next_block));
    }
    if (o.threads_fewer_for_next_block) {
        steps.push_back(fmt::format("{} threads fewer", *o.threads_fewer_for_next_block));
    }
    row(out, "One more block for",
        steps.empty() ? "nothing alone" : fmt::format("{}", fmt::join(steps, ", or ")));
}

void memory_section(Out out, const Prediction& p) {
    section_title(out, "Memory workload");
    const auto& t = p.traffic;
    const double cycles_to_seconds = p.time_seconds;
    row(out, "L2 -> SM, SM -> L2",
        fmt::format("{}, {}", human_bytes(t.l2_read_bytes), human_bytes(t.l2_write_bytes)));
    row(out, "DRAM read, written",
        fmt::format("{}, {} ({} mean)", human_bytes(t.dram_read_bytes), human_bytes(t.dram_write_bytes),
                    human_si((t.dram_read_bytes + t.dram_write_bytes) / cycles_to_seconds, "B/s")));
    row(out, "Distinct bytes touched", human_bytes(t.unique_bytes));
    fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16}{:>14}{:>10}\n", "global access", "in", "bits",
                   "instructions", "sectors/instr", "ideal");
    for (const auto& s : p.sites) {
        if (s.space == MemorySpace::global && s.instructions > 0) {
            fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16.0f}{:>14.2f}{:>10.2f}\n", s.name, s.segment, s.bits,
                           s.instructions, s.sectors / s.instructions, s.ideal_sectors / s.instructions);
        }
    }
    fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16}{:>14}{:>10}\n", "shared access", "in", "bits",
                   "instructions", "passes/instr", "ideal");
    for (const auto& s : p.sites) {
        if (s.space == MemorySpace::shared && s.instructions > 0) {
            fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16.0f}{:>14.2f}{:>10.2f}\n", s.name, s.segment, s.bits,
                           s.instructions, s.wavefronts / s.instructions,
                           s.ideal_wavefronts / s.instructions);
        }
    }
}

void counters_section(Out out, const Prediction& p) {
    section_title(out, "Counters (Nsight Compute names)");
    for (const auto& c : p.counters) {
        fmt::format_to(out, "  {:<62}{:>20}\n", c.name, number(c.value));
    }
}

void estimates_section(Out out, const Prediction& p) {
    section_title(out, "Estimates and gaps");
    for (const auto& e : p.estimates) {
        fmt::format_to(out, "  estimated  {}\n", e);
    }
    for (const auto& g : p.gaps) {
        fmt::format_to(out, "  left out   {}\n", g);
    }
}

}  // namespace

std::string text_report(const Prediction& p, const ArchSpec& arch, bool sections) {
    std::string text;
    const Out out(text);
    first_screen(out, p, arch);
    if (p.status == Status::ok && sections) {
        speed_of_light(out, p);
        time_terms(out, p, arch);
        launch_section(out, p);
        occupancy_section(out, p);
        memory_section(out, p);
        counters_section(out, p);
        estimates_section(out, p);
    }
    return text;
}

}  // namespace gpumodel
