#include "traces/fold/grid/longest_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "traces/fold/block_runs.h"

namespace gpumodel {
namespace {

class LengthFinder : public JumpFinder {
public:
    LengthFinder(CutPoints& cuts, int warps, const WarpLength& lengths)
        : JumpFinder(cuts, warps), lengths_(lengths), length_(static_cast<std::size_t>(warps)) {}
    void straight(int warp, int begin, int end, std::uint32_t active) override {
        JumpFinder::straight(warp, begin, end, active);
        length_[static_cast<std::size_t>(warp)] += lengths_.of(begin, end);
        instructions_ += end - begin;
        work_ += work_of_a_run + end - begin;
    }
    void access(int warp, const AccessEvent& event) override {
        JumpFinder::access(warp, event);
        work_ += work_of_an_access;
    }
    [[nodiscard]] std::int64_t longest() const { return *std::max_element(length_.begin(), length_.end()); }
    [[nodiscard]] std::int64_t instructions() const { return instructions_; }
    [[nodiscard]] std::int64_t work() const { return work_; }

private:
    const WarpLength& lengths_;
    std::vector<std::int64_t> length_;  // by warp
    std::int64_t instructions_ = 0;     // of all
    std::int64_t work_ = work_of_a_block;
};

std::int64_t length_of(const FoldedWarp& warp, const WarpLength& lengths) {
    std::int64_t sum = 0;
    std::vector<std::int64_t> times{1};
    for (const auto& token : warp.tokens) {
        if (token.kind == PathToken::Kind::loop_begin) {
            times.push_back(times.back() * token.trips);
        } else if (token.kind == PathToken::Kind::loop_end) {
            times.pop_back();
        } else {
            sum += times.back() * lengths.of(token.begin, token.end);
        }
    }
    return sum;
}

// A step through so many blocks that meets each once and lies about everywhere whenever one stops: no simple
// part of them (the golden section), and no divisor in common.
std::int64_t spreading_step(std::int64_t blocks) {
    constexpr double golden = 0.6180339887498949;
    auto step = std::max<std::int64_t>(1, std::llround(golden * static_cast<double>(blocks)));
    while (std::gcd(step, blocks) > 1) {
        ++step;
    }
    return step;
}

}  // namespace

void LongestBlock::look_at(const Point& at) {
    LengthFinder finder(cuts_, warps_, lengths_);
    source_.run_block({at[0], at[1], at[2]}, finder);
    spent_ += finder.work();
    instructions_[number_of(at)] = finder.instructions();
    cuts_changed_ = cuts_changed_ || finder.found();
    seen_.push_back({at, finder.longest()});
}

// Of blocks that are about as long as the longest, the last to start: that one the launch waits for.
BlockLength LongestBlock::last_of_the_longest() const {
    constexpr std::int64_t part = 100;  // `estimated`: a hundredth less is as long
    std::int64_t most = 0;
    for (const auto& seen : seen_) {
        most = std::max(most, seen.length);
    }
    BlockLength last;
    for (const auto& seen : seen_) {
        if (part * seen.length >= (part - 1) * most &&
            (last.length == 0 || number_of(seen.at) > number_of(last.at))) {
            last = seen;
        }
    }
    return last;
}

const BlockLength& LongestBlock::get() {
    constexpr std::int64_t first_ones = 16;
    if (longest_) {
        return *longest_;
    }
    const Box box{{0, 0, 0}, {grid_.x, grid_.y, grid_.z}};
    const auto blocks = box.count();
    const auto step = spreading_step(blocks);
    std::int64_t seen = 0, affordable = std::min(first_ones, blocks);
    const auto look_at_more = [&] {
        for (; seen < affordable && spent_ < 3 * work_; ++seen) {
            look_at(point_of(box, seen * step % blocks));
        }
    };
    look_at_more();
    affordable = std::clamp<std::int64_t>(2 * work_ * seen / spent_, seen, blocks);
    look_at_more();
    longest_ = last_of_the_longest();
    if (cuts_changed_) {
        throw CutsChanged{};
    }
    return *longest_;
}

std::int64_t LongestBlock::number_of(const Point& at) const {
    return (at[2] * grid_.y + at[1]) * grid_.x + at[0];
}

Point LongestBlock::typical(const Box& box, double& owed) const {
    constexpr std::size_t fewest = 3;
    std::vector<std::pair<Point, std::int64_t>> seen;
    double sum = 0;
    for (std::int64_t i = 0; i < box.count(); ++i) {
        const auto at = point_of(box, i);
        if (const auto found = instructions_.find(number_of(at)); found != instructions_.end()) {
            seen.emplace_back(at, found->second);
            sum += static_cast<double>(found->second);
        }
    }
    if (seen.size() < fewest) {
        return centre(box);
    }
    const double mean = sum / static_cast<double>(seen.size());
    // strides are measured to the next one along each axis
    const auto is_last = [&box](const auto& block) {
        bool last = false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            last = last || (box.extent(axis) > 1 && block.first[axis] + 1 == box.end[axis]);
        }
        return last;
    };
    std::erase_if(seen, is_last);
    if (seen.empty()) {
        return centre(box);
    }
    const auto blocks = static_cast<double>(box.count());
    const double wanted = mean + owed / blocks;
    const auto off = [wanted](const auto& block) {
        return std::abs(static_cast<double>(block.second) - wanted);
    };
    const auto chosen = std::min_element(seen.begin(), seen.end(),
                                         [&](const auto& x, const auto& y) { return off(x) < off(y); });
    owed += blocks * (mean - static_cast<double>(chosen->second));
    return chosen->first;
}

std::int64_t LongestBlock::length_of(const FoldedBlock& block) const {
    std::int64_t longest = 0;
    for (const auto& warp : block.warps) {
        longest = std::max(longest, gpumodel::length_of(warp, lengths_));
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
