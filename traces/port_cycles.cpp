#include "traces/port_cycles.h"

#include <algorithm>
#include <vector>

namespace gpumodel {

namespace {

constexpr std::size_t slots = 3;
constexpr std::size_t most_banks = 64;  // of the spec's range

class PortModel {
public:
    explicit PortModel(const RegisterFile& file)
        : file_(file), read_cycles_(1.0 / file.reads_per_bank_per_cycle) {
        cache_.fill(-1);
    }

    // Issues one FFMA and counts what it needed.
    void issue(const PortReads& reads, PortStatistics& statistics) {
        std::array<int, slots> from_port{-1, -1, -1};
        int hits = 0;
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (reads.registers[slot] >= 0) {
                const bool hit = look_up(slot, reads);
                hits += hit ? 1 : 0;
                from_port[slot] = hit || named_before(reads, slot) ? -1 : reads.registers[slot];
            }
        }
        ++statistics.reuse_hits[static_cast<std::size_t>(hits)];
        ++statistics.same_bank[most_on_one_bank(from_port)];
        wait_for_ports(from_port, reads.paired);
    }

    [[nodiscard]] double now() const { return next_issue_; }

private:
    [[nodiscard]] std::size_t bank(int reg) const {
        return static_cast<std::size_t>(bank_of(reg, file_).value_or(0));
    }

    static bool named_before(const PortReads& reads, std::size_t slot) {
        const auto begin = reads.registers.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(slot);
        return std::find(begin, end, reads.registers[slot]) != end;
    }

    bool look_up(std::size_t slot, const PortReads& reads) {
        if (!file_.reuse_cache) {
            return false;
        }
        const int reg = reads.registers[slot];
        int& entry = cache_[slot * static_cast<std::size_t>(file_.banks) + bank(reg)];
        const bool hit = entry == reg;
        entry = reads.reuse[slot] ? reg : -1;
        return hit;
    }

    [[nodiscard]] std::size_t most_on_one_bank(const std::array<int, slots>& from_port) const {
        std::size_t most = 0;
        for (const int reg : from_port) {
            const auto same = std::count_if(from_port.begin(), from_port.end(), [&](int other) {
                return reg >= 0 && other >= 0 && bank(other) == bank(reg);
            });
            most = std::max(most, static_cast<std::size_t>(same));
        }
        return most;
    }

    // Rule 3. The issue cycle is the earliest whole one at which all deadlines hold.
    void wait_for_ports(const std::array<int, slots>& from_port, bool paired) {
        constexpr std::array<double, slots> slack{2, 2, 3};
        std::array<double*, slots> queue{};  // of the slot's bank; null where nothing is read
        for (std::size_t slot = 0; slot < slots; ++slot) {
            queue[slot] = from_port[slot] >= 0 ? &free_at_[bank(from_port[slot])] : nullptr;
        }
        std::array<double, slots> read_at{};
        const auto in_time = [&](double issue_at) {
            for (std::size_t slot = 0; slot < slots; ++slot) {
                if (queue[slot] == nullptr) {
                    continue;
                }
                double free_at = *queue[slot];
                for (std::size_t before = 0; before < slot; ++before) {
                    free_at = queue[before] == queue[slot] ? read_at[before] : free_at;
                }
                read_at[slot] = std::max(free_at, issue_at) + read_cycles_;
                if (read_at[slot] > issue_at + slack[slot]) {
                    return false;
                }
            }
            return true;
        };
        double issue_at = next_issue_;
        while (!in_time(issue_at)) {
            issue_at += 1;
        }
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (queue[slot] != nullptr) {
                *queue[slot] = read_at[slot];
            }
        }
        next_issue_ = issue_at + (paired ? 0 : 1);
    }

    const RegisterFile& file_;
    double read_cycles_;
    std::array<double, most_banks> free_at_{};
    std::array<int, slots * most_banks> cache_{};
    double next_issue_ = 0;
};

bool knows_banks(const RegisterFile& file) {
    // Slower than a read every two cycles, three reads on one bank could never meet rule 3's deadlines.
    constexpr double slowest = 1.0;
    return file.banks > 0 && file.bank_map != RegisterBankMap::unknown &&
           file.reads_per_bank_per_cycle >= slowest;
}

}  // namespace

std::optional<PortReads> port_reads(const Instruction& instruction) {
    if (instruction.op != OpClass::ffma) {
        return std::nullopt;
    }
    PortReads reads;
    std::size_t next = 0;
    for (std::size_t i = 0; i < instruction.source_count; ++i) {
        const RegisterUse& source = instruction.sources[i];
        if (source.kind != RegisterKind::vector) {
            continue;
        }
        const std::size_t slot = source.slot >= 0 ? static_cast<std::size_t>(source.slot) : next;
        next = slot + 1;
        if (slot < slots) {
            reads.registers[slot] = source.index;
            reads.reuse[slot] = source.reuse;
        }
    }
    return reads;
}

std::vector<PortReads> port_reads(std::span<const Instruction> code) {
    std::vector<PortReads> sequence;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (auto reads = port_reads(code[i])) {
            reads->paired =
                code[i].control.dual_issue && i + 1 < code.size() && code[i + 1].op == OpClass::ffma;
            sequence.push_back(*reads);
        }
    }
    return sequence;
}

std::optional<int> bank_of(int reg, const RegisterFile& file) {
    if (file.bank_map == RegisterBankMap::modulo && file.banks > 0) {
        return reg % file.banks;
    }
    if (file.bank_map == RegisterBankMap::kepler_quads) {
        return 2 * ((reg / 4) % 2) + reg % 2;
    }
    return std::nullopt;
}

std::optional<PortStatistics> port_statistics(std::span<const PortReads> sequence, const RegisterFile& file) {
    if (sequence.empty() || !knows_banks(file)) {
        return std::nullopt;
    }
    // Queues and reuse entries carry over from one repetition to the next: the first two fill them, the mean
    // of the following ones is the steady state (a mean, because queues may repeat only every few trips).
    constexpr int warm_up = 2;
    constexpr int measured = 8;
    PortModel model(file);
    PortStatistics statistics;
    double begin = 0;
    for (int trip = 0; trip < warm_up + measured; ++trip) {
        if (trip == warm_up) {
            begin = model.now();
        }
        PortStatistics of_trip;
        for (const auto& reads : sequence) {
            model.issue(reads, of_trip);
        }
        statistics = of_trip;
    }
    statistics.ffmas = static_cast<int>(sequence.size());
    statistics.cycles_per_ffma = (model.now() - begin) / (measured * static_cast<double>(sequence.size()));
    return statistics;
}

std::optional<PortStatistics> port_statistics(std::span<const Instruction> code, const RegisterFile& file) {
    auto sequence = port_reads(code);
    for (auto& reads : sequence) {
        reads.paired = false;
    }
    return port_statistics(sequence, file);
}

}  // namespace gpumodel
