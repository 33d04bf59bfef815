#include "model/sim/memory/l1_tags.h"

#include <bit>

#include "model/sim/line.h"

namespace gpumodel::sim {
namespace {

std::size_t hash(std::int64_t line) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;  // Fibonacci hashing
    constexpr unsigned keep = 32;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(line) * golden) >> keep);
}

}  // namespace

L1Tags::L1Tags(std::int64_t capacity_bytes) {
    const auto count = static_cast<std::size_t>(capacity_bytes > 0 ? capacity_bytes / line_bytes : 0);
    lines_.resize(count);
    table_.assign(std::bit_ceil(2 * count + 2), -1);
}

std::size_t L1Tags::slot_of(std::int64_t line) const {
    const auto mask = table_.size() - 1;
    auto slot = hash(line) & mask;
    while (table_[slot] >= 0 && lines_[static_cast<std::size_t>(table_[slot])].number != line) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

L1Tags::Line* L1Tags::find(std::int64_t line) {
    const auto index = table_[slot_of(line)];
    return index < 0 ? nullptr : &lines_[static_cast<std::size_t>(index)];
}

void L1Tags::erase(std::int64_t line) {
    const auto mask = table_.size() - 1;
    auto hole = slot_of(line);
    table_[hole] = -1;
    // close the gap: move up whatever probed past it
    for (auto slot = (hole + 1) & mask; table_[slot] >= 0; slot = (slot + 1) & mask) {
        const auto home = hash(lines_[static_cast<std::size_t>(table_[slot])].number) & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            table_[hole] = table_[slot];
            table_[slot] = -1;
            hole = slot;
        }
    }
}

L1Tags::Line* L1Tags::insert(std::int64_t line) {
    if (lines_.empty()) {
        return nullptr;
    }
    auto& entry = lines_[next_];
    if (entry.number >= 0) {
        erase(entry.number);
    }
    entry = {line, 0, 0};
    table_[slot_of(line)] = static_cast<std::int32_t>(next_);
    next_ = next_ + 1 == lines_.size() ? 0 : next_ + 1;
    return &entry;
}

}  // namespace gpumodel::sim
