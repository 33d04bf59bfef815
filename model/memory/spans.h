// Intervals of bytes, and what loops and grids make of them: a stride no longer than the intervals lets them
// grow (a walk), a longer one multiplies them (a jump).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace gpumodel {

struct Span {
    std::int64_t begin = 0, end = 0;  // bytes, half-open
};
using Spans = std::vector<Span>;

// Spans that nobody changes any more: copies share them.
class SharedSpans {
public:
    SharedSpans() = default;
    SharedSpans(Spans spans)  // NOLINT: what it is made of
        : held_(std::make_shared<const Spans>(std::move(spans))) {}
    [[nodiscard]] const Spans& operator*() const {
        static const Spans none;
        return held_ ? *held_ : none;
    }

private:
    std::shared_ptr<const Spans> held_;
};

// By their begins, those that touch joined.
void sort_and_merge(Spans& spans);

// How many aligned granules of `size` bytes merged spans touch.
[[nodiscard]] double granules(const Spans& spans, std::int64_t size);

// Repeats merged spans at `count` multiples of the stride. Returns the factor by which the granules multiply
// where the copies lie apart, `count`; 1 where the spans were grown in place.
double repeat(Spans& spans, std::int64_t stride, std::int64_t count, std::int64_t granule);

}  // namespace gpumodel
