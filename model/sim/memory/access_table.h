// Addresses and costs of memory instructions without evaluating an address function in the cycle loop.
//
// An address is f(thread, word) + sum of stride * counter. Each warp's 32 addresses are evaluated once per
// stream position, relative to the first active lane; what such a pattern costs depends only on the residue
// of that lane's address (site_statistics.h), so costs are computed once per pattern and residue and looked
// up.
//
// Local memory (LDL, STL): word i of all lanes of a warp lies together (CUDA programming guide, device memory
// accesses), warp after warp.
//
// Ignored: predicates that depend on a loop counter. Blocks in the last column or row of the grid are
// evaluated apart from the rest where a site has a predicate.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/coalescing/coalescing.h"
#include "model/memory/costs/atomic_costs.h"
#include "model/sim/core/stream.h"
#include "model/sim/line.h"
#include "model/sim/relax.h"

namespace gpumodel::sim {

// Sectors that an access touches in one line; `line` counts from the line of the first active lane.
struct LineSectors {
    std::int32_t line = 0;
    std::uint32_t sectors = 0;  // bit s = 32-byte sector s
    std::uint32_t words = 0;    // bit w = 4-byte word w; 0 = not known apart from the sectors
};

struct AccessCost {
    std::int32_t wavefronts = 0;  // passes over the banks of the data stage
    std::int32_t phases = 0;
    std::int32_t sectors = 0;
    std::int32_t first_line = 0;  // into lines()
    std::int32_t line_count = 0;
    // global: distinct bytes that lanes name, and transactions (cc 1.x)
    std::int32_t bytes = 0, transactions = 0;
    // What a store takes of the way to L2; `masked`: of some line only parts of sectors are stored. Of
    // atomics as atomic_costs.h says.
    std::int32_t stored_bytes = 0;
    bool masked = false;
    bool lone_lanes = false;  // in sectors of their own (store_joining.h)
    bool local = false;       // memory of a thread's own
    // That L2's slices are at work for at a store, and the cycles of a global atomic in them
    // (costs/behind_l1.h, costs/atomic_costs.h).
    double slice_bytes = 0, slice_cycles = 0;
};

// One warp's access at one stream position; no_pattern = no active lane.
inline constexpr std::int32_t no_pattern = -1;
struct WarpPattern {
    std::int32_t pattern = no_pattern;
    std::int64_t address = 0;  // of the first active lane, at the origin block and loop counters 0
};

struct AccessStrides {
    std::array<std::int64_t, max_loop_depth> loop{};
    std::int64_t block_x = 0, block_y = 0, block_z = 0;
    std::int64_t slot = 0;  // from one resident block to the next: local memory belongs to where a warp runs
};

[[nodiscard]] inline Dim3 minus(const Dim3& a, const Dim3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
// Of the first active lane, in a block at `from_origin` of the pattern's.
[[nodiscard]] inline std::int64_t address_at(const WarpPattern& pattern, const AccessStrides& strides,
                                             const Dim3& from_origin, const LoopCounters& counters) {
    std::int64_t address = pattern.address + from_origin.x * strides.block_x +
                           from_origin.y * strides.block_y + from_origin.z * strides.block_z;
    for (std::size_t d = 0; d < max_loop_depth; ++d) {
        address += counters[d] * strides.loop[d];
    }
    return address;
}

// Accesses of all warps of a block, for blocks that are alike.
struct BlockPatterns {
    Dim3 origin;
    std::vector<std::vector<WarpPattern>> of_warp;         // [warp][access]
    std::vector<std::vector<WarpPattern>> shared_of_warp;  // shared side of asynchronous copies
};

class AccessTable {
public:
    AccessTable(const KernelProgram& program, const DecodedProgram& decoded, const ArchSpec& arch,
                const Relax& relax = {});

    [[nodiscard]] int body_of(const Dim3& block) const;
    // Patterns of the block's class; evaluated on first use.
    [[nodiscard]] const BlockPatterns& patterns(const Dim3& block);
    [[nodiscard]] const std::vector<AccessStrides>& strides(int body, int stream) const {
        return strides_[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)];
    }
    [[nodiscard]] const std::vector<AccessStrides>& shared_strides(int body, int stream) const {
        return shared_strides_[static_cast<std::size_t>(body)][static_cast<std::size_t>(stream)];
    }
    [[nodiscard]] const AccessCost& cost(std::int32_t pattern, std::int64_t address) {
        auto& entry = patterns_[static_cast<std::size_t>(pattern)];
        const auto residue = static_cast<std::size_t>(address & (period - 1));
        if (entry.cost_of_residue[residue] < 0) {
            compute_cost(pattern, residue);
        }
        return costs_[static_cast<std::size_t>(entry.cost_of_residue[residue])];
    }
    [[nodiscard]] GlobalPath path(std::int32_t pattern) const {
        return patterns_[static_cast<std::size_t>(pattern)].path;
    }
    // What the numbers of patterns stand for: those that were evaluated.
    void add_patterns_to(ValueHash& hash) const;
    [[nodiscard]] const LineSectors* lines(const AccessCost& cost) const {
        return lines_.data() + cost.first_line;
    }

    // Of a global atomic, what each of its lines takes.
    [[nodiscard]] const AtomicCosts::OfLine* atomic_lines(const AccessCost& cost) const {
        return atomic_lines_.data() + cost.first_line;
    }
    // Where the arrays lie is made up: the line that one begins with.
    // Whether the program accesses it.
    [[nodiscard]] bool knows(const std::string& array) const { return array_base_.contains(array); }
    [[nodiscard]] std::int64_t first_line(const std::string& array) const {
        return array_base_.at(array) / line_bytes;
    }

private:
    static constexpr int period = 256;  // the longest alignment period of any rule, in bytes

    struct Pattern {
        WarpAccess access;  // addresses relative to the first active lane
        bool shared = false;
        bool store = false;
        AtomicForm form = AtomicForm::none;
        GlobalPath path = GlobalPath::l1_cached;
        std::array<std::int32_t, period> cost_of_residue{};
    };
    using PatternKey = std::vector<std::int64_t>;
    struct ClassKey {
        int body = 0;
        bool last_x = false, last_y = false, last_z = false;
        friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
    };

    void probe(const DecodedProgram& decoded);
    [[nodiscard]] AccessStrides probe_site(const AccessSite& site, const Segment& segment, int word) const;
    BlockPatterns evaluate(int body, const Dim3& block);
    WarpPattern evaluate_warp(const StreamAccess& access, const AccessSite& site, const Dim3& block,
                              int warp);
    std::int32_t pattern_of(const WarpAccess& relative, const AccessSite& site);
    void compute_cost(std::int32_t pattern, std::size_t residue);
    void add_lines(const WarpAccess& access, AccessCost& cost);
    void add_l2_work(const Pattern& pattern, const WarpAccess& access, AccessCost& cost);
    void relax_global(const WarpAccess& access, AccessCost& cost);

    const KernelProgram& program_;
    const DecodedProgram& decoded_;
    const ArchSpec& arch_;
    const Relax relax_;
    BankGeometry shared_banks_, data_stage_banks_;
    std::map<std::string, std::int64_t> array_base_;
    bool has_predicates_ = false;
    std::vector<std::vector<std::vector<AccessStrides>>> strides_, shared_strides_;
    std::map<ClassKey, BlockPatterns> classes_;
    std::map<PatternKey, std::int32_t> known_patterns_;
    std::vector<Pattern> patterns_;
    std::vector<AccessCost> costs_;
    std::vector<LineSectors> lines_;
    std::vector<AtomicCosts::OfLine> atomic_lines_;  // of atomics, by the same numbers
};

}  // namespace gpumodel::sim
