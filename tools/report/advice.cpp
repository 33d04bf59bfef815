#include "tools/report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/sim/stalls.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli::page {
namespace {

struct In {
    const Prediction& p;
    const ArchSpec& arch;
    [[nodiscard]] const SimulationReport& run() const { return *p.simulation; }
    [[nodiscard]] double share(StallReason reason) const {
        return run().stall_cycles[static_cast<std::size_t>(reason)] / run().warp_cycles;
    }
    // Warp cycles between two issues of a warp, all of them and those of one reason.
    [[nodiscard]] double per_issue() const { return run().warp_cycles / run().instructions; }
};

// The two numbers, or nothing where the rule does not apply.
using Finding = std::optional<std::string>;

struct Rule {
    const char* title;
    std::string_view limiter;
    Finding (*find)(const In& in);
    std::string (*change)(const In& in);
};

Finding waits(const In& in, StallReason reason, double least) {
    const double share = in.share(reason);
    if (share < least) {
        return std::nullopt;
    }
    return fmt::format(
        "Of the {:.1f} cycles between two instructions of a warp, {:.1f} ({:.0f} %) wait for: {}.",
        in.per_issue(), share * in.per_issue(), 100 * share, stall_words(reason));
}

// Costs over their least, summed over the sites of a space; names the worst one.
Finding wasted(const In& in, bool shared, const char* unit) {
    constexpr double least = 1.1;
    double now = 0;
    double ideal = 0;
    const SiteReport* worst = nullptr;
    double most = 0;
    for (const auto& site : in.p.sites) {
        if ((site.space == MemorySpace::shared) != shared) {
            continue;
        }
        const double cost = shared ? site.wavefronts : site.sectors;
        const double best = shared ? site.ideal_wavefronts : site.ideal_sectors;
        now += cost;
        ideal += best;
        if (cost - best > most) {
            most = cost - best;
            worst = &site;
        }
    }
    if (ideal <= 0 || now < least * ideal || worst == nullptr) {
        return std::nullopt;
    }
    return fmt::format(
        "{} accesses take {} {} where their bytes need {}, {:.2f} times as many; most of "
        "it at {}.",
        shared ? "Shared" : "Global", grouped(static_cast<std::int64_t>(now + 0.5)), unit,
        grouped(static_cast<std::int64_t>(ideal + 0.5)), now / ideal, worst->name);
}

Finding busy(double part, const char* what, const std::string& peak) {
    constexpr double least = 0.6;
    return part < least ? std::nullopt : Finding(fmt::format("{} {:.0f} % of {}.", what, 100 * part, peak));
}

Finding few_warps(const In& in) {
    const auto& o = in.p.occupancy;
    constexpr double full = 0.9;
    if (o.occupancy >= full || in.run().issue_active >= full) {
        return std::nullopt;
    }
    return fmt::format(
        "{} of {} warps can be resident, limited by {}; the schedulers issue in {:.0f} % of their "
        "cycles.",
        o.active_warps, in.arch.sm.max_warps, limiter_names(o, " and "), 100 * in.run().issue_active);
}

std::string more_warps(const In& in) {
    const auto& o = in.p.occupancy;
    std::string words;
    const auto add = [&words](const auto& value, const char* what) {
        words += value ? fmt::format("{}{} {}", words.empty() ? "" : " or ", *value, what) : "";
    };
    add(o.registers_fewer_for_next_block, "registers per thread fewer");
    add(o.shared_bytes_fewer_for_next_block, "bytes of shared memory fewer");
    return words.empty() ? "No resource alone admits one more block: another block size might."
                         : "One more block fits with " + words + " (__launch_bounds__, smaller tiles).";
}

Finding uneven_waves(const In& in) {
    const auto& w = in.p.waves;
    const double even = w.even_blocks();
    constexpr double least = 1.05;
    if (even <= 0 || static_cast<double>(w.busiest_sm_blocks) < least * even) {
        return std::nullopt;
    }
    return fmt::format(
        "The busiest SM runs {} blocks where an even deal would be {:.2f}; {} blocks are {:.2f} "
        "waves of {} SMs.",
        w.busiest_sm_blocks, even, w.blocks, w.waves, w.sm_count);
}

Finding short_launch(const In& in) {
    const double launch = in.p.terms.launch_seconds;
    constexpr double least = 0.05;
    if (launch < least * in.p.time_seconds) {
        return std::nullopt;
    }
    return fmt::format("{} of the {} are the launch itself.", human_time(launch),
                       human_time(in.p.time_seconds));
}

const PipeReport* busiest_pipe(const In& in) {
    const auto& pipes = in.run().pipes;
    const auto found = std::max_element(
        pipes.begin(), pipes.end(),
        [](const PipeReport& a, const PipeReport& b) { return a.utilisation < b.utilisation; });
    return found == pipes.end() ? nullptr : &*found;
}

Finding taken_pipes(const In& in) {
    const auto* pipe = busiest_pipe(in);
    constexpr double least_wait = 0.1;
    constexpr double least_busy = 0.6;
    if (pipe == nullptr ||
        (in.share(StallReason::math_pipe_throttle) < least_wait && pipe->utilisation < least_busy)) {
        return std::nullopt;
    }
    return fmt::format(
        "The {} pipe works at {:.0f} % of its peak; warps wait for a pipe in {:.0f} % of their "
        "cycles.",
        pipe->name, 100 * pipe->utilisation, 100 * in.share(StallReason::math_pipe_throttle));
}

double bytes_rate(double read, double written, const In& in) {
    return (read + written) / in.p.time_seconds;
}

constexpr Rule rules[] = {
    {"Bank conflicts", "bank conflicts", [](const In& in) { return wasted(in, true, "bank passes"); },
     [](const In&) {
         return std::string(
             "Pad the rows of the tile, or permute its columns, so that the lanes of an access "
             "meet different banks.");
     }},
    {"Uncoalesced accesses", "uncoalesced accesses",
     [](const In& in) { return wasted(in, false, "sectors"); },
     [](const In&) {
         return std::string(
             "Let neighbouring lanes touch neighbouring words: swap the loops or the layout, or "
             "go through shared memory.");
     }},
    {"Global and local loads", "memory latency",
     [](const In& in) { return waits(in, StallReason::long_scoreboard, 0.15); },
     [](const In&) {
         return std::string(
             "Have more loads in flight: load the next tile before this one is used, copy "
             "asynchronously, unroll, or run more warps.");
     }},
    {"Few warps", "occupancy", few_warps, more_warps},
    {"Shared-memory latency", "shared-memory latency",
     [](const In& in) { return waits(in, StallReason::short_scoreboard, 0.1); },
     [](const In&) {
         return std::string(
             "Load the fragments of the next step while this one is multiplied, or keep more of "
             "the tile in registers.");
     }},
    {"Shared memory and L1 at their rate", "shared-memory and L1 bandwidth",
     [](const In& in) { return busy(in.run().data_pipe, "Wavefronts take", "the data pipe's cycles"); },
     [](const In&) {
         return std::string(
             "Larger tiles per thread use each loaded word more often; wider accesses and matrix "
             "loads (ldmatrix) take fewer wavefronts.");
     }},
    {"Memory instructions queue", "memory queue",
     [](const In& in) { return waits(in, StallReason::mio_throttle, 0.1); },
     [](const In&) {
         return std::string(
             "Issue fewer, wider memory instructions (float4, ldmatrix), and spread them between "
             "arithmetic.");
     }},
    {"Barriers", "barriers", [](const In& in) { return waits(in, StallReason::barrier, 0.05); },
     [](const In&) {
         return std::string(
             "Double-buffer the tile so that one barrier a step is enough, give the warps equal "
             "work, or run more, smaller blocks.");
     }},
    {"Math pipes", "math pipes", taken_pipes,
     [](const In&) {
         return std::string(
             "Fewer operations: fused multiply-adds, less index arithmetic, another pipe or the "
             "tensor cores.");
     }},
    {"Issue slots", "issue slots",
     [](const In& in) { return busy(in.run().issue_active, "The schedulers issue in", "their cycles"); },
     [](const In&) {
         return std::string(
             "Fewer instructions beside the products: larger thread tiles, wider loads, unrolled "
             "loops.");
     }},
    {"Register ports", "register ports",
     [](const In& in) { return waits(in, StallReason::dispatch_stall, 0.03); },
     [](const In&) {
         return std::string(
             "The compiler deals registers to banks; other tile shapes or orders of the products "
             "reuse operands more often.");
     }},
    {"Arithmetic latency", "arithmetic latency",
     [](const In& in) { return waits(in, StallReason::wait, 0.15); },
     [](const In&) {
         return std::string(
             "More independent instructions per warp: unroll, keep several sums, or run more "
             "warps.");
     }},
    {"Taken branches", "taken branches",
     [](const In& in) { return waits(in, StallReason::branch_resolving, 0.03); },
     [](const In&) { return std::string("Unroll short loops; replace branches by predicates."); }},
    {"Instruction fetch", "instruction fetch",
     [](const In& in) { return waits(in, StallReason::no_instruction, 0.03); },
     [](const In&) {
         return std::string("Less code in the loop: unroll less, so that it fits the caches.");
     }},
    {"DRAM at its rate", "DRAM bandwidth",
     [](const In& in) -> Finding {
         const auto& t = in.p.traffic;
         const double peak = in.arch.dram.bandwidth_bytes_per_second;
         const double rate = bytes_rate(t.dram_read_bytes, t.dram_write_bytes, in);
         constexpr double least = 0.6;
         if (peak <= 0 || rate < least * peak) {
             return std::nullopt;
         }
         return fmt::format("DRAM moves {} of {}: {} for {} of distinct data.", human_si(rate, "B/s"),
                            human_si(peak, "B/s"), human_bytes(t.dram_read_bytes + t.dram_write_bytes),
                            human_bytes(t.unique_bytes));
     },
     [](const In&) {
         return std::string(
             "Move fewer bytes: smaller types, fused kernels, tiles that reuse what is loaded, an "
             "order of blocks that shares it in L2.");
     }},
    {"L2 at its rate", "L2 bandwidth",
     [](const In& in) -> Finding {
         const auto& t = in.p.traffic;
         const double peak = in.arch.peak_l2_bytes_per_second;
         const double rate = bytes_rate(t.l2_read_bytes, t.l2_write_bytes, in);
         constexpr double least = 0.5;
         if (in.arch.l2.size_bytes <= 0 || peak <= 0 || rate < least * peak) {
             return std::nullopt;
         }
         return fmt::format("L2 moves {} of {}.", human_si(rate, "B/s"), human_si(peak, "B/s"));
     },
     [](const In&) { return std::string("Larger tiles ask L2 for fewer bytes per product."); }},
    {"The last wave", "wave quantisation", uneven_waves,
     [](const In&) {
         return std::string(
             "Choose tiles so that the blocks fill whole waves, split the inner dimension, or let "
             "resident blocks take the tiles one by one.");
     }},
    {"Launch overhead", "launch overhead", short_launch,
     [](const In&) {
         return std::string("Larger launches: fuse or batch kernels, or replay a CUDA graph.");
     }},
};

double saved(const Advice& advice) {
    return advice.lifted != nullptr && advice.lifted->status == ExplainStatus::ok ? advice.lifted->saved_pct
                                                                                  : -1;
}

}  // namespace

