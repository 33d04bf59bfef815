#include "traces/kernel/unroll.h"

#include <algorithm>

namespace gpumodel {

namespace {

// Products of a tile up to which the k loop disappears (study of compiled listings; our own kernels: 1024
// is unrolled and 2048 not on sm_35, sm_70, sm_86).
constexpr int full_products = 2047;
constexpr int full_products_hopper = 256;
constexpr int full_products_hopper_single_load = 512;
constexpr int full_products_hopper_scalar_rows = 128;  // 256 is not unrolled; below is not listed
constexpr int full_products_branchy = 256;
constexpr int merged_products = 256;  // sub-tile loops unroll with k up to here

// "8 / 4 / 1 for acc 16 / 32 / >= 64"; with a branch in the tile 8 / 8 / 4 / 1 for 16 / 32 / 64 / 128.
int partial_steps(int products, bool branchy) {
    const int scaled = branchy ? products / 2 : products;
    if (scaled >= 64) {
        return 1;
    }
    return scaled >= 32 ? 4 : 8;
}

int largest_divisor_up_to(int value, int limit) {
    int divisor = std::clamp(limit, 1, value);
    while (value % divisor != 0) {
        --divisor;
    }
    return divisor;
}

bool unrolls_fully(CodeGeneration generation, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    if (q.sub_loops) {
        return all <= merged_products;
    }
    if (q.branchy_tile) {
        return all <= full_products_branchy;
    }
    if (generation == CodeGeneration::hopper) {
        if (q.scalar_rows) {
            return all <= full_products_hopper_scalar_rows;
        }
        return all <= (q.single_load ? full_products_hopper_single_load : full_products_hopper);
    }
    return all <= full_products;
}

}  // namespace

CodeGeneration code_generation(const Target& target) {
    const int cc = target.cc.number();
    if (cc < 50) {
        return CodeGeneration::kepler;
    }
    if (cc < 75) {
        return CodeGeneration::volta;
    }
    return cc < 90 ? CodeGeneration::ampere : CodeGeneration::hopper;
}

int unrolled_steps(CodeGeneration generation, const UnrollQuestion& q) {
    if (q.pinned > 0) {
        return largest_divisor_up_to(q.bk, q.pinned);
    }
    if (unrolls_fully(generation, q)) {
        return q.bk;
    }
    return largest_divisor_up_to(q.bk, partial_steps(q.products, q.branchy_tile));
}

bool merges_sub_tiles(CodeGeneration generation, const UnrollQuestion& q) {
    if (!q.sub_loops) {
        return false;
    }
    if (q.pinned > 0) {
        return q.pinned >= q.bk;
    }
    return generation != CodeGeneration::hopper && q.products * q.bk <= merged_products;
}

bool spills_accumulators(CodeGeneration generation, const UnrollQuestion& q) {
    return q.sub_loops && q.pinned == 0 && generation == CodeGeneration::hopper &&
           q.products * q.bk <= merged_products;
}

int load_window(CodeGeneration generation, int accumulators, int threads) {
    constexpr int unlimited = 1 << 20;  // sm_35: one level in 46 of 48 instances
    if (generation == CodeGeneration::kepler) {
        return unlimited;
    }
    if (generation != CodeGeneration::hopper) {
        return 12;  // "a bit larger (6 + 6)"
    }
    if (accumulators >= 128) {
        return threads <= 128 ? 5 : 6;
    }
    return accumulators >= 64 ? 5 : 6;
}

}  // namespace gpumodel
