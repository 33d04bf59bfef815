#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "arch_specs/document/spec_completion.h"
#include "base/note.h"
#include "model/analytic/bounds.h"
#include "model/power/launch_power.h"
#include "model/roofline/roofline.h"
#include "tools/views/prediction/disagreement.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction/text_rows.h"

namespace gpumodel {
namespace {

using Out = TextOut;

void headline(Out out, const Prediction& p, const ArchSpec& arch) {
    std::string meaning;
    if (!arch.other_meanings.empty()) {
        meaning = fmt::format(" ({} means {}, the default of {}; there is also {})", arch.requested_name,
                              arch.name, arch.generation, fmt::join(arch.other_meanings, ", "));
    } else if (arch.requested_name != arch.name && arch.requested_name == arch.generation) {
        meaning = fmt::format(" ({} means its default product {})", arch.requested_name, arch.name);
    }
    fmt::format_to(out, "{} on {} [{}]{}\n", readable_entry(p.kernel), arch.marketing_name, arch.generation,
                   meaning);
    text_launch(out, p);
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
    text_row(out, "Estimated inputs", list);
}

// Values that the product's file does not give, by where they were taken from.
void filled_in(Out out, const ArchSpec& arch) {
    std::map<std::string, std::vector<std::string>> by_source;
    for (const auto& key : filled_keys(arch)) {
        const auto& value = arch.provenance.at(key);
        if (value.estimated) {
            by_source[value.source.substr(value.source.find(':') + 2)].push_back(key);
        }
    }
    for (const auto& [source, keys] : by_source) {
        text_row(out, "Not in its file", fmt::format("{}: {}", fmt::join(keys, ", "), source));
    }
}

// Below the predicted time: what the other model says.
void other_model(Out out, const Prediction& main, const Prediction& other) {
    if (!is_predicted(other.status)) {
        text_row(out, other.model == "simulate" ? "Simulator" : "Analytic model",
                 fmt::format("{}: {}", to_string(other.status), other.reason));
        return;
    }
    text_row(out, "Analytic model",
             fmt::format("{}   ({:+.1f} %)", human_time(other.time_seconds), *main.model_disagreement_pct));
    if (const auto words = disagreement_words(main); !words.empty()) {
        text_row(out, "Models disagree", words);
    }
}

std::string throughput_words(const Prediction& p) {
    std::string words = fmt::format("{:.0f} GFLOP/s", p.flops_per_second() / 1e9);
    if (p.peak_flops > 0) {
        const auto peak = human_si(p.peak_flops, "FLOP/s");
        words += fmt::format(", {:.1f} % of the ", 100 * p.fraction_of_peak());
        words += p.peak_unit.starts_with("tensor") ? fmt::format("peak of {} ({})", peak, p.peak_unit)
                                                   : fmt::format("{} peak of {}", p.peak_unit, peak);
    }
    if (const double tensor = tensor_busy(p); tensor > 0) {
        words += fmt::format("; the tensor pipes are busy {:.1f} % of the time", 100 * tensor);
    }
    return words;
}

std::string power_words(const Prediction& p, const ArchSpec& arch) {
    const double watts = *p.average_watts, limit = arch.power.limit_watts.value_or(0);
    auto words = fmt::format("{:.0f} W on average, {} a launch", watts, human_si(*p.energy_joules, "J"));
    if (p.power_band_pct) {
        words += fmt::format(" (+-{:.0f} %)", *p.power_band_pct);
    }
    if (arch.clock.sustained) {
        return words;
    }
    return words +
           (watts > limit
                ? fmt::format(
                      "; above the board's {:.0f} W, which end a burst within 0.1 s: --clock sustained",
                      limit)
                : fmt::format("; the board's limit is {:.0f} W", limit));
}

// Where it is not that of a short series.
std::string clock_words(const Prediction& p, const ArchSpec& arch) {
    const auto clock = human_si(p.sm_hz, "Hz");
    if (arch.clock.sustained && p.average_watts) {
        return fmt::format("{}, sustained within the board's {:.0f} W", clock, *arch.power.limit_watts);
    }
    if (const auto promised = promised_clock(arch, p.sm_hz)) {
        return fmt::format("{}, for a moment; under load that lasts {} are promised", clock,
                           human_si(*promised, "Hz"));
    }
    return arch.clock.most_hz
               ? fmt::format("{}, locked to at most {}", clock, human_si(*arch.clock.most_hz, "Hz"))
               : "";
}

void first_screen(Out out, const std::vector<Prediction>& models, const ArchSpec& arch) {
    const auto& p = main_prediction(models);
    headline(out, p, arch);
    if (!is_predicted(p.status)) {
        fmt::format_to(out, "  {}: {}\n", to_string(p.status), p.reason);
        return;
    }
    if (p.status == Status::partial) {
        text_row(out, "Partial", p.reason);
    }
    text_row(out, "Time",
             fmt::format("{}   (model: {}, L2 and clocks as below)", human_time(p.time_seconds), p.model));
    for (const auto& other : models) {
        if (&other != &p) {
            other_model(out, p, other);
        }
    }
    if (p.flops > 0) {
        text_row(out, "Throughput", throughput_words(p));
    }
    if (p.effective_bytes > 0) {
        text_row(out, "Effective bandwidth", human_si(p.effective_bytes / p.time_seconds, "B/s"));
    }
    if (const auto clock = clock_words(p, arch); !clock.empty()) {
        text_row(out, "Clock", clock);
    }
    if (p.average_watts) {
        text_row(out, "Power", power_words(p, arch));
    }
    if (!p.unknown_data.empty()) {
        text_row(out, "Hangs on data that nobody gave",
                 unknown_data_words(p, 2) + "; give it with --args or --variables");
    }
    if (const auto beyond = out_of_bounds_words(p); !beyond.empty()) {
        text_row(out, "Accesses beyond allocations", beyond);
    }
    for (const auto& note : read_notes(p.gaps)) {
        // not those that follow an order which was found
        if (note.id == NoteId::blocks_sampled && note.text.find("stand for all") != std::string::npos) {
            text_row(out, "Blocks", note.text);
        }
    }
    text_row(out, "Bottleneck", p.bottleneck_words);
    text_row(out, "Occupancy",
             fmt::format("{:.1f} % theoretical ({} of {} warps, {} blocks/SM), limited by {}",
                         100 * p.occupancy.occupancy, p.occupancy.active_warps, arch.sm.max_warps,
                         p.occupancy.blocks_per_sm, limiter_names(p.occupancy, " and ")));
    text_row(out, "Program", program_words(p));
    estimates_summary(out, p);
    filled_in(out, arch);
    text_row(out, "Error band",
             p.error_band_pct                  ? fmt::format("+-{:.0f} %", *p.error_band_pct)
             : p.status == Status::partial     ? "none: instructions are left out"
             : !p.unknown_data.empty()         ? "none: unknown data decided the path"
             : !out_of_bounds_words(p).empty() ? "none: accesses go beyond what was allocated"
                                               : "not measured for this kernel family and generation");
}

// What lifting the unit's limit saves, as wide as its column.
std::string gain_text(const Prediction& p, const std::string& unit) {
    const auto& gains = *p.unit_gains;
    const auto found =
        std::find_if(gains.begin(), gains.end(), [&](const UnitGain& g) { return g.name == unit; });
    return found == gains.end() ? fmt::format("{:>15}", "-") : fmt::format("{:>13.1f} %", found->saved_pct);
}

void speed_of_light(Out out, const Prediction& p) {
    text_section(out, "Speed of light: lower bounds on the launch, each by one cause alone");
    const bool gains = p.unit_gains.has_value();
    fmt::format_to(out, "  {:<16}  {:>14} {:>10}{}   {}\n", "bound", "cycles", "% of time",
                   gains ? "  without saves" : "", "formula");
    for (const auto& b : p.bounds) {
        fmt::format_to(out, "{} {:<16}  {:>14.0f} {:>10.1f}{}   {}\n", is_bottleneck(p, b) ? "*" : " ",
                       b.name, b.cycles, 100 * share_of_time(b, p), gains ? gain_text(p, b.name) : "",
                       b.formula);
    }
    fmt::format_to(out, "  * = bottleneck ({})\n",
                   gains ? "within 2 points of what saves most" : "within 2 % of the largest");
}

void analytic_terms(Out out, const Prediction& p) {
    text_row(out, "Full rounds",
             fmt::format("{:.0f} cycles ({} x {} blocks/SM)", p.terms.steady_cycles, p.waves.full_rounds,
                         p.waves.blocks_per_sm));
    text_row(out, "Tail round",
             fmt::format("{:.0f} cycles ({} blocks/SM)", p.terms.tail_cycles, p.waves.tail_blocks));
    text_row(out, "Lost to wave quantisation", fmt::format("{:.0f} cycles", p.terms.quantisation_cycles));
    text_row(
        out, "One block alone",
        fmt::format("{:.0f} cycles, of which waiting {:.0f}, at barriers {:.0f}", p.terms.block_alone_cycles,
                    p.terms.block_latency_cycles, p.terms.block_barrier_cycles));
}

void time_terms(Out out, const Prediction& p) {
    text_section(out, "Time");
    if (p.simulation) {
        text_row(out, "SM cycles", fmt::format("{:.0f}", p.cycles));
        text_extrapolation(out, *p.simulation);
    } else {
        analytic_terms(out, p);
    }
    text_row(out, "Launch overhead", human_time(p.terms.launch_seconds));
    text_row(out, "SM clock", human_si(p.sm_hz, "Hz"));
}

std::string sms_in_words(const Waves& w) {
    return w.clusters_at_once > 0 ? fmt::format("{} of {} SMs ({} clusters at once)", w.sm_count,
                                                w.sm_count + w.sms_left_over, w.clusters_at_once)
                                  : fmt::format("{} SMs", w.sm_count);
}

void launch_section(Out out, const Prediction& p) {
    text_section(out, "Launch statistics");
    text_row(out, "Grid, block",
             fmt::format("{} blocks of {} threads", grid_text(p.grid, " x "), p.resources.threads));
    text_row(out, "Registers per thread",
             fmt::format("{} ({})", p.resources.registers_per_thread, p.resources.registers_source));
    text_row(out, "Shared memory per block",
             fmt::format("{} B", p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes));
    text_row(out, "Waves per SM",
             fmt::format("{:.2f} over {}; busiest SM runs {} blocks", p.waves.waves, sms_in_words(p.waves),
                         p.waves.busiest_sm_blocks));
}

std::string limit_text(const std::optional<int>& limit) {
    return limit ? std::to_string(*limit) : "-";
}

void occupancy_section(Out out, const Prediction& p, const ArchSpec& arch) {
    const auto& o = p.occupancy;
    text_section(out, "Occupancy");
    text_row(out, "Block limits",
             fmt::format("warps {}, registers {}, shared memory {}, block slots {}", o.limit_warps,
                         limit_text(o.limit_registers), limit_text(o.limit_shared_memory), o.limit_blocks));
    text_row(out, "Allocated per block",
             fmt::format("{} registers (asked {} x {} threads), {} B shared (asked {} B) of a {} B carve-out",
                         o.registers_allocated_per_block, o.registers_asked_per_thread, p.resources.threads,
                         o.shared_allocated_bytes, o.shared_asked_bytes, o.carveout_bytes));
    text_row(out, "Achieved", fmt::format("{:.1f} %", 100 * p.achieved_occupancy));
    std::vector<std::string> steps;
    if (o.registers_fewer_for_next_block) {
        steps.push_back(fmt::format("{} registers fewer", *o.registers_fewer_for_next_block));
    }
    if (o.shared_bytes_fewer_for_next_block) {
        steps.push_back(fmt::format("{} B of shared memory fewer", *o.shared_bytes_fewer_for_next_block));
    }
    // the launch's block size is what it is: fewer threads would be another launch
    text_row(out, "One more block for",
             o.active_warps >= arch.sm.max_warps ? "nothing: occupancy is full"
             : steps.empty()                     ? "nothing alone, with blocks of this size"
                                                 : fmt::format("{}", fmt::join(steps, ", or ")));
}

void counters_section(Out out, const Prediction& p) {
    text_section(out, "Counters (Nsight Compute names)");
    std::size_t width = 0;
    for (const auto& c : p.counters) {
        width = std::max(width, c.name.size());
    }
    for (const auto& c : p.counters) {
        fmt::format_to(out, "  {:<{}}  {:>16}\n", c.name, width, number(c.value));
    }
}

void estimates_section(Out out, const Prediction& p) {
    text_section(out, "Estimates and gaps");
    for (const auto& e : p.estimates) {
        fmt::format_to(out, "  estimated  {}\n", e);
    }
    for (const auto& g : p.gaps) {
        fmt::format_to(out, "  left out   {}\n", g);
    }
}

}  // namespace

std::string text_report(const std::vector<Prediction>& models, const ArchSpec& arch, bool sections) {
    std::string text;
    const Out out(text);
    first_screen(out, models, arch);
    const auto& p = main_prediction(models);
    if (!is_predicted(p.status) || !sections) {
        return text;
    }
    speed_of_light(out, p);
    time_terms(out, p);
    launch_section(out, p);
    occupancy_section(out, p, arch);
    if (p.simulation) {
        text_stalls(out, *p.simulation);
    }
    text_memory(out, p);
    if (p.simulation) {
        text_hot_instructions(out, *p.simulation);
    }
    counters_section(out, p);
    estimates_section(out, p);
    return text;
}

}  // namespace gpumodel
