#include "traces/kernel/tiling/tiled_gemm.h"

#include <algorithm>
#include <array>

#include "traces/kernel/tiling/split_fragment.h"

namespace gpumodel {

namespace {

std::int64_t block_row(const TiledGemm& g, const Coord& c) {
    return g.bm * (g.row_is_x ? c.block_x : c.block_y);
}
std::int64_t block_col(const TiledGemm& g, const Coord& c) {
    return g.bn * (g.row_is_x ? c.block_y : c.block_x);
}

// Element (row, col) of A, B or C that a site's word means.
struct Element {
    std::int64_t row = 0, col = 0;
};

Element a_element(const TiledGemm& g, const LoopRef& tile, const Coord& c, int word) {
    return {block_row(g, c) + g.a_load.row(c.thread, word), tile.at(c) * g.bk + g.a_load.col(c.thread, word)};
}
Element b_element(const TiledGemm& g, const LoopRef& tile, const Coord& c, int word) {
    return {tile.at(c) * g.bk + g.b_load.row(c.thread, word), block_col(g, c) + g.b_load.col(c.thread, word)};
}

// Word w of the epilogue: sub-tiles one after another, each tm rows of tn results.
struct Result {
    int row = 0, col = 0, accumulator = 0;  // row, col relative to the block tile
};
Result result_of(const TiledGemm& g, int thread, int word) {
    const int per_sub = g.tile.tm * g.tile.tn;
    const int sub = word / per_sub;
    const int sub_cols = g.outer_cols * g.tile.sub_cols;
    const int sub_row = sub / sub_cols;
    const int sub_col = sub % sub_cols;
    const int i = sub_row % g.tile.sub_rows * g.tile.tm + word % per_sub / g.tile.tn;
    const int j = sub_col % g.tile.sub_cols * g.tile.tn + word % g.tile.tn;
    const int outer_row = sub_row / g.tile.sub_rows;
    const int outer_col = sub_col / g.tile.sub_cols;
    return {g.tile.row(thread, i) + outer_row * g.outer_m, g.tile.col(thread, j) + outer_col * g.outer_n,
            (outer_row * g.outer_cols + outer_col) * g.r() * g.s() + i * g.s() + j};
}
Element result_element(const TiledGemm& g, const Coord& c, int word) {
    const Result at = result_of(g, c.thread, word);
    return {block_row(g, c) + at.row, block_col(g, c) + at.col};
}

using ElementOf = Element (*)(const TiledGemm&, const LoopRef&, const Coord&, int);

// Steps of row and column move an element's address by the same amount wherever it lies.
bool is_linear(const SharedLayout& layout) {
    return layout.order != SharedLayout::Order::linearized;
}

AccessSite global_tile_site(const GemmPtr& g, const LoopRef& tile, bool is_a) {
    const ElementOf element = is_a ? a_element : b_element;
    const TileLoad& load = is_a ? g->a_load : g->b_load;
    AccessSite site;
    site.name = is_a ? "A tile load" : "B tile load";
    site.array = is_a ? "A" : "B";
    site.role = SiteRole::stage_load;
    site.words = load.words();
    site.vector_words = load.vector;
    site.stage_id = is_a ? 1 : 2;
    site.words_fixed = true;
    const std::int64_t rows = is_a ? g->shape.m : g->shape.k;
    const std::int64_t pitch = is_a ? g->shape.k : g->shape.n;
    site.pitch = word_bytes * pitch;
    site.address = [g, tile, element, pitch](const Coord& c, int word) {
        const Element e = element(*g, tile, c, word);
        return word_bytes * (e.row * pitch + e.col);
    };
    if (g->padded) {
        site.word_active = [g, tile, element, rows, pitch](const Coord& c, int word) {
            const Element e = element(*g, tile, c, word);
            return e.row < rows && e.col < pitch;
        };
    }
    return site;
}

AccessSite shared_tile_site(const GemmPtr& g, const LoopRef& tile, bool is_a) {
    const TileLoad& load = is_a ? g->a_load : g->b_load;
    AccessSite site;
    site.name = is_a ? "A tile store" : "B tile store";
    site.array = is_a ? "As" : "Bs";
    site.space = MemorySpace::shared;
    site.kind = AccessKind::store;
    site.role = SiteRole::stage_store;
    site.words = load.words();
    site.vector_words = is_a ? g->a_store_vector : g->b_store_vector;
    site.words_fixed = is_linear(is_a ? g->a_shared : g->b_shared);
    site.stage_id = is_a ? 1 : 2;
    site.address = [g, tile, is_a](const Coord& c, int word) {
        const TileLoad& from = is_a ? g->a_load : g->b_load;
        const SharedLayout& to = is_a ? g->a_shared : g->b_shared;
        const std::int64_t buffer = tile.at(c) % g->buffers;
        return word_bytes *
               (to.word(from.row(c.thread, word), from.col(c.thread, word)) + buffer * to.buffer_words);
    };
    return site;
}

AccessSite fragment_site(bool is_a) {
    AccessSite site;
    site.name = is_a ? "A fragment" : "B fragment";
    site.array = is_a ? "As" : "Bs";
    site.space = MemorySpace::shared;
    site.role = is_a ? SiteRole::fragment_a : SiteRole::fragment_b;
    return site;
}

AccessSite a_fragment_site(const GemmPtr& g, const StepPlace& place) {
    AccessSite site = fragment_site(true);
    site.words = g->r() * g->steps;
    site.vector_words = g->a_vector;
    site.words_fixed = is_linear(g->a_shared);
    site.address = [g, place](const Coord& c, int word) {
        const int i = g->a_along_k ? word / g->steps : word % g->r();
        const int step = g->a_along_k ? word % g->steps : word / g->r();
        const auto row = static_cast<int>(g->tile.row(c.thread, i) + place.sub_row.at(c) * g->outer_m);
        const auto k = static_cast<int>(place.k.at(c) + step);
        const std::int64_t buffer = place.tile.at(c) % g->buffers;
        return word_bytes * (g->a_shared.word(row, k) + buffer * g->a_shared.buffer_words);
    };
    return site;
}

std::function<std::int64_t(const Coord&, int)> b_fragment_address(const GemmPtr& g, const StepPlace& place) {
    return [g, place](const Coord& c, int word) {
        const auto col =
            static_cast<int>(g->tile.col(c.thread, word % g->s()) + place.sub_col.at(c) * g->outer_n);
        const auto k = static_cast<int>(place.k.at(c) + word / g->s());
        const std::int64_t buffer = place.tile.at(c) % g->buffers;
        return word_bytes * (g->b_shared.word(k, col) + buffer * g->b_shared.buffer_words);
    };
}

// Rows of Bs that start at every alignment: one site per width, see split_fragment.h.
void add_shifted_b_fragments(Segment& segment, const GemmPtr& g, const StepPlace& place) {
    const auto first_word = b_fragment_address(g, place);
    for (const int width : {4, 2, 1}) {
        auto pieces = std::make_shared<const std::vector<FragmentPiece>>(
            split_fragment(g->s(), g->steps, g->b_shared.pitch, width, g->b_vector));
        if (pieces->empty()) {
            continue;
        }
        AccessSite site = fragment_site(false);
        site.words = static_cast<int>(pieces->size()) * width;
        site.vector_words = width;
        const int s = g->s();
        site.address = [first_word, pieces, width, s](const Coord& c, int word) {
            const FragmentPiece& piece = (*pieces)[static_cast<std::size_t>(word / width)];
            return first_word(c, piece.step * s) + word_bytes * (piece.offset + word % width);
        };
        site.fragment_index = [pieces, width, s](int word) {
            const FragmentPiece& piece = (*pieces)[static_cast<std::size_t>(word / width)];
            const int j = piece.offset + word % width;
            return j >= 0 && j < s ? piece.step * s + j : -1;
        };
        segment.sites.push_back(std::move(site));
    }
}

void add_b_fragments(Segment& segment, const GemmPtr& g, const StepPlace& place) {
    if (g->b_row_shift) {
        add_shifted_b_fragments(segment, g, place);
        return;
    }
    AccessSite site = fragment_site(false);
    site.words = g->s() * g->steps;
    site.vector_words = g->b_vector;
    site.words_fixed = is_linear(g->b_shared);
    site.address = b_fragment_address(g, place);
    segment.sites.push_back(std::move(site));
}

AccessSite result_site(const GemmPtr& g, bool write) {
    AccessSite site;
    site.name = write ? "C store" : "C load";
    site.array = "C";
    site.kind = write ? AccessKind::store : AccessKind::load;
    site.role = write ? SiteRole::result_write : SiteRole::result_read;
    site.words = g->accumulators();
    site.vector_words = g->result_vector;
    site.words_fixed = true;
    site.pitch = word_bytes * g->shape.n;
    site.address = [g](const Coord& c, int word) {
        const Element e = result_element(*g, c, word);
        return word_bytes * (e.row * g->shape.n + e.col);
    };
    if (g->padded) {
        site.word_active = [g](const Coord& c, int word) {
            const Element e = result_element(*g, c, word);
            return e.row < g->shape.m && e.col < g->shape.n;
        };
    }
    return site;
}

OpClass access_class(const AccessSite& site) {
    if (site.kind == AccessKind::async_copy) {
        return OpClass::async_copy;
    }
    if (site.space == MemorySpace::shared) {
        return site.kind == AccessKind::load ? OpClass::shared_load : OpClass::shared_store;
    }
    return site.kind == AccessKind::load ? OpClass::global_load : OpClass::global_store;
}

}  // namespace

void count_accesses(Segment& segment) {
    for (const AccessSite& site : segment.sites) {
        if (site.kind != AccessKind::async_copy || site.space == MemorySpace::global) {
            count_of(segment.ops, access_class(site)) += site.accesses();
        }
    }
}

void add_tile_loads(Segment& segment, const GemmPtr& g, LoopRef tile, AccessKind kind) {
    for (const bool is_a : {true, false}) {
        AccessSite site = global_tile_site(g, tile, is_a);
        site.kind = kind;
        if (kind == AccessKind::async_copy) {
            site.vector_words = is_a ? g->a_store_vector : g->b_store_vector;
            site.past_l1 = site.vector_words == 4;  // cp.async.cg, which 16 bytes alone can take
        }
        segment.sites.push_back(std::move(site));
    }
}

void add_tile_stores(Segment& segment, const GemmPtr& g, LoopRef tile, AccessKind kind) {
    for (const bool is_a : {true, false}) {
        AccessSite site = shared_tile_site(g, tile, is_a);
        site.kind = kind == AccessKind::async_copy ? kind : AccessKind::store;
        segment.sites.push_back(std::move(site));
    }
}

AccessSite local_memory_site(AccessKind kind, int words, int vector) {
    constexpr int warp = 32;
    AccessSite site;
    site.name = kind == AccessKind::store ? "accumulators to local memory" : "accumulators from local memory";
    site.array = "local";
    site.kind = kind;
    site.role = SiteRole::none;
    site.thread_private = true;
    site.pitch = 0;
    site.words = words;
    site.vector_words = vector;
    site.address = [words, vector](const Coord& c, int word) {
        const std::int64_t row = std::int64_t{c.thread / warp} * (words / vector) + word / vector;
        return word_bytes * ((row * warp + c.thread % warp) * vector + word % vector);
    };
    return site;
}

Segment product_segment(const GemmPtr& g, const StepPlace& place, ThreadRange range) {
    Segment segment;
    segment.name = "products";
    segment.thread_begin = range.begin;
    segment.thread_end = range.end;
    segment.sites.push_back(a_fragment_site(g, place));
    add_b_fragments(segment, g, place);
    if (g->spilled_words > 0) {
        segment.sites.push_back(local_memory_site(AccessKind::load, g->spilled_words, 1));
        segment.sites.push_back(local_memory_site(AccessKind::store, g->spilled_words, 1));
    }
    count_accesses(segment);
    segment.product = {.r = g->r(),
                       .s = g->s(),
                       .steps = g->steps,
                       .a_along_k = g->a_along_k,
                       .row_run = g->tile.tm,
                       .column_run = g->tile.tn,
                       .acc_base = {},
                       .acc = {}};
    if (g->outer_rows * g->outer_cols > 1) {
        segment.product.acc_base = [g, place](const Coord& c) {
            return static_cast<int>(place.sub_row.at(c) * g->outer_cols + place.sub_col.at(c)) * g->r() *
                   g->s();
        };
    }
    count_of(segment.ops, OpClass::ffma) = g->r() * g->s() * g->steps;
    const double bodies = static_cast<double>(g->steps) / g->unroll;
    add(segment.ops, step_body_overhead(g->code), bodies);
    segment.dependency.serial_shared_loads = g->serial_fragments * bodies;
    segment.dependency.ilp = g->r() * g->s();
    segment.order.loads_first = g->loads_first;
    segment.order.load_window = g->fragment_words;
    segment.order.loads_late = g->fragments_late;
    return segment;
}

Segment redundant_segment(const GemmPtr& g) {
    Segment segment;
    segment.name = "redundant fragment";
    segment.thread_end = g->threads;
    AccessSite site = fragment_site(true);
    site.words = g->redundant_a_words;
    site.address = [g](const Coord& c, int word) {
        return word_bytes * g->a_shared.word(g->tile.row(c.thread, word), 0);
    };
    site.fragment_index = [](int) { return -1; };
    segment.sites.push_back(std::move(site));
    count_accesses(segment);
    return segment;
}

Segment epilogue_segment(const GemmPtr& g) {
    Segment segment;
    segment.name = "epilogue";
    segment.thread_end = g->threads;
    segment.sites.push_back(result_site(g, false));
    segment.sites.push_back(result_site(g, true));
    count_accesses(segment);
    const int accesses = g->accumulators() / g->result_vector;
    count_of(segment.ops, OpClass::fmul) = g->accumulators();
    count_of(segment.ops, OpClass::ffma) = g->accumulators();
    add(segment.ops, epilogue_overhead(g->code));
    // C may alias itself, so each load waits for the store before it (docs/compiled_code.md).
    segment.dependency.serial_global_loads = g->code.shape == CodeShape::library ? 1 : accesses;
    segment.dependency.ilp = g->result_vector;
    return segment;
}

std::function<int(const Coord&, int)> result_accumulator(const GemmPtr& g) {
    return [g](const Coord& c, int word) { return result_of(*g, c.thread, word).accumulator; };
}

}  // namespace gpumodel
