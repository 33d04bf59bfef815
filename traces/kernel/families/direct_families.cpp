// naive and coalesced: one result per thread, operands straight from global memory, bounds-checked
// (the published ladder's kernels 1 and 2).
#include <algorithm>

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/tile_geometry.h"

namespace gpumodel {

namespace {

constexpr int block_threads = fixed_side * fixed_side;

// The compiler unrolls a loop over a run-time K four times where indices are unsigned (naive), sixteen times
// where they are signed (coalesced); listings of all targets. Loops for the remainder are not modelled.
constexpr int unsigned_unroll = 4;
constexpr int signed_unroll = 16;

OpCounts overhead(CodeGeneration generation, CodeRegion region, bool down_columns) {
    return counted_overhead(generation, CodeShape::direct, region,
                            {down_columns ? CodeTrait::indexed : CodeTrait::stepped});
}

// Thread position in the block tile: down a column (naive) or along a row (coalesced).
struct DirectGemm {
    ProblemShape shape;
    bool down_columns = false;
    bool ragged = false;  // edge blocks hold threads without a result

    [[nodiscard]] std::int64_t row(const Coord& c) const {
        return fixed_side * c.block_x + (down_columns ? c.thread % fixed_side : c.thread / fixed_side);
    }
    [[nodiscard]] std::int64_t col(const Coord& c) const {
        return fixed_side * c.block_y + (down_columns ? c.thread / fixed_side : c.thread % fixed_side);
    }
};

// `columns`: of the array.
AccessSite direct_site(const DirectGemm& g, const char* name, const char* array, std::int64_t columns,
                       SiteRole role) {
    AccessSite site;
    site.name = name;
    site.array = array;
    site.role = role;
    site.pitch = word_bytes * columns;
    if (g.ragged) {
        site.active = [g](const Coord& c) { return g.row(c) < g.shape.m && g.col(c) < g.shape.n; };
    }
    return site;
}

Segment step_segment(const DirectGemm& g, CodeGeneration generation, int unroll) {
    Segment segment;
    segment.name = "products";
    segment.thread_end = block_threads;
    AccessSite a = direct_site(g, "A word", "A", g.shape.k, SiteRole::fragment_a);
    a.address = [g](const Coord& c, int /*word*/) { return word_bytes * (g.row(c) * g.shape.k + c.loop[0]); };
    AccessSite b = direct_site(g, "B word", "B", g.shape.n, SiteRole::fragment_b);
    b.address = [g](const Coord& c, int /*word*/) { return word_bytes * (c.loop[0] * g.shape.n + g.col(c)); };
    segment.sites = {std::move(a), std::move(b)};
    count_accesses(segment);
    count_of(segment.ops, OpClass::ffma) = 1;
    add(segment.ops, overhead(generation, CodeRegion::step, g.down_columns));
    add(segment.ops, overhead(generation, CodeRegion::step_body, g.down_columns), 1.0 / unroll);
    segment.product.r = 1;
    segment.product.s = 1;
    segment.dependency.serial_global_loads = 1.0 / unroll;  // all loads of a body go out together
    return segment;
}

Segment result_segment(const DirectGemm& g, CodeGeneration generation) {
    Segment segment;
    segment.name = "epilogue";
    segment.thread_end = block_threads;
    AccessSite read = direct_site(g, "C load", "C", g.shape.n, SiteRole::result_read);
    read.address = [g](const Coord& c, int /*word*/) {
        return word_bytes * (g.row(c) * g.shape.n + g.col(c));
    };
    AccessSite write = direct_site(g, "C store", "C", g.shape.n, SiteRole::result_write);
    write.kind = AccessKind::store;
    write.address = read.address;
    segment.sites = {std::move(read), std::move(write)};
    count_accesses(segment);
    count_of(segment.ops, OpClass::fmul) = 1;
    count_of(segment.ops, OpClass::ffma) = 1;
    add(segment.ops, overhead(generation, CodeRegion::epilogue, g.down_columns));
    segment.dependency.serial_global_loads = 1;
    return segment;
}

Segment start_segment(CodeGeneration generation, bool down_columns) {
    Segment segment;
    segment.name = "prologue";
    segment.thread_end = block_threads;
    segment.ops = overhead(generation, CodeRegion::prologue, down_columns);
    return segment;
}

Interval alone(Segment segment) {
    Interval interval;
    interval.segments.push_back(std::move(segment));
    return interval;
}

FamilyResult lower_direct(const ParamValues& params, const ProblemShape& shape, const Target& target,
                          bool down) {
    const DirectGemm g{.shape = shape,
                       .down_columns = down,
                       .ragged = shape.m % fixed_side != 0 || shape.n % fixed_side != 0};
    const int pinned = int_param(params, "UNROLL");
    const int unroll = pinned > 0 ? pinned : down ? unsigned_unroll : signed_unroll;
    const CodeGeneration generation = code_generation(target);
    KernelProgram program;
    program.grid = {(shape.m + fixed_side - 1) / fixed_side, (shape.n + fixed_side - 1) / fixed_side, 1};
    program.block = down ? Dim3{fixed_side, fixed_side, 1} : Dim3{block_threads, 1, 1};
    program.resources.threads = block_threads;
    program.resources.barriers = 0;
    Loop steps{.name = "k steps", .trips = shape.k, .unroll = unroll, .body = {}};
    steps.body.emplace_back(alone(step_segment(g, generation, unroll)));
    program.body.emplace_back(alone(start_segment(generation, down)));
    program.body.emplace_back(std::move(steps));
    program.body.emplace_back(alone(result_segment(g, generation)));
    program.accumulators = 1;
    program.result_acc = [](const Coord&, int) { return 0; };
    describe_gemm(program, shape, true);
    FamilyResult result;
    result.code = {.generation = generation,
                   .shape = CodeShape::direct,
                   .threads = block_threads,
                   .accumulators = 1,
                   .row_words = 1,
                   .column_words = 1,
                   .unrolled_steps = unroll,
                   .pinned_steps = pinned,
                   .rolled = true};
    result.program = std::move(program);
    return result;
}

FamilyResult lower_naive(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_direct(params, shape, target, true);
}
FamilyResult lower_coalesced(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_direct(params, shape, target, false);
}

std::vector<DerivedParam> direct_derived() {
    return {constant_threads<block_threads>(), constant_param<fixed_side>("BM", "rows of C per block"),
            constant_param<fixed_side>("BN", "columns of C per block")};
}

}  // namespace

Family naive_family() {
    Family family;
    family.derived = direct_derived();
    family.name = "naive";
    family.summary = "one result per thread from global memory, a warp walks down a column of C";
    family.params = {unroll_param()};
    family.rules = {"any shape (bounds-checked)"};
    family.lower = lower_naive;
    return family;
}

Family coalesced_family() {
    Family family;
    family.derived = direct_derived();
    family.name = "coalesced";
    family.summary = "one result per thread from global memory, a warp walks along a row of C";
    family.params = {unroll_param()};
    family.rules = {"any shape (bounds-checked)"};
    family.lower = lower_coalesced;
    return family;
}

}  // namespace gpumodel
