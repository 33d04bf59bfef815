#include "model/memory/distinct_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gpumodel {
namespace {

// A loop or a dimension of the grid as a site sees it: stride in bytes, count.
using Step = std::pair<std::int64_t, std::int64_t>;
using Steps = std::vector<Step>;

// Smallest stride first; steps that go nowhere left out.
Steps steps_of(const AnalysedSite& s) {
    Steps steps;
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.loops.depth); ++d) {
        steps.emplace_back(s.strides.loop[d], s.loops.trips[d]);
    }
    steps.emplace_back(s.strides.block_x, s.box.end.x - s.box.begin.x);
    steps.emplace_back(s.strides.block_y, s.box.end.y - s.box.begin.y);
    steps.emplace_back(s.strides.block_z, s.box.end.z - s.box.begin.z);
    std::erase_if(steps, [](const Step& step) { return step.first == 0 || step.second <= 1; });
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return std::abs(a.first) < std::abs(b.first); });
    return steps;
}

// What lists of merged spans cover together: joined by halves, so that thousands of sites do not each go
// through all that came before.
Spans join(std::span<const Spans* const> lists) {
    if (lists.size() < 2) {
        return lists.empty() ? Spans{} : *lists.front();
    }
    const auto first = join(lists.first(lists.size() / 2)), second = join(lists.subspan(lists.size() / 2));
    Spans all(first.size() + second.size());
    std::merge(first.begin(), first.end(), second.begin(), second.end(), all.begin(),
               [](const Span& a, const Span& b) { return a.begin < b.begin; });
    sort_and_merge(all);
    return all;
}

}  // namespace

double distinct_bytes(const std::vector<const AnalysedSite*>& sites, int granule_bytes) {
    std::map<Steps, std::vector<const Spans*>> alike;  // sites that move alike
    for (const auto* s : sites) {
        alike[steps_of(*s)].push_back(&*s->footprint.first_trip);
    }
    std::deque<Spans> held;
    std::map<Steps, std::vector<const Spans*>> covered;  // by the jumps that are left
    Span hull{INT64_MAX, INT64_MIN};
    for (const auto& [steps, lists] : alike) {
        auto spans = join(lists);
        Steps jumps;
        std::int64_t width = 0;
        for (const auto& [stride, count] : steps) {
            if (repeat(spans, stride, count, granule_bytes) > 1) {
                jumps.emplace_back(std::abs(stride), count);
                width += std::abs(stride) * (count - 1);
            }
        }
        if (!spans.empty()) {
            hull = {std::min(hull.begin, spans.front().begin), std::max(hull.end, spans.back().end + width)};
            covered[jumps].push_back(&held.emplace_back(std::move(spans)));
        }
    }
    double sum = 0;
    for (const auto& [jumps, lists] : covered) {
        double count = granules(lists.size() == 1 ? *lists.front() : join(lists), granule_bytes);
        for (const auto& jump : jumps) {
            count *= static_cast<double>(jump.second);
        }
        sum += count * granule_bytes;
    }
    return sum > 0 ? std::min(sum, granules({hull}, granule_bytes) * granule_bytes) : 0;
}

}  // namespace gpumodel
