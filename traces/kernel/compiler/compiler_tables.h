// The imitation of the compiler as data: how many instructions stand around the memory accesses and the
// products, which classes they are of, and how many registers a thread gets. Files beside this one, built
// into the library; `gpumodel-fit` (validate/fit) makes them anew from compiled listings and ptxas' reports.
//
//   overhead.csv         instructions of a region, piecewise linear in a few numbers of the code's shape
//   overhead_shares.csv  how classes share them
//   overhead_counts.csv  kernels too small for a fit: counts by class, read off listings
//   registers.csv        weights of the register estimate (registers.h)
//
// `instances`: how many compiled kernels a row was fitted to by gpumodel-fit; 0 = kept from an earlier fit to
// some 590 compiled instances per target that are not all in the tree.
#pragma once

#include <array>
#include <initializer_list>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/op_class.h"
#include "base/enum_table.h"
#include "traces/kernel/compiler/code_shape.h"

namespace gpumodel {

enum class CodeFeature : unsigned char {
    accumulators,  // per thread, all sub-tiles
    loads,         // global loads or asynchronous copies per thread and tile
    warps,         // per block
    steps,         // k steps per body
    pinned_steps,  // the same by a pragma; 0 = none
    row_words,     // words of A per thread and step
    column_words,  // words of B
    depth,         // k steps per tile
    outer_tiles,   // trips of all sub-tile loops that are left
};
inline constexpr auto code_feature_names =
    enum_words<CodeFeature>("accumulators", "loads", "warps", "steps", "pinned_steps", "row_words",
                            "column_words", "depth", "outer_tiles");

// "loads<=12" or "loads>12".
struct OverheadCondition {
    CodeFeature feature = CodeFeature::accumulators;
    bool at_most = true;
    int limit = 0;
};

// Instructions = weights . (1, x, y):
//   tile       x = loads, y = depth if the k loop is unrolled in full, else 0
//   step_body  constant
//   prologue   x = accumulators, y = loads
//   epilogue   x = row words, y = accumulators / 4
// Why pieces: the compiler keeps addresses in registers while there are some left (few accumulators, few
// loads) and computes them anew in every tile or step otherwise. The first row that fits decides.
struct OverheadRule {
    BodyKind body = BodyKind::rolled;
    std::vector<OverheadCondition> conditions;
    std::array<double, 3> weights{};
    int instances = 0;
};

// The classes that overhead falls into.
inline constexpr std::array overhead_classes{
    OpClass::hfma,  // HFMA2.MMA as a move of constants (sm_80 and later)
    OpClass::mov,    OpClass::iadd,    OpClass::imad,    OpClass::imad_wide,        OpClass::logic,
    OpClass::shift,  OpClass::compare, OpClass::convert, OpClass::special_register, OpClass::uniform,
    OpClass::branch,
};
using ClassCounts = std::array<double, overhead_classes.size()>;

// How they share a region's instructions, per thousand.
struct OverheadShares {
    ClassCounts per_thousand{};
    int instances = 0;
};

// What a counted row asks for; a row counts where all its traits are there.
enum class CodeTrait : unsigned char {
    a_shared,      // guide: a tile of A in shared memory
    b_shared,      // the second operand's tile, too
    transposed,    // the second tile is stored transposed
    b_rows,        // words of B straight from global memory: an address each
    two_pointers,  // both operands straight from rows of A
    global,        // an operand comes from global memory
    rolled,        // a k loop is left
    small_body,    // of at most 4 steps
    tiled,         // transpose: through shared memory
    indexed,       // direct: an address for every operand out of unsigned products (naive)
    stepped,       // direct: pointers that go on by a constant or a row (coalesced, signed indices)
};
inline constexpr auto code_trait_names =
    enum_words<CodeTrait>("a_shared", "b_shared", "transposed", "b_rows", "two_pointers", "global", "rolled",
                          "small_body", "tiled", "indexed", "stepped");

class CodeTraits {
public:
    CodeTraits() = default;
    CodeTraits(std::initializer_list<CodeTrait> traits) {
        for (const CodeTrait trait : traits) {
            set(trait, true);
        }
    }
    void set(CodeTrait trait, bool on) { bits_ |= on ? 1U << static_cast<unsigned>(trait) : 0U; }
    [[nodiscard]] bool contains(const CodeTraits& all) const { return (bits_ & all.bits_) == all.bits_; }

private:
    unsigned bits_ = 0;
};

struct OverheadCount {
    CodeTraits when;
    bool per_accumulator = false;  // else once
    ClassCounts counts{};
};

// What the register estimate is a weighted sum of: register_features() of registers.h.
inline constexpr std::size_t register_feature_count = 9;
inline constexpr std::array<std::string_view, register_feature_count> register_feature_names{
    "one",       "accumulators", "several_steps", "whole_tile", "whole_tile_accumulators",
    "fragments", "staged",       "steps",         "pinned"};

// Weights of one shape on one generation (sm_35, 70, 75, 80, 86, 90, 100, 120).
struct RegisterWeights {
    int cc = 0;
    int squeeze = 0;          // a wish up to so many registers above a preferred count becomes that count
    int fill = 0;             // and one up to so many below it
    int local_registers = 0;  // estimate if accumulators lie in local memory
    std::array<double, register_feature_count> weights{};
};

template <class Row>
using ByRegion = std::array<std::array<std::array<std::vector<Row>, code_generation_count>, code_shape_count>,
                            code_region_count>;

struct CompilerTables {
    ByRegion<OverheadRule> rules;
    ByRegion<OverheadShares> shares;  // one or none
    ByRegion<OverheadCount> counts;
    std::array<std::vector<RegisterWeights>, code_shape_count> registers;
};

template <class Row>
[[nodiscard]] const std::vector<Row>& rows_of(const ByRegion<Row>& table, CodeRegion region, CodeShape shape,
                                              CodeGeneration generation) {
    return table[static_cast<std::size_t>(region)][static_cast<std::size_t>(shape)]
                [static_cast<std::size_t>(generation)];
}

// Adds the rows of one file; `name` is for the diagnostics. Throw InputError (invalid_input) with every fault
// as path:line:col: unknown names, what is no number, rows of another width.
void add_overhead_rules(CompilerTables& tables, std::istream& csv, const std::string& name);
void add_overhead_shares(CompilerTables& tables, std::istream& csv, const std::string& name);
void add_overhead_counts(CompilerTables& tables, std::istream& csv, const std::string& name);
void add_register_weights(CompilerTables& tables, std::istream& csv, const std::string& name);

// The tables that are built in, read once.
[[nodiscard]] const CompilerTables& compiler_tables();

}  // namespace gpumodel
