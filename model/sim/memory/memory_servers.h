// What lies behind one SM's L1 (model/memory/costs/behind_l1.h: rates and latencies) as servers with a queue.
//
//   read of b bytes sent at t:  start = max(t, read port free); port free = start + max(b, least) / rate, as
//                               of a store of b bytes of a line
//                               data at start + (b - 32) / rate + latency, a hash of the line picks the
//                               slice; DRAM's latency for the part of the access's reads that waits for it
//                               (l2/launch_replay.h), the far latency for the part that the other half of L2
//                               has
//   slices of L2                where they do one thing at a time, reads, stores, atomics and what DRAM
//                               brings pass one server more, in line with their ports. What atomics bring
//                               back passes another
//   the hot slice               (Traffic::hot_slice) besides: this SM's atomics on it take the cycles of all
//                               SMs', everything else its even part; atomics that bring something back, and
//                               reads of lines that a hash gives to it, wait. Atomics that wait for one
//                               another do so in a queue of their own, which holds up nothing else
// The way between the halves and DRAM are servers of the same kind in line with the first. DRAM's latency
// depends on whether the line's home is in the SM's half (model/memory/l2_halves.h). DRAM is a second server
// of the same kind in line with the first; every byte read costs the access's share of DRAM's time there
// (DramShare); what is written back is spread over the bytes that DRAM brings, as far as it leaves L2 for
// these, and over the bytes that are stored. Its rate is the SM's share, which a burst may run ahead of by 2
// KiB. What waits for DRAM waits in this server's queue, or as long as behind_l1.h says by how busy DRAM was
// lately, whichever is longer: the server sees one SM's requests, which come one after another, and not how
// all SMs' collide. Stores wait for DRAM once L2 owes it more than one way of each of its sets
// (`estimated`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "model/memory/costs/atomic_costs.h"
#include "model/memory/costs/behind_l1.h"
#include "model/memory/traffic.h"

namespace gpumodel::sim {

// Of one access of a stream.
struct DramShare {
    // DRAM bytes, as long as whole lines' of them take, per byte that an SM reads from L2.
    double bytes_per_byte = 0;
    double waits = 0;               // part of the reads that wait for DRAM
    double far_bytes_per_byte = 0;  // bytes between the halves of L2 per byte that an SM reads
    double far_waits = 0;           // part of the reads that find the data in the other half alone
    double accesses_more = 0;       // of the slices, per read (model/memory/stale_copies.h)
    double crowding = 1;            // of the slices (model/memory/crowded_slices.h)
};
using DramShares = std::vector<std::vector<std::vector<DramShare>>>;  // [body][stream][access]

struct MemoryRates {
    BehindL1 behind;
    double dram_per_written_byte = 0;  // DRAM bytes per byte written to L2
    // And per byte that DRAM brings, both as long as whole lines' take: what leaves L2 for it.
    double dram_per_fetched_byte = 0;
    double store_buffer_bytes = 0;  // 0 = no limit
    double sms = 1;                 // whose shares these are
    std::optional<HotSlice> hot;
    std::vector<std::int64_t> hot_lines;  // its lines, as the simulator counts them
};
[[nodiscard]] MemoryRates memory_rates(const ArchSpec& arch, double sm_hz, const Waves& waves,
                                       const Traffic& traffic);

// Parts of the recent time that DRAM was busy, with anything and with writes.
class DramLoad {
public:
    void add(double now, double cycles, bool write);
    [[nodiscard]] double busy() const { return busy_; }
    [[nodiscard]] double writing() const { return writing_; }

private:
    double at_ = 0, busy_ = 0, writing_ = 0;
};

class MemoryServers {
public:
    explicit MemoryServers(const MemoryRates& rates) : rates_(rates) {}

    // When data of `bytes` in a line requested at `now` arrives, counted as load-to-use latency from `now`.
    double read(double now, std::int64_t line, double bytes, const DramShare& dram);
    struct Store {
        double bytes = 0;         // of sectors
        double part = 1;          // of it and of what follows that does not join what is on its way already
        double taken_bytes = 0;   // if more, those that the way to L2 is taken for
        double slice_bytes = 0;   // that the slices are at work for; 0 = as many as the way
        double slice_cycles = 0;  // of an atomic, instead
        double hot_cycles = 0;    // part of them, on the hot slice
        double hot_lines = 0;     // of a store
        double crowding = 1;
    };
    void write(double now, const Store& store);
    // The SM waits for what an atomic brings back.
    double atomic(double now, std::int64_t line, double bytes, const AtomicCosts::OfLine& costs,
                  const DramShare& dram);
    [[nodiscard]] bool is_hot(std::int64_t line) const {
        const auto& hot = rates_.hot_lines;
        return !hot.empty() && std::find(hot.begin(), hot.end(), line) != hot.end();
    }
    // What DRAM has of an atomic's sectors that brings nothing back.
    void fetch(double now, double bytes, const DramShare& dram);
    // Earliest time at which the store buffer has room.
    [[nodiscard]] double accepts_store_at() const;
    // All stores have reached L2.
    [[nodiscard]] double drained() const { return std::max({write_free_, hot_free_, chain_free_}); }

    double read_bytes = 0, written_bytes = 0;
    // Of the busiest of the servers.
    [[nodiscard]] double busy_cycles() const {
        return std::max({read_busy_, write_busy_, slices_busy_, dram_busy_});
    }
    // Of DRAM, for so many bytes that are stored, now or later.
    [[nodiscard]] double write_back_cycles(double bytes) const {
        return bytes * rates_.dram_per_written_byte / rates_.behind.dram_bytes_per_cycle;
    }

private:
    MemoryRates rates_;
    double bring(double now, std::int64_t line, double bytes, double sliced, const DramShare& dram);
    double cross(double now, double bytes);
    double slices_at(double now, double cycles, double crowding);
    void hot_slice_at(double now, double cycles);
    void hot_change_at(double now, double cycles);
    [[nodiscard]] double of_all_sms(double hot_cycles);
    void use_dram(double now, double cycles, bool write);
    void owe_dram(double now, double bytes);

    double read_free_ = 0, write_free_ = 0, slices_free_ = 0, dram_free_ = 0, far_free_ = 0;
    double hot_free_ = 0, hot_busy_ = 0, chain_free_ = 0, returned_free_ = 0;
    double read_busy_ = 0, write_busy_ = 0, slices_busy_ = 0, dram_busy_ = 0;
    DramLoad load_;
    double owed_ = 0, far_owed_ = 0;  // spread the requests that wait for DRAM or the other half evenly
};

}  // namespace gpumodel::sim
