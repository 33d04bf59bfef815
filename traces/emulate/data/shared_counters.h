// Counters in device memory from which blocks take numbers: of work, of places in a buffer, of who comes
// last.
//
// Blocks are executed alone, and of such a counter each would take all. So it moves on by what all blocks of
// the launch take at a time: a block's k-th number is that of its place in round k, as where blocks take
// turns in the order of their start. That is an even share; that blocks with little work take more is left
// out.
//
// A shared counter is what an instruction that returns what was there adds to, or counts up or down, where it
// meets the same words in the launch's first, middle and last block. Words that hang on a block's own data
// are no such.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace gpumodel::emulate {

class SharedCounters {
public:
    // Words by instruction.
    using Words = std::map<int, std::set<std::int64_t>>;

    explicit SharedCounters(std::int64_t blocks) : blocks_(blocks) {}

    // Of a block that ran while every counter was taken for a shared one.
    void found(const Words& words);
    // From now on only those that all blocks found are.
    void settle() { settled_ = true; }

    [[nodiscard]] bool is_shared(int instruction) const {
        return !settled_ || shared_->contains(instruction);
    }
    [[nodiscard]] std::int64_t blocks() const { return blocks_; }

private:
    std::int64_t blocks_;
    bool settled_ = false;
    std::optional<Words> shared_;
};

}  // namespace gpumodel::emulate
