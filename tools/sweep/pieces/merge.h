// Shards of one sweep, put together.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpumodel::cli {

// Checks that the csv files are all the shards of one sweep, each whole, then writes the sweep's own bytes:
// the header and rows without the shards' column, piece by piece, in the order of the points. The files may
// be given in any order; each is read twice, line by line. Throws InputError (usage) with everything that is
// wrong: a file that is no shard or of another sweep, two files of one shard, gaps and cuts within a file,
// and the shards that are missing. Nothing is written then.
void merge_shards(const std::vector<std::string>& files,
                  const std::function<void(const std::string&)>& write);

}  // namespace gpumodel::cli
