#include "traces/fold/grid/longest_block.h"

#include <algorithm>
#include <vector>

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

BlockLength longest_block(BlockSource& source, const Dim3& grid, int warps, std::int64_t work,
                          CutPoints& cuts) {
    constexpr std::int64_t first_ones = 16;
    const Box box{{0, 0, 0}, {grid.x, grid.y, grid.z}};
    BlockLength longest;
    std::int64_t spent = 0;
    const auto look = [&](std::int64_t index) {
        const auto at = point_of(box, index);
        LengthFinder finder(cuts, warps);
        source.run_block({at[0], at[1], at[2]}, finder);
        spent += finder.work();
        if (finder.longest() > longest.instructions) {
            longest = {at, finder.longest()};
        }
    };
    const auto blocks = box.count();
    const auto samples = std::min(first_ones, blocks);
    for (std::int64_t i = 0; i < samples; ++i) {
        look(i * blocks / samples);
    }
    const auto affordable = std::clamp<std::int64_t>(work * samples / spent, 1, blocks);
    for (std::int64_t i = 0; i < affordable && spent < 2 * work; ++i) {
        look(i * blocks / affordable);
    }
    return longest;
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
