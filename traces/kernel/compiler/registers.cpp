#include "traces/kernel/compiler/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gpumodel {

namespace {

// The generation with data that stands for `cc`: before 5.0 Kepler, 5.x and 6.x Volta (as unroll.h), then
// the newest that is not newer.
int generation_with_data(int cc) {
    if (cc < 50) {
        return 35;
    }
    constexpr std::array generations{120, 100, 90, 86, 80, 75, 70};
    const auto* const found =
        std::find_if(generations.begin(), generations.end(), [cc](int known) { return known <= cc; });
    return found == generations.end() ? 70 : *found;
}

// The table's row for the shape; the nearest newer one where the generation cannot run the shape.
const RegisterWeights& weights_of(CodeShape shape, int cc) {
    const auto& rows = compiler_tables().registers.at(static_cast<std::size_t>(shape));
    const int wanted = generation_with_data(cc);
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [wanted](const RegisterWeights& row) { return row.cc == wanted; });
    if (rows.empty()) {
        throw std::logic_error(fmt::format("registers.csv: no row for {}", to_string(shape)));
    }
    return found == rows.end() ? rows.front() : *found;
}

double library_registers(const KernelCode& code) {
    constexpr int addresses = 18;  // two global pointers and steps, shared addresses, loop counter: estimated
    return code.accumulators + 2 * (code.row_words + code.column_words) + code.staged_words + addresses;
}

int within_limits(double registers, const KernelCode& code, const Target& target) {
    std::int64_t most = target.max_registers_per_thread;
    if (code.shape == CodeShape::scalar_rows &&
        code.threads > 0) {  // its launch bound: a block fits the file
        most = std::min(most, target.registers_per_block / code.threads);
    }
    constexpr std::int64_t fewest = 6;  // of what ptxas reports in ptxas_registers.csv
    return static_cast<int>(std::min(std::max<std::int64_t>(std::lround(registers), fewest), most));
}

bool single_result(CodeShape shape) {
    constexpr std::array shapes{CodeShape::direct, CodeShape::one_result, CodeShape::guide, CodeShape::copy,
                                CodeShape::transpose};
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

RegisterFeatures single_result_features(const KernelCode& code) {
    RegisterFeatures f{1.0};
    if (code.shape != CodeShape::copy) {
        const int u = code.unrolled_steps;
        f[2] = u > 1 ? 1 : 0;
        f[3] = u >= 32 ? 1 : 0;
        f[4] = u >= 4 ? 1 : 0;
        f[7] = u >= 8 ? 1 : 0;
        constexpr int both_operands = 2;
        constexpr int most_steps = 8;
        const bool from_global = code.accumulators > 0 && code.staged_words < both_operands;
        f[5] = from_global && u > 1 ? std::min(u, most_steps) / double{most_steps} : 0;
    }
    return f;
}

}  // namespace

RegisterFeatures register_features(const KernelCode& code) {
    if (single_result(code.shape)) {
        return single_result_features(code);
    }
    constexpr int most_staged = 48;
    constexpr int most_words = 48;
    const int u = code.unrolled_steps;
    const bool whole_tile = !code.rolled && u > 1;
    const bool a_by_rows = code.shape == CodeShape::column || code.shape == CodeShape::scalar_rows;
    const int a_words = a_by_rows && u % 4 == 0 ? 4 * code.row_words : code.row_words;
    const int words = std::min(a_words + code.column_words, most_words);
    return {1.0,
            code.accumulators / 16.0,
            u > 1 ? 1.0 : 0.0,
            whole_tile ? 1.0 : 0.0,
            whole_tile ? code.accumulators / 64.0 : 0.0,
            u > 1 ? words / 16.0 : 0.0,
            std::min(code.staged_words, most_staged) / 16.0,
            std::min(u, 8) / 8.0,
            code.pinned_steps > 1 ? 1.0 : 0.0};
}

int occupancy_step(int blocks, int threads) {
    constexpr int file = 65536;
    constexpr int allocation = 8;
    constexpr int most = 255;
    return std::min(file / (blocks * threads) / allocation * allocation, most);
}

std::optional<int> snapped_registers(double wish, int threads, int squeeze, int fill) {
    constexpr int all_resident = 32;
    for (int blocks = 1; threads > 0; ++blocks) {
        const int step = occupancy_step(blocks, threads);
        if (step < all_resident || wish > step + squeeze) {
            break;  // further steps are lower still
        }
        if (wish >= step - fill) {
            return step;
        }
    }
    return std::nullopt;
}

namespace {

// Warp tiles that read A word by word against one quad of B do with 16 registers beside their results, if
// that lets one more block in (sm_75 and later: 17 of 17 tiles of 64 results have 80; sm_70 has none).
std::optional<int> single_word_step(const KernelCode& code, double wish) {
    constexpr int quad = 4;
    constexpr int least_beside_results = 16;
    const bool late = code.generation >= CodeGeneration::ampere;
    if (!late || code.shape != CodeShape::warp_tile || !code.single_words || code.column_words != quad ||
        !code.rolled) {
        return std::nullopt;
    }
    for (int blocks = 1; code.threads > 0; ++blocks) {
        const int step = occupancy_step(blocks, code.threads);
        if (step < code.accumulators + least_beside_results) {
            return std::nullopt;
        }
        if (step < wish) {
            return step;
        }
    }
    return std::nullopt;
}

}  // namespace

double weighted_registers(const RegisterWeights& weights, const KernelCode& code) {
    if (code.local_accumulators) {
        return weights.local_registers;
    }
    const RegisterFeatures features = register_features(code);
    const double wish = std::inner_product(features.begin(), features.end(), weights.weights.begin(), 0.0);
    if (const auto step = single_word_step(code, wish)) {
        return *step;
    }
    return snapped_registers(wish, code.threads, weights.squeeze, weights.fill).value_or(wish);
}

int estimate_registers(const RegisterWeights& weights, const KernelCode& code, const Target& target) {
    return within_limits(weighted_registers(weights, code), code, target);
}

int estimate_registers(const KernelCode& code, const Target& target) {
    return code.shape == CodeShape::library
               ? within_limits(library_registers(code), code, target)
               : estimate_registers(weights_of(code.shape, target.cc.number()), code, target);
}

}  // namespace gpumodel
