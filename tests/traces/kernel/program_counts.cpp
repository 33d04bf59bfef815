#include "tests/traces/kernel/program_counts.h"

namespace gpumodel::test {

namespace {

void add_segment(Counts& counts, const Segment& segment, double times) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        counts.ops[i] += times * segment.ops[i];
    }
    counts.product_ffma += times * segment.product.r * segment.product.s * segment.product.steps;
    for (const AccessSite& site : segment.sites) {
        if (site.space == MemorySpace::shared) {
            auto& widths = site.kind == AccessKind::load ? counts.shared_loads : counts.shared_stores;
            widths.at(static_cast<std::size_t>(site.vector_words)) += times * site.accesses();
        }
    }
}

void add_nodes(Counts& counts, const std::vector<Node>& nodes, double times, int threads) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            add_nodes(counts, loop->body, times * static_cast<double>(loop->trips), threads);
            continue;
        }
        for (const Segment& segment : std::get<Interval>(node).segments) {
            const double share = static_cast<double>(segment.thread_end - segment.thread_begin) / threads;
            add_segment(counts, segment, times * share);
        }
    }
}

}  // namespace

Counts count_nodes(const std::vector<Node>& nodes, int threads) {
    Counts counts;
    add_nodes(counts, nodes, 1, threads);
    return counts;
}

const Loop* first_loop(const KernelProgram& program) {
    for (const Node& node : program.body) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            return loop;
        }
    }
    return nullptr;
}

}  // namespace gpumodel::test
