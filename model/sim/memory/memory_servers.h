// What lies behind one SM's L1 (model/memory/costs/behind_l1.h: rates and latencies) as servers with a queue.
//
//   read of b bytes sent at t:  start = max(t, read port free); port free = start + max(b, least) / rate, as
//   of a
//                               store of b bytes of a line
//                               data at start + (b - 32) / rate + latency, a hash of the line picks the
//                               slice; DRAM's latency for the part of the access's reads that waits for it
//                               (l2/launch_replay.h), the far latency for the part that the other half of L2
//                               has
// The way between the halves and DRAM are servers of the same kind in line with the first. DRAM's latency
// depends on whether the line's home is in the SM's half (model/memory/l2_halves.h). DRAM is a second server
// of the same kind in line with the first; every byte read costs the access's share of DRAM's time there
// (DramShare), every byte written the launch's average. Its rate is the SM's share, which a burst may run
// ahead of by 2 KiB. What waits for DRAM waits in this server's queue, or as long as behind_l1.h says by how
// busy DRAM was lately, whichever is longer: the server sees one SM's requests, which come one after another,
// and not how all SMs' collide. Stores wait for DRAM once L2 owes it more than one way of each of its sets
// (`estimated`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
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
};
using DramShares = std::vector<std::vector<std::vector<DramShare>>>;  // [body][stream][access]

struct MemoryRates {
    BehindL1 behind;
    double dram_per_written_byte = 0;  // DRAM bytes per byte written to L2
    double store_buffer_bytes = 0;     // 0 = no limit
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
    // `taken_bytes`: if more, those that the way to L2 is taken for.
    void write(double now, double bytes, double taken_bytes = 0);
    // Earliest time at which the store buffer has room.
    [[nodiscard]] double accepts_store_at() const;
    // All stores have reached L2.
    [[nodiscard]] double drained() const { return write_free_; }

    double read_bytes = 0, written_bytes = 0;
    // Of the busiest of the servers.
    [[nodiscard]] double busy_cycles() const { return std::max({read_busy_, write_busy_, dram_busy_}); }

private:
    MemoryRates rates_;
    double cross(double now, double bytes);

    double read_free_ = 0, write_free_ = 0, dram_free_ = 0, far_free_ = 0;
    double read_busy_ = 0, write_busy_ = 0, dram_busy_ = 0;
    DramLoad load_;
    double owed_ = 0, far_owed_ = 0;  // spread the requests that wait for DRAM or the other half evenly
};

}  // namespace gpumodel::sim
