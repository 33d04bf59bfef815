#include "traces/fold/paths/cut_points.h"

#include <algorithm>
#include <climits>

namespace gpumodel {
namespace {

constexpr std::size_t most_loops_of_a_head = 4;
constexpr int any_end = INT_MAX;

}  // namespace

CutPoints::CutPoints(const StaticCode& code)
    : loops_(code.instructions.size() + 1), cut_(code.instructions.size() + 1) {
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
        const auto op = code.instructions[i].op;
        cut_[i + 1] = op == OpClass::branch || op == OpClass::barrier;
    }
    cut_.back() = true;
    rebuild();
}

const BackwardJump* CutPoints::loop_of(int from_end, int to_begin) const {
    const auto& loops = loops_[index(to_begin)];
    const auto found = std::find_if(loops.begin(), loops.end(), [from_end](const BackwardJump& loop) {
        return loop.end == from_end || loop.end == any_end;
    });
    return to_begin < from_end && found != loops.end() ? &*found : nullptr;
}

bool CutPoints::note_jump(int from_end, int to_begin) {
    const bool backward = to_begin < from_end;
    if (is_cut(from_end) && (!backward || loop_of(from_end, to_begin) != nullptr)) {
        return false;
    }
    cut_[index(from_end)] = true;
    if (backward) {
        cut_[index(to_begin)] = true;
        auto& loops = loops_[index(to_begin)];
        loops.push_back({from_end, to_begin});
        std::sort(loops.begin(), loops.end(),
                  [](const BackwardJump& a, const BackwardJump& b) { return a.end > b.end; });
        if (loops.size() > most_loops_of_a_head) {
            loops = {{any_end, to_begin}};
        }
    }
    rebuild();
    return true;
}

void CutPoints::rebuild() {
    next_.assign(cut_.size(), static_cast<int>(cut_.size()) - 1);
    for (std::size_t i = cut_.size() - 1; i-- > 0;) {
        next_[i] = cut_[i + 1] ? static_cast<int>(i) + 1 : next_[i + 1];
    }
}

void JumpFinder::straight(int warp, int begin, int end, std::uint32_t /*active*/) {
    auto& last = last_end_.at(static_cast<std::size_t>(warp));
    if (last >= 0 && last != begin) {
        found_ = cuts_.note_jump(last, begin) || found_;
    }
    last = end;
}

void JumpFinder::access(int /*warp*/, const AccessEvent& /*event*/) {}

}  // namespace gpumodel
