#include "traces/emulate/data/read_log.h"

namespace gpumodel::emulate {
namespace {

constexpr int entry_bytes = 4;
constexpr unsigned word_bits = 32;
constexpr std::uint32_t unknown_bit = 0x80000000U;

}  // namespace

std::uint32_t ReadLog::mark(std::int64_t address, bool known) {
    const auto lower = static_cast<std::uint32_t>(address) & ~unknown_bit;
    return known ? lower : lower | unknown_bit;
}

void ReadLog::add(std::size_t thread, std::int64_t address, const MemoryWord& word, int bytes) {
    auto& reads = threads_[thread].reads;
    reads.push_back({mark(address, word.known), static_cast<std::uint32_t>(word.value)});
    if (bytes > entry_bytes) {
        reads.push_back({mark(address, word.known), static_cast<std::uint32_t>(word.value >> word_bits)});
    }
    size_ += bytes > entry_bytes ? 2 : 1;
}

std::optional<MemoryWord> ReadLog::next(std::size_t thread, std::int64_t address, int bytes) {
    auto& [reads, at] = threads_[thread];
    const std::size_t entries = bytes > entry_bytes ? 2 : 1;
    if (at + entries > reads.size() || (reads[at].address & ~unknown_bit) != mark(address, true)) {
        at = reads.size();
        return std::nullopt;
    }
    MemoryWord word{reads[at].value, (reads[at].address & unknown_bit) == 0};
    if (entries > 1) {
        word.value |= std::uint64_t{reads[at + 1].value} << word_bits;
    }
    at += entries;
    ++taken_;
    return word;
}

void ReadLog::rewind() {
    taken_ = 0;
    for (auto& thread : threads_) {
        thread.at = 0;
    }
}

}  // namespace gpumodel::emulate
