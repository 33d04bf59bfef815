// Copies and transposes without arithmetic (CUDA C++ Best Practices Guide, "Coalesced Access to Global
// Memory"). Copies take M*N elements and ignore K; transposes turn an M x N matrix.
#include <fmt/format.h>

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"
#include "traces/kernel/tiling/tile_geometry.h"

namespace gpumodel {

namespace {

constexpr int copy_threads = 256;
constexpr int rows = 8;  // threads in y
constexpr int per_thread = fixed_side / rows;

AccessSite copy_site(const char* name, const char* array, bool write, int words) {
    AccessSite site;
    site.name = name;
    site.array = array;
    site.kind = write ? AccessKind::store : AccessKind::load;
    site.role = write ? SiteRole::copy_store : SiteRole::copy_load;
    site.words = words;
    return site;
}

Segment segment_of(const char* name, int threads, std::vector<AccessSite> sites) {
    Segment segment;
    segment.name = name;
    segment.thread_end = threads;
    segment.sites = std::move(sites);
    count_accesses(segment);
    return segment;
}

Interval alone(Segment segment, bool barrier_after) {
    Interval interval;
    interval.barrier_after = barrier_after;
    interval.segments.push_back(std::move(segment));
    return interval;
}

void describe_copy(KernelProgram& program, std::int64_t array_words, std::int64_t moved_words) {
    program.arrays = {{"in", word_bytes * array_words, true, false},
                      {"out", word_bytes * array_words, false, true}};
    program.c_is_read = false;
    program.effective_bytes = static_cast<double>(2 * word_bytes * moved_words);
}

// out[offset + i*stride] = in[offset + i*stride], i < M*N.
FamilyResult lower_copy(const ProblemShape& shape, const Target& target, std::int64_t offset,
                        std::int64_t stride) {
    const std::int64_t elements = shape.m * shape.n;
    RuleCheck rules;
    rules.multiple({"M*N", elements}, {"the block size", copy_threads});
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    AccessSite load = copy_site("element load", "in", false, 1);
    load.address = [offset, stride](const Coord& c, int) {
        return word_bytes * (offset + (c.block_x * copy_threads + c.thread) * stride);
    };
    AccessSite store = copy_site("element store", "out", true, 1);
    store.address = load.address;
    Segment segment = segment_of("copy", copy_threads, {std::move(load), std::move(store)});
    add(segment.ops, counted_overhead(code_generation(target), CodeShape::copy, CodeRegion::tile));
    segment.dependency.serial_global_loads = 1;
    KernelProgram program;
    program.grid = {elements / copy_threads, 1, 1};
    program.block = {copy_threads, 1, 1};
    program.resources.threads = copy_threads;
    program.resources.barriers = 0;
    program.body.emplace_back(alone(std::move(segment), false));
    describe_copy(program, offset + elements * stride, elements);
    FamilyResult result;
    result.code = {.generation = code_generation(target), .shape = CodeShape::copy, .threads = copy_threads};
    result.program = std::move(program);
    return result;
}

FamilyResult lower_offset_copy(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_copy(shape, target, params.at("OFFSET"), 1);
}
FamilyResult lower_stride_copy(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_copy(shape, target, 0, params.at("STRIDE"));
}

// Before and after the barrier of the tiled transposes; both together without shared memory.
OpCounts transpose_overhead(CodeGeneration generation, CodeRegion region, bool tiled) {
    return counted_overhead(generation, CodeShape::transpose, region,
                            tiled ? CodeTraits{CodeTrait::tiled} : CodeTraits{});
}

// Thread (tx, ty) of block (bx, by): in rows 32*by + ty + 8*word, column 32*bx + tx.
std::int64_t in_address(const Coord& c, int word, std::int64_t n) {
    const std::int64_t row = fixed_side * c.block_y + c.thread / fixed_side + std::int64_t{rows} * word;
    return word_bytes * (row * n + fixed_side * c.block_x + c.thread % fixed_side);
}

KernelProgram transpose_shell(const ProblemShape& shape) {
    KernelProgram program;
    program.grid = {shape.n / fixed_side, shape.m / fixed_side, 1};
    program.block = {fixed_side, rows, 1};
    program.resources.threads = fixed_side * rows;
    program.resources.barriers = 0;
    describe_copy(program, shape.m * shape.n, shape.m * shape.n);
    return program;
}

KernelProgram direct_transpose(const ProblemShape& shape, CodeGeneration generation) {
    KernelProgram program = transpose_shell(shape);
    AccessSite load = copy_site("in load", "in", false, per_thread);
    load.address = [n = shape.n](const Coord& c, int word) { return in_address(c, word, n); };
    AccessSite store = copy_site("out store", "out", true, per_thread);
    store.address = [m = shape.m](const Coord& c, int word) {
        const std::int64_t row = fixed_side * c.block_x + c.thread % fixed_side;  // of out
        return word_bytes *
               (row * m + fixed_side * c.block_y + c.thread / fixed_side + std::int64_t{rows} * word);
    };
    Segment segment = segment_of("transpose", fixed_side * rows, {std::move(load), std::move(store)});
    add(segment.ops, transpose_overhead(generation, CodeRegion::prologue, false));
    add(segment.ops, transpose_overhead(generation, CodeRegion::epilogue, false));
    // `in` and `out` may overlap for the compiler: each load waits for the store before it.
    segment.dependency.serial_global_loads = per_thread;
    program.body.emplace_back(alone(std::move(segment), false));
    return program;
}

KernelProgram tiled_transpose(const ProblemShape& shape, int pitch, CodeGeneration generation) {
    KernelProgram program = transpose_shell(shape);
    program.resources.barriers = 1;
    program.resources.static_shared_bytes = word_bytes * fixed_side * pitch;
    AccessSite load = copy_site("in load", "in", false, per_thread);
    load.role = SiteRole::stage_load;
    load.stage_id = 1;
    load.address = [n = shape.n](const Coord& c, int word) { return in_address(c, word, n); };
    AccessSite to_tile = copy_site("tile store", "tile", true, per_thread);
    to_tile.space = MemorySpace::shared;
    to_tile.role = SiteRole::stage_store;
    to_tile.stage_id = 1;
    to_tile.address = [pitch](const Coord& c, int word) {
        return word_bytes *
               ((c.thread / fixed_side + std::int64_t{rows} * word) * pitch + c.thread % fixed_side);
    };
    AccessSite from_tile = copy_site("tile load", "tile", false, per_thread);
    from_tile.space = MemorySpace::shared;
    from_tile.address = [pitch](const Coord& c, int word) {
        return word_bytes *
               (c.thread % fixed_side * pitch + c.thread / fixed_side + std::int64_t{rows} * word);
    };
    AccessSite store = copy_site("out store", "out", true, per_thread);
    store.address = [m = shape.m](const Coord& c, int word) {
        const std::int64_t row =
            fixed_side * c.block_x + c.thread / fixed_side + std::int64_t{rows} * word;  // of out
        return word_bytes * (row * m + fixed_side * c.block_y + c.thread % fixed_side);
    };
    Segment in = segment_of("tile load", fixed_side * rows, {std::move(load), std::move(to_tile)});
    add(in.ops, transpose_overhead(generation, CodeRegion::prologue, true));
    count_of(in.ops, OpClass::barrier) = 1;
    in.dependency.serial_global_loads = 1;
    Segment out = segment_of("tile store", fixed_side * rows, {std::move(from_tile), std::move(store)});
    add(out.ops, transpose_overhead(generation, CodeRegion::epilogue, true));
    out.dependency.serial_shared_loads = 1;
    program.body.emplace_back(alone(std::move(in), true));
    program.body.emplace_back(alone(std::move(out), false));
    return program;
}

template <int pitch>
FamilyResult lower_transpose(const ParamValues& /*params*/, const ProblemShape& shape, const Target& target) {
    RuleCheck rules;
    rules.multiple({"M", shape.m}, {"the tile side", fixed_side})
        .multiple({"N", shape.n}, {"the tile side", fixed_side});
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    const CodeGeneration generation = code_generation(target);
    FamilyResult result;
    result.code = {.generation = generation,
                   .shape = CodeShape::transpose,
                   .threads = fixed_side * rows,
                   .depth = per_thread,
                   .unrolled_steps = per_thread};
    result.program =
        pitch == 0 ? direct_transpose(shape, generation) : tiled_transpose(shape, pitch, generation);
    return result;
}

using Lower = FamilyResult (*)(const ParamValues&, const ProblemShape&, const Target&);

std::string copy_pointers(const KernelProgram& p) {
    return fmt::format("ptr:{}B,ptr:{}B", p.arrays.at(1).bytes, p.arrays.at(0).bytes);
}

// What the copies have in common; their one parameter is an argument.
void set_copy(Family& family, Lower lower) {
    family.derived = {constant_threads<copy_threads>()};
    family.rules = {"M*N is a multiple of 256; K is ignored"};
    family.depth = ProblemDepth::ignored;
    family.arguments = [](const KernelProgram& p, const ParamValues& resolved) {
        return fmt::format("{},{}", copy_pointers(p), resolved.begin()->second);
    };
    family.signature = "float*, const float*, int";
    family.lower = lower;
}

Family transpose_family(const char* name, const char* summary, Lower lower) {
    Family family;
    family.name = name;
    family.summary = summary;
    family.derived = {constant_threads<fixed_side * rows>(),
                      constant_param<fixed_side>("TILE_DIM", "side of the tile"),
                      constant_param<rows>("BLOCK_ROWS", "rows of threads per block")};
    family.rules = {"M and N are multiples of 32; K is ignored"};
    family.depth = ProblemDepth::ignored;
    family.arguments = [](const KernelProgram& p, const ParamValues&) {
        return fmt::format("{},{},{}", copy_pointers(p), p.m, p.n);
    };
    family.signature = "float*, const float*, int, int";
    family.further_template_arguments = 1;  // pins the loop over a thread's words
    family.lower = lower;
    return family;
}

}  // namespace

Family offset_copy_family() {
    Family family;
    family.name = "offset_copy";
    family.summary = "out[i+OFFSET] = in[i+OFFSET] for M*N elements";
    family.params = {{"OFFSET", 1, 0, 1 << 20, "first element, in words", false, true}};
    set_copy(family, lower_offset_copy);
    return family;
}

Family stride_copy_family() {
    Family family;
    family.name = "stride_copy";
    family.summary = "out[i*STRIDE] = in[i*STRIDE] for M*N elements";
    family.params = {{"STRIDE", 2, 1, 1 << 10, "distance of elements, in words", false, true}};
    set_copy(family, lower_stride_copy);
    return family;
}

Family transpose_naive_family() {
    return transpose_family("transpose_naive",
                            "transpose of an M x N matrix, straight from and to global memory",
                            lower_transpose<0>);
}
Family transpose_shared_family() {
    return transpose_family("transpose_shared", "transpose through a 32x32 shared tile",
                            lower_transpose<fixed_side>);
}
Family transpose_padded_family() {
    return transpose_family("transpose_padded", "transpose through a shared tile of pitch 33",
                            lower_transpose<fixed_side + 1>);
}

}  // namespace gpumodel
