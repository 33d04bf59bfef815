#include "traces/codegen/registers/register_plan.h"

#include <algorithm>
#include <array>

#include "traces/codegen/products/fragments.h"
#include "traces/codegen/transfers/transfers.h"

namespace gpumodel {

namespace {

int whole_quads(int words) {
    return (words + quad - 1) / quad * quad;
}

// Fragment words of the largest body, and how many of them must be there at once.
struct FragmentNeed {
    int wanted = 0, least = 0;
};

FragmentNeed fragment_need(const Segment& segment, const CodeStyle& style) {
    const FragmentMap map = fragment_map(segment);
    const FragmentShape& shape = map.shape;
    int all = 0;
    bool global = false;
    for (const FragmentLoad& load : map.loads) {
        all += load.width;
        global = global || segment.sites[static_cast<std::size_t>(load.site)].space == MemorySpace::global;
    }
    // Loads of several widths leave holes between them.
    const int holes = map.several_widths() ? 2 * quad : 0;
    const std::vector<Product> order = product_order(shape, style);
    const int least = whole_quads(least_fragment_words(map, order)) + holes;
    const int ahead = global ? 0 : products_ahead(segment, shape, style);
    const int budget = std::max(fragment_budget(segment, shape, style),
                                ahead > 0 ? words_ahead(map, order, ahead) + holes : 0);
    const int wanted = std::max(least, whole_quads(global ? all : std::min(all, budget)));
    // Single words leave the other bank's registers free.
    const bool single_words = shape.a_vector == 1 || shape.b_vector == 1;
    if (!single_words) {
        return {.wanted = wanted, .least = least};
    }
    constexpr int room = 32;  // eight single words of one bank and four quads, beyond the estimated registers
    return {.wanted = 2 * wanted, .least = std::max(least, std::min(2 * wanted, room))};
}

struct Needs {
    int wanted = quad, least = quad;
    std::map<int, int> staged;  // words by stage, of loads whose stores stand elsewhere
    bool in_memory = false;     // accumulators in local memory
    bool in_turns = false;      // a tile's loads take each other's registers
    int threads = 0;            // of a block
};

void add_staged(Needs& needs, const Segment& segment) {
    for (const AccessSite& site : segment.sites) {
        if (site.role != SiteRole::stage_load || site.kind != AccessKind::load) {
            continue;
        }
        const bool stored_here =
            std::any_of(segment.sites.begin(), segment.sites.end(), [&](const AccessSite& other) {
                return other.role == SiteRole::stage_store && other.stage_id == site.stage_id;
            });
        if (!stored_here) {
            int& words = needs.staged[site.stage_id];
            words = std::max(words, whole_quads(site.words));
        }
    }
}

Needs needs_of(const std::vector<Node>& nodes, const CodeStyle& style) {
    Needs needs;
    each_segment(nodes, [&](const Segment& segment) {
        if (segment.product.r > 0) {
            const FragmentNeed need = fragment_need(segment, style);
            needs.wanted = std::max(needs.wanted, need.wanted);
            needs.least = std::max(needs.least, need.least);
        }
        const TransferPlan transfers = plan_transfers(segment);
        const int words = whole_quads(transfers.scratch_words());
        needs.in_turns = needs.in_turns || (segment.product.r == 0 && segment.order.load_window > 0 &&
                                            transfers.window < static_cast<int>(transfers.loads.size()));
        needs.wanted = std::max(needs.wanted, words);
        needs.least = std::max(needs.least, std::min(words, 2 * quad));
        needs.in_memory =
            needs.in_memory || (segment.product.r == 0 &&
                                std::any_of(segment.sites.begin(), segment.sites.end(),
                                            [](const AccessSite& site) { return site.thread_private; }));
        add_staged(needs, segment);
    });
    return needs;
}

// Listings of sm_90: tiles whose larger side is B. 128 results where A comes word by word and no registers
// are to spare (11 of 12); of at most 128 threads those in bodies that load B's second half late where a
// tile's loads take turns, too, and 4x4 sub-tiles side by side where loads take turns.
bool presses_registers(const Segment& segment, const FragmentShape& shape, const CodeStyle& style,
                       const Needs& needs) {
    constexpr int few_threads = 128;
    constexpr int many_results = 128;
    if (style.generation < CodeGeneration::hopper || shape.r >= shape.s) {
        return false;
    }
    if (shape.a_vector == 1 && shape.steps == 1 && shape.r * shape.s == many_results) {
        return !style.registers_to_spare();
    }
    const bool four_columns = shape.r == quad && shape.s == 4 * quad && shape.column_run == quad;
    return needs.threads <= few_threads && needs.in_turns &&
           (four_columns || loads_in_halves(segment, shape, style));
}

// Listings of sm_90, all families: bodies of several steps of one quad of A and two of B, and of two rows of
// quads of A along k against one of B.
bool unrolls_columns(const FragmentShape& shape, const CodeStyle& style) {
    const bool columns = shape.r == quad && shape.s == 2 * quad && !shape.a_along_k;
    const bool rows = shape.r == 2 * quad && shape.s == quad && shape.a_along_k;
    return style.generation >= CodeGeneration::hopper && shape.steps > 1 && (columns || rows);
}

// Bank of every accumulator, by the first product that uses it; -1 = any.
std::vector<int> accumulator_banks(const std::vector<Node>& nodes, int count, const CodeStyle& style,
                                   const Needs& needs) {
    std::vector<int> banks(static_cast<std::size_t>(count), -1);
    each_segment(nodes, [&](const Segment& segment) {
        if (segment.product.r == 0) {
            return;
        }
        FragmentShape shape = fragment_map(segment).shape;
        shape.results_off_b =
            presses_registers(segment, shape, style, needs) || unrolls_columns(shape, style);
        for (const Product& product : product_order(shape, style)) {
            const int index = accumulator_index(segment.product, product.i, product.j);
            if (index >= 0 && index < count && banks[static_cast<std::size_t>(index)] < 0) {
                banks[static_cast<std::size_t>(index)] = accumulator_bank(shape, product, style);
            }
        }
    });
    return banks;
}

void place_accumulators(RegisterPlan& plan, const std::vector<int>& banks, int first) {
    std::array<int, 2> next{first, first + 1};
    int any = 0;
    plan.accumulators.reserve(banks.size());
    for (const int wanted : banks) {
        int& at = next.at(static_cast<std::size_t>(wanted < 0 ? any : wanted));
        plan.accumulators.push_back(at);
        at += 2;
        any = 1 - any;
    }
}

// Vectors of local memory are loaded to consecutive registers: pairs swapped, away from B's banks.
void place_in_order(RegisterPlan& plan, int count, int first) {
    for (int i = 0; i < count; ++i) {
        plan.accumulators.push_back(first + (i % 2 == 0 ? i + 1 : i - 1));
    }
}

}  // namespace

int accumulator_index(const ProductStep& product, int i, int j) {
    if (product.acc) {
        return product.acc(Coord{}, i, j);
    }
    return (product.acc_base ? product.acc_base(Coord{}) : 0) + i * product.s + j;
}

RegisterPlan plan_registers(const KernelProgram& program, const std::vector<Node>& nodes,
                            const CodeStyle& style) {
    Needs needs = needs_of(nodes, style);
    needs.threads = program.resources.threads;
    const int limit = program.resources.registers_per_thread > 0
                          ? std::min(program.resources.registers_per_thread, RegisterPlan::last + 1)
                          : RegisterPlan::last + 1;
    RegisterPlan plan;
    int next = RegisterPlan::first_free;
    for (const auto& [stage, words] : needs.staged) {
        plan.staged[stage] = next;
        next += words;
    }
    constexpr int roomy = 24;  // what small kernels get even beyond the estimated registers per thread
    const int least = std::max(needs.least, std::min(needs.wanted, roomy));
    const int left = limit - next - program.accumulators;
    plan.scratch = next;
    plan.scratch_words = std::clamp(left / quad * quad, least, std::max(needs.wanted, least));
    next += plan.scratch_words;
    plan.consecutive_results = needs.in_memory;
    if (needs.in_memory) {
        place_in_order(plan, program.accumulators, next);
    } else {
        place_accumulators(plan, accumulator_banks(nodes, program.accumulators, style, needs), next);
    }
    return plan;
}

}  // namespace gpumodel
