#include "model/sim/core/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/diagnostics.h"
#include "model/sim/core/decode_op.h"

namespace gpumodel::sim {
namespace {

constexpr int lanes = 32;

bool runs(const Segment& segment, int warp) {
    return segment.thread_begin < (warp + 1) * lanes && segment.thread_end > warp * lanes;
}

class Faults {
public:
    void add(const std::string& key, std::string message) {
        if (seen_.try_emplace(key + message, true).second) {
            list_.push_back({"", 0, 0, key, std::move(message)});
        }
    }
    void raise() const {
        if (!list_.empty()) {
            throw InputError(InputErrorKind::invalid_input, list_);
        }
    }

private:
    std::map<std::string, bool> seen_;
    std::vector<Diagnostic> list_;
};

class Decoder {
public:
    Decoder(const KernelProgram& program, const ArchSpec& arch, const Machine& machine)
        : program_(program), arch_(arch), machine_(machine) {}

    DecodedProgram run() {
        const int warps = (program_.resources.threads + lanes - 1) / lanes;
        if (program_.variants.empty()) {
            result_.bodies.push_back(body(program_.body, warps));
        }
        for (const auto& variant : program_.variants) {
            result_.bodies.push_back(body(variant.body, warps));
        }
        check_sizes(warps);
        faults_.raise();
        return std::move(result_);
    }

private:
    void check_sizes(int warps) {
        for (const auto& body : result_.bodies) {
            if (std::all_of(body.streams.begin(), body.streams.end(),
                            [](const WarpStream& stream) { return stream.ops.empty(); })) {
                faults_.add(program_.kernel, "has no instructions");
            }
        }
        const int most = max_schedulers * max_warps_per_scheduler;
        if (machine_.schedulers > max_schedulers || warps > most ||
            arch_.sm.max_warps > machine_.schedulers * max_warps_per_scheduler) {
            faults_.add(arch_.name,
                        fmt::format("the simulator takes at most {} schedulers with {} warps each",
                                    max_schedulers, max_warps_per_scheduler));
        }
    }

    BodyStreams body(const std::vector<Node>& nodes, int warps) {
        BodyStreams streams;
        std::map<std::vector<bool>, int> known;
        for (int warp = 0; warp < warps; ++warp) {
            std::vector<bool> signature;
            sign(nodes, warp, signature);
            const auto [entry, is_new] =
                known.try_emplace(signature, static_cast<int>(streams.streams.size()));
            if (is_new) {
                streams.streams.push_back(stream(nodes, warp));
            }
            streams.stream_of_warp.push_back(entry->second);
        }
        return streams;
    }

    void sign(const std::vector<Node>& nodes, int warp, std::vector<bool>& signature) const {
        for (const auto& node : nodes) {
            if (const auto* interval = std::get_if<Interval>(&node)) {
                for (const auto& segment : interval->segments) {
                    signature.push_back(runs(segment, warp));
                }
            } else {
                sign(std::get<Loop>(node).body, warp, signature);
            }
        }
    }

    WarpStream stream(const std::vector<Node>& nodes, int warp) {
        out_ = {};
        numbers_ = {};
        warp_ = warp;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            top_node_ = static_cast<int>(n);
            add_node(nodes[n], 0);
        }
        out_.scoreboard_size = numbers_.size();
        if (std::any_of(out_.ops.begin(), out_.ops.end(),
                        [](const DecodedOp& op) { return op.batches_left >= 0; })) {
            for (auto& op : out_.ops) {
                op.starts_batch = false;  // the code says itself where batches end
            }
        }
        mark_jumps();
        return std::move(out_);
    }

    // 0: not known, or the first of all.
    [[nodiscard]] std::int64_t address_of(const DecodedOp& op) const {
        const auto& [segment, index] = result_.code[static_cast<std::size_t>(op.code)];
        return segment == nullptr || index < 0
                   ? 0
                   : std::int64_t{segment->code[static_cast<std::size_t>(index)].address};
    }

    // A warp went to where the next op lies by a branch, a call or what ends a divergent part. Code without
    // addresses has loops alone.
    void mark_jumps() {
        constexpr std::int64_t furthest = 16;  // bytes; with a control word between two of 8
        auto& ops = out_.ops;
        const auto placed = [&](const DecodedOp& from, const DecodedOp& to) {
            return address_of(from) > 0 && address_of(to) > 0;
        };
        const auto jump = [&](const DecodedOp& from, const DecodedOp& to) {
            const auto at = address_of(from), next = address_of(to);
            return next <= at || next > at + furthest;
        };
        for (auto& loop : out_.loops) {
            const auto& first = ops[static_cast<std::size_t>(loop.first_op)];
            const auto& last = ops[static_cast<std::size_t>(loop.last_op)];
            loop.jumps = placed(last, first) ? jump(last, first) : last.kind == OpKind::branch;
        }
        for (std::size_t i = 0; i + 1 < ops.size(); ++i) {
            ops[i].jumps = placed(ops[i], ops[i + 1]) && jump(ops[i], ops[i + 1]);
        }
    }

