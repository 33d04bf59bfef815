// Blocks of a grid as points: boxes of them, and which ones of a box are checked.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "traces/fold/grid/grid_fold.h"

namespace gpumodel {

using Point = std::array<std::int64_t, 3>;

struct Box {
    Point begin{}, end{};
    [[nodiscard]] std::int64_t extent(std::size_t axis) const { return end[axis] - begin[axis]; }
    [[nodiscard]] std::int64_t count() const { return extent(0) * extent(1) * extent(2); }
    [[nodiscard]] BlockBox blocks() const {
        return {{begin[0], begin[1], begin[2]}, {end[0], end[1], end[2]}};
    }
};

[[nodiscard]] Point centre(const Box& box);

// Corners, centre and two further blocks, the same in every run.
[[nodiscard]] std::vector<Point> check_points(const Box& box);

// The i-th block of the box, x first.
[[nodiscard]] Point point_of(const Box& box, std::int64_t i);

// A partition into about `wanted` boxes of about the same size, and the last coordinate of each axis apart.
[[nodiscard]] std::vector<Box> even_parts(const Box& box, std::int64_t wanted);
// The same with parts of blocks that start one after the other, as far as boxes can be: z is parted first.
[[nodiscard]] std::vector<Box> parts_in_order(const Box& box, std::int64_t wanted);

// A box one block wide has no stride of its own along that axis. The analyses ask which coordinates an access
// depends on, so it takes the stride that the same instruction has in the largest box that has one, else one
// from a box to the next.
void lend_strides(std::vector<GridBox>& boxes, const Box& grid);

}  // namespace gpumodel
