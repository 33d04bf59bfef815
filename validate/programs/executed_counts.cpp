#include "validate/programs/executed_counts.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr double warp_size = 32;

// Adds up how often each instruction was issued, and notes which ones access shared memory behind the tiles.
class IssueCounter : public WarpSink {
public:
    IssueCounter(std::size_t instructions, std::int64_t tile_bytes)
        : tile_bytes_(tile_bytes), issued_(instructions), behind_tiles_(instructions) {}
    void straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) override {
        for (int i = begin; i < end; ++i) {
            issued_.at(static_cast<std::size_t>(i)) += 1;
        }
    }
    void access(int /*warp*/, const AccessEvent& event) override {
        for (std::size_t lane = 0; lane < event.address.size() && event.space == MemorySpace::shared;
             ++lane) {
            if ((event.active >> lane & 1U) != 0 && event.address[lane] >= tile_bytes_) {
                behind_tiles_.at(static_cast<std::size_t>(event.instruction)) = true;
            }
        }
    }
    [[nodiscard]] const std::vector<double>& issued() const { return issued_; }
    [[nodiscard]] bool behind_tiles(std::size_t instruction) const { return behind_tiles_.at(instruction); }

private:
    std::int64_t tile_bytes_;
    std::vector<double> issued_;
    std::vector<bool> behind_tiles_;
};

bool is_counted_access(const SassInstruction& instruction) {
    const SassEffect& effect = *instruction.effect;
    const bool moves_data = effect.direction == SassDirection::load ||
                            effect.direction == SassDirection::store ||
                            effect.direction == SassDirection::copy;
    return moves_data && effect.space != SassSpace::constant && effect.space != SassSpace::none &&
           effect.op != OpClass::barrier && !instruction.guard.never();
}

// The class as the families count it: BAR alone is a barrier, and what never executes only takes its slot.
OpClass class_of(const SassInstruction& instruction, bool behind_tiles) {
    const OpClass op = instruction.effect->op;
    const bool atomic = instruction.effect->direction == SassDirection::atomic &&
                        instruction.effect->space == SassSpace::shared;
    if (instruction.guard.never() || atomic || behind_tiles ||
        (op == OpClass::barrier && instruction.opcode != "BAR")) {
        return OpClass::branch;
    }
    return op;
}

void add_instruction(ExecutedCounts& counts, const SassInstruction& instruction, bool behind_tiles,
                     double times) {
    counts.instructions += times;
    if (!instruction.effect) {
        return;
    }
    count_of(counts.ops, class_of(instruction, behind_tiles)) += times;
    if (!behind_tiles && is_counted_access(instruction)) {
        const SassEffect& effect = *instruction.effect;
        counts.accesses[{memory_space(effect.space), access_kind(effect.direction), effect.bytes}] += times;
    }
}

void add_segment(ExecutedCounts& counts, const Segment& segment, double times) {
    for (const double count : segment.ops) {
        counts.instructions += count * times;
    }
    add(counts.ops, segment.ops, times);
    counts.instructions += segment.shared_barrier_operations * times;
    for (const AccessSite& site : segment.sites) {
        if (site.kind == AccessKind::async_copy && site.space == MemorySpace::shared) {
            continue;  // the other end of a copy counted at its global site
        }
        const MemorySpace space = site.thread_private ? MemorySpace::local : site.space;
        counts.accesses[{space, site.kind, site.bytes_per_lane()}] += site.accesses() * times;
    }
}

void add_nodes(ExecutedCounts& counts, const std::vector<Node>& nodes, double times) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            add_nodes(counts, loop->body, times * static_cast<double>(loop->trips));
            continue;
        }
        for (const Segment& segment : std::get<Interval>(node).segments) {
            add_segment(counts, segment, times * (segment.thread_end - segment.thread_begin) / warp_size);
        }
    }
}

}  // namespace

EmulatedBlock count_block(const SassFunction& function, const SassLaunch& launch, const Dim3& block,
                          std::int64_t tile_bytes) {
    const auto source = make_sass_source(function, launch);
    IssueCounter counter(source->code().instructions.size(), tile_bytes);
    source->run_block(block, counter);
    EmulatedBlock result;
    result.per_instruction = counter.issued();
    const std::size_t known = std::min(result.per_instruction.size(), function.instructions.size());
    result.classes.resize(known, OpClass::branch);
    for (std::size_t i = 0; i < known; ++i) {
        if (result.per_instruction[i] > 0) {
            if (function.instructions[i].effect) {
                result.classes[i] = class_of(function.instructions[i], counter.behind_tiles(i));
            }
            add_instruction(result.counts, function.instructions[i], counter.behind_tiles(i),
                            result.per_instruction[i]);
        }
    }
    return result;
}

ExecutedCounts count_block(const KernelProgram& program) {
    ExecutedCounts counts;
    add_nodes(counts, program.body, 1);
    return counts;
}

}  // namespace gpumodel
