#include "model/sim/core/decode_op.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

OpKind global_kind(const Instruction& in) {
    if (in.access_kind == AccessKind::load || in.access_kind == AccessKind::atomic) {
        return OpKind::global_load;
    }
    return in.access_kind == AccessKind::async_copy ? OpKind::async_copy : OpKind::global_store;
}

OpKind kind_of(const Instruction& in, const std::string& mnemonic) {
    if (in.group.columns > 0) {
        return OpKind::group_product;
    }
    if (in.group.groups_left >= 0) {
        return OpKind::group_wait;
    }
    if (mnemonic.starts_with("DEPBAR") || mnemonic.find("PHASECHK") != std::string::npos) {
        return OpKind::async_wait;
    }
    if (in.access_bytes > 0) {
        if (in.space == MemorySpace::shared) {
            return in.access_kind == AccessKind::store ? OpKind::shared_store : OpKind::shared_load;
        }
        return global_kind(in);
    }
    const auto group = group_of(in.op);
    return group == OpGroup::shuffle  ? OpKind::shuffle
           : group == OpGroup::branch ? OpKind::branch
                                      : OpKind::arithmetic;
}

std::uint8_t bank_of(int reg, const RegisterFile& file) {
    constexpr int quad = 4;
    if (file.bank_map == RegisterBankMap::kepler_quads) {
        return static_cast<std::uint8_t>(2 * ((reg / quad) % 2) + reg % 2);
    }
    return static_cast<std::uint8_t>(reg % file.banks);
}

// ATOM P0, RZ, ...: a reduction that says whether the address is one of global memory.
bool brings_no_data(const Instruction& in) {
    const auto end = in.results.begin() + in.result_count;
    return in.access_kind == AccessKind::atomic && in.space == MemorySpace::global &&
           std::none_of(in.results.begin(), end,
                        [](const RegisterUse& use) { return use.kind == RegisterKind::vector; });
}

// Ports: slots A and B before C, the same register once.
void add_reads(const Instruction& in, const RegisterFile& file, DecodedOp& op) {
    // what a matrix product's operands cost is part of its measured interval
    if (file.bank_map == RegisterBankMap::unknown || group_of(in.op) == OpGroup::tensor) {
        return;
    }
    constexpr int free_slot = 3;
    for (int s = 0; s < in.source_count; ++s) {
        const auto& use = in.sources[static_cast<std::size_t>(s)];
        if (use.kind != RegisterKind::vector) {
            continue;
        }
        for (int w = 0; w < use.width && op.read_count < op.reads.size(); ++w) {
            const auto reg = static_cast<std::uint8_t>(use.index + w);
            const auto end = op.reads.begin() + op.read_count;
            if (std::none_of(op.reads.begin(), end, [reg](const PortRead& r) { return r.reg == reg; })) {
                const int slot = use.slot < 0 ? free_slot : use.slot;
                op.reads[op.read_count++] = {bank_of(reg, file), static_cast<std::uint8_t>(slot), reg,
                                             use.reuse};
            }
        }
    }
    std::stable_sort(op.reads.begin(), op.reads.begin() + op.read_count,
                     [](const PortRead& a, const PortRead& b) { return a.slot < b.slot; });
}

// A product of 64 bits reads what it multiplies in both passes, of a pair that it adds one register in each.
// Measured for IMAD.WIDE; IMAD.HI, of the same class, is taken to be alike.
std::uint8_t held_ports(const Instruction& in, const RegisterFile& file) {
    if (in.op != OpClass::imad_wide || !file.wide_pass_cycles || file.bank_map == RegisterBankMap::unknown) {
        return 0;
    }
    double cycles = 0;
    for (int pass = 0; pass < 2; ++pass) {
        std::array<int, 4> reads{};
        for (int s = 0; s < in.source_count; ++s) {
            const auto& use = in.sources[static_cast<std::size_t>(s)];
            if (use.kind == RegisterKind::vector) {
                ++reads[bank_of(use.width > 1 ? use.index + pass : use.index, file) % reads.size()];
            }
        }
        const auto worst = *std::max_element(reads.begin(), reads.end()) / file.reads_per_bank_per_cycle;
        cycles += std::max(worst, *file.wide_pass_cycles);
    }
    return static_cast<std::uint8_t>(std::lround(cycles));
}

