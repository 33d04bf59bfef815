// What one access site costs, averaged exactly over the launch.
//
// An address is f(thread, word) + sum of stride * counter, so shifting a warp's 32 addresses by a
// multiple of the alignment period (128 B for lines, sectors and banks; 256 B for the 64-word windows
// of cc 3.x) changes nothing. The statistics therefore evaluate each warp access once per residue of
// that sum and weigh it by how often the residue occurs over all blocks and loop trips: exact, and
// independent of the problem size. Blocks cut by a bounds check are evaluated as classes of their own
// (interior, right edge, bottom edge, corner), except where the predicate asks for the thread alone.
//
// Local memory is laid out as the hardware does it: the words of a warp's lanes lie side by side, so lanes
// that access the same offset share sectors. Atomics count as stores do; in shared memory, lanes that name
// the same word follow each other (`estimated`).
//
// Ignored: predicates that depend on a loop counter; the partial last k tile of a vendor tile counts
// as a whole one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/coalescing/coalescing.h"
#include "model/memory/program_walk.h"

namespace gpumodel {

// Sums over the warps of one block and one iteration of the segment, averaged over blocks and trips.
struct SiteStatistics {
    const AccessSite* site = nullptr;
    double trips = 0;         // trips of the segment per block
    double accesses = 0;      // warp instructions with at least one active lane
    double requests = 0;      // after splitting (half-warps on cc 1.x)
    double transactions = 0;  // by the generation's own rule
    double bytes_moved = 0;   // of those transactions
    double bytes_requested = 0;
    double sectors = 0;       // distinct 32 B sectors per instruction
    double lines = 0;         // distinct 128 B lines per instruction
    double wavefronts = 0;    // shared: passes over the banks; global: passes of the L1 data stage
    double phases = 0;        // wavefronts a conflict-free access of this width needs
    double conflicts = 0;     // wavefronts - phases
    double slice_cycles = 0;  // global atomics: of the L2's slices (costs/atomic_costs.h)
    int degree = 0;           // worst number of passes seen in one phase
};

// Every warp access of one block at loop counters 0: accesses of warp 0 first, in word order. Computed
// once per site and used by the statistics and the footprint.
struct BlockAccesses {
    int warps = 0;
    int per_warp = 0;  // accesses of a warp
    std::vector<WarpAccess> list;
    [[nodiscard]] const WarpAccess& at(int warp, int access) const {
        return list[static_cast<std::size_t>(warp) * static_cast<std::size_t>(per_warp) +
                    static_cast<std::size_t>(access)];
    }
    friend bool operator==(const BlockAccesses&, const BlockAccesses&) = default;
};
[[nodiscard]] BlockAccesses gather_block(const Segment& segment, const AccessSite& site, const Dim3& block);

// Those of one block, gathered when somebody asks.
class LazyAccesses {
public:
    // Segment and site must outlive it.
    LazyAccesses(const Segment& segment, const AccessSite& site, const Dim3& block)
        : segment_(segment), site_(site), block_(block) {}
    [[nodiscard]] const BlockAccesses& get() {
        if (!gathered_) {
            gathered_ = gather_block(segment_, site_, block_);
        }
        return *gathered_;
    }

private:
    const Segment& segment_;
    const AccessSite& site_;
    Dim3 block_;
    std::optional<BlockAccesses> gathered_;
};

// The stride of an address in each counter, found by probing the access function.
struct SiteStrides {
    std::int64_t block_x = 0, block_y = 0, block_z = 0;
    std::array<std::int64_t, max_loop_depth> loop{};
    friend bool operator==(const SiteStrides&, const SiteStrides&) = default;
};
[[nodiscard]] SiteStrides probe_strides(const AccessSite& site, int thread, int depth);

// What the functions of a site depend on whose code fixes them (AccessSite::fixed_by_code), but for a
// constant and the loops; empty for other sites.
[[nodiscard]] std::string fixed_site_key(const Segment& segment, const AccessSite& site);

// Averaged over the blocks of `box`, of which `first_block` is the first.
[[nodiscard]] SiteStatistics analyse_site(const BlockBox& box, const Segment& segment, const AccessSite& site,
                                          const LoopContext& loops, const SiteStrides& strides,
                                          LazyAccesses& first_block, const ArchSpec& arch);

// Local memory: LDL and STL, or accumulators that a family keeps there.
[[nodiscard]] inline bool is_private(const AccessSite& site) {
    return site.thread_private || site.space == MemorySpace::local;
}

// The path that global loads of this site take on this GPU.
[[nodiscard]] GlobalPath global_path(const AccessSite& site, const ArchSpec& arch);

}  // namespace gpumodel
