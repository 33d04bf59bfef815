#include "model/memory/crowded_slices.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "model/memory/costs/measured_steps.h"

namespace gpumodel {
namespace {

constexpr int line_size = 128;
constexpr std::size_t many_blocks = 16;  // `estimated`
constexpr std::size_t many_lines = 2048;

struct Lines {
    std::set<std::int64_t> all;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::set<std::int64_t>> of_block;

    void add(const AnalysedSite& s, const Dim3& block);
    // Few, of other blocks too for the most part, so that those of all blocks are known.
    [[nodiscard]] bool shared() const {
        std::size_t named = 0;
        for (const auto& [block, lines] : of_block) {
            named += lines.size();
        }
        return all.size() < many_lines && of_block.size() >= many_blocks && named > 2 * all.size();
    }
};

void Lines::add(const AnalysedSite& s, const Dim3& block) {
    auto& own = of_block[{block.x, block.y, block.z}];
    for (const auto& access : gather_block(*s.segment, *s.site, block).list) {
        for (int lane = 0; lane < 32; ++lane) {
            if (access.is_active(lane)) {
                own.insert(access.address[static_cast<std::size_t>(lane)] / line_size);
            }
        }
    }
    if (all.size() < many_lines) {
        all.insert(own.begin(), own.end());
    }
}

double slices_at_work(double lines) {
    constexpr auto measured = std::to_array<std::pair<double, double>>(
        {{4, 4}, {8, 4}, {16, 8}, {32, 16}, {64, 16}, {128, 32}, {256, 43}, {512, 63}, {2048, 85}});
    return between_measured(measured, lines);
}

// Some of those that a block stands for, where they go elsewhere: anywhere, since the executed ones may all
// begin at the same lines of a table.
std::vector<Dim3> moved_blocks(const AnalysedSite& s, std::minstd_rand& random) {
    constexpr int some = 16;  // `estimated`
    std::vector<Dim3> blocks;
    const auto any = [&](std::int64_t begin, std::int64_t end, std::int64_t stride) {
        return stride == 0 ? begin : begin + static_cast<std::int64_t>(random()) % (end - begin);
    };
    const auto& [begin, end] = s.box;
    const auto& stride = s.strides;
    for (int i = 0; i < some; ++i) {
        blocks.push_back({any(begin.x, end.x, stride.block_x), any(begin.y, end.y, stride.block_y),
                          any(begin.z, end.z, stride.block_z)});
    }
    return blocks;
}

Lines with_moved_blocks(const std::vector<AnalysedSite>& sites, const std::string& array, Lines lines) {
    std::minstd_rand random;  // the same each time
    for (const auto& s : sites) {
        if (s.site->array == array && s.site->space == MemorySpace::global && s.segment != nullptr) {
            for (const auto& block : moved_blocks(s, random)) {
                lines.add(s, block);
            }
        }
    }
    return lines;
}

}  // namespace

std::vector<CrowdedArray> find_crowded_arrays(const std::vector<AnalysedSite>& sites) {
    std::map<std::string, Lines> arrays;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::global && s.segment != nullptr) {
            auto& lines = arrays[s.site->array];
            if (lines.all.size() < many_lines) {
                lines.add(s, s.executed);
            }
        }
    }
    std::vector<CrowdedArray> crowded;
    for (const auto& [name, executed] : arrays) {
        const auto lines = executed.shared() ? with_moved_blocks(sites, name, executed) : executed;
        if (lines.shared()) {
            crowded.push_back(
                {name, slices_at_work(many_lines) / slices_at_work(static_cast<double>(lines.all.size()))});
        }
    }
    return crowded;
}

double crowding(const std::vector<CrowdedArray>& arrays, std::string_view array) {
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [array](const CrowdedArray& crowded) { return crowded.array == array; });
    return found == arrays.end() ? 1 : found->times;
}

}  // namespace gpumodel
