#include "arch_specs/consistency/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "arch_specs/consistency/consistency_rules.h"

namespace gpumodel {

namespace {

bool is_power_of_two(std::int64_t value) {
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

std::string bytes_text(std::int64_t bytes) {
    return print_quantity(static_cast<double>(bytes), Dimension::bytes);
}

void add_sm_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"sm.max_threads", "sm.max_warps"}, [](const ArchSpec& s) {
                         const int expected = s.sm.max_warps * s.sm.warp_size;
                         return s.sm.max_threads == expected
                                    ? ""
                                    : fmt::format("{} threads, but {} warps of {} lanes are {}",
                                                  s.sm.max_threads, s.sm.max_warps, s.sm.warp_size, expected);
                     }});
    rules.push_back({{"sm.max_threads_per_block", "sm.max_threads"}, [](const ArchSpec& s) {
                         return s.sm.max_threads_per_block <= s.sm.max_threads
                                    ? ""
                                    : fmt::format("{} threads per block do not fit the {} threads of an SM",
                                                  s.sm.max_threads_per_block, s.sm.max_threads);
                     }});
    rules.push_back({{"sm.schedulers", "sm.max_warps"}, [](const ArchSpec& s) {
                         return s.sm.max_warps % s.sm.schedulers == 0
                                    ? ""
                                    : fmt::format("{} schedulers cannot share {} warps evenly",
                                                  s.sm.schedulers, s.sm.max_warps);
                     }});
    rules.push_back({{"sm.dual_issue.supported", "sm.dispatch_units_per_scheduler"}, [](const ArchSpec& s) {
                         return !s.sm.dual_issue.supported || s.sm.dispatch_units_per_scheduler >= 2
                                    ? ""
                                    : std::string("dual issue needs at least 2 dispatch units per scheduler");
                     }});
}

void add_register_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"sm.register_file.size", "sm.sub_partitions"}, [](const ArchSpec& s) {
                         return s.sm.register_file.size % s.sm.sub_partitions == 0
                                    ? ""
                                    : fmt::format("{} registers cannot be divided among {} sub-partitions",
                                                  s.sm.register_file.size, s.sm.sub_partitions);
                     }});
    rules.push_back({{"sm.register_file.allocation_unit", "sm.register_file.size"}, [](const ArchSpec& s) {
                         return s.sm.register_file.size % s.sm.register_file.allocation_unit == 0
                                    ? ""
                                    : fmt::format("a step of {} does not divide the file of {} registers",
                                                  s.sm.register_file.allocation_unit,
                                                  s.sm.register_file.size);
                     }});
    rules.push_back({{"sm.register_file.max_per_block", "sm.register_file.size"}, [](const ArchSpec& s) {
                         return s.sm.register_file.max_per_block <= s.sm.register_file.size
                                    ? ""
                                    : fmt::format("{} registers per block exceed the file of {}",
                                                  s.sm.register_file.max_per_block, s.sm.register_file.size);
                     }});
}

// A per-block limit and the system's share must fit the largest carve-out.
std::string carveout_fault(const ArchSpec& s, std::int64_t limit) {
    const auto& shared = s.sm.shared_memory;
    const auto largest = shared.carveouts_bytes.empty() ? 0 : shared.carveouts_bytes.back();
    return limit + shared.reserved_per_block_bytes <= largest
               ? ""
               : fmt::format("{} and the reserved {} exceed the largest carve-out, {}", bytes_text(limit),
                             bytes_text(shared.reserved_per_block_bytes), bytes_text(largest));
}

