#include "traces/fold/fold_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/dependency_shape.h"
#include "traces/fold/grid/grid_fold.h"
#include "traces/fold/paths/align_barriers.h"
#include "traces/fold/segment_builder.h"

namespace gpumodel {
namespace {

// The rest of a range's nodes at one level of the tree.
struct Cursor {
    const WarpRange* range = nullptr;
    const PathNode* next = nullptr;
    const PathNode* end = nullptr;
    [[nodiscard]] bool done() const { return next == end; }
};

bool same_path(const GridBox& box, std::size_t a, std::size_t b) {
    return box.first->warps[a].same_code(box.first->warps[b]) && box.strides[a] == box.strides[b];
}

std::vector<RangePath> ranges_of(const GridBox& box, const StaticCode& code, int threads) {
    std::vector<RangePath> list;
    const auto& warps = box.first->warps;
    for (std::size_t w = 0; w < warps.size(); ++w) {
        const auto end = std::min(threads, static_cast<int>(32 * (w + 1)));
        if (!list.empty() && same_path(box, list.back().range.first_warp, w)) {
            ++list.back().range.warps;
            list.back().range.thread_end = end;
            continue;
        }
        RangePath next;
        next.range = {w, 1, static_cast<int>(32 * w), end};
        next.nodes = path_tree(warps[w], code);
        list.push_back(std::move(next));
    }
    return list;
}

class BodyBuilder {
public:
    BodyBuilder(SegmentBuilder& segments, const GridBox& box, const StaticCode& code)
        : segments_(segments), box_(box), code_(code) {}

    std::vector<Node> build(const std::vector<RangePath>& ranges) {
        std::vector<Cursor> cursors;
        cursors.reserve(ranges.size());
        for (const auto& r : ranges) {
            cursors.push_back(cursor(r.range, r.nodes));
        }
        return level(std::move(cursors));
    }

    [[nodiscard]] bool barriers_differ() const { return barriers_differ_; }

private:
    static Cursor cursor(const WarpRange& range, const std::vector<PathNode>& nodes) {
        return {&range, nodes.data(), nodes.data() + nodes.size()};
    }

    std::vector<Node> level(std::vector<Cursor> cursors) {
        std::vector<Node> nodes;
        while (true) {
            for (auto& c : cursors) {
                for (; !c.done() && !c.next->has_barrier; ++c.next) {
                    nodes.push_back(alone(c));
                }
            }
            std::erase_if(cursors, [](const Cursor& c) { return c.done(); });
            if (cursors.empty()) {
                return nodes;
            }
            if (!meet(cursors, nodes)) {
                barriers_differ_ = true;
                for (auto& c : cursors) {
                    for (; !c.done(); ++c.next) {
                        nodes.push_back(alone(c));
                    }
                }
                return nodes;
            }
        }
    }

    // The next node of one range, not shared with others.
    Node alone(const Cursor& c) {
        if (c.next->is_loop) {
            return loop({c});
        }
        Interval interval;
        interval.segments.push_back(segments_.build(box_, *c.range, *c.next, trips_));
        interval.barrier_after = c.next->has_barrier;
        return interval;
    }

    // The barrier, or the loop around barriers, at which all ranges have arrived.
    bool meet(std::vector<Cursor>& cursors, std::vector<Node>& nodes) {
        const auto& first = *cursors.front().next;
        for (const auto& c : cursors) {
            if (c.next->is_loop != first.is_loop || c.next->trips != first.trips ||
                (first.is_loop && !same_barriers(c.next->body, first.body))) {
                return false;
            }
        }
        if (first.is_loop) {
            nodes.push_back(loop(cursors));
        } else {
            Interval interval;
            for (const auto& c : cursors) {
                interval.segments.push_back(segments_.build(box_, *c.range, *c.next, trips_));
            }
            interval.barrier_after = true;
            nodes.emplace_back(std::move(interval));
        }
        for (auto& c : cursors) {
            ++c.next;
        }
        return true;
    }

    Node loop(const std::vector<Cursor>& cursors) {
        const auto& node = *cursors.front().next;
        Loop result;
        result.trips = node.trips;
        result.name = fmt::format("loop @0x{:04x}", address_of(*cursors.front().range, node));
        trips_.push_back(node.trips);
        std::vector<Cursor> inner;
        inner.reserve(cursors.size());
        for (const auto& c : cursors) {
            inner.push_back(cursor(*c.range, c.next->body));
        }
        result.body = level(std::move(inner));
        trips_.pop_back();
        return result;
    }

    [[nodiscard]] std::uint32_t address_of(const WarpRange& range, const PathNode& node) const {
        const auto* leaf = &node;
        while (leaf->is_loop) {
            leaf = &leaf->body.front();
        }
        const auto token = box_.first->warps[range.first_warp].tokens[leaf->token_begin];
        return code_.instructions[static_cast<std::size_t>(token.begin)].address;
    }

