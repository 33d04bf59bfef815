#include "model/sim/core/code_supply.h"

#include <algorithm>
#include <span>

namespace gpumodel::sim {

CodeCache::CodeCache(std::int64_t lines, int ways)
    : sets_(std::max<std::int64_t>(1, lines / ways)),
      ways_(static_cast<std::size_t>(ways)),
      lines_(static_cast<std::size_t>(sets_) * ways_) {}

CodeCache::Line* CodeCache::set_of(std::int64_t line) {
    return &lines_[static_cast<std::size_t>(line % sets_) * ways_];
}

const CodeCache::Line* CodeCache::find(std::int64_t line) {
    const std::span set(set_of(line), ways_);
    const auto known =
        std::find_if(set.begin(), set.end(), [line](const Line& place) { return place.number == line; });
    return known == set.end() ? nullptr : &*known;
}

void CodeCache::put(std::int64_t line, double ready) {
    const std::span set(set_of(line), ways_);
    auto& oldest = *std::min_element(set.begin(), set.end(),
                                     [](const Line& a, const Line& b) { return a.order < b.order; });
    oldest = {line, ++brought_, ready};
}

CodeSupply::CodeSupply(const SupplyCosts& costs)
    : costs_(costs),
      in_l1_(costs.code_lines <= costs.l1_lines),
      in_l2_(costs.code_lines <= costs.l2_lines),
      l1_(in_l1_ ? 0 : costs.l1_lines, costs.l1_ways),
      l2_(in_l2_ ? 0 : costs.l2_lines, costs.l2_ways) {}

bool CodeSupply::holds(std::int64_t line, double at) {
    if (in_l1_) {
        return true;
    }
    const auto* known = l1_.find(line);
    return known != nullptr && known->ready <= at;
}

double CodeSupply::need(std::int64_t line, double start) {
    if (in_l1_) {
        return start;
    }
    if (const auto* known = l1_.find(line); known != nullptr) {
        return std::max(start, known->ready);
    }
    const bool near = in_l2_ || l2_.find(line) != nullptr;
    auto& port = near ? l2_free_ : memory_free_;
    const double begin = std::max(start, port);
    const double ready = begin + (near ? costs_.l2_cycles : costs_.memory_cycles);
    port = begin + (near ? costs_.l2_port : costs_.memory_cycles);
    l1_.put(line, ready);
    if (!near) {
        l2_.put(line, ready);
    }
    return ready;
}

}  // namespace gpumodel::sim
