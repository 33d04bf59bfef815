#include "model/memory/distinct_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
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

// Lists of spans, each in order, that become one: joined by halves, so that thousands of sites do not each go
// through all that came before.
class SpanLists {
public:
    void add(const Spans& spans) {
        all_.insert(all_.end(), spans.begin(), spans.end());
        ends_.push_back(static_cast<std::ptrdiff_t>(all_.size()));
    }
    [[nodiscard]] Spans join() {
        join(0, ends_.size());
        sort_and_merge(all_);
        return std::move(all_);
    }

private:
    void join(std::size_t first, std::size_t last) {
        if (last - first < 2) {
            return;
        }
        const auto half = first + (last - first) / 2;
        join(first, half);
        join(half, last);
        const auto begin = first == 0 ? 0 : ends_[first - 1];
        std::inplace_merge(all_.begin() + begin, all_.begin() + ends_[half - 1],
                           all_.begin() + ends_[last - 1],
                           [](const Span& a, const Span& b) { return a.begin < b.begin; });
    }

    Spans all_;
    std::vector<std::ptrdiff_t> ends_;
};

}  // namespace

double distinct_bytes(const std::vector<const AnalysedSite*>& sites, int granule_bytes) {
    std::map<Steps, SpanLists> alike;  // sites that move alike
    for (const auto* s : sites) {
        alike[steps_of(*s)].add(s->footprint.first_trip);
    }
    std::map<Steps, SpanLists> covered;  // by the jumps that are left
    Span hull{INT64_MAX, INT64_MIN};
    for (auto& [steps, lists] : alike) {
        auto spans = lists.join();
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
            covered[jumps].add(spans);
        }
    }
    double sum = 0;
    for (auto& [jumps, lists] : covered) {
        double count = granules(lists.join(), granule_bytes);
        for (const auto& jump : jumps) {
            count *= static_cast<double>(jump.second);
        }
        sum += count * granule_bytes;
    }
    return sum > 0 ? std::min(sum, granules({hull}, granule_bytes) * granule_bytes) : 0;
}

}  // namespace gpumodel
