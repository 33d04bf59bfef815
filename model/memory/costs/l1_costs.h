// What a global access costs in the L1: one book for the analytic model and the simulator.
//
//   load   max(min_cycles_per_request, lines / tag rate, bytes / bandwidth,
//              bank passes where L1 holds global data,
//              transactions where there is no cache behind it) + extra_cycles_per_request
//   store  one request a cycle, four sectors of it
//   miss   one line per 1 / miss_lines_per_cycle; its bytes pass the data stage once more when they arrive
//   atomic a store
//   copy past L1 (LDGSTS.BYPASS): one request and the wavefronts of its shared side (H200,
//          validate/data/h200_sxm_tensor_micro.csv: 4.95 to 5.1 cycles per warp-wide copy of 16 bytes per
//          lane), or its lines at their own rate where that is more: so long no other request is served
//          (validate/data/h200_sxm_async_copies.csv)
//   texture and surface read or write
//          max(32 lanes * passes / rate, lines / texture lines rate, wavefronts); a pass moves 8 bytes of a
//          texel, 4 of a surface (H200, validate/data/h200_sxm_texture.csv: 4, 4, 8 cycles for TLD of 4, 8,
//          16 bytes, 8, 8, 16 for TEX, 4 and 16.6 for SULD of 4 and 16; a filter of 16 bytes takes 32,
//          ignored here). The unit works beside the data stage, which it is taken to hold all the while.
//
// Units: SM cycles. Pure functions of the spec; counts may be totals or means over many requests.
#pragma once

#include "arch_specs/arch_spec.h"
#include "traces/instruction.h"

namespace gpumodel {

// Of `requests` warp-wide accesses.
struct L1Work {
    double requests = 1;
    double lines = 0;       // distinct lines, request by request
    double wavefronts = 0;  // bank passes of the data stage
    double bytes = 0;       // that lanes ask for
    double sectors = 0;
    double transactions = 0;  // cc 1.x
};

struct L1Costs {
    double least_per_load = 1, extra_per_load = 0;
    double lines_per_cycle = 0;  // 0 = no limit
    double bytes_per_cycle = 0;  // 0 = no limit
    bool data_stage = true;      // the bank rule holds
    bool one_by_one = false;     // transactions follow each other (cc 1.x)
    double fill_cycles_per_byte = 0;
    double miss_line_cycles = 0;  // of the request port to L2, per line; 0 = no limit
    double copy_line_cycles = 0;  // 0 = no limit
    double latency = 0, local_latency = 0, read_only_latency = 0;
    double sample_lanes_per_cycle = 0, fetch_lanes_per_cycle = 0,
           texture_lines_per_cycle = 0;            // 0 = no limit
    double sample_latency = 0, fetch_latency = 0;  // 0 = a load's

    [[nodiscard]] double load_cycles(const L1Work& work) const;
    // Of `work.requests` texture instructions. How often the lanes pass a unit follows from the bytes where
    // `filter` does not say it; the lines of every plane are read.
    [[nodiscard]] double texture_cycles(TextureUnit unit, int bytes_per_lane, const TextureFilter& filter,
                                        const L1Work& work) const;
    // What a hit takes longer than a load's on the same path.
    [[nodiscard]] double texture_delay(TextureUnit unit, bool read_only_path) const;
    // Of the global side of copies past L1, beyond the wavefronts of their shared side: a wavefront is taken
    // to hold 128 of its bytes.
    [[nodiscard]] double copy_cycles(const L1Work& work) const;
    [[nodiscard]] double store_cycles(const L1Work& work) const;
};

[[nodiscard]] L1Costs l1_costs(const ArchSpec& arch);

}  // namespace gpumodel
