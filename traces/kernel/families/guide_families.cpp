// The programming guide's one-tile products, K = 32: C = A*B and C = A*transpose(A) (CUDA C++ Best
// Practices Guide, "Shared Memory in Matrix Multiplication"). 32x32 threads, row = 32*by + ty, column =
// 32*bx + tx; C is only written.
#include <fmt/format.h>

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/tile_geometry.h"

namespace gpumodel {

namespace {

constexpr int tile_threads = fixed_side * fixed_side;

enum class Second : unsigned char {
    b_global,      // B[k][col]
    b_shared,      // tile of B, row-major
    a_global,      // A[col][k]
    a_transposed,  // tile of A, stored transposed
};

// One product of the guide.
struct Guide {
    bool a_shared = false;
    Second second = Second::b_global;
    int pitch = fixed_side;  // of the transposed tile
    std::int64_t n = 0;
    int steps = 1;     // k steps per trip of the k loop node
    int a_vector = 1;  // words of A per shared access
    int unroll = fixed_side;
};

bool second_is_shared(const Guide& g) {
    return g.second == Second::b_shared || g.second == Second::a_transposed;
}
bool second_is_a(const Guide& g) {
    return g.second == Second::a_global || g.second == Second::a_transposed;
}

OpCounts overhead(const Guide& g, CodeGeneration generation, CodeRegion region) {
    constexpr int small_body = 4;  // both pointers are made anew
    const bool rolled = g.unroll < fixed_side;
    CodeTraits traits;
    traits.set(CodeTrait::a_shared, g.a_shared);
    traits.set(CodeTrait::b_shared, second_is_shared(g));
    traits.set(CodeTrait::transposed, g.second == Second::a_transposed);
    traits.set(CodeTrait::b_rows, g.second == Second::b_global);
    traits.set(CodeTrait::two_pointers, !g.a_shared && g.second != Second::b_global);
    traits.set(CodeTrait::global, !g.a_shared || !second_is_shared(g));
    traits.set(CodeTrait::rolled, rolled);
    traits.set(CodeTrait::small_body, g.unroll <= small_body);
    return counted_overhead(generation, CodeShape::guide, region, traits);
}

std::int64_t row_of(const Coord& c) {
    return fixed_side * c.block_y + c.thread / fixed_side;
}
std::int64_t col_of(const Coord& c) {
    return fixed_side * c.block_x + c.thread % fixed_side;
}

AccessSite make_site(std::string name, std::string array, MemorySpace space, AccessKind kind, SiteRole role) {
    AccessSite site;
    site.name = std::move(name);
    site.array = std::move(array);
    site.space = space;
    site.kind = kind;
    site.role = role;
    return site;
}

// One word per thread: A[row][tx] to aTile[ty][tx].
void add_a_tile(Segment& segment) {
    AccessSite load =
        make_site("A tile load", "A", MemorySpace::global, AccessKind::load, SiteRole::stage_load);
    load.stage_id = 1;
    load.address = [](const Coord& c, int) {
        return word_bytes * (row_of(c) * fixed_side + c.thread % fixed_side);
    };
    AccessSite store =
        make_site("A tile store", "As", MemorySpace::shared, AccessKind::store, SiteRole::stage_store);
    store.stage_id = 1;
    store.address = [](const Coord& c, int) { return word_bytes * c.thread; };
    segment.sites.push_back(std::move(load));
    segment.sites.push_back(std::move(store));
}

// B[ty][col] to bTile[ty][tx], or A[32*bx + ty][tx] to transposedTile[tx][ty]; behind aTile.
void add_second_tile(Segment& segment, const Guide& g) {
    const bool is_a = second_is_a(g);
    AccessSite load = make_site(is_a ? "second A tile load" : "B tile load", is_a ? "A" : "B",
                                MemorySpace::global, AccessKind::load, SiteRole::stage_load);
    load.stage_id = 2;
    load.address = [g, is_a](const Coord& c, int) {
        const std::int64_t ty = c.thread / fixed_side;
        return word_bytes * (is_a ? (fixed_side * c.block_x + ty) * fixed_side + c.thread % fixed_side
                                  : ty * g.n + col_of(c));
    };
    AccessSite store = make_site(is_a ? "second A tile store" : "B tile store", "Bs", MemorySpace::shared,
                                 AccessKind::store, SiteRole::stage_store);
    store.stage_id = 2;
    store.address = [g, is_a](const Coord& c, int) {
        return word_bytes *
               (tile_threads + (is_a ? c.thread % fixed_side * g.pitch + c.thread / fixed_side : c.thread));
    };
    segment.sites.push_back(std::move(load));
    segment.sites.push_back(std::move(store));
}

AccessSite a_fragment(const Guide& g) {
    AccessSite site = make_site(g.a_shared ? "A fragment" : "A word", g.a_shared ? "As" : "A",
                                g.a_shared ? MemorySpace::shared : MemorySpace::global, AccessKind::load,
                                SiteRole::fragment_a);
    site.words = g.steps;
    site.vector_words = g.a_shared ? g.a_vector : 1;  // along k; global alignment is not provable
    site.address = [g](const Coord& c, int word) {
        const std::int64_t k = c.loop[0] * g.steps + word;
        return word_bytes * (g.a_shared ? std::int64_t{fixed_side} * (c.thread / fixed_side) + k
                                        : row_of(c) * fixed_side + k);
    };
    return site;
}

AccessSite b_fragment(const Guide& g) {
    const bool shared = second_is_shared(g);
    const bool is_a = second_is_a(g);
    AccessSite site =
        make_site(shared ? "B fragment" : "B word",
                  shared ? "Bs"
                  : is_a ? "A"
                         : "B",
                  shared ? MemorySpace::shared : MemorySpace::global, AccessKind::load, SiteRole::fragment_b);
    site.words = g.steps;
    site.address = [g](const Coord& c, int word) {
        const std::int64_t k = c.loop[0] * g.steps + word;
        switch (g.second) {
            case Second::b_global:
                return word_bytes * (k * g.n + col_of(c));
            case Second::a_global:
                return word_bytes * (col_of(c) * fixed_side + k);
            case Second::b_shared:
            case Second::a_transposed:
                break;
        }
        return word_bytes * (tile_threads + k * g.pitch + c.thread % fixed_side);
    };
    return site;
}

Segment whole_block(std::string name) {
    Segment segment;
    segment.name = std::move(name);
    segment.thread_end = tile_threads;
    return segment;
}

Interval tile_interval(const Guide& g, CodeGeneration generation) {
    Segment segment = whole_block("tile load");
    if (g.a_shared) {
        add_a_tile(segment);
    }
    if (second_is_shared(g)) {
        add_second_tile(segment, g);
    }
    count_accesses(segment);
    add(segment.ops, overhead(g, generation, CodeRegion::prologue));
    segment.dependency.serial_global_loads = segment.sites.empty() ? 0 : 1;
    Interval interval;
    interval.barrier_after = second_is_shared(g);
    interval.warp_barrier_after = g.a_shared && !interval.barrier_after;
    count_of(segment.ops, OpClass::barrier) = interval.barrier_after ? 1 : 0;
    interval.segments.push_back(std::move(segment));
    return interval;
}

Loop step_loop(const Guide& g, CodeGeneration generation, int unroll) {
    Segment segment = whole_block("products");
    segment.sites = {a_fragment(g), b_fragment(g)};
    count_accesses(segment);
    count_of(segment.ops, OpClass::ffma) = g.steps;
    segment.product = {.r = 1, .s = 1, .steps = g.steps, .a_along_k = true, .acc_base = {}, .acc = {}};
    const double bodies = static_cast<double>(g.steps) / unroll;
    add(segment.ops, overhead(g, generation, CodeRegion::step), g.steps);
    add(segment.ops, overhead(g, generation, CodeRegion::step_body), bodies);
    // All global words of a body are asked for together.
    const bool from_global = !g.a_shared || !second_is_shared(g);
    segment.dependency.serial_global_loads = from_global ? bodies : 0;
    segment.dependency.serial_shared_loads = g.a_shared ? bodies : 0;
    Interval interval;
    interval.segments.push_back(std::move(segment));
    Loop loop{.name = "k steps",
              .trips = fixed_side / g.steps,
              .unroll = std::max(unroll / g.steps, 1),
              .body = {}};
    loop.body.emplace_back(std::move(interval));
    return loop;
}

Interval result_interval(const Guide& g, CodeGeneration generation) {
    Segment segment = whole_block("epilogue");
    AccessSite site =
        make_site("C store", "C", MemorySpace::global, AccessKind::store, SiteRole::result_write);
    site.address = [n = g.n](const Coord& c, int) { return word_bytes * (row_of(c) * n + col_of(c)); };
    segment.sites.push_back(std::move(site));
    count_accesses(segment);
    add(segment.ops, overhead(g, generation, CodeRegion::epilogue));
    Interval interval;
    interval.segments.push_back(std::move(segment));
    return interval;
}

FamilyResult guide_result(Guide g, const ProblemShape& shape, const Target& target, int pinned) {
    const CodeGeneration generation = code_generation(target);
    const int unroll = pinned > 0
                           ? unrolled_steps(generation, {.products = 1, .bk = fixed_side, .pinned = pinned})
                           : fixed_side;
    g.steps = unroll % 4 == 0 ? 4 : unroll % 2 == 0 ? 2 : 1;
    // Listings: as plan_fragments, a body of one quad reads it in two halves; pairs only where B is not in
    // shared memory.
    const bool halves = unroll == 4;
    const bool single_words = g.steps == 2 && second_is_shared(g);
    g.a_vector = halves ? 2 : single_words ? 1 : g.steps;
    g.n = shape.n;
    g.unroll = unroll;
    KernelProgram program;
    program.grid = {shape.n / fixed_side, shape.m / fixed_side, 1};
    program.block = {fixed_side, fixed_side, 1};
    program.resources.threads = tile_threads;
    program.resources.barriers = second_is_shared(g) ? 1 : 0;
    const int tile_words = (g.a_shared ? tile_threads : 0) + (second_is_shared(g) ? fixed_side * g.pitch : 0);
    program.resources.static_shared_bytes = word_bytes * tile_words;
    program.body.emplace_back(tile_interval(g, generation));
    program.body.emplace_back(step_loop(g, generation, unroll));
    program.body.emplace_back(result_interval(g, generation));
    program.accumulators = 1;
    program.result_acc = [](const Coord&, int) { return 0; };
    describe_gemm(program, shape, false);
    if (second_is_a(g)) {
        program.arrays.erase(program.arrays.begin() + 1);
        program.effective_bytes = static_cast<double>(program.arrays[0].bytes + program.arrays[1].bytes);
    }
    FamilyResult result;
    result.code = {.generation = generation,
                   .shape = CodeShape::guide,
                   .threads = tile_threads,
                   .accumulators = 1,
                   .row_words = 1,
                   .column_words = 1,
                   .staged_words = (g.a_shared ? 1 : 0) + (second_is_shared(g) ? 1 : 0),
                   .depth = fixed_side,
                   .unrolled_steps = unroll,
                   .pinned_steps = pinned,
                   .rolled = unroll < fixed_side};
    result.program = std::move(program);
    return result;
}

template <bool a_shared, Second second, int pitch>
FamilyResult lower_guide(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    const Guide g{.a_shared = a_shared, .second = second, .pitch = pitch};
    RuleCheck rules;
    rules.equal({"K", shape.k}, {"the guide's tile width", fixed_side})
        .multiple({"M", shape.m}, {"", fixed_side})
        .multiple({"N", shape.n}, {"", fixed_side});
    if (second_is_a(g)) {
        rules.equal({"N", shape.n}, {"M", shape.m});
    }
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    return guide_result(g, shape, target, int_param(params, "UNROLL"));
}

using Lower = FamilyResult (*)(const ParamValues&, const ProblemShape&, const Target&);

std::string ab_arguments(const KernelProgram& p, const ParamValues& /*resolved*/) {
    return fmt::format("ptr:{}B,ptr:{}B,ptr:{}B,{}", p.arrays.at(0).bytes, p.arrays.at(1).bytes,
                       p.arrays.at(2).bytes, p.n);
}
std::string aat_arguments(const KernelProgram& p, const ParamValues& /*resolved*/) {
    return fmt::format("ptr:{}B,ptr:{}B,{}", p.arrays.at(0).bytes, p.arrays.at(1).bytes, p.m);
}

Family guide_family(const char* name, const char* summary, Lower lower, bool square) {
    Family family;
    family.name = name;
    family.summary = summary;
    family.params = {unroll_param()};
    family.derived = {constant_threads<fixed_side * fixed_side>(),
                      constant_param<fixed_side>("TILE_DIM", "side of the tiles")};
    family.rules = {"K = 32", "M and N are multiples of 32"};
    if (square) {
        family.rules.emplace_back("N = M");
    }
    family.default_shape = {4096, 4096, fixed_side};
    family.depth = ProblemDepth::fixed;
    family.signature = square ? "const float*, float*, int" : "const float*, const float*, float*, int";
    family.arguments = square ? aat_arguments : ab_arguments;
    family.lower = lower;
    return family;
}

}  // namespace

Family ab_simple_family() {
    return guide_family("ab_simple", "the guide's C = A*B, one 32-wide tile, all from global memory",
                        lower_guide<false, Second::b_global, fixed_side>, false);
}
Family ab_coalesced_family() {
    return guide_family("ab_coalesced",
                        "the guide's C = A*B with the tile of A in shared memory, warp barrier",
                        lower_guide<true, Second::b_global, fixed_side>, false);
}
Family ab_shared_family() {
    return guide_family("ab_shared", "the guide's C = A*B with both tiles in shared memory",
                        lower_guide<true, Second::b_shared, fixed_side>, false);
}
Family aat_simple_family() {
    return guide_family("aat_simple", "the guide's C = A*transpose(A), all from global memory",
                        lower_guide<false, Second::a_global, fixed_side>, true);
}
Family aat_coalesced_family() {
    return guide_family("aat_coalesced",
                        "the guide's C = A*transpose(A) through a transposed 32x32 shared tile",
                        lower_guide<true, Second::a_transposed, fixed_side>, true);
}
Family aat_padded_family() {
    return guide_family("aat_padded", "the guide's C = A*transpose(A) through a transposed tile of pitch 33",
                        lower_guide<true, Second::a_transposed, fixed_side + 1>, true);
}

}  // namespace gpumodel