    void add_node(const Node& node, int depth) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            add_interval(*interval);
            return;
        }
        const auto& loop = std::get<Loop>(node);
        if (loop.trips <= 0) {
            return;
        }
        if (depth >= max_loop_depth) {
            faults_.add(loop.name, fmt::format("loops are nested more than {} deep", max_loop_depth));
            return;
        }
        const auto first = static_cast<std::int32_t>(out_.ops.size());
        for (const auto& inner : loop.body) {
            add_node(inner, depth + 1);
        }
        close_loop(loop, first, depth);
    }

    void close_loop(const Loop& loop, std::int32_t first, int depth) {
        if (static_cast<std::int32_t>(out_.ops.size()) == first) {
            return;
        }
        const auto index = static_cast<std::int32_t>(out_.loops.size());
        out_.loops.push_back(
            {first, static_cast<std::int32_t>(out_.ops.size()) - 1, -1, depth, top_node_, loop.trips});
        auto& last = out_.ops.back();
        last.closes_loop = true;
        if (last.loop < 0) {
            last.loop = index;
            return;
        }
        auto inner = last.loop;
        while (out_.loops[static_cast<std::size_t>(inner)].outer >= 0) {
            inner = out_.loops[static_cast<std::size_t>(inner)].outer;
        }
        out_.loops[static_cast<std::size_t>(inner)].outer = index;
    }

    void add_interval(const Interval& interval) {
        int barrier = -1;
        for (const auto& segment : interval.segments) {
            if (segment.code.empty()) {
                const bool counted =
                    std::any_of(segment.ops.begin(), segment.ops.end(), [](double n) { return n > 0; });
                if (counted) {
                    faults_.add(segment.name,
                                "has instruction counts but no instructions; generate code first");
                }
                continue;
            }
            if (runs(segment, warp_)) {
                barrier = std::max(barrier, add_segment(segment));
            }
        }
        if (!interval.barrier_after) {
            return;
        }
        if (barrier < 0) {
            barrier = static_cast<int>(out_.ops.size());
            DecodedOp op;
            op.op = OpClass::barrier;
            op.pipe = machine_.classes[static_cast<std::size_t>(OpClass::barrier)].pipe;
            op.code = static_cast<std::int32_t>(result_.code.size());
            result_.code.push_back({interval.segments.empty() ? nullptr : interval.segments.data(), -1});
            out_.ops.push_back(op);
        }
        auto& last = out_.ops[static_cast<std::size_t>(barrier)];
        last.kind = OpKind::barrier;
        last.waits_for_copies = last.copies_first == 0 &&
                                std::any_of(interval.segments.begin(), interval.segments.end(),
                                            [](const Segment& s) { return s.shared_barrier_operations > 0; });
    }

    // Returns the index of the segment's last barrier instruction, -1 if it has none.
    int add_segment(const Segment& segment) {
        int barrier = -1;
        bool in_batch = false;
        const auto code_base = code_of(segment);
        for (std::size_t i = 0; i < segment.code.size(); ++i) {
            const auto& in = segment.code[i];
            const auto& names = program_.mnemonics.names();
            const std::string mnemonic = in.mnemonic < names.size() ? names[in.mnemonic] : std::string();
            if (!machine_.classes[static_cast<std::size_t>(in.op)].known) {
                faults_.add(segment.name, fmt::format("{} instructions do not exist on {}", to_string(in.op),
                                                      arch_.generation));
            }
            auto op = decode_op(in, mnemonic, arch_, machine_, numbers_);
            op.code = code_base + static_cast<std::int32_t>(i);
            add_access(segment, in, op);
            op.starts_batch = op.kind == OpKind::async_copy && !in_batch;
            in_batch = in_batch || op.starts_batch;
            if (in.op == OpClass::barrier && op.kind == OpKind::arithmetic) {
                barrier = static_cast<int>(out_.ops.size());
            }
            if ((op.bulk && op.kind == OpKind::async_copy) || op.arrives) {
                out_.last_given = static_cast<std::int32_t>(out_.ops.size());
            }
            out_.counts_copies = out_.counts_copies || op.counts();
            out_.ops.push_back(op);
        }
        return barrier;
    }

    void add_access(const Segment& segment, const Instruction& in, DecodedOp& op) {
        if (in.access_bytes == 0 || in.site < 0) {
            return;
        }
        const auto site = static_cast<std::size_t>(in.site);
        const bool copy = op.kind == OpKind::async_copy;
        if (site + (copy ? 1 : 0) >= segment.sites.size()) {
            faults_.add(segment.name,
                        fmt::format("an instruction names site {} of {}", site, segment.sites.size()));
            return;
        }
        op.access = static_cast<std::int32_t>(out_.accesses.size());
        out_.accesses.push_back(
            {&segment, &segment.sites[site], copy ? &segment.sites[site + 1] : nullptr, in.word});
    }

    std::int32_t code_of(const Segment& segment) {
        const auto [entry, is_new] =
            code_bases_.try_emplace(&segment, static_cast<std::int32_t>(result_.code.size()));
        for (std::size_t i = 0; is_new && i < segment.code.size(); ++i) {
            result_.code.push_back({&segment, static_cast<int>(i)});
        }
        return entry->second;
    }

    const KernelProgram& program_;
    const ArchSpec& arch_;
    const Machine& machine_;
    DecodedProgram result_;
    Faults faults_;
    std::map<const Segment*, std::int32_t> code_bases_;  // looked up only: its order shows nowhere
    WarpStream out_;
    ScoreboardNumbers numbers_;
    int warp_ = 0;
    int top_node_ = 0;
};

}  // namespace

DecodedProgram decode(const KernelProgram& program, const ArchSpec& arch, const Machine& machine) {
    return Decoder(program, arch, machine).run();
}

}  // namespace gpumodel::sim
