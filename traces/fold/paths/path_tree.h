// A folded path as a tree: leaves of straight code, cut behind barriers, and loops.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "traces/fold/folded_block.h"

namespace gpumodel {

struct PathNode {
    bool is_loop = false;
    bool has_barrier = false;  // leaf: ends in one; loop: holds one
    // tokens [token_begin, token_end) of the path, accesses [access_begin, access_end); a loop's own two
    // tokens are the first and the last
    std::size_t token_begin = 0, token_end = 0;
    std::size_t access_begin = 0, access_end = 0;
    // loop
    std::int64_t trips = 1;
    std::vector<PathNode> body;
};

[[nodiscard]] std::vector<PathNode> path_tree(const FoldedWarp& warp, const StaticCode& code);

// Whether both pass the same barriers in the same loops.
[[nodiscard]] bool same_barriers(const std::vector<PathNode>& a, const std::vector<PathNode>& b);

// "" where the code's table of mnemonics does not name it.
[[nodiscard]] std::string_view mnemonic_of(const StaticCode& code, const Instruction& instruction);

// A block-wide barrier that the warp waits at.
[[nodiscard]] bool is_barrier(const StaticCode& code, int instruction);

}  // namespace gpumodel
