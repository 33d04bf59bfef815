// The L2 under the interleaved accesses of all resident blocks: bytes between SMs, L2 and DRAM over a launch,
// and which loads wait for DRAM.
//
// Blocks start in linear order; resident blocks form a wave, stay in step (block_stream.h), and the
// next wave takes their place. Blocks are alike but for their coordinates, so one block's transfers, shifted,
// give every block's, and likewise for each kind of blocks (step_reads.h); within a step, blocks of a wave
// that touch the same data touch it together: L2 is asked once for each of its halves and all of them wait
// for what DRAM or the other half has to bring. Cold starts with an empty L2, warm with what the end of the
// same launch leaves (as much of it as fills L2 twice).
//
// Only a sample of the lines goes through the cache (l2_cache.h), so many that some 400 000 accesses do. A
// launch of more than 60 million transfers stops there, and the rest of its waves counts as the average so
// far.
//
// Ignored: drift between blocks of a wave and the overlap of one wave with the next.
#pragma once

#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/memo.h"
#include "model/launch/waves.h"
#include "model/memory/traffic.h"
#include "model/sim/l2/l2_cache.h"
#include "model/sim/l2/replayed_access.h"
#include "model/sim/memory/access_table.h"
#include "model/sim/memory/memory_servers.h"

namespace gpumodel::sim {

// A launch's; the same for all that send the same transfers.
struct Replayed {
    std::vector<std::vector<ReplayedAccess>> accesses;  // [kind of block][in order of their first transfers]
    L2Counts counts;
};

struct ReplaySetup {
    const KernelProgram& program;
    const DecodedProgram& decoded;
    const Waves& waves;
    const ArchSpec& arch;
    std::int64_t l1_bytes = 0;  // of an SM
    L2State state = L2State::warm;
    std::int64_t sample_one_in = 0;   // a power of two; 0 = as many as needed
    Memo<Replayed>* known = nullptr;  // on the same spec, from the same state and with the same sample
};

// What L2 has of every access's data; `traffic`'s L2 and DRAM figures become the replay's. Without an L2
// (size 0) all of it is DRAM's business (memory_servers.h): no shares, and traffic stays as it is.
[[nodiscard]] DramShares replay_launch(const ReplaySetup& setup, AccessTable& table, Traffic& traffic);

}  // namespace gpumodel::sim
