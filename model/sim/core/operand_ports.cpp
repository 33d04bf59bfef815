#include "model/sim/core/operand_ports.h"

#include <cmath>

namespace gpumodel::sim {

OperandPorts::OperandPorts(const RegisterFile& file) {
    limited_ = file.bank_map != RegisterBankMap::unknown && file.operand_slack_cycles &&
               file.third_operand_slack_cycles && file.banks <= static_cast<int>(bank_count);
    write_back_ = limited_ && file.load_write_back.value_or(false);
    if (limited_) {
        const auto ticks = [](double cycles) { return std::llround(cycles * ticks_per_cycle); };
        read_ticks_ = ticks(1 / file.reads_per_bank_per_cycle);
        const auto first = ticks(*file.operand_slack_cycles);
        const auto third = ticks(*file.third_operand_slack_cycles);
        slack_ = {first, first, third, third};
    }
    forget();
}

void OperandPorts::forget() {
    for (auto& slot : entries_) {
        slot.fill(-1);
    }
}

OperandPorts::Ticks OperandPorts::late_on_idle_banks(const DecodedOp& op, bool own) const {
    std::array<Ticks, bank_count> busy{};
    Ticks late = 0;
    for (std::size_t i = 0; i < op.read_count; ++i) {
        const auto& read = op.reads[i];
        if (!own || entries_[read.slot][read.bank] != read.reg) {
            busy[read.bank] += read_ticks_;
            late = std::max(late, busy[read.bank] - slack_[read.slot]);
        }
    }
    return late;
}

void OperandPorts::catch_up(Ticks now) {
    while (!pending_.empty() && pending_.back().when <= now) {
        const auto& arrived = pending_.back();
        for (std::size_t b = 0; b < bank_count; ++b) {
            if (arrived.banks[b] > 0) {
                free_[b] = std::max(free_[b], arrived.when) + arrived.banks[b] * read_ticks_;
            }
        }
        pending_.pop_back();
    }
    next_delivery_ = pending_.empty() ? never : pending_.back().when;
}

void OperandPorts::deliver(Cycle ready, const std::array<std::uint8_t, 4>& banks) {
    const Ticks writes = *std::max_element(banks.begin(), banks.end()) * read_ticks_;
    const Ticks when = ready * ticks_per_cycle - writes;
    const auto place =
        std::find_if(pending_.rbegin(), pending_.rend(), [when](const Delivery& d) { return d.when > when; });
    pending_.insert(place.base(), {when, banks});
    next_delivery_ = pending_.back().when;
}

}  // namespace gpumodel::sim
