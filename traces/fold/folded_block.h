// What one block executes, folded: per warp a path whose addresses are a base and a pattern of lane offsets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "traces/fold/paths/cut_points.h"
#include "traces/fold/paths/loop_folder.h"
#include "traces/fold/paths/path.h"

namespace gpumodel {

// Lane offsets relative to lane 0, each distinct set stored once.
class LanePatterns {
public:
    [[nodiscard]] int intern(const LaneAddresses& addresses);
    [[nodiscard]] const LaneAddresses& offsets(int id) const {
        return *by_id_.at(static_cast<std::size_t>(id));
    }

private:
    std::map<LaneAddresses, int> ids_;
    std::vector<const LaneAddresses*> by_id_;
};

struct FoldedWarp {
    std::vector<PathToken> tokens;
    std::vector<PathAccess> accesses;
    std::vector<std::int64_t> base;  // address of lane 0 at iteration 0, one per access
    std::vector<int> pattern;        // LanePatterns id, one per access

    // The same code, lanes, loops and strides, wherever it accesses.
    [[nodiscard]] bool same_code(const FoldedWarp& other) const {
        return tokens == other.tokens && accesses == other.accesses;
    }
};

struct FoldedBlock {
    std::vector<FoldedWarp> warps;
    std::int64_t events = 0;  // accesses executed
    // What the block adds to a program: instructions, loops and accesses of its distinct warps.
    std::int64_t weight = 0;
    // What executing it took, in units of about one instruction (accesses and branches count more).
    std::int64_t work = 0;
};

// Work relative to an instruction, by the time that executing and folding listings takes.
inline constexpr std::int64_t work_of_a_block = 1000;
inline constexpr std::int64_t work_of_an_access = 8;
inline constexpr std::int64_t work_of_a_run = 8;

struct FoldResult {
    std::unique_ptr<FoldedBlock> block;
    std::int64_t work = 0;
};

// Runs a block and folds it. Throws what run_block throws, and InputError (invalid input) for a path too
// irregular to keep (path.h). No block if it jumped where `cuts` did not expect it (they have been noted
// then): all blocks folded before must be folded anew.
[[nodiscard]] FoldResult fold_block(BlockSource& source, const Dim3& block, int warps, CutPoints& cuts,
                                    LanePatterns& patterns);

}  // namespace gpumodel
