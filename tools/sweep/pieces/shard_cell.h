// The cell by which a shard's rows say which points of which sweep they account for.
//
// "2/4:1001-1007/4000:9f3c2a11d0e4b5aa": shard 2 of 4; this row and the rejected points before it are the
// points 1001 to 1007 (from 0) of the sweep's 4000; the last part identifies the sweep (study_identity).
// Behind it ":rejected" marks the row of a shard's last point if a rule rejects that point: the row only
// shows that the shard is whole, and is not part of the sweep; ":more" that another model's row of this point
// follows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/sweep/study.h"

namespace gpumodel::cli {

inline constexpr std::string_view shard_column = "shard";

struct ShardCell {
    Shard shard;
    std::int64_t first = 0, last = 0;  // points
    std::int64_t points = 0;           // of the sweep
    std::string identity;
    bool rejected = false;
    bool more = false;
};

[[nodiscard]] std::string to_string(const ShardCell& cell);
[[nodiscard]] std::optional<ShardCell> parse_shard_cell(std::string_view text);

// "2/4"; empty if that is no shard.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

}  // namespace gpumodel::cli
