#include "traces/kernel/tiling/tile_schedule.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "traces/kernel/tiling/tile_products.h"

namespace gpumodel {

namespace {

ThreadRange whole_block(const TiledGemm& g) {
    return {0, g.threads};
}

Interval barrier_interval(std::string name, const TiledGemm& g, const OpCounts& around = {}) {
    Segment segment;
    segment.name = std::move(name);
    segment.thread_end = g.threads;
    segment.ops = around;
    count_of(segment.ops, OpClass::barrier) += 1;
    Interval interval;
    interval.segments.push_back(std::move(segment));
    interval.barrier_after = true;
    return interval;
}

Interval prologue(const TiledGemm& g) {
    Segment segment;
    segment.name = "prologue";
    segment.thread_end = g.threads;
    segment.ops = prologue_overhead(g.code);
    Interval interval;
    interval.segments.push_back(std::move(segment));
    return interval;
}

Segment tile_segment(std::string name, const TileLoad& load) {
    Segment segment;
    segment.name = std::move(name);
    segment.thread_begin = load.first_thread;
    segment.thread_end = load.first_thread + load.threads;
    return segment;
}

// Global -> registers -> shared, waiting for the data in between.
Segment load_and_store(const GemmPtr& g, LoopRef tile) {
    Segment segment = tile_segment("tile load", g->a_load);
    add_tile_loads(segment, g, tile);
    add_tile_stores(segment, g, tile);
    count_accesses(segment);
    segment.dependency.serial_global_loads = g->serial_tile_loads;
    segment.order.load_window = g->load_window;
    return segment;
}

void append_epilogue(KernelProgram& program, const GemmPtr& g) {
    append_local_memory(program.body, g, AccessKind::load, 1);
    Interval interval;
    interval.segments.push_back(epilogue_segment(g));
    program.body.emplace_back(std::move(interval));
}

void append_loop(KernelProgram& program, Loop loop) {
    if (loop.trips > 0) {
        program.body.emplace_back(std::move(loop));
    }
}

void single_buffer(KernelProgram& program, const GemmPtr& g) {
    Loop tiles{.name = "k tiles", .trips = g->tiles(), .unroll = 1, .body = {}};
    Interval load;
    load.segments.push_back(load_and_store(g, counter(0)));
    const SplitBranch overhead = split_branch(tile_overhead(g->code));
    add(load.segments.front().ops, overhead.rest);
    count_of(load.segments.front().ops, OpClass::barrier) += 1;
    load.barrier_after = true;
    tiles.body.emplace_back(std::move(load));
    if (g->redundant_a_words > 0) {
        Interval redundant;
        redundant.segments.push_back(redundant_segment(g));
        tiles.body.emplace_back(std::move(redundant));
    }
    append_products(tiles.body, g, 1, {{whole_block(*g), counter(0)}});
    tiles.body.emplace_back(barrier_interval("tile end", *g, overhead.branch));
    program.body.emplace_back(prologue(*g));
    append_local_memory(program.body, g, AccessKind::store, 1);
    append_loop(program, std::move(tiles));
}

// The last tile's prefetch: executed, but turned off by its predicate.
Interval skipped_loads(const GemmPtr& g) {
    Segment segment = tile_segment("skipped tile load", g->a_load);
    add_tile_loads(segment, g, fixed(0));
    for (AccessSite& site : segment.sites) {
        site.role = SiteRole::none;
        site.active = [](const Coord&) { return false; };
    }
    count_accesses(segment);
    Interval interval;
    interval.segments.push_back(std::move(segment));
    return interval;
}

void register_prefetch(KernelProgram& program, const GemmPtr& g) {
    program.body.emplace_back(prologue(*g));
    Interval first;
    first.segments.push_back(load_and_store(g, fixed(0)));
    count_of(first.segments.front().ops, OpClass::barrier) += 1;
    first.barrier_after = true;
    program.body.emplace_back(std::move(first));

    Loop tiles{.name = "k tiles", .trips = g->tiles() - 1, .unroll = 1, .body = {}};
    Interval prefetch;
    prefetch.segments.push_back(tile_segment("next tile load", g->a_load));
    Segment& loads = prefetch.segments.front();
    add_tile_loads(loads, g, counter(0, 1));
    count_accesses(loads);
    const SplitBranch overhead = split_branch(tile_overhead(g->code));
    add(loads.ops, overhead.rest);
    loads.dependency.prefetched_global_loads = g->serial_tile_loads;
    tiles.body.emplace_back(std::move(prefetch));
    append_products(tiles.body, g, 1, {{whole_block(*g), counter(0)}});
    Interval store;
    store.segments.push_back(tile_segment("next tile store", g->a_load));
    Segment& stores = store.segments.front();
    add_tile_stores(stores, g, counter(0, 1));
    count_accesses(stores);
    count_of(stores.ops, OpClass::barrier) += 1;
    add(stores.ops, overhead.branch);
    store.barrier_after = true;
    tiles.body.emplace_back(std::move(store));
    append_loop(program, std::move(tiles));
    if (g->predicated_prefetch) {
        program.body.emplace_back(skipped_loads(g));
    }
    append_products(program.body, g, 0, {{whole_block(*g), fixed(g->tiles() - 1)}});
    program.body.emplace_back(barrier_interval("last tile", *g, tile_overhead(g->code)));
}

// Arrive on the copies' barrier, arrive, test: three operations per tile on a barrier in shared memory.
constexpr double barrier_operations = 3;

Interval async_copy_interval(const GemmPtr& g, LoopRef tile, const OpCounts& around) {
    Segment segment = tile_segment("asynchronous tile copy", g->a_load);
    add_tile_loads(segment, g, tile, AccessKind::async_copy);
    add_tile_stores(segment, g, tile, AccessKind::async_copy);
    count_accesses(segment);
    add(segment.ops, around);
    segment.shared_barrier_operations = barrier_operations;
    segment.dependency.prefetched_global_loads = 1;
    Interval interval;
    interval.segments.push_back(std::move(segment));
    return interval;
}

// Orders the block like a block-wide barrier, but is no BAR instruction.
Interval arrive_and_wait(const TiledGemm& g, const OpCounts& around) {
    Interval interval = barrier_interval("arrive and wait", g, around);
    count_of(interval.segments.front().ops, OpClass::barrier) = 0;
    return interval;
}

void async_copies(KernelProgram& program, const GemmPtr& g) {
    // The listed overhead holds the barrier operations, which are counted by themselves here.
    SplitBranch overhead = split_branch(tile_overhead(g->code));
    double& others = count_of(overhead.rest, OpClass::branch);
    others = std::max(others - barrier_operations, 0.0);
    program.body.emplace_back(barrier_interval("prologue", *g, prologue_overhead(g->code)));
    program.body.emplace_back(async_copy_interval(g, fixed(0), {}));
    Loop tiles{.name = "k tiles", .trips = g->tiles() - 1, .unroll = 1, .body = {}};
    tiles.body.emplace_back(async_copy_interval(g, counter(0, 1), {}));
    tiles.body.emplace_back(arrive_and_wait(*g, overhead.rest));
    append_products(tiles.body, g, 1, {{whole_block(*g), counter(0)}});
    tiles.body.emplace_back(barrier_interval("tile end", *g, overhead.branch));
    append_loop(program, std::move(tiles));
    program.body.emplace_back(arrive_and_wait(*g, overhead.rest));
    append_products(program.body, g, 0, {{whole_block(*g), fixed(g->tiles() - 1)}});
    program.body.emplace_back(barrier_interval("tile end", *g, overhead.branch));
}

// The two halves load different buffers: same loads, other threads.
GemmPtr with_loads_from(const TiledGemm& g, int first_thread) {
    TiledGemm half = g;
    half.a_load.first_thread = first_thread;
    half.b_load.first_thread = first_thread;
    return std::make_shared<const TiledGemm>(half);
}

Interval load_interval(const GemmPtr& g, LoopRef tile, const OpCounts& around = {}) {
    Interval interval;
    interval.segments.push_back(load_and_store(g, tile));
    add(interval.segments.front().ops, around);
    return interval;
}

// One round of the split schedule; `depth` is that of its product loops. The last round has `tiles` = 1
// or 2 tiles and no refill of the first buffer.
void append_split_round(std::vector<Node>& body, const GemmPtr& first, const GemmPtr& second, LoopRef even,
                        int depth, bool two_tiles, bool refill) {
    const int half = first->threads / 2;
    const ThreadRange front{0, half};
    const ThreadRange back{half, first->threads};
    LoopRef odd = even;
    odd.offset += 1;
    LoopRef next = even;
    next.offset += 2;
    // A thread loads one tile of a round and multiplies two: the overhead of both stands at its load.
    const SplitBranch overhead = split_branch(tile_overhead(first->code));
    OpCounts around = overhead.rest;
    add(around, tile_overhead(first->code));
    if (two_tiles) {
        body.emplace_back(load_interval(second, odd, around));
    }
    enum Turn : std::size_t { front_even, front_odd, back_even, back_odd };
    const auto turn = [&first](Turn copy) { return first->copies.empty() ? first : first->copies.at(copy); };
    append_products(body, turn(front_even), depth, {{front, even}});
    body.emplace_back(barrier_interval("half turn", *first));
    if (two_tiles) {
        append_products(body, turn(front_odd), depth, {{front, odd}});
        append_products(body, turn(back_even), depth, {{back, even}});
        body.emplace_back(barrier_interval("half turn", *first));
        append_products(body, turn(back_odd), depth, {{back, odd}});
    } else {
        append_products(body, turn(back_even), depth, {{back, even}});
        body.emplace_back(barrier_interval("half turn", *first));
    }
    if (refill) {
        body.emplace_back(load_interval(first, next, around));
    }
    body.emplace_back(barrier_interval("round end", *first, overhead.branch));
}

void split(KernelProgram& program, const GemmPtr& g) {
    const GemmPtr first = with_loads_from(*g, 0);
    const GemmPtr second = with_loads_from(*g, g->threads / 2);
    const std::int64_t rounds = (g->tiles() + 1) / 2;
    program.body.emplace_back(prologue(*g));
    program.body.emplace_back(load_interval(first, fixed(0)));
    program.body.emplace_back(barrier_interval("first tile", *g));
    Loop loop{.name = "rounds of two k tiles", .trips = rounds - 1, .unroll = 1, .body = {}};
    append_split_round(loop.body, first, second, counter(0, 0, 2), 1, true, true);
    append_loop(program, std::move(loop));
    append_split_round(program.body, first, second, fixed(2 * (rounds - 1)), 0, g->tiles() % 2 == 0, false);
}

}  // namespace

std::int64_t shared_words(const TiledGemm& g) {
    return static_cast<std::int64_t>(g.buffers) * (g.a_shared.buffer_words + g.b_shared.buffer_words);
}

KernelProgram schedule_tiles(const TiledGemm& planned, CodeShape shape) {
    const auto g = std::make_shared<const TiledGemm>(planned);
    KernelProgram program;
    switch (shape) {
        case CodeShape::one_result:
        case CodeShape::column:
        case CodeShape::scalar_rows:
        case CodeShape::one_vector:
        case CodeShape::sub_tiles:
        case CodeShape::warp_tile:
            single_buffer(program, g);
            break;
        case CodeShape::prefetch:
        case CodeShape::library:
            register_prefetch(program, g);
            break;
        case CodeShape::split:
            split(program, g);
            break;
        case CodeShape::async:
            async_copies(program, g);
            break;
        case CodeShape::direct:
        case CodeShape::guide:
        case CodeShape::copy:
        case CodeShape::transpose:
            throw std::logic_error("schedule_tiles: a shape without tiles");
    }
    append_epilogue(program, g);
    program.accumulators = g->accumulators();
    program.result_acc = result_accumulator(g);
    program.resources.threads = g->threads;
    program.resources.static_shared_bytes = 4 * shared_words(*g);
    const std::int64_t rows = (g->shape.m + g->bm - 1) / g->bm;
    const std::int64_t cols = (g->shape.n + g->bn - 1) / g->bn;
    program.grid = g->row_is_x ? Dim3{rows, cols, 1} : Dim3{cols, rows, 1};
    program.block = {g->threads, 1, 1};
    return program;
}

}  // namespace gpumodel
