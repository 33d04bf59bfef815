#include "traces/fold/grid/longest_block.h"

#include <algorithm>
#include <vector>

#include "traces/fold/block_runs.h"

namespace gpumodel {
namespace {

class LengthFinder : public JumpFinder {
public:
    LengthFinder(CutPoints& cuts, int warps)
        : JumpFinder(cuts, warps), instructions_(static_cast<std::size_t>(warps)) {}
    void straight(int warp, int begin, int end, std::uint32_t active) override {
        JumpFinder::straight(warp, begin, end, active);
        instructions_[static_cast<std::size_t>(warp)] += end - begin;
        work_ += work_of_a_run + end - begin;
    }
    void access(int warp, const AccessEvent& event) override {
        JumpFinder::access(warp, event);
        work_ += work_of_an_access;
    }
    [[nodiscard]] std::int64_t longest() const {
        return *std::max_element(instructions_.begin(), instructions_.end());
    }
    [[nodiscard]] std::int64_t work() const { return work_; }

private:
    std::vector<std::int64_t> instructions_;
    std::int64_t work_ = work_of_a_block;
};

std::int64_t length_of(const FoldedWarp& warp) {
    std::int64_t sum = 0;
    std::vector<std::int64_t> times{1};
    for (const auto& token : warp.tokens) {
        if (token.kind == PathToken::Kind::loop_begin) {
            times.push_back(times.back() * token.trips);
        } else if (token.kind == PathToken::Kind::loop_end) {
            times.pop_back();
        } else {
            sum += times.back() * (token.end - token.begin);
        }
    }
    return sum;
}

}  // namespace

void LongestBlock::look_at(const Point& at) {
    LengthFinder finder(cuts_, warps_);
    source_.run_block({at[0], at[1], at[2]}, finder);
    spent_ += finder.work();
    cuts_changed_ = cuts_changed_ || finder.found();
    if (finder.longest() > longest_->instructions) {
        longest_ = {at, finder.longest()};
    }
}

const BlockLength& LongestBlock::get() {
    constexpr std::int64_t first_ones = 16;
    if (longest_) {
        return *longest_;
    }
    longest_.emplace();
    const Box box{{0, 0, 0}, {grid_.x, grid_.y, grid_.z}};
    const auto blocks = box.count();
    const auto samples = std::min(first_ones, blocks);
    for (std::int64_t i = 0; i < samples; ++i) {
        look_at(point_of(box, i * blocks / samples));
    }
    const auto affordable = std::clamp<std::int64_t>(work_ * samples / spent_, 1, blocks);
    for (std::int64_t i = 0; samples < blocks && i < affordable && spent_ < 2 * work_; ++i) {
        look_at(point_of(box, i * blocks / affordable));
    }
    if (cuts_changed_) {
        throw CutsChanged{};
    }
    return *longest_;
}

std::int64_t length_of(const FoldedBlock& block) {
    std::int64_t longest = 0;
    for (const auto& warp : block.warps) {
        longest = std::max(longest, length_of(warp));
    }
    return longest;
}

std::vector<Box> set_apart(const Box& box, const Point& at) {
    std::vector<Box> parts;
    Box rest = box;
    for (std::size_t axis = 3; axis-- > 0;) {
        const auto cut = [&](std::int64_t begin, std::int64_t end) {
            if (begin < end) {
                parts.push_back(rest);
                parts.back().begin[axis] = begin;
                parts.back().end[axis] = end;
            }
        };
        cut(rest.begin[axis], at[axis]);
        cut(at[axis] + 1, rest.end[axis]);
        rest.begin[axis] = at[axis];
        rest.end[axis] = at[axis] + 1;
    }
    parts.push_back(rest);
    return parts;
}

}  // namespace gpumodel
