#include "model/memory/spans.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace gpumodel {
namespace {

std::int64_t longest(const Spans& spans) {
    std::int64_t best = 0;
    for (const auto& span : spans) {
        best = std::max(best, span.end - span.begin);
    }
    return best;
}

}  // namespace

void sort_and_merge(Spans& spans) {
    const auto before = [](const Span& a, const Span& b) { return a.begin < b.begin; };
    if (!std::is_sorted(spans.begin(), spans.end(), before)) {
        std::sort(spans.begin(), spans.end(), before);
    }
    std::size_t kept = 0;
    for (const auto& span : spans) {
        if (kept > 0 && span.begin <= spans[kept - 1].end) {
            spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
        } else {
            spans[kept++] = span;
        }
    }
    spans.resize(kept);
}

double granules(const Spans& spans, std::int64_t size) {
    double count = 0;
    std::int64_t last = INT64_MIN;
    const bool power = std::has_single_bit(static_cast<std::uint64_t>(size));  // 32 and 128: no division
    const int shift = std::countr_zero(static_cast<std::uint64_t>(size));
    for (const auto& span : spans) {
        const auto floor_div = [&](std::int64_t v) {
            return power ? v >> shift : v >= 0 ? v / size : -((-v + size - 1) / size);
        };
        auto first = floor_div(span.begin);
        const auto end = floor_div(span.end - 1);
        if (first == last) {
            ++first;
        }
        count += static_cast<double>(std::max<std::int64_t>(0, end - first + 1));
        last = std::max(last, end);
    }
    return count;
}

double repeat(Spans& spans, std::int64_t stride, std::int64_t count, std::int64_t granule) {
    const std::int64_t step = std::abs(stride);
    if (step == 0 || count <= 1) {
        return 1;
    }
    const std::int64_t down = stride < 0 ? step * (count - 1) : 0;
    for (auto& span : spans) {
        span.begin -= down;
        span.end -= down;
    }
    // within a granule of each other: the copies share granules, so they have to be joined
    if (step > std::max(longest(spans), granule - 1)) {
        return static_cast<double>(count);
    }
    for (auto& span : spans) {
        span.end += step * (count - 1);
    }
    sort_and_merge(spans);
    return 1;
}

}  // namespace gpumodel
