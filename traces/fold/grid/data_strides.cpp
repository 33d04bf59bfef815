#include "traces/fold/grid/data_strides.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace gpumodel {
namespace {

constexpr std::int64_t line_step = 128;
constexpr std::int64_t sector_step = 32;
// Rows of the matrices that people multiply differ in length; a gather's jumps are tens of times as far.
constexpr std::int64_t most_ahead = 4;
// Bytes from the median, in the median; estimated: gathers jump megabytes.
constexpr std::int64_t most_off = 64 << 10;
constexpr std::ptrdiff_t enough_for_a_median = 32;  // estimated: its error is then a fifth of the spread
// Bytes without an access that part two arrays; estimated.
constexpr std::int64_t neighbourhood = std::int64_t{1} << 20;

using Key = std::pair<std::int32_t, bool>;  // instruction, copy target

Key key_of(const PathAccess& access) {
    return {access.instruction, access.copy_target};
}

struct Spread {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    [[nodiscard]] std::int64_t bytes() const { return std::max<std::int64_t>(0, high - low); }
};

std::int64_t step_within(std::int64_t spread, std::int64_t blocks) {
    return 2 * blocks * line_step <= spread     ? line_step
           : 2 * blocks * sector_step <= spread ? sector_step
                                                : 0;
}

BlockStride extent_of(const GridBox& box) {
    return {box.blocks.end.x - box.blocks.begin.x, box.blocks.end.y - box.blocks.begin.y,
            box.blocks.end.z - box.blocks.begin.z};
}

// visit(access, address) of the block that was executed.
template <class Visit>
void for_each_executed(const GridBox& box, const Visit& visit) {
    for (std::size_t w = 0; w < box.strides.size(); ++w) {
        const auto& warp = box.first->warps[w];
        for (std::size_t i = 0; i < warp.accesses.size(); ++i) {
            auto address = warp.base[i];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                address += box.strides[w][i][axis] * box.executed[axis];
            }
            visit(warp.accesses[i], address);
        }
    }
}

void move_to(std::int64_t stride, std::size_t axis, std::int64_t executed, std::int64_t& base,
             BlockStride& strides) {
    base += (strides[axis] - stride) * executed;
    strides[axis] = stride;
}

// Where each instruction's accesses are, in turn.
std::map<Key, std::vector<std::size_t>> turns_of(const FoldedWarp& warp) {
    std::map<Key, std::vector<std::size_t>> turns;
    for (std::size_t i = 0; i < warp.accesses.size(); ++i) {
        turns[key_of(warp.accesses[i])].push_back(i);
    }
    return turns;
}

// An access whose lanes lie otherwise in the next block.
struct OtherLanes {
    Key key;
    std::int64_t base = 0;   // of its first lane
    std::int64_t moved = 0;  // to that in the next block
    std::int64_t* stride = nullptr;
};

using Accesses = std::vector<OtherLanes>::iterator;

// The lower of the two in the middle.
std::int64_t median(std::vector<std::int64_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// All move by the median, unless they jump about: then each as it did.
void move_by_median(Accesses begin, Accesses end) {
    std::vector<std::int64_t> moved;
    std::transform(begin, end, std::back_inserter(moved), [](const auto& access) { return access.moved; });
    const auto middle = median(moved);
    std::vector<std::int64_t> off;
    std::transform(moved.begin(), moved.end(), std::back_inserter(off),
                   [middle](std::int64_t value) { return std::abs(value - middle); });
    const bool jumps = median(std::move(off)) > most_off;
    std::for_each(begin, end, [&](const auto& access) {
        *access.stride = (jumps ? access.moved : middle) / sector_step * sector_step;
    });
}

// Those of one instruction where there are enough of them; else, as where a loop is unrolled, all others of
// its neighbourhood.
void move_together(std::vector<OtherLanes>& accesses) {
    std::map<Key, std::ptrdiff_t> counts;
    for (const auto& access : accesses) {
        ++counts[access.key];
    }
    const auto few = std::partition(accesses.begin(), accesses.end(), [&](const auto& access) {
        return counts[access.key] >= enough_for_a_median;
    });
    std::sort(accesses.begin(), few, [](const auto& a, const auto& b) { return a.key < b.key; });
    for (auto begin = accesses.begin(); begin != few;) {
        const auto end =
            std::find_if(begin, few, [&](const auto& access) { return access.key != begin->key; });
        move_by_median(begin, end);
        begin = end;
    }
    std::sort(few, accesses.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
    for (auto begin = few; begin != accesses.end();) {
        const auto end = std::adjacent_find(begin, accesses.end(), [](const auto& a, const auto& b) {
            return b.base - a.base > neighbourhood;
        });
        const auto behind = end == accesses.end() ? end : end + 1;
        move_by_median(begin, behind);
        begin = behind;
    }
}

}  // namespace

void match_accesses(const FoldedBlock& block, const FoldedBlock& next, std::size_t axis, Moving moving,
                    WarpStrides& strides) {
    std::vector<OtherLanes> with_others;
    std::vector<std::pair<std::int64_t*, std::int64_t>> alike;  // strides, and what they become
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
        const auto there = turns_of(next.warps[w]);
        std::map<Key, std::size_t> turns;
        for (std::size_t i = 0; i < block.warps[w].accesses.size(); ++i) {
            const auto& access = block.warps[w].accesses[i];
            const auto turn = turns[key_of(access)]++;
            const auto found = there.find(key_of(access));
            if (access.space != MemorySpace::global || found == there.end()) {
                continue;
            }
            const auto match = found->second[std::min(turn, found->second.size() - 1)];
            const auto base = block.warps[w].base[i];
            const auto moved = next.warps[w].base[match] - base;
            if (block.warps[w].pattern[i] != next.warps[w].pattern[match]) {
                with_others.push_back({key_of(access), base, moved, &strides[w][i][axis]});
            } else {
                alike.emplace_back(&strides[w][i][axis], moved);
            }
        }
    }
    if (moving == Moving::where_lanes_differ && with_others.empty()) {
        return;
    }
    move_together(with_others);
    for (const auto& [stride, moved] : alike) {
        *stride = moved;
    }
}

void keep_inside(std::vector<GridBox>& boxes) {
    std::map<Key, Spread> spreads;
    std::array<std::int64_t, 3> sides{1, 1, 1};  // of the grid
    for (const auto& box : boxes) {
        const auto& end = box.blocks.end;
        sides = {std::max(sides[0], end.x), std::max(sides[1], end.y), std::max(sides[2], end.z)};
        for_each_executed(box, [&](const PathAccess& access, std::int64_t address) {
            auto& spread = spreads[key_of(access)];
            spread.low = std::min(spread.low, address);
            spread.high = std::max(spread.high, address);
        });
    }
    for (auto& box : boxes) {
        const auto extent = extent_of(box);
        auto moved = std::make_shared<FoldedBlock>(*box.first);
        for (std::size_t w = 0; w < box.strides.size(); ++w) {
            for (std::size_t i = 0; i < box.strides[w].size(); ++i) {
                const auto& access = moved->warps[w].accesses[i];
                const auto spread = spreads[key_of(access)].bytes();
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const auto stride = box.strides[w][i][axis];
                    const auto even_share = spread * extent[axis] / sides[axis];
                    if (box.by_data[axis] && access.space == MemorySpace::global &&
                        std::abs(stride) * extent[axis] > most_ahead * even_share) {
                        move_to(step_within(spread, extent[axis]), axis, box.executed[axis],
                                moved->warps[w].base[i], box.strides[w][i]);
                    }
                }
            }
        }
        box.first = std::move(moved);
    }
}

}  // namespace gpumodel
