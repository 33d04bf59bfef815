// What lies behind one SM's L1 in a launch: its even share of L2 and DRAM, as bandwidth and latency. One book
// for the analytic model and the simulator.
//
//   n        blocks / blocks of the busiest SM: so that the busiest SM's blocks times a block's bytes are the
//            launch's bytes over the GPU's rate
//   port     what one SM alone can read from L2
//   reads    min(port, L2 bandwidth / (n * part of the reads that reaches L2 by itself))
//            a read of fewer bytes of a line than l2.access_size takes as long as of so many (H200: 147 a
//            nanosecond, of one to 32 bytes each, anywhere)
//   writes   min(write port of one SM, L2 write bandwidth / n); a line of which not all of a sector is stored
//            takes a sector more (H200: 74 stores a nanosecond of a word each, anywhere)
//   slices   of L2 do one thing at a time, where l2.access_size is known: reads at L2's bandwidth / n,
//            stores at its write bandwidth / n for half of their bytes and half an access_size a line,
//            atomics as atomic_costs.h says (H200: a store behind each compare-and-swap or load anywhere
//            takes the sum of both times, h200_sxm_random_words.csv; a copy of whole lines in L2 goes at
//            3.54 TB/s each way where reads alone have 8.8 and stores 4.67: the half is from that)
//   DRAM     pin bandwidth * efficiency / n;
//            the efficiency falls with the written part f of the bytes, through the spec's for a copy at f =
//            1/2, and is that of reads again where nothing is read: read - 2 (read - copy) min(f, 4 (1 - f))
//            (H200: 0.97, 0.92, 0.91, 0.89, 0.87, 0.84, 0.99 of the pins at f = 0, 1/4, 1/3, 1/2, 2/3, 4/5,
//            1). DRAM's own latency differs by address, by dram.latency_spread from the nearest to the
//            farthest: the later a warp's last line the more of them it asks for.
//   waits    of a read for DRAM, beyond its latency, where DRAM is busy for a part b of the time and w of
//            it with writes: queue_latency * b / (1 - b)^0.75, and turnaround_latency * w on average. Other
//            SMs' requests come when they like, so a queue forms before the bandwidth is reached; and some
//            reads meet DRAM writing and wait long, most do not: a warp of many lines waits for the slowest.
//            Both are less where blocks are dealt while the launch runs, as they keep the SMs at neighbouring
//            addresses: the part of the blocks that run at once, at least 0.6
//   latency  the L2's (its own half's, where it is split), plus or minus half the spread between slices.
//            What only the other half has takes the far latency, and its bytes pass the way between the
//            halves: far bandwidth / n. What L2 does not have takes DRAM's latency, plus or minus the spread,
//            and, as that is the mean over homes, plus or minus half of what far is more than near.
// Where there is no L2 (cc 1.x) everything is DRAM.
//
// L2 keeps a clock of its own, as DRAM does (H100: 1.70 GHz while the SMs go from 1.98 to 1.55): the spec's
// bytes per cycle are of clock.sm, and a launch at a lower clock gets more of them in its cycles. Latencies
// stay what they are in cycles, of which a part is the SM's own.
//
// Units: bytes per SM cycle, SM cycles. Ignored: the order in which SMs reach L2, slices that are asked more
// than others, DRAM rows beyond the efficiencies of the spec.
#pragma once

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "model/memory/traffic.h"

namespace gpumodel {

struct BehindL1 {
    double port_bytes_per_cycle = 0;  // 0 without L2
    double read_bytes_per_cycle = 0;  // one SM's share, as the next three
    double least_bytes = 0;           // that a read or a store of a line takes of its rate
    double write_bytes_per_cycle = 0;
    // Of L2's slices, which do one thing at a time; 0 = reads, stores and atomics pass beside each other.
    double slice_read_bytes_per_cycle = 0, slice_write_bytes_per_cycle = 0;
    double slice_fill_bytes_per_cycle = 0;  // of what DRAM brings
    double atomic_slices = 0;
    double dram_bytes_per_cycle = 0;
    double write_back_bytes = 0;  // that L2 may owe DRAM before stores wait for it; 0 without L2
    double l2_latency = 0;        // load to use
    double l2_latency_spread = 0;
    double far_latency = 0;          // more than l2_latency; 0 with one half
    double far_bytes_per_cycle = 0;  // one SM's share of the way between the halves; 0 = no limit
    double dram_latency = 0;         // mean over homes
    double dram_latency_spread = 0;
    double dram_queue_latency = 0, dram_turnaround_latency = 0;
    double dram_disorder = 1;  // part of both that reads wait

    // Load to use of many lines, one from each slice, until the slowest is there; `dram_part` of the loads
    // finds nothing in L2, `far_part` finds it in the other half.
    [[nodiscard]] double load_latency(double dram_part, double far_part = 0) const;
    // The same of so many lines that come together, of which the last one counts: where any of them comes
    // from afar or from DRAM, all wait for it; of many from DRAM one has its farthest row.
    [[nodiscard]] double tile_latency(double lines, double dram_part, double far_part) const;
    // Of a read that DRAM serves; `busy` and `writing` are parts of its time, the second part of the first.
    // `chance`: 0 to 1, evenly over the reads.
    [[nodiscard]] double dram_wait(double busy, double writing, double chance) const;
};
[[nodiscard]] BehindL1 behind_l1(const ArchSpec& arch, double sm_hz, const Waves& waves,
                                 const Traffic& traffic);

// Of DRAM's pin bandwidth, by what the launch reads and writes.
[[nodiscard]] double dram_efficiency(const Dram& dram, const Traffic& traffic);

}  // namespace gpumodel
