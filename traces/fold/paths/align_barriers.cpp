#include "traces/fold/paths/align_barriers.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "traces/fold/paths/path_writer.h"

namespace gpumodel {
namespace {

// Tokens of a block's written paths: some hundred bytes each in the program. `estimated`
constexpr std::size_t most_tokens = std::size_t{1} << 17;

std::int64_t barriers_in(const std::vector<PathNode>& nodes);

std::int64_t barriers_of_a_trip(const PathNode& node) {
    return node.is_loop ? barriers_in(node.body) : 1;
}

std::int64_t barriers_in(const std::vector<PathNode>& nodes) {
    std::int64_t sum = 0;
    for (const auto& node : nodes) {
        sum += node.has_barrier ? node.trips * barriers_of_a_trip(node) : 0;
    }
    return sum;
}

// Where a range stands in its old path: in a list of nodes, and in the lists around it that it entered by a
// trip of a loop. What it passes is written.
class PathReader {
public:
    PathReader(const std::vector<PathNode>& nodes, std::vector<OuterLoop> outer, PathWriter& writer)
        : outer_(std::move(outer)), writer_(&writer) {
        frames_.push_back({&nodes, 0, 0});
    }

    // Passes what stands before the next barrier, or loop around barriers; false if there is none.
    bool seek() {
        while (true) {
            auto& frame = frames_.back();
            if (frame.next == frame.nodes->size()) {
                if (frames_.size() == 1) {
                    return false;
                }
                frames_.pop_back();
                outer_.pop_back();
            } else if (left() == 0) {
                ++frame.next;
                frame.done = 0;
            } else if (node().has_barrier) {
                return true;
            } else {
                pass_node();
            }
        }
    }
    [[nodiscard]] const PathNode& node() const { return (*frames_.back().nodes)[frames_.back().next]; }
    [[nodiscard]] std::int64_t left() const { return node().trips - frames_.back().done; }  // trips
    [[nodiscard]] PathWriter& writer() const { return *writer_; }

    void pass_node() {
        writer_->copy(node(), outer_);
        ++frames_.back().next;
    }
    // Of the loop, with the next of its trips as first.
    [[nodiscard]] PathReader body() const {
        auto outer = outer_;
        outer.push_back({true, frames_.back().done});
        return {node().body, std::move(outer), *writer_};
    }
    void pass_trips(std::int64_t trips) { frames_.back().done += trips; }
    void enter_trip() {
        const auto& body = node().body;
        outer_.push_back({false, frames_.back().done++});
        frames_.push_back({&body, 0, 0});
    }

private:
    struct Frame {
        const std::vector<PathNode>* nodes;
        std::size_t next;
        std::int64_t done;  // trips of the next node
    };
    std::vector<Frame> frames_;
    std::vector<OuterLoop> outer_;
    PathWriter* writer_;
};

bool align(std::vector<PathReader> readers);

// All are at loops with as many barriers in a trip.
bool pass_common_loop(std::vector<PathReader>& readers, std::int64_t trips) {
    std::vector<PathReader> bodies;
    for (auto& reader : readers) {
        reader.writer().begin_loop(trips);
        bodies.push_back(reader.body());
    }
    const bool aligned = align(std::move(bodies));
    for (auto& reader : readers) {
        reader.writer().end_loop();
        reader.pass_trips(trips);
    }
    return aligned;
}

bool step(std::vector<PathReader>& readers) {
    bool all_loops = true, any_loop = false, alike = true;
    auto trips = readers.front().left();
    for (const auto& reader : readers) {
        const auto& node = reader.node();
        all_loops = all_loops && node.is_loop;
        any_loop = any_loop || node.is_loop;
        alike = alike && barriers_of_a_trip(node) == barriers_of_a_trip(readers.front().node());
        trips = std::min(trips, reader.left());
    }
    if (all_loops && alike && trips > 1) {
        return pass_common_loop(readers, trips);
    }
    for (auto& reader : readers) {
        if (reader.node().is_loop) {
            reader.enter_trip();
        } else if (!any_loop) {
            reader.pass_node();
        }
    }
    return true;
}

// Until all have reached the end of what they read: warps that end leave the barriers to the others. False if
// the paths get too long.
bool align(std::vector<PathReader> readers) {
    while (true) {
        std::size_t tokens = 0;
        std::erase_if(readers, [&tokens](PathReader& reader) {
            const bool ends = !reader.seek();
            tokens += reader.writer().size();
            return ends;
        });
        if (readers.empty()) {
            return true;
        }
        if (tokens > most_tokens || !step(readers)) {
            return false;
        }
    }
}

}  // namespace

void align_barriers(GridBox& box, std::vector<RangePath>& ranges, const StaticCode& code) {
    const bool differ = std::any_of(ranges.begin(), ranges.end(), [&](const RangePath& path) {
        return !same_barriers(path.nodes, ranges.front().nodes);
    });
    if (!differ) {
        return;
    }
    std::vector<PathWriter> writers;
    for (const auto& path : ranges) {
        writers.emplace_back(box, path.range);
    }
    std::vector<PathReader> readers;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        readers.emplace_back(ranges[i].nodes, std::vector<OuterLoop>{}, writers[i]);
    }
    if (!align(std::move(readers))) {
        return;
    }
    auto block = std::make_shared<FoldedBlock>(*box.first);
    for (auto& writer : writers) {
        writer.finish(*block, box);
    }
    box.first = std::move(block);
    for (auto& path : ranges) {
        path.nodes = path_tree(box.first->warps[path.range.first_warp], code);
    }
}

}  // namespace gpumodel
