// Rows of the pipes, the register ports and the barrier.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "arch_specs/derive.h"
#include "model/launch/barrier_costs.h"
#include "validate/calibrate/forward_rows.h"

namespace gpumodel::forward {
namespace {

std::optional<OpClass> op_class_named(const std::string& name) {
    const auto found = std::find(op_class_names.begin(), op_class_names.end(), name);
    return found == op_class_names.end()
               ? std::nullopt
               : std::optional(static_cast<OpClass>(found - op_class_names.begin()));
}

// The class of the row's OP; none, with the reason in `why`, where the spec has no timing for it.
std::optional<OpClass> timed_op(const MicrobenchmarkRow& row, const ArchSpec& base, std::string& why) {
    const auto op = op_class_named(row.word("OP"));
    if (!op) {
        why = fmt::format("no opcode class {}", row.word("OP"));
    } else if (!base.op(*op)) {
        why = fmt::format("{} has no opcode class {}", base.name, row.word("OP"));
    } else {
        return op;
    }
    return std::nullopt;
}

std::string op_key(OpClass op, const char* name) {
    return fmt::format("sm.ops.{}.{}", to_string(op), name);
}

}  // namespace

RowModel pipe_latency(const RowContext& at) {
    std::string why;
    const auto op = timed_op(at.row, at.base, why);
    if (!op) {
        return unused(why);
    }
    if (has_derived_latency(*op)) {
        return unused(fmt::format("the latency of {} follows from other keys", to_string(*op)));
    }
    return {{op_key(*op, "latency")}, [op](const ArchSpec& s) { return s.op(*op)->latency_cycles; }, {}};
}

RowModel pipe_throughput(const RowContext& at) {
    std::string why;
    const auto op = timed_op(at.row, at.base, why);
    if (!op) {
        return unused(why);
    }
    const double warps_per_scheduler = at.row.number("WARPS") / at.base.sm.schedulers;
    const auto& timing = *at.base.op(*op);
    if (warps_per_scheduler * timing.initiation_interval_cycles < timing.latency_cycles) {
        return unused("too few warps to rule out that latency is the limit");
    }
    const double share = std::min(1.0, warps_per_scheduler);
    return {{op_key(*op, "throughput")},
            [op, share](const ArchSpec& s) { return share * s.op(*op)->lanes_per_cycle; },
            {}};
}

RowModel register_banks(const RowContext& at) {
    if (at.base.sm.register_file.bank_map == RegisterBankMap::unknown) {
        return unused("the spec does not know the register banks");
    }
    const double same_bank = at.row.number("SAME_BANK");
    const auto interval = [](const ArchSpec& s) {
        return std::max(s.sm.issue_interval_cycles, s.op(OpClass::ffma)->initiation_interval_cycles);
    };
    if (same_bank <= interval(at.base) * at.base.sm.register_file.reads_per_bank_per_cycle) {
        return unused("the FFMA pipe is the limit");
    }
    return {{"sm.register_file.reads_per_bank"},
            [same_bank, interval](const ArchSpec& s) {
                return std::max(interval(s), same_bank / s.sm.register_file.reads_per_bank_per_cycle);
            },
            {}};
}

RowModel barrier(const RowContext& at) {
    const double further = at.row.number("WARPS") - 1;
    if (further < 0) {
        return unused("no warps");
    }
    std::vector<std::string> keys{"sm.barrier.latency"};
    if (further > 0) {
        keys.emplace_back("sm.barrier.throughput");
    }
    return {
        keys, [further](const ArchSpec& s) { return barrier_costs(s.sm).release_cycles(1 + further); }, {}};
}

}  // namespace gpumodel::forward
