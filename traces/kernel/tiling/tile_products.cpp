#include "traces/kernel/tiling/tile_products.h"

#include <algorithm>
#include <utility>

namespace gpumodel {

namespace {

Segment local_memory_segment(const GemmPtr& g, AccessKind kind) {
    constexpr int vector = 4;  // listings: LDL.128, STL.128
    Segment segment;
    segment.name = "local memory";
    segment.thread_end = g->threads;
    segment.sites.push_back(local_memory_site(kind, g->accumulators(), vector));
    count_accesses(segment);
    // a hit in L1 takes about as long as a shared load
    segment.dependency.serial_shared_loads = kind == AccessKind::load ? 1 : 0;
    return segment;
}

// The steps that a body of u steps leaves over when u does not divide BK: straight-line code.
GemmPtr peeled_steps(const TiledGemm& g) {
    TiledGemm rest = g;
    rest.steps = 1;
    rest.unroll = 1;
    rest.a_vector = g.peeled_a_vector;
    rest.b_vector = g.peeled_b_vector;
    rest.code.rolled = false;  // no loop around it
    return std::make_shared<const TiledGemm>(rest);
}

void append_peeled(std::vector<Node>& body, const GemmPtr& g, const std::vector<Worker>& workers,
                   StepPlace place = {}) {
    const int rest = g->bk % g->unroll;
    if (rest == 0) {
        return;
    }
    const GemmPtr peeled = peeled_steps(*g);
    Interval interval;
    for (int step = g->bk - rest; step < g->bk; ++step) {
        place.k = fixed(step);
        for (const Worker& worker : workers) {
            place.tile = worker.tile;
            interval.segments.push_back(product_segment(peeled, place, worker.range));
        }
    }
    body.emplace_back(std::move(interval));
}

// The k loop of one tile or sub-tile, its counter at `depth`.
Loop step_loop(const GemmPtr& g, int depth, const std::vector<Worker>& workers, StepPlace place) {
    place.k = counter(depth, 0, g->steps);
    Interval interval;
    for (const Worker& worker : workers) {
        place.tile = worker.tile;
        interval.segments.push_back(product_segment(g, place, worker.range));
    }
    const int looped = g->bk - g->bk % g->unroll;
    Loop steps{.name = "k steps", .trips = looped / g->steps, .unroll = g->unroll / g->steps, .body = {}};
    steps.unroll = std::max(steps.unroll, 1);
    steps.body.emplace_back(std::move(interval));
    return steps;
}

// The same in its sub-tile loops; `depth` is that of the outermost of them.
Loop product_loop(const GemmPtr& g, int depth, const std::vector<Worker>& workers) {
    if (g->outer_rows * g->outer_cols == 1) {
        return step_loop(g, depth, workers, {});
    }
    StepPlace place;
    place.sub_row = counter(depth);
    place.sub_col = counter(depth + 1);
    Loop cols{.name = "sub-tile columns", .trips = g->outer_cols, .unroll = g->outer_cols, .body = {}};
    cols.body.emplace_back(step_loop(g, depth + 2, workers, place));
    Loop rows{.name = "sub-tile rows", .trips = g->outer_rows, .unroll = g->outer_rows, .body = {}};
    rows.body.emplace_back(std::move(cols));
    return rows;
}

// Sub-tiles one after another, each with a k loop of its own.
void append_copies(std::vector<Node>& body, const TiledGemm& g, int depth,
                   const std::vector<Worker>& workers) {
    StepPlace place;
    for (std::size_t i = 0; i < g.copies.size(); ++i) {
        place.sub_row = fixed(static_cast<int>(i) / g.outer_cols);
        place.sub_col = fixed(static_cast<int>(i) % g.outer_cols);
        body.emplace_back(step_loop(g.copies[i], depth, workers, place));
        append_peeled(body, g.copies[i], workers, place);
    }
}

}  // namespace

void append_local_memory(std::vector<Node>& body, const GemmPtr& g, AccessKind kind, int times) {
    if (g->local_stores == 0) {
        return;
    }
    Interval interval;
    interval.segments.push_back(local_memory_segment(g, kind));
    if (times == 1) {
        body.emplace_back(std::move(interval));
        return;
    }
    Loop loop{.name = "local memory", .trips = times, .unroll = times, .body = {}};
    loop.body.emplace_back(std::move(interval));
    body.emplace_back(std::move(loop));
}

void append_products(std::vector<Node>& body, const GemmPtr& g, int depth,
                     const std::vector<Worker>& workers) {
    append_local_memory(body, g, AccessKind::load, 1);
    if (g->outer_rows * g->outer_cols > 1 && !g->copies.empty()) {
        append_copies(body, *g, depth, workers);
    } else {
        body.emplace_back(product_loop(g, depth, workers));
        append_peeled(body, g, workers);
    }
    append_local_memory(body, g, AccessKind::store, g->local_stores);
}

}  // namespace gpumodel