void add_shared_size_rules(std::vector<ConsistencyRule>& rules) {
    const std::string shared = "sm.shared_memory.";
    const auto carveouts = shared + "carveouts";
    const auto reserved = shared + "reserved_per_block";
    rules.push_back({{carveouts}, [](const ArchSpec& s) {
                         return s.sm.shared_memory.carveouts_bytes.empty() ? "at least one size is needed"
                                                                           : "";
                     }});
    rules.push_back({{shared + "max_per_block", carveouts, reserved}, [](const ArchSpec& s) {
                         return carveout_fault(s, s.sm.shared_memory.max_per_block_bytes);
                     }});
    rules.push_back({{shared + "max_per_block_optin", carveouts, reserved}, [](const ArchSpec& s) {
                         return carveout_fault(s, *s.sm.shared_memory.max_per_block_optin_bytes);
                     }});
    rules.push_back({{shared + "max_per_block_optin", shared + "max_per_block"}, [](const ArchSpec& s) {
                         const auto& memory = s.sm.shared_memory;
                         return *memory.max_per_block_optin_bytes >= memory.max_per_block_bytes
                                    ? ""
                                    : fmt::format("opting in to {} allows less than the static limit, {}",
                                                  bytes_text(*memory.max_per_block_optin_bytes),
                                                  bytes_text(memory.max_per_block_bytes));
                     }});
    rules.push_back({{carveouts, "l1.unified", "l1.unified_with_shared"}, [](const ArchSpec& s) {
                         const auto& sizes = s.sm.shared_memory.carveouts_bytes;
                         return !s.l1.unified_with_shared || sizes.empty() ||
                                        sizes.back() <= s.l1.unified_bytes
                                    ? ""
                                    : fmt::format("{} exceeds the unified array, {}",
                                                  bytes_text(sizes.back()), bytes_text(s.l1.unified_bytes));
                     }});
}

void add_bank_rules(std::vector<ConsistencyRule>& rules) {
    const std::string shared = "sm.shared_memory.";
    rules.push_back({{shared + "banks"}, [](const ArchSpec& s) {
                         return is_power_of_two(s.sm.shared_memory.banks)
                                    ? ""
                                    : fmt::format("{} banks; expected a power of two",
                                                  s.sm.shared_memory.banks);
                     }});
    rules.push_back({{shared + "default_bank_width", shared + "bank_widths"}, [](const ArchSpec& s) {
                         const auto& widths = s.sm.shared_memory.bank_widths_bytes;
                         return std::find(widths.begin(), widths.end(),
                                          s.sm.shared_memory.default_bank_width_bytes) != widths.end()
                                    ? ""
                                    : fmt::format("{} B is none of the selectable widths, {} B",
                                                  s.sm.shared_memory.default_bank_width_bytes,
                                                  fmt::join(widths, ", "));
                     }});
    rules.push_back({{shared + "bandwidth", shared + "banks", shared + "bank_widths"},
                     [](const ArchSpec& s) {
                         const auto& memory = s.sm.shared_memory;
                         const int widest =
                             memory.bank_widths_bytes.empty() ? 0 : memory.bank_widths_bytes.back();
                         return memory.bandwidth_bytes_per_cycle <= memory.banks * widest
                                    ? ""
                                    : fmt::format("{} B/clk; {} banks of {} B deliver at most {} B/clk",
                                                  memory.bandwidth_bytes_per_cycle, memory.banks, widest,
                                                  memory.banks * widest);
                     },
                     true,
                     {shared + "bandwidth", shared + "banks"}});
}

// Every class must fit the pipe it names.
void add_op_rules(std::vector<ConsistencyRule>& rules) {
    for (std::size_t op = 0; op < op_class_count; ++op) {
        const auto prefix = fmt::format("sm.ops.{}.", op_class_names[op]);
        rules.push_back({{prefix + "throughput", prefix + "pipe"},
                         [op](const ArchSpec& s) -> std::string {
                             const auto& timing = *s.sm.ops[op];
                             const auto pipe = to_string(timing.pipe);
                             const auto& lanes = s.sm.pipe_lanes[static_cast<std::size_t>(timing.pipe)];
                             if (!lanes) {
                                 return fmt::format("{} needs sm.pipes.{}.lanes, which is missing",
                                                    op_class_names[op], pipe);
                             }
                             return timing.lanes_per_cycle <= *lanes
                                        ? ""
                                        : fmt::format(
                                              "the {} lanes/clk of {} exceed the {} lanes of the {} pipe",
                                              timing.lanes_per_cycle, op_class_names[op], *lanes, pipe);
                         },
                         false,
                         {},
                         [op](const ArchSpec& s) {
                             return fmt::format("sm.pipes.{}.lanes", to_string(s.sm.ops[op]->pipe));
                         }});
    }
}

std::string line_fault(int line, int sector) {
    return is_power_of_two(line) && is_power_of_two(sector) && line % sector == 0
               ? ""
               : fmt::format("sectors of {} B do not divide lines of {} B into a power of two", sector, line);
}

