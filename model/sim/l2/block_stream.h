// What one block sends to L2: the accesses of its warps side by side, less what its part of L1 holds.
//
// Steps are trips of top-level loops and the code between them; warps of a block are taken to be in the
// same step. L1 is the SM's capacity over its resident blocks, by lines and sectors, first in first out
// (l1_tags.h). Of what passes L1 by, a line asked for again shortly after (within `recent_bytes`) is counted
// but left out of the transfers: L2 has it.
//
// Local memory counts as L2 traffic where L1 misses, without transfers: it stays on the chip.
// Ignored: blocks of an SM that share data in L1, accesses whose address nobody knows.
#pragma once

#include <cstdint>
#include <vector>

#include "model/memory/read_merging.h"
#include "model/sim/memory/access_table.h"

namespace gpumodel::sim {

struct Transfer {
    std::int64_t line = 0;    // of the stream's block
    std::uint32_t words = 0;  // touched, one bit each
    std::int32_t access = 0;  // index into BlockStream::accesses
    // Lines in a row of DRAM (2 KiB) that the block asks for one after another, this one among them.
    std::int32_t of_row = 1;
};

// Transfers [begin, end) of one step that depend on the block in the same way.
struct TransferRange {
    std::int32_t group = 0;
    std::int32_t begin = 0, end = 0;
};

struct StreamedAccess {
    int stream = 0, access = 0;  // DecodedProgram's
    bool store = false;          // atomics too
    bool atomic = false;         // carried out in L2, which fetches what it has not
    double read_sectors = 0;     // sent to L2 by a block
    bool cached = false;         // those look into L1, and other blocks may read the same
    double written_sectors = 0;
    double joined_sectors = 0;  // part of them: join the warp's store before (store_merging.h)
    int group = 0;
};

struct BlockStream {
    int body = 0;
    Dim3 origin;
    std::vector<BlockStrides> groups;
    std::vector<StreamedAccess> accesses;
    std::vector<Transfer> transfers;
    std::vector<std::vector<TransferRange>> steps;
    double trips_kept = 1;  // part of the long loops' trips that the stream holds
};

// Loops are cut to the part `trips_kept` of their trips, which scales all counts of the stream.
[[nodiscard]] BlockStream block_stream(const DecodedProgram& decoded, AccessTable& table, const Dim3& block,
                                       std::int64_t l1_bytes, std::int64_t read_only_bytes, bool whole_lines);

}  // namespace gpumodel::sim
