// Access functions of a site as tables: what the native trace file holds of them.
//
// Over a domain of coordinates (block x, y, z of a box, then the counters of the enclosing loops, outermost
// first) an address is
//     base[phases][thread][word]
//       + sum over dimensions d of stride_d[phases][thread][word] * (step_d / period_d)
// with step_d = coordinate_d - first_d, phase_d = step_d % period_d and whole-number division. The periods
// are 1 but for double and deeper buffers, nearly every stride is the same throughout. A predicate is a bit
// per thread (and word) for each combination of coordinate ranges: "last block row", "last trip".
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

inline constexpr int max_dimensions = 3 + max_loop_depth;

struct AccessDomain {
    int thread_begin = 0, thread_end = 0;
    int dimensions = 3;                                 // 3 + depth of the loop nest
    std::array<std::int64_t, max_dimensions> first{};   // block box begin; 0 for loops
    std::array<std::int64_t, max_dimensions> extent{};  // at least 1

    [[nodiscard]] int threads() const { return thread_end - thread_begin; }
    // `step` counts from `first`.
    [[nodiscard]] Coord at(const std::array<std::int64_t, max_dimensions>& step) const;
};

using Int64Table = std::shared_ptr<const std::vector<std::int64_t>>;
using BitTable = std::shared_ptr<const std::string>;  // bit i%8 of byte i/8

struct Stride {
    std::int64_t uniform = 0;
    Int64Table table;  // if not null, instead of `uniform`
};

inline constexpr int max_period = 4;  // compiled double buffers have 2, our deepest software pipelines 4

struct AddressTable {
    std::array<int, max_dimensions> periods;
    // ((phase_0*period_1 + phase_1)*... * threads + thread - thread_begin)*words + word
    Int64Table base;
    std::array<Stride, max_dimensions> strides;

    AddressTable() { periods.fill(1); }
    [[nodiscard]] std::size_t phases() const;
};

// Ranges of dimension d begin at steps starts[d][0] = 0 < starts[d][1] < ...; `bits` has one table for each
// combination of ranges, the last dimension fastest.
struct PredicateTable {
    std::array<std::vector<std::int64_t>, max_dimensions> starts;
    std::vector<BitTable> bits;
};

[[nodiscard]] std::function<std::int64_t(const Coord&, int word)> address_function(const AccessDomain& domain,
                                                                                   int words,
                                                                                   AddressTable table);

// Of single words; with words = 1 the predicate of whole threads.
[[nodiscard]] std::function<bool(const Coord&, int word)> predicate_function(const AccessDomain& domain,
                                                                             int words, PredicateTable table);

}  // namespace gpumodel