std::vector<Advice> advice_for(const Prediction& p, const ArchSpec& arch) {
    std::vector<Advice> list;
    if (!p.simulation || p.simulation->warp_cycles <= 0 || p.simulation->instructions <= 0) {
        return list;
    }
    const In in{p, arch};
    for (const auto& rule : rules) {
        if (auto found = rule.find(in)) {
            list.push_back({rule.title, rule.limiter, std::move(*found), rule.change(in), nullptr});
        }
    }
    return list;
}

std::vector<std::string_view> limiters_of(const std::vector<Advice>& advice) {
    std::vector<std::string_view> names;
    for (const auto& a : advice) {
        names.push_back(a.limiter);
    }
    return names;
}

std::vector<std::string_view> all_limiters_of_rules() {
    std::vector<std::string_view> names;
    for (const auto& rule : rules) {
        names.push_back(rule.limiter);
    }
    return names;
}

void add_gains(const std::vector<ExplainRow>& rows, std::vector<Advice>& advice) {
    for (auto& a : advice) {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [&a](const ExplainRow& row) { return row.name == a.limiter; });
        a.lifted = found == rows.end() ? nullptr : &*found;
    }
    std::stable_sort(advice.begin(), advice.end(),
                     [](const Advice& x, const Advice& y) { return saved(x) > saved(y); });
}

}  // namespace gpumodel::cli::page
