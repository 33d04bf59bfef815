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

std::vector<LongestBlock::Seen> LongestBlock::seen_of(const Box& box) const {
    std::vector<Seen> seen;
    for (std::int64_t i = 0; i < box.count(); ++i) {
        const auto at = point_of(box, i);
        if (const auto found = instructions_.find(number_of(at)); found != instructions_.end()) {
            bool last = false;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                last = last || (box.extent(axis) > 1 && at[axis] + 1 == box.end[axis]);
            }
            seen.push_back({found->second, i, last});
        }
    }
    return seen;
}

Point LongestBlock::one_of(const Box& box, std::optional<double> share, double& owed) const {
    constexpr std::size_t fewest = 3;
    auto seen = seen_of(box);
    const auto all = static_cast<double>(seen.size());
    const double mean = std::accumulate(seen.begin(), seen.end(), 0.0, [all](double sum, const Seen& block) {
        return sum + static_cast<double>(block.instructions) / all;
    });
    // strides are measured to the next one along each axis
    std::erase_if(seen, [](const Seen& block) { return block.is_last; });
    if (all < fewest || seen.empty()) {
        return centre(box);
    }
    std::sort(seen.begin(), seen.end());
    const auto blocks = static_cast<double>(box.count());
    auto chosen = seen.begin();
    if (share) {
        chosen += static_cast<std::ptrdiff_t>(*share * static_cast<double>(seen.size()));
    } else {
        const double wanted = mean + owed / blocks;
        chosen = std::min_element(seen.begin(), seen.end(), [wanted](const Seen& x, const Seen& y) {
            return std::abs(static_cast<double>(x.instructions) - wanted) <
                   std::abs(static_cast<double>(y.instructions) - wanted);
        });
    }
    owed += blocks * (mean - static_cast<double>(chosen->instructions));
    return point_of(box, chosen->place);
}

std::vector<Point> LongestBlock::one_of_each(const std::vector<Box>& parts, bool differ) const {
    const auto count = parts.size();
    std::vector<Point> points(count);
    double owed = 0;
    if (!differ) {
        for (std::size_t i = 0; i < count; ++i) {
            points[i] = one_of(parts[i], std::nullopt, owed);
        }
        return points;
    }
    // Evenly spread shares in no order; the middle one comes last and makes up for the others.
    const auto step = static_cast<std::size_t>(spreading_step(static_cast<std::int64_t>(count)));
    std::size_t middle = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto rank = i * step % count;
        if (rank == count / 2) {
            middle = i;
            continue;
        }
        points[i] = one_of(parts[i], (static_cast<double>(rank) + 0.5) / static_cast<double>(count), owed);
    }
    points[middle] = one_of(parts[middle], std::nullopt, owed);
    return points;
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
