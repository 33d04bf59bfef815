// What the blocks of a cluster do with one another (PTX ISA, "Cluster of cooperative thread arrays"): a box
// for all of them, arrivals at each other's barriers. sm_90a alone, as wgmma.cuh.
#pragma once

#include "wgmma.cuh"

namespace gpumodel::kernels {

#if defined(GPUMODEL_WGMMA)

__device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank = 0;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// All threads of the cluster. Barriers that were made before are there for all of its blocks behind it;
// nothing else is released (sums on their way to C are not waited for).
__device__ __forceinline__ void cluster_meet() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
}

// An arrival at the barrier that lies there in the block of this rank. What it lets go on overwrites what
// products have read, none of the warp's own loads and stores: releasing these to the whole cluster would
// cost a fence (MEMBAR.ALL.GPU) each time.
__device__ __forceinline__ void barrier_arrive_at(unsigned barrier, unsigned rank) {
    asm volatile(
        "{.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(barrier),
        "r"(rank)
        : "memory");
}

// As copy_box, to the same place in the first `blocks` blocks of the cluster; each one's barrier gets the
// bytes.
template <int blocks>
__device__ __forceinline__ void copy_box_to_all(unsigned to, const TensorMap& map, int column, int row,
                                                unsigned barrier) {
    constexpr unsigned short ranks = (1u << blocks) - 1;
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
        "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(ranks)
        : "memory");
}

#endif

}  // namespace gpumodel::kernels
