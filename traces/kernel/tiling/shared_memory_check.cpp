#include "traces/kernel/tiling/shared_memory_check.h"

namespace gpumodel {

namespace {

constexpr int warp_size = 32;

}  // namespace

bool SharedMemoryCheck::conflicts(const Access& earlier, int thread) const {
    if (earlier.thread < 0 || earlier.thread == thread || earlier.block_epoch != block_epoch_) {
        return false;
    }
    const bool same_warp = earlier.thread / warp_size == thread / warp_size;
    return !same_warp || earlier.warp_epoch == warp_epoch_;
}

std::string_view SharedMemoryCheck::read(std::int64_t word, int thread) {
    Word& at = words_[static_cast<std::size_t>(word)];
    const bool unwritten = at.writer.thread < 0;
    const bool race = conflicts(at.writer, thread);
    if (at.reader.block_epoch != block_epoch_ || at.reader.thread == thread) {
        at.reader = now(thread);
    } else {
        at.other_reader = now(thread);
    }
    if (unwritten) {
        return "read before any write";
    }
    return race ? "read races with a write" : "";
}

std::string_view SharedMemoryCheck::write(std::int64_t word, int thread) {
    Word& at = words_[static_cast<std::size_t>(word)];
    const bool write_race = conflicts(at.writer, thread);
    const bool read_race = conflicts(at.reader, thread) || conflicts(at.other_reader, thread);
    at.writer = now(thread);
    if (write_race) {
        return "write races with a write";
    }
    return read_race ? "write races with a read" : "";
}

}  // namespace gpumodel
