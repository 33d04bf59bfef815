#include "model/memory/crowded_slices.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
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

    void add(const AnalysedSite& s);
    // Of other blocks too, for the most part, so that those of all blocks are known.
    [[nodiscard]] bool shared() const {
        std::size_t named = 0;
        for (const auto& [block, lines] : of_block) {
            named += lines.size();
        }
        return of_block.size() >= many_blocks && named > 2 * all.size();
    }
};

void Lines::add(const AnalysedSite& s) {
    auto& own = of_block[{s.executed.x, s.executed.y, s.executed.z}];
    for (const auto& access : gather_block(*s.segment, *s.site, s.executed).list) {
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

}  // namespace

std::vector<CrowdedArray> find_crowded_arrays(const std::vector<AnalysedSite>& sites) {
    std::map<std::string, Lines> arrays;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::global && s.segment != nullptr) {
            auto& lines = arrays[s.site->array];
            if (lines.all.size() < many_lines) {
                lines.add(s);
            }
        }
    }
    std::vector<CrowdedArray> crowded;
    for (const auto& [name, lines] : arrays) {
        if (lines.all.size() < many_lines && lines.shared()) {
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
