// Register-file ports of one scheduler (H200 microbenchmarks).
//
// Each bank delivers reads_per_bank registers per cycle, in order of issue. An instruction issues at t only
// if its reads of slots A and B are done by t + operand_slack and that of slot C (or of a memory instruction)
// by t + third_operand_slack. Reuse entries, one per (slot, bank): a read whose reuse flag is set stays
// there; the same warp's next instruction that names the register in that slot needs no port, if it comes in
// the very next cycle: a stall count or a yield loses the entry (decode_op.cpp). An access without the flag
// drops the entry; another warp's issue loses all. While an instruction waits for its ports, the scheduler
// issues no other (spec: conflicts_hold_scheduler). Registers that loads deliver take a cycle of their bank
// in the cycles before they are ready, where the spec says so. Products of 64 bits keep all banks for their
// two passes (spec: wide_pass).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/sim/core/stream.h"

namespace gpumodel::sim {

class OperandPorts {
public:
    explicit OperandPorts(const RegisterFile& file);

    // Earliest cycle >= now at which the instruction can issue, as far as ports go.
    [[nodiscard]] Cycle earliest(const DecodedOp& op, int warp, Cycle now) {
        const Ticks at = now * ticks_per_cycle;
        if (next_delivery_ <= at) {
            catch_up(at);
        }
        auto free = free_;
        Ticks late = 0;
        const bool own = warp == owner_;
        for (std::size_t i = 0; i < op.read_count; ++i) {
            const auto& read = op.reads[i];
            if (own && entries_[read.slot][read.bank] == read.reg) {
                continue;
            }
            auto& bank = free[read.bank];
            bank = std::max(bank, at) + read_ticks_;
            late = std::max(late, bank - at - slack_[read.slot]);
        }
        if (late > 0) {
            late -= late_on_idle_banks(op, own);
        }
        return now + (late + ticks_per_cycle - 1) / ticks_per_cycle;
    }
    // The instruction issues at `now`.
    void issue(const DecodedOp& op, int warp, Cycle now) {
        const Ticks at = now * ticks_per_cycle;
        if (warp != owner_) {
            forget();
            owner_ = warp;
        }
        if (op.holds_ports > 0) {
            const auto begin = std::max(at, *std::max_element(free_.begin(), free_.end()));
            free_.fill(begin + op.holds_ports * ticks_per_cycle);
            forget();
            return;
        }
        for (std::size_t i = 0; i < op.read_count; ++i) {
            const auto& read = op.reads[i];
            auto& entry = entries_[read.slot][read.bank];
            if (entry != read.reg) {
                free_[read.bank] = std::max(free_[read.bank], at) + read_ticks_;
            }
            entry = read.reuse && read.slot < reuse_slots ? std::int16_t{read.reg} : std::int16_t{-1};
        }
    }
    // `banks[b]` registers of bank b are written in the cycles before `ready`.
    void deliver(Cycle ready, const std::array<std::uint8_t, 4>& banks);

    [[nodiscard]] bool limits() const { return limited_; }
    [[nodiscard]] bool delivers() const { return write_back_; }

private:
    using Ticks = std::int64_t;
    static constexpr Ticks ticks_per_cycle = 16;
    static constexpr std::size_t bank_count = 4;
    static constexpr std::size_t reuse_slots = 3;
    struct Delivery {
        Ticks when = 0;
        std::array<std::uint8_t, bank_count> banks{};
    };
    // By how much the instruction's own reads exceed the slack (what-if specs): no waiting helps.
    [[nodiscard]] Ticks late_on_idle_banks(const DecodedOp& op, bool own) const;
    void catch_up(Ticks now);
    void forget();

    bool limited_ = false;
    bool write_back_ = false;
    Ticks read_ticks_ = ticks_per_cycle;
    std::array<Ticks, reuse_slots + 1> slack_{};  // by slot
    std::array<Ticks, bank_count> free_{};
    std::array<std::array<std::int16_t, bank_count>, reuse_slots + 1> entries_{};  // the last is never filled
    int owner_ = -1;
    std::vector<Delivery> pending_;  // latest first
    Ticks next_delivery_ = never;
};

}  // namespace gpumodel::sim