void count_result_banks(const Instruction& in, const RegisterFile& file, DecodedOp& op) {
    if (file.bank_map == RegisterBankMap::unknown) {
        return;
    }
    for (int r = 0; r < in.result_count; ++r) {
        const auto& use = in.results[static_cast<std::size_t>(r)];
        for (int w = 0; use.kind == RegisterKind::vector && w < use.width; ++w) {
            ++op.result_banks[bank_of(use.index + w, file) % op.result_banks.size()];
        }
    }
}

template <std::size_t N>
void add_registers(const RegisterUse& use, ScoreboardNumbers& numbers, std::array<std::uint16_t, N>& list,
                   std::uint8_t& count) {
    // the long operands of FP64 matrix products are pairs that are written together
    const int step = use.width > 4 ? 2 : 1;
    for (int w = 0; use.kind != RegisterKind::none && w < use.width && count < N; w += step) {
        list[count++] = numbers.of(use.kind, use.index + w);
    }
}

// What the control word leaves to the scoreboard: results of variable latency on Volta and later are
// those with a write barrier; Kepler's loads have none and are tracked by the hardware.
void apply_control(const IssueControl& control, bool variable_latency, DecodedOp& op) {
    op.tracks_sources = uses_data_pipe(op.kind);
    if (!control.known) {
        return;
    }
    constexpr int yield_delay = 2;
    int delay = std::max<int>(1, control.stall);
    if (control.gives_way && control.stall == 1) {
        delay = yield_delay;
    }
    op.issue_delay = static_cast<std::uint8_t>(delay);
    for (auto& read : op.reads) {
        read.reuse = read.reuse && delay == 1;  // operand_ports.h
    }
    op.pairs = control.dual_issue;
    op.tracks_results = variable_latency || control.write_barrier >= 0;
    op.tracks_sources = op.tracks_sources && (control.read_barrier >= 0 || variable_latency);
}

}  // namespace

std::uint16_t ScoreboardNumbers::of(RegisterKind kind, int index) {
    return numbers_.try_emplace({kind, index}, static_cast<std::uint16_t>(numbers_.size())).first->second;
}

namespace {

// To a uniform register (H200: validate/data/h200_sxm_warp_ops.csv); `estimated` for other generations.
constexpr std::int32_t redux_latency = 38;

// MATCH.ANY goes through the values of its lanes one after the other. H200
// (validate/data/h200_sxm_warp_ops.csv): 29.4, 88.9 and 349.2 cycles for 1 or 2, 8 and 32 values, and a
// scheduler of eight warps one in 8, 51 and 241; `estimated` for other generations. MATCH.ALL takes what one
// value takes.
void add_match_costs(int values, int interval_of_class, DecodedOp& op) {
    constexpr double latency = 29.4, latency_of_value = 10.85, latency_hides = 27.4;
    constexpr double interval_of_value = 7.86, interval_hides = 11.6;
    op.latency = static_cast<std::int32_t>(
        std::lround(latency + std::max(0.0, latency_of_value * values - latency_hides)));
    const auto ticks = std::lround(pipe_ticks * (interval_of_value * values - interval_hides));
    op.slow_interval = static_cast<std::uint16_t>(std::max<std::int64_t>(interval_of_class, ticks));
}

// LDC. H200 (validate/data/h200_sxm_constants.csv): a chain of them takes 34.8 cycles each with the five of
// the instruction that makes the index, and 11.5 more for each further address that the lanes name;
// `estimated` for other generations.
void add_constant_costs(int addresses, DecodedOp& op) {
    constexpr double latency = 30, latency_of_address = 11.5;
    op.constant_addresses = static_cast<std::uint8_t>(addresses);
    op.latency = static_cast<std::int32_t>(std::lround(latency + latency_of_address * (addresses - 1)));
    op.slow_interval = 0;
}

}  // namespace

