#include "traces/sass/analysis/control_flow.h"

#include <algorithm>
#include <map>

#include "traces/sass/analysis/basic_blocks.h"

namespace gpumodel {

namespace {

constexpr std::size_t unset = static_cast<std::size_t>(-1);

// Reachable blocks in reverse postorder of a depth-first walk, which does not recurse: listings may be long.
std::vector<std::size_t> reverse_postorder(std::vector<BasicBlock>& blocks) {
    std::vector<std::size_t> order;
    std::vector<std::pair<std::size_t, std::size_t>> stack;  // block, next successor
    const auto enter = [&](std::size_t block) {
        blocks[block].reachable = true;
        stack.emplace_back(block, 0);
    };
    if (!blocks.empty()) {
        enter(0);
    }
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        if (next == blocks[block].successors.size()) {
            order.push_back(block);
            stack.pop_back();
            continue;
        }
        const auto successor = blocks[block].successors[next++];
        if (!blocks[successor].reachable) {
            enter(successor);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Immediate dominators by Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
class Dominators {
public:
    Dominators(const std::vector<BasicBlock>& blocks, const std::vector<std::size_t>& order)
        : position_(blocks.size(), unset), parent_(blocks.size(), unset) {
        if (order.empty()) {
            return;
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            position_[order[i]] = i;
        }
        parent_[order.front()] = order.front();
        while (update(blocks, order)) {
        }
    }

    [[nodiscard]] bool dominates(std::size_t above, std::size_t below) const {
        while (position_[below] > position_[above]) {
            below = parent_[below];
        }
        return below == above;
    }

    [[nodiscard]] bool retreats(std::size_t from, std::size_t to) const {
        return position_[to] <= position_[from];
    }

private:
    bool update(const std::vector<BasicBlock>& blocks, const std::vector<std::size_t>& order) {
        bool changed = false;
        for (std::size_t i = 1; i < order.size(); ++i) {
            std::size_t common = unset;
            for (const auto predecessor : blocks[order[i]].predecessors) {
                if (parent_[predecessor] != unset) {
                    common = common == unset ? predecessor : intersect(predecessor, common);
                }
            }
            changed = changed || parent_[order[i]] != common;
            parent_[order[i]] = common;
        }
        return changed;
    }

    [[nodiscard]] std::size_t intersect(std::size_t a, std::size_t b) const {
        while (a != b) {
            auto& later = position_[a] > position_[b] ? a : b;
            later = parent_[later];
        }
        return a;
    }

    std::vector<std::size_t> position_;  // in reverse postorder
    std::vector<std::size_t> parent_;
};

// All blocks that reach a back edge without passing the header. `mark` holds one entry per block, equal to
// `stamp` for those already found: cheaper than a fresh set for each of many small loops.
void collect_blocks(SassLoop& loop, const std::vector<BasicBlock>& blocks, std::vector<std::size_t>& mark,
                    std::size_t stamp) {
    loop.blocks = {loop.header};
    mark[loop.header] = stamp;
    std::vector<std::size_t> pending = loop.back_sources;
    while (!pending.empty()) {
        const auto block = pending.back();
        pending.pop_back();
        if (mark[block] == stamp) {
            continue;
        }
        mark[block] = stamp;
        loop.blocks.push_back(block);
        for (const auto predecessor : blocks[block].predecessors) {
            if (blocks[predecessor].reachable) {
                pending.push_back(predecessor);
            }
        }
    }
    std::sort(loop.blocks.begin(), loop.blocks.end());
}

void find_loops(ControlFlow& flow, const Dominators& dominators) {
    std::map<std::size_t, std::vector<std::size_t>> sources_of_header;
    for (std::size_t from = 0; from < flow.blocks.size(); ++from) {
        if (!flow.blocks[from].reachable) {
            continue;
        }
        for (const auto to : flow.blocks[from].successors) {
            if (dominators.dominates(to, from)) {
                sources_of_header[to].push_back(from);
            } else if (dominators.retreats(from, to)) {
                ++flow.irreducible_edges;
            }
        }
    }
    std::vector<std::size_t> mark(flow.blocks.size(), unset);
    for (auto& [header, sources] : sources_of_header) {
        flow.loops.push_back({header, {}, std::move(sources), -1, 1});
        collect_blocks(flow.loops.back(), flow.blocks, mark, header);
    }
}

// Natural loops with different headers are disjoint or nested, so the larger of two that share a block
// encloses the smaller.
void nest_loops(ControlFlow& flow) {
    auto& loops = flow.loops;
    std::sort(loops.begin(), loops.end(), [](const SassLoop& a, const SassLoop& b) {
        return a.blocks.size() != b.blocks.size() ? a.blocks.size() > b.blocks.size() : a.header < b.header;
    });
    flow.loop_of_block.assign(flow.blocks.size(), -1);
    for (std::size_t i = 0; i < loops.size(); ++i) {
        loops[i].parent = flow.loop_of_block[loops[i].header];
        loops[i].depth = loops[i].parent < 0 ? 1 : loops[static_cast<std::size_t>(loops[i].parent)].depth + 1;
        for (const auto block : loops[i].blocks) {
            flow.loop_of_block[block] = static_cast<int>(i);
        }
    }
}

void order_loops(ControlFlow& flow) {
    std::vector<std::size_t> order(flow.loops.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return flow.loops[a].header < flow.loops[b].header;
    });
    std::vector<int> new_index(order.size());
    std::vector<SassLoop> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        new_index[order[i]] = static_cast<int>(i);
        sorted.push_back(std::move(flow.loops[order[i]]));
    }
    const auto renumber = [&](int& index) {
        index = index < 0 ? index : new_index[static_cast<std::size_t>(index)];
    };
    for (auto& loop : sorted) {
        renumber(loop.parent);
    }
    for (auto& index : flow.loop_of_block) {
        renumber(index);
    }
    flow.loops = std::move(sorted);
}

}  // namespace

ControlFlow control_flow(const SassFunction& function) {
    ControlFlow flow;
    flow.blocks = basic_blocks(function);
    flow.indirect_branches = static_cast<int>(
        std::count_if(function.instructions.begin(), function.instructions.end(), is_indirect_branch));
    const auto order = reverse_postorder(flow.blocks);
    find_loops(flow, Dominators(flow.blocks, order));
    nest_loops(flow);
    order_loops(flow);
    return flow;
}

}  // namespace gpumodel
