// Where paths are cut into pieces, so that the same code gives the same pieces whichever way it is reached.
#pragma once

#include <cstddef>
#include <vector>

#include "traces/warp_events.h"

namespace gpumodel {

// A jump to an earlier instruction: from the end of a piece to a loop's head.
struct BackwardJump {
    int end = -1, head = -1;
    friend bool operator==(const BackwardJump&, const BackwardJump&) = default;
};

// Cuts stand behind every branch and barrier, at jumps that have been seen, and at loop heads (targets of
// backward jumps). Built by executing: only jumps that happen matter.
class CutPoints {
public:
    explicit CutPoints(const StaticCode& code);

    // Notes a jump from the end of one piece to the begin of the next; true if it was not known.
    bool note_jump(int from_end, int to_begin);
    [[nodiscard]] bool is_head(int instruction) const { return !loops_[index(instruction)].empty(); }
    // The loops of a head, outermost first. A head with many (code that divergent lanes come back to) has one
    // for all jumps.
    [[nodiscard]] const std::vector<BackwardJump>& loops(int head) const { return loops_[index(head)]; }
    // The loop that a jump closes; nullptr for a forward jump. `to_begin` is the instruction after it.
    [[nodiscard]] const BackwardJump* loop_of(int from_end, int to_begin) const;
    [[nodiscard]] bool is_cut(int instruction) const { return cut_[index(instruction)]; }
    // First cut behind `begin`.
    [[nodiscard]] int next(int begin) const { return next_[index(begin)]; }

private:
    static std::size_t index(int instruction) { return static_cast<std::size_t>(instruction); }
    void rebuild();
    std::vector<std::vector<BackwardJump>> loops_;  // by head
    std::vector<bool> cut_;
    std::vector<int> next_;
};

// Executes nothing but notes the jumps of a block.
class JumpFinder : public WarpSink {
public:
    JumpFinder(CutPoints& cuts, int warps) : cuts_(cuts), last_end_(static_cast<std::size_t>(warps), -1) {}
    void straight(int warp, int begin, int end, std::uint32_t active) override;
    void access(int warp, const AccessEvent& event) override;
    // Whether there was a jump that was not known.
    [[nodiscard]] bool found() const { return found_; }

private:
    CutPoints& cuts_;
    bool found_ = false;
    std::vector<int> last_end_;
};

}  // namespace gpumodel