    SegmentBuilder& segments_;
    const GridBox& box_;
    const StaticCode& code_;
    std::vector<std::int64_t> trips_;
    bool barriers_differ_ = false;
};

void fill_bodies(KernelProgram& program, GridFold& grid, const StaticCode& code, const LaunchContext& launch,
                 LaunchTotals& totals) {
    SegmentBuilder segments(code, launch, grid.patterns, totals);
    bool barriers_differ = false;
    for (auto& box : grid.boxes) {
        auto ranges = ranges_of(box, code, static_cast<int>(launch.block.count()));
        align_barriers(box, ranges, code);
        BodyBuilder builder(segments, box, code);
        program.variants.push_back(
            {box.blocks, builder.build(ranges), {box.executed[0], box.executed[1], box.executed[2]}});
        find_dependencies(program.variants.back().body, program.mnemonics);
        barriers_differ = barriers_differ || builder.barriers_differ();
    }
    if (barriers_differ) {
        program.notes.push_back(noted(
            NoteId::warps_in_turn, "warps of a block pass different barriers: taken as one after the other"));
    }
    const auto largest =
        std::max_element(program.variants.begin(), program.variants.end(),
                         [](const auto& a, const auto& b) { return a.blocks.count() < b.blocks.count(); });
    if (program.variants.size() == 1) {
        program.body = std::move(largest->body);
        program.variants.clear();
    } else {
        program.body = largest->body;
    }
}

std::vector<SkippedInstruction> by_mnemonic(const LaunchTotals& totals) {
    std::vector<SkippedInstruction> list;
    for (const auto& [address, place] : totals.skipped) {
        const auto found = std::find_if(list.begin(), list.end(), [&place = place](const auto& entry) {
            return entry.mnemonic == place.mnemonic;
        });
        if (found == list.end()) {
            list.push_back(place);
        } else {
            ++found->places;
            found->executed += place.executed;
        }
    }
    return list;
}

// Limits of the CUDA programming guide (appendix on compute capabilities).
void check_launch(const LaunchContext& launch) {
    std::vector<Diagnostic> faults;
    const auto check = [&faults](const std::string& key, const Dim3& size, const Dim3& most) {
        const bool positive = size.x > 0 && size.y > 0 && size.z > 0;
        if (!positive || size.x > most.x || size.y > most.y || size.z > most.z) {
            faults.push_back({"", 0, 0, key,
                              fmt::format("{},{},{} is no size: 1,1,1 to {},{},{}", size.x, size.y, size.z,
                                          most.x, most.y, most.z)});
        }
    };
    constexpr std::int64_t threads = 1024;
    check("grid", launch.grid, {(std::int64_t{1} << 31) - 1, 65535, 65535});
    check("block", launch.block, {threads, threads, 64});
    if (faults.empty() && launch.block.count() > threads) {
        faults.push_back({"", 0, 0, "block", fmt::format("more than {} threads", threads)});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
}

// Of what the launch executes.
std::vector<Instruction> waits_at_shared_barriers(const KernelProgram& program, const StaticCode& code) {
    std::vector<Instruction> waits;
    const auto look = [&](const Segment& segment) {
        for (const auto& in : segment.code) {
            if (mnemonic_of(code, in).find("PHASECHK") != std::string_view::npos) {
                waits.push_back(in);
            }
        }
    };
    each_segment(program.body, look);
    for (const auto& variant : program.variants) {
        each_segment(variant.body, look);
    }
    return waits;
}

void note_shared_barriers(const StaticCode& code, KernelProgram& program) {
    const auto waits = waits_at_shared_barriers(program, code);
    if (std::any_of(waits.begin(), waits.end(),
                    [](const Instruction& i) { return !i.copies_alone && !i.arrivals_known; })) {
        program.notes.push_back(
            noted(NoteId::shared_barriers,
                  "barriers in shared memory: a wait at one is taken for a barrier of the block"));
    }
    const auto& list = code.instructions;
    if (!waits.empty() &&
        std::any_of(list.begin(), list.end(), [](const Instruction& i) { return i.bulk_bytes > 0; }) &&
        std::none_of(waits.begin(), waits.end(), [](const Instruction& i) { return i.copies_first > 0; })) {
        program.notes.push_back(
            noted(NoteId::bulk_copies,
                  "bulk copies: which of them a wait needs is not known; it leaves the newest one under way, "
                  "as with two stages or more"));
    }
}

}  // namespace

KernelProgram fold_program(BlockSource& source, const LaunchContext& launch, const FoldOptions& options) {
    check_launch(launch);
    const auto& code = source.code();
    const auto warps = static_cast<int>((launch.block.count() + 31) / 32);
    auto grid = fold_grid(source, launch.grid, warps, options);
    KernelProgram program;
    program.kernel = launch.kernel;
    program.grid = grid.grid;
    program.launched_grid = launch.grid;
    program.block = launch.block;
    program.resources = launch.resources;
    program.arrays = launch.arrays;
    program.mnemonics = code.mnemonics;
    program.c_is_read = false;
    program.notes = std::move(grid.notes);
    program.data_decides = options.data_decides || grid.irregular;
    program.some_stand_for_all = grid.some_stand_for_all;
    LaunchTotals totals;
    totals.read.resize(launch.arrays.size());
    totals.written.resize(launch.arrays.size());
    fill_bodies(program, grid, code, launch, totals);
    note_shared_barriers(code, program);
    program.flops = totals.flops;
    program.skipped = by_mnemonic(totals);
    for (std::size_t i = 0; i < program.arrays.size(); ++i) {
        program.arrays[i].read = totals.read[i].accessed > 0;
        program.arrays[i].written = totals.written[i].accessed > 0;
        program.effective_bytes += totals.read[i].distinct() + totals.written[i].distinct();
    }
    return program;
}

}  // namespace gpumodel