DecodedOp decode_op(const Instruction& in, const std::string& mnemonic, const ArchSpec& arch,
                    const Machine& machine, ScoreboardNumbers& numbers) {
    DecodedOp op;
    op.op = in.op;
    op.kind = kind_of(in, mnemonic);
    const auto& timing = machine.classes[static_cast<std::size_t>(in.op)];
    op.ends_batch = in.ends_copy_group;
    op.batches_left = in.copy_groups_left;
    op.waits_for_copies = op.kind == OpKind::async_wait && in.copies_first == 0 && in.copy_groups_left < 0 &&
                          !in.arrivals_known;
    op.copies_first = in.copies_first;
    op.copies_step = in.copies_step;
    op.arrivals_from = in.arrivals_from;
    op.arrivals_first = in.arrivals_first;
    op.arrivals_step = in.arrivals_step;
    op.arrivals_warps = in.arrivals_warps;
    op.others_first = in.others_first;
    op.others_warps = in.others_warps;
    op.arrives = in.arrives;
    op.address = in.address;
    op.pipe = timing.pipe;
    op.latency = timing.latency;
    if (in.op == OpClass::barrier && op.kind == OpKind::async_wait) {
        op.latency = machine.shared_latency;  // its answer comes as a shared load's data
    }
    const bool control_class = in.op == OpClass::branch || in.op == OpClass::barrier;
    op.slow_interval = control_class || op.kind == OpKind::group_product ? 0 : timing.slow_interval;
    if (mnemonic.starts_with("MATCH")) {
        add_match_costs(in.matched_values, timing.slow_interval, op);
    } else if (mnemonic == "LDC" || mnemonic.starts_with("LDC.")) {
        add_constant_costs(in.matched_values, op);
    } else if (in.op == OpClass::convert && mnemonic.find("REDUX") != std::string::npos) {
        op.latency = redux_latency;
    }
    op.group = in.group;
    op.product_ticks = static_cast<std::int32_t>(std::lround(pipe_ticks * machine.products.cycles(in.group)));
    op.words = in.matrix_rows ? 1 : static_cast<std::uint8_t>(std::max(1, in.access_bytes / 4));
    op.texture = in.texture;
    op.filter = in.filter;
    op.bulk = in.bulk_bytes > 0;
    op.guarded = in.guard.kind != RegisterKind::none;
    op.no_data = op.kind == OpKind::global_load && brings_no_data(in);
    op.continues = in.continues;
    if (op.bulk) {
        op.copies = mnemonic.starts_with("UTMA") ? CopyUnit::tensor : CopyUnit::bulk;
    }
    op.bytes = in.access_bytes;
    for (int s = 0; s < in.source_count; ++s) {
        add_registers(in.sources[static_cast<std::size_t>(s)], numbers, op.sources, op.source_count);
    }
    add_registers(in.guard, numbers, op.sources, op.source_count);
    for (int r = 0; r < in.result_count; ++r) {
        add_registers(in.results[static_cast<std::size_t>(r)], numbers, op.results, op.result_count);
    }
    add_reads(in, arch.sm.register_file, op);
    op.holds_ports = held_ports(in, arch.sm.register_file);
    count_result_banks(in, arch.sm.register_file, op);
    apply_control(in.control, uses_data_pipe(op.kind), op);
    if (mnemonic == "BSYNC" || mnemonic.starts_with("BSYNC.")) {
        op.resolves = static_cast<std::uint8_t>(machine.reconvergence);
    } else if (mnemonic.starts_with("RET.") || mnemonic.starts_with("BRX")) {
        op.resolves = static_cast<std::uint8_t>(machine.indirect_branch);
    }
    return op;
}

}  // namespace gpumodel::sim
