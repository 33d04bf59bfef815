#include "traces/trace/trace_summary.h"

#include <algorithm>

#include "traces/trace/warp_walk.h"

namespace gpumodel {

namespace {

double warps_of(const Segment& segment) {
    if (segment.thread_end <= segment.thread_begin) {
        return 0;
    }
    return (segment.thread_end - 1) / warp_lanes - segment.thread_begin / warp_lanes + 1;
}

class Summary {
public:
    explicit Summary(TraceSummary& result) : result_(result) {}

    // `blocks` run this body; `sites`: it is the representative one.
    void add(const std::vector<Node>& body, double blocks, bool sites) {
        blocks_ = blocks;
        sites_ = sites;
        ++result_.bodies;
        nodes(body, 1, 0);
    }

private:
    void nodes(const std::vector<Node>& list, double trips, int depth) {
        result_.loop_depth = std::max(result_.loop_depth, depth);
        for (const auto& node : list) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                nodes(loop->body, trips * static_cast<double>(loop->trips), depth + 1);
                continue;
            }
            for (const auto& item : std::get<Interval>(node).segments) {
                segment(item, trips * warps_of(item));
            }
        }
    }

    void segment(const Segment& item, double per_block) {
        ++result_.segments;
        result_.static_instructions += item.code.size();
        for (std::size_t i = 0; i < item.ops.size(); ++i) {
            result_.by_class[i] += item.ops[i] * per_block * blocks_;
            result_.warp_instructions += item.ops[i] * per_block * blocks_;
        }
        for (std::size_t i = 0; sites_ && i < item.sites.size(); ++i) {
            const auto& site = item.sites[i];
            result_.sites.push_back({item.name, site.name, site.array, site.space, site.kind,
                                     site.bytes_per_lane(), per_block * site.accesses()});
        }
    }

    TraceSummary& result_;
    double blocks_ = 0;
    bool sites_ = false;
};

}  // namespace

TraceSummary summarize(const KernelProgram& program) {
    TraceSummary result;
    Summary summary(result);
    if (program.variants.empty()) {
        summary.add(program.body, static_cast<double>(program.grid.count()), true);
        return result;
    }
    const auto most =
        std::max_element(program.variants.begin(), program.variants.end(),
                         [](const auto& a, const auto& b) { return a.blocks.count() < b.blocks.count(); });
    for (const auto& variant : program.variants) {
        summary.add(variant.body, static_cast<double>(variant.blocks.count()), &variant == &*most);
    }
    return result;
}

}  // namespace gpumodel
