// Global-memory coalescing: from one warp access to requests, transactions, sectors and L1 lines, by
// the rule set of the compute capability (CUDA programming guides 4.2 and 11, appendix on compute
// capabilities).
//
// Rules, each on the active lanes only:
//   cc1_0        a half-warp whose k-th lane names the k-th 4-, 8- or 16-byte word of an aligned window
//                (64, 128 or 2 x 128 B) is served by 1, 1 or 2 transactions; any other half-warp gets one
//                32 B transaction per lane, 16 for a full one.
//   cc1_2        a half-warp is served segment by segment (32, 64 or 128 B for 1-, 2- and wider words),
//                lowest lane first; a segment of which one half is touched shrinks to that half.
//   cc2_x-cc5_x  requests of at most 128 B: a warp, or half- and quarter-warps for 8- and 16-byte words;
//                per request the distinct 128 B lines when cached in L1, else the distinct 32 B sectors.
//   cc6_x        the whole warp is one request; distinct 32 B sectors on every path.
// The path matters to cc2_x, cc3_x and cc5_x alone. Stores have no path of their own: pass l1_bypassed.
//
// Ignored: cache contents, address translation, and the order in which the hardware sends transactions
// beyond "lowest lane first".
#pragma once

#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/warp_access.h"

namespace gpumodel {

// Which way a load takes; stores and uncached loads go by 32 B sectors on cc >= 2.x.
enum class GlobalPath : unsigned char { l1_cached, l1_bypassed, read_only };

struct Transaction {
    std::int64_t address = 0;  // aligned start
    int bytes = 0;             // 32, 64 or 128
    friend bool operator==(const Transaction&, const Transaction&) = default;
};

struct Coalescing {
    int requests = 0;                  // half-, quarter- or full-warp requests with at least one active lane
    int transactions = 0;              // memory transactions by the rule set's own unit
    std::int64_t bytes_moved = 0;      // sum of transaction sizes
    std::int64_t bytes_requested = 0;  // distinct bytes that active lanes name
    int sectors = 0;  // distinct 32 B sectors per request, summed (ncu's sectors of the instruction)
    int lines = 0;    // distinct 128 B lines per request, summed
    // bytes_requested / bytes_moved: the guides' bus utilisation (with duplicates counted once)
    [[nodiscard]] double efficiency() const {
        return bytes_moved == 0 ? 1.0
                                : static_cast<double>(bytes_requested) / static_cast<double>(bytes_moved);
    }
    std::vector<Transaction> list;  // in order of issue; filled only by analyse_coalescing_verbose
};

// Pure; an access with no active lane gives zeros. Allocation-free: called per warp access in sweeps.
// Precondition: non-negative addresses, aligned to bytes_per_lane.
[[nodiscard]] Coalescing analyse_coalescing(const WarpAccess& access, CoalescingRule rule, GlobalPath path);

// The same, with the list of transactions: per request in lane order of their first lane.
[[nodiscard]] Coalescing analyse_coalescing_verbose(const WarpAccess& access, CoalescingRule rule,
                                                    GlobalPath path);

}  // namespace gpumodel
