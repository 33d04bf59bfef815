#include "traces/kernel/compiler/registers_features.h"

#include <algorithm>
#include <numeric>

#include "traces/kernel/compiler/unroll.h"

namespace gpumodel {

namespace {

// Results per thread and k step, each sub-tile loop counted once.
int products_per_step(const RegisterDemand& d) {
    return d.accumulators / std::max(d.sub_tiles, 1);
}

bool branchy(CodeShape shape) {
    return shape == CodeShape::prefetch || shape == CodeShape::split || shape == CodeShape::async;
}

int body_steps(const RegisterDemand& d, const Target& target) {
    if (d.shape == CodeShape::direct) {
        constexpr int default_steps = 4;  // of a loop of unknown trip count
        return d.unrolled_steps > 0 ? d.unrolled_steps : default_steps;
    }
    return unrolled_steps(code_generation(target), {.products = products_per_step(d),
                                                    .bk = std::max(d.k_steps, 1),
                                                    .sub_loops = d.sub_tiles > 1,
                                                    .branchy_tile = branchy(d.shape),
                                                    .scalar_rows = d.shape == CodeShape::scalar_rows,
                                                    .square = 2 * d.row_words == d.fragment_words,
                                                    .even_tiles = d.even_tiles,
                                                    .pinned = d.unrolled_steps});
}

RegisterFeatures single_result_features(const RegisterDemand& d, const Target& target) {
    RegisterFeatures f{1.0};
    if (d.shape != CodeShape::copy) {
        const int u = body_steps(d, target);
        f[2] = u > 1 ? 1 : 0;
        f[3] = u >= 32 ? 1 : 0;
        f[4] = u >= 4 ? 1 : 0;
        f[7] = u >= 8 ? 1 : 0;
    }
    return f;
}

bool single_result(CodeShape shape) {
    constexpr std::array shapes{CodeShape::direct, CodeShape::one_result, CodeShape::guide, CodeShape::copy,
                                CodeShape::transpose};
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

}  // namespace

RegisterFeatures register_features(const RegisterDemand& d, const Target& target) {
    if (single_result(d.shape)) {
        return single_result_features(d, target);
    }
    constexpr int most_staged = 48;
    const int u = body_steps(d, target);
    const bool rolled_out = u >= d.k_steps && u > 1;
    const bool a_by_rows = d.shape == CodeShape::column || d.shape == CodeShape::scalar_rows;
    const int a_words = a_by_rows && u % 4 == 0 ? 4 * d.row_words : d.row_words;
    constexpr int most_words = 48;
    const int words = std::min(a_words + d.fragment_words - d.row_words, most_words);
    return {1.0,
            d.accumulators / 16.0,
            u > 1 ? 1.0 : 0.0,
            rolled_out ? 1.0 : 0.0,
            rolled_out ? d.accumulators / 64.0 : 0.0,
            u > 1 ? words / 16.0 : 0.0,
            std::min(d.staged_words, most_staged) / 16.0,
            std::min(u, 8) / 8.0,
            d.unrolled_steps > 1 ? 1.0 : 0.0};
}

bool accumulators_in_local_memory(const RegisterDemand& d, const Target& target) {
    // Products of all sub-tiles of a tile above which sub-tile loops are not unrolled, and of one sub-tile up
    // to which the k loop is unrolled instead (tests/traces/kernel/ptxas_registers.csv, stack_bytes of
    // autotuned).
    constexpr int most_unrolled_together = 1024;
    constexpr int most_unrolled_k = 256;
    if (d.sub_tiles <= 1 || d.unrolled_steps > 0 || products_per_step(d) * d.k_steps > most_unrolled_k) {
        return false;
    }
    return code_generation(target) == CodeGeneration::hopper ||
           d.accumulators * d.k_steps >= most_unrolled_together;
}

double weighted_registers(const RegisterWeights& weights, const RegisterDemand& demand,
                          const Target& target) {
    if (accumulators_in_local_memory(demand, target)) {
        return weights.local_registers;
    }
    const RegisterFeatures features = register_features(demand, target);
    const double wish = std::inner_product(features.begin(), features.end(), weights.weights.begin(), 0.0);
    for (const int count : preferred_registers) {
        if (wish >= count - weights.fill && wish <= count + weights.squeeze) {
            return count;
        }
    }
    return wish;
}

}  // namespace gpumodel
