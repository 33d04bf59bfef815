// What each thread of a launch reads of arrays that other blocks change, in the order of its reads: hash
// tables that fill up, marks on vertices that others have visited, sums of those before.
//
// Blocks are executed one at a time, each for itself, as often as somebody asks. Where they read what others
// store, all are executed once side by side, each warp a few steps at a time, on one memory, and what each
// thread read is kept; from then on its reads find what they found then, whatever became of the memory.
// On the GPU no two launches are alike in this; one of the possible orders stands for all.
//
// Contract: a thread that is executed again and reads other addresses than it did (its block's warps went in
// another order, and shared memory told it something else) is told nothing from there on.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace gpumodel::emulate {

struct MemoryWord {
    std::uint64_t value = 0;
    bool known = true;
};

// Of one block.
class ReadLog {
public:
    explicit ReadLog(std::size_t threads) : threads_(threads) {}

    void add(std::size_t thread, std::int64_t address, const MemoryWord& word, int bytes);
    // The thread's next read, as it was; none if that was of another address or is not kept.
    [[nodiscard]] std::optional<MemoryWord> next(std::size_t thread, std::int64_t address, int bytes);
    // From the first read on.
    void rewind();
    [[nodiscard]] std::int64_t size() const { return size_; }
    // Reads since rewind(): what they find changes with every one.
    [[nodiscard]] std::uint64_t taken() const { return taken_; }

private:
    // Four bytes, of eight the lower first; not known: with the highest bit of the address's lower half set.
    struct Entry {
        std::uint32_t address = 0, value = 0;
    };
    struct Thread {
        std::vector<Entry> reads;
        std::size_t at = 0;
    };
    static std::uint32_t mark(std::int64_t address, bool known);

    std::vector<Thread> threads_;
    std::int64_t size_ = 0;
    std::uint64_t taken_ = 0;
};

// Of all blocks, by their place in the order of start, and the allocations of which reads are kept.
struct GridReads {
    std::set<std::int64_t> allocations;
    std::vector<ReadLog> blocks;
};

}  // namespace gpumodel::emulate