// `nearer` and `farther`: keys of latencies, nearest to the SM first.
std::string order_fault(const char* nearer, double nearer_cycles, const char* farther,
                        double farther_cycles) {
    return nearer_cycles <= farther_cycles ? ""
                                           : fmt::format("{} of {} cycles is less than {} of {} cycles",
                                                         farther, farther_cycles, nearer, nearer_cycles);
}

void add_memory_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"l1.sector", "l1.line"},
                     [](const ArchSpec& s) { return line_fault(s.l1.line_bytes, s.l1.sector_bytes); }});
    rules.push_back({{"l2.sector", "l2.line"},
                     [](const ArchSpec& s) { return line_fault(s.l2.line_bytes, s.l2.sector_bytes); }});
    rules.push_back({{"l2.latency", "l1.latency"}, [](const ArchSpec& s) {
                         return order_fault("l1.latency", s.l1.latency_cycles, "l2.latency",
                                            s.l2.latency_cycles);
                     }});
    rules.push_back({{"l2.far_latency", "l2.latency"}, [](const ArchSpec& s) {
                         return order_fault("l2.latency", s.l2.latency_cycles, "l2.far_latency",
                                            *s.l2.far_latency_cycles);
                     }});
    rules.push_back({{"dram.latency", "l2.latency"}, [](const ArchSpec& s) {
                         return order_fault("l2.latency", s.l2.latency_cycles, "dram.latency",
                                            s.dram.latency_cycles);
                     }});
    rules.push_back({{"l2.read_bandwidth", "l2.read_bandwidth_per_sm", "sm_count"},
                     [](const ArchSpec& s) {
                         const double ports = s.l2.read_bytes_per_cycle_per_sm * s.sm_count;
                         return s.l2.read_bytes_per_cycle <= ports
                                    ? ""
                                    : fmt::format("{} B/clk; the ports of {} SMs take at most {} B/clk",
                                                  s.l2.read_bytes_per_cycle, s.sm_count, ports);
                     },
                     true,
                     {"l2.read_bandwidth", "l2.read_bandwidth_per_sm"}});
}

const std::vector<ConsistencyRule>& rules() {
    static const std::vector<ConsistencyRule> all = [] {
        std::vector<ConsistencyRule> made;
        add_sm_rules(made);
        add_register_rules(made);
        add_shared_size_rules(made);
        add_bank_rules(made);
        add_op_rules(made);
        add_memory_rules(made);
        add_product_rules(made);
        return made;
    }();
    return all;
}

const ResolvedValue* further_value(const ConsistencyRule& rule, const ResolvedSpec& resolved,
                                   const ArchSpec& spec) {
    const auto found =
        rule.further_key ? resolved.values.find(rule.further_key(spec)) : resolved.values.end();
    return found == resolved.values.end() ? nullptr : &found->second;
}

// Whether overrides ask "what if" of a rule that compares with figures which stay.
bool is_what_if(const ConsistencyRule& rule, const ResolvedSpec& resolved) {
    const auto overridden = [&](const std::string& key) { return resolved.values.at(key).depth < 0; };
    return rule.compares_with_maker && std::any_of(rule.keys.begin(), rule.keys.end(), overridden) &&
           !(!rule.given_together.empty() &&
             std::all_of(rule.given_together.begin(), rule.given_together.end(), overridden));
}

}  // namespace

void check_consistency(const ResolvedSpec& resolved, const ArchSpec& spec, std::vector<Diagnostic>& faults) {
    for (const auto& rule : rules()) {
        std::vector<const ResolvedValue*> given;
        for (const auto& key : rule.keys) {
            const auto found = resolved.values.find(key);
            if (found != resolved.values.end() &&
                !std::holds_alternative<std::monostate>(found->second.value)) {
                given.push_back(&found->second);
            }
        }
        if (given.size() != rule.keys.size() || is_what_if(rule, resolved)) {
            continue;
        }
        const auto message = rule.broken(spec);
        if (!message.empty()) {
            if (const auto further = further_value(rule, resolved, spec)) {
                given.push_back(further);
            }
            const auto* nearest = *std::min_element(
                given.begin(), given.end(), [](const auto* a, const auto* b) { return a->depth < b->depth; });
            const auto& at = nearest->provenance;
            faults.push_back({at.file, at.line, at.column, nearest->field->key, message});
        }
    }
}

}  // namespace gpumodel
