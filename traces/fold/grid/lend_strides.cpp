#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "traces/fold/grid/grid_points.h"

namespace gpumodel {
namespace {

using AccessKey = std::pair<std::int32_t, bool>;  // instruction, copy target

class StrideLender {
public:
    StrideLender(std::vector<GridBox>& boxes, const Box& grid) : boxes_(boxes), grid_(grid) {}

    void lend() {
        std::vector<const GridBox*> by_size;
        for (const auto& box : boxes_) {
            by_size.push_back(&box);
        }
        std::stable_sort(by_size.begin(), by_size.end(),
                         [](const auto* a, const auto* b) { return a->blocks.count() > b->blocks.count(); });
        for (const auto* box : by_size) {
            note_own(*box);
        }
        note_distances();
        for (auto& box : boxes_) {
            fill(box);
        }
    }

private:
    struct Known {
        std::array<bool, 3> known{};
        BlockStride stride{};
    };

    static Box extents(const GridBox& box) {
        return {{box.blocks.begin.x, box.blocks.begin.y, box.blocks.begin.z},
                {box.blocks.end.x, box.blocks.end.y, box.blocks.end.z}};
    }

    template <class Visit>
    static void for_each_access(const GridBox& box, Visit visit) {
        for (std::size_t w = 0; w < box.strides.size(); ++w) {
            for (std::size_t i = 0; i < box.strides[w].size(); ++i) {
                const auto& access = box.first->warps[w].accesses[i];
                visit(AccessKey{access.instruction, access.copy_target}, w, i);
            }
        }
    }

    void note_own(const GridBox& box) {
        const auto size = extents(box);
        for_each_access(box, [&](const AccessKey& key, std::size_t w, std::size_t i) {
            auto& entry = known_[key];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (size.extent(axis) > 1 && !entry.known[axis]) {
                    entry.known[axis] = true;
                    entry.stride[axis] = box.strides[w][i][axis];
                }
            }
        });
    }

    // Between the first executions of an instruction in boxes that follow each other along an axis.
    void note_distances() {
        struct Before {
            std::int64_t at = 0, base = 0;
        };
        std::map<std::tuple<AccessKey, std::size_t, Point>, Before> lines;
        for (const auto& box : boxes_) {
            std::map<AccessKey, std::int64_t> here;
            for_each_access(box, [&](const AccessKey& key, std::size_t w, std::size_t i) {
                here.try_emplace(key, box.first->warps[w].base[i]);
            });
            const auto begin = extents(box).begin;
            for (const auto& [key, base] : here) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    auto line = begin;
                    line[axis] = 0;
                    auto [before, first] = lines.try_emplace({key, axis, line}, Before{begin[axis], base});
                    auto& entry = known_[key];
                    if (!first && !entry.known[axis] && base != before->second.base) {
                        entry.known[axis] = true;
                        entry.stride[axis] = (base - before->second.base) /
                                             std::max<std::int64_t>(1, begin[axis] - before->second.at);
                    }
                    before->second = {begin[axis], base};
                }
            }
        }
    }

    void fill(GridBox& box) const {
        const auto size = extents(box);
        for_each_access(box, [&](const AccessKey& key, std::size_t w, std::size_t i) {
            const auto& entry = known_.at(key);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (size.extent(axis) == 1 && grid_.extent(axis) > 1) {
                    box.strides[w][i][axis] = entry.stride[axis];
                }
            }
        });
    }

    std::vector<GridBox>& boxes_;
    const Box& grid_;
    std::map<AccessKey, Known> known_;
};

}  // namespace

void lend_strides(std::vector<GridBox>& boxes, const Box& grid) {
    StrideLender(boxes, grid).lend();
}

}  // namespace gpumodel
