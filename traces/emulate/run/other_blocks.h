// Finds out what blocks of a launch find that other blocks do (OthersWork): which counters they share, which
// swaps would lose against others', and, where they read what others store, what each of their reads finds.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "traces/emulate/run/launch_blocks.h"
#include "traces/side_by_side_time.h"

namespace gpumodel::emulate {

class OtherBlocks {
public:
    // Looks at some blocks, or all. Afterwards `blocks` run with what was found.
    OtherBlocks(const Program& program, const SassLaunch& launch, LaunchBlocks& blocks);

    // Instructions whose swaps come again where they lose, but where blocks ran side by side and did so
    // there; how often is estimated (model/memory/swap_contention.h).
    [[nodiscard]] const std::vector<int>& retried() const { return retried_; }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    // Of all, by the pacer's clock, where they were run side by side and lost what they lose there; else 0.
    [[nodiscard]] const SideBySideTime& time() const { return time_; }

private:
    // Warp instructions for which all blocks are executed side by side: seconds (`estimated`: 5 million a
    // second); what is kept of their reads: 400 to 800 MB. Threads side by side: the H200's, as kernels that
    // look for others' stores are small (hash tables, lists and scans at the whole of them are nearer to the
    // H200's times than at half). Warps of all blocks: 1 KiB each for what is kept, 256 MB.
    static constexpr std::int64_t most_beside_work = 30'000'000, most_kept_reads = 50'000'000,
                                  most_threads_beside = 270'336, most_warps_kept = 250'000;

    void find_counters();
    void find_swaps();
    // Where blocks read what blocks store, and it can be afforded.
    void keep_reads();
    void note_reads(bool ran, bool all_finish);
    [[nodiscard]] std::int64_t kept_reads() const;
    [[nodiscard]] std::size_t at_once() const;
    // All blocks on one memory, the reads of these allocations kept; `failed` where they do not come to an
    // end, or take too much, `apart` where none reads what another stores (in place, each its own).
    enum class Beside : unsigned char { ran, apart, failed };
    [[nodiscard]] Beside run_side_by_side(const std::set<std::int64_t>& allocations);

    LaunchBlocks& blocks_;
    const StaticCode& code_;
    OthersWork& found_;
    std::vector<int> retried_;
    std::vector<std::string> notes_;
    SideBySideTime time_;
};

}  // namespace gpumodel::emulate
