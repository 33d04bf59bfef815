#include "traces/fold/grid/grid_points.h"

#include <algorithm>
#include <utility>

namespace gpumodel {

Point centre(const Box& box) {
    Point p{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        p[axis] = box.begin[axis] + box.extent(axis) / 2;
    }
    return p;
}

Point point_of(const Box& box, std::int64_t i) {
    const auto plane = box.extent(0) * box.extent(1);
    return {box.begin[0] + i % box.extent(0), box.begin[1] + i % plane / box.extent(0),
            box.begin[2] + i / plane};
}

std::vector<Point> check_points(const Box& box) {
    std::vector<Point> list;
    for (const unsigned corner : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
        auto p = box.begin;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            p[axis] = ((corner >> axis) & 1U) != 0 ? box.end[axis] - 1 : p[axis];
        }
        list.push_back(p);
    }
    list.push_back(centre(box));
    std::uint64_t state = 88172645463325252U;  // Marsaglia's xorshift64: the same blocks in every run
    for (int i = 0; i < 2; ++i) {
        auto p = box.begin;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            state ^= state << 13U;
            state ^= state >> 7U;
            state ^= state << 17U;
            p[axis] += static_cast<std::int64_t>(state % static_cast<std::uint64_t>(box.extent(axis)));
        }
        list.push_back(p);
    }
    return list;
}

namespace {

// All but the last block along an axis.
std::int64_t inner(const Box& box, std::size_t axis) {
    return std::max<std::int64_t>(1, box.extent(axis) - 1);
}

std::vector<Box> cut(const Box& box, std::int64_t wanted, const std::array<std::int64_t, 3>& pieces) {
    std::vector<Box> parts{box};
    for (std::size_t axis = 0; axis < 3 && wanted > 1; ++axis) {
        std::vector<std::int64_t> bounds;
        for (std::int64_t i = 0; i <= pieces[axis]; ++i) {
            bounds.push_back(box.begin[axis] + inner(box, axis) * i / pieces[axis]);
        }
        if (box.extent(axis) > 1) {
            bounds.push_back(box.end[axis]);
        }
        std::vector<Box> finer;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            for (auto part : parts) {
                part.begin[axis] = bounds[i];
                part.end[axis] = bounds[i + 1];
                finer.push_back(part);
            }
        }
        parts = std::move(finer);
    }
    return parts;
}

}  // namespace

std::vector<Box> even_parts(const Box& box, std::int64_t wanted) {
    std::array<std::int64_t, 3> pieces{1, 1, 1};
    while (pieces[0] * pieces[1] * pieces[2] * 2 <= wanted) {
        std::size_t longest = 0;
        for (std::size_t axis = 1; axis < 3; ++axis) {
            longest =
                inner(box, axis) / pieces[axis] > inner(box, longest) / pieces[longest] ? axis : longest;
        }
        if (inner(box, longest) / pieces[longest] < 2) {
            break;
        }
        pieces[longest] *= 2;
    }
    return cut(box, wanted, pieces);
}

std::vector<Box> parts_in_order(const Box& box, std::int64_t wanted) {
    std::array<std::int64_t, 3> pieces{1, 1, 1};
    auto left = wanted;
    for (std::size_t axis = 3; axis-- > 0;) {
        pieces[axis] = std::clamp<std::int64_t>(left, 1, inner(box, axis));
        left /= pieces[axis];
    }
    return cut(box, wanted, pieces);
}

}  // namespace gpumodel
