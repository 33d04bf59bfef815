// What launches that come out alike need not work out twice, for searches over many of them: programs that
// are equal but for their parameters' names share their run, and programs that send L2 the same transfers
// share what L2 makes of them.
//
// For launches on one spec with the same options. Thread-safe. Equal means equal in a 64-bit hash of all that
// the simulator reads (launch_key.h, l2/launch_replay.h).
#pragma once

#include <optional>
#include <string>

#include "base/memo.h"
#include "model/sim/l2/launch_replay.h"
#include "model/sim/run_launch.h"

namespace gpumodel {

class SharedRuns {
public:
    // A run with this key that serves the limit too; its instructions are those of the program that ran.
    [[nodiscard]] std::optional<LaunchRun> find(const std::string& key, const RunLimit& limit) const;
    // Not of launches that could not run: what they say names their own code.
    void add(const std::string& key, const RunLimit& limit, const LaunchRun& run);
    [[nodiscard]] Memo<sim::Replayed>& replays() { return replays_; }

private:
    struct Run {
        RunLimit limit;
        LaunchRun run;
    };
    // Estimated: equal programs come close to each other in a search (some 10 MiB), equal transfers do not.
    static constexpr std::size_t most_lines = 50000, most_replays = 10000;
    Memo<Run> runs_{most_lines};
    Memo<sim::Replayed> replays_{most_replays};
};

}  // namespace gpumodel
