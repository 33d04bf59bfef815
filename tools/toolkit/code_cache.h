// Compiled programs of this machine's toolkits, kept between runs: FOLDER/KEY.programs (program_file.h).
// Safe for several processes: an entry is written under a name of its own and renamed; a damaged one is made
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "traces/provide/program_file.h"

namespace gpumodel::cli {

// $GPUMODEL_CACHE_DIR, else gpumodel/ in $XDG_CACHE_HOME or ~/.cache; "" where none of these is set.
[[nodiscard]] std::string cache_folder();

class CodeCache {
public:
    explicit CodeCache(std::string folder = cache_folder()) : folder_(std::move(folder)) {}

    // Empty: not there, or damaged.
    [[nodiscard]] std::optional<CompiledKernel> find(const std::string& key) const;
    // False: it could not be written, which is no fault of the prediction.
    bool add(const std::string& key, const PackedKernel& kernel, const std::string& made_by) const;

    struct Info {
        std::string folder;
        std::int64_t programs = 0, bytes = 0;
    };
    [[nodiscard]] Info info() const;
    // Removes what info() counts.
    Info clear() const;

private:
    std::string folder_;
};

}  // namespace gpumodel::cli
