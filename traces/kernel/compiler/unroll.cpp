#include "traces/kernel/compiler/unroll.h"

#include <algorithm>

namespace gpumodel {

namespace {

// Products of a tile up to which the k loop disappears (docs/compiled_code.md; our own kernels: 1024
// is unrolled and 2048 not on sm_35, sm_70, sm_86).
constexpr int full_products = 2047;
constexpr int full_products_hopper = 256;
constexpr int full_products_hopper_shallow = 512;  // up to 8 steps deep, or square tiles
constexpr int shallow = 8;
constexpr int full_products_hopper_scalar_rows = 128;  // 256 is not unrolled; below is not listed
constexpr int full_products_scalar_rows = 2048;        // not on sm_90
constexpr int most_unrolled_products = 64;             // per step on sm_90; 128 are not unrolled even 4 deep
constexpr int full_products_branchy = 256;
constexpr int merged_products = 256;  // sub-tile loops unroll with k up to here

// k steps per body by products per step, where the loop stays.
int partial_steps(CodeGeneration generation, const UnrollQuestion& q) {
    const bool hopper = generation == CodeGeneration::hopper;
    if (q.branchy_tile && q.products == 64) {
        return q.square ? 4 : 1;  // all targets; 16x4 and 4x16 words make longer bodies than 8x8
    }
    if (q.products >= 64) {
        return 1;
    }
    const bool large_bodies = q.branchy_tile || (hopper && !q.scalar_rows && !q.sub_loops);
    const int steps = q.products >= 32 ? 4 : 8;
    return large_bodies && q.products >= 16 ? 2 * steps : steps;
}

int largest_divisor_up_to(int value, int limit) {
    int divisor = std::clamp(limit, 1, value);
    while (value % divisor != 0) {
        --divisor;
    }
    return divisor;
}

// Listings: 32 accumulators, 16 steps: three bodies of 5 steps and one step behind them.
bool leaves_one_step(CodeGeneration generation, const UnrollQuestion& q) {
    return generation == CodeGeneration::hopper && !q.sub_loops && (q.scalar_rows || q.odd_rows) &&
           q.products == 32 && q.bk == 16;
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
        if (q.products > most_unrolled_products) {
            return false;
        }
        const bool shallow_body =
            (q.bk <= shallow && !q.wide_odd_rows) || (q.bk <= 2 * shallow && q.even_tiles && !q.odd_rows);
        return all <= (shallow_body ? full_products_hopper_shallow : full_products_hopper);
    }
    return all <= (q.scalar_rows ? full_products_scalar_rows : full_products);
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
    if (leaves_one_step(generation, q)) {
        return 5;
    }
    return largest_divisor_up_to(q.bk, partial_steps(generation, q));
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

bool spills_accumulators(CodeGeneration generation, int rows, int cols, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    if (!q.sub_loops || q.pinned > 0 || all > merged_products) {
        return false;
    }
    // Stack frames of autotuned in tests/traces/kernel/ptxas_registers.csv: from 1024 products of all
    // sub-tiles on, on sm_35 not where one sub-tile has only 128, and of a single loop on sm_70 to sm_86 with
    // 128 results.
    constexpr int few_products = 1024;
    constexpr int kepler_products = 128;
    constexpr int many_results = 128;
    const bool both_loops = rows > 1 && cols > 1;
    switch (generation) {
        case CodeGeneration::kepler:
            return both_loops && all * rows * cols >= few_products && all > kepler_products;
        case CodeGeneration::volta:
        case CodeGeneration::ampere:
            return (both_loops || q.products * rows * cols >= many_results) &&
                   all * rows * cols >= few_products;
        case CodeGeneration::hopper:
            break;
    }
    return true;
}

// Listings of 15 instances (nvcc 11.8, sm_90): columns are unrolled first, then rows, while the body stays
// within merged_products.
SpilledLoops spilled_loops(int rows, int cols, const UnrollQuestion& q) {
    const int all = q.products * q.bk;
    const bool single = rows == 1 || cols == 1;
    const bool cols_unrolled = all * cols <= merged_products;
    const bool rows_unrolled = all * rows <= merged_products;
    return {.b_once = single || cols_unrolled,
            .stores_every_step = !single && !cols_unrolled && !rows_unrolled};
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
