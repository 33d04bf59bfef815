// Watches the shared memory of one block for reads of words that nothing wrote and for races: accesses to
// one word by two threads, at least one of them a write, that no barrier orders. A block-wide barrier
// orders everything; a warp barrier orders the accesses of one warp. Every race is found that a single
// write and the last accesses of two readers show; later reports about the same word may be lost.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpumodel {

class SharedMemoryCheck {
public:
    explicit SharedMemoryCheck(std::size_t words) : words_(words) {}

    void block_barrier() { ++block_epoch_; }
    void warp_barrier() { ++warp_epoch_; }

    // What is wrong with the access, "" if nothing.
    [[nodiscard]] std::string_view read(std::int64_t word, int thread);
    [[nodiscard]] std::string_view write(std::int64_t word, int thread);

private:
    struct Access {
        int thread = -1;  // -1 = none yet
        std::int64_t block_epoch = -1;
        std::int64_t warp_epoch = -1;
    };
    struct Word {
        Access writer;
        Access reader, other_reader;  // two different threads, where there are two
    };

    [[nodiscard]] Access now(int thread) const { return {thread, block_epoch_, warp_epoch_}; }
    [[nodiscard]] bool conflicts(const Access& earlier, int thread) const;

    std::vector<Word> words_;
    std::int64_t block_epoch_ = 0;
    std::int64_t warp_epoch_ = 0;
};

}  // namespace gpumodel
