// A cooperative launch whose rounds go on until no block changes anything: what a block does hangs on what others stored
// before the grid's barrier.
#include <cooperative_groups.h>

// Block i takes in each round what block i - 1 had before it, and one more: with b blocks b + 1 rounds.
extern "C" __global__ void grid_rounds(int* level, int* next, volatile int* changed) {
    const auto grid = cooperative_groups::this_grid();
    const unsigned i = blockIdx.x;
    for (int round = 0;; ++round) {
        if (grid.thread_rank() == 0) changed[(round + 1) % 3] = 0;
        if (threadIdx.x == 0) {
            const int old = __ldcg(level + i), best = min(old, i > 0 ? __ldcg(level + i - 1) + 1 : 0);
            next[i] = best;
            if (best != old) changed[round % 3] = 1;
        }
        grid.sync();
        if (changed[round % 3] == 0) break;
        int* t = level;
        level = next;
        next = t;
    }
}
