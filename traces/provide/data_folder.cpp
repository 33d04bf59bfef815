#include "traces/provide/data_folder.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace gpumodel {

namespace fs = std::filesystem;

std::optional<std::string> data_folder(DataFolder folder) {
    const fs::path name = folder == DataFolder::programs ? "programs" : "kernels";
    const fs::path source = GPUMODEL_SOURCE_ROOT;
    std::vector<fs::path> places;
    if (const char* given = std::getenv("GPUMODEL_DATA_PATH")) {
        places.emplace_back(given / name);
    }
    std::error_code error;
    const auto executable = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        places.push_back(executable.parent_path() / GPUMODEL_INSTALLED_DATA_FROM_BIN / name);
    }
    places.push_back(source / (folder == DataFolder::programs ? "traces/provide" : "validate") / name);
    places.push_back(fs::path(GPUMODEL_INSTALLED_DATA) / name);
    for (const auto& place : places) {
        if (fs::is_directory(place, error)) {
            return place.lexically_normal().string();
        }
    }
    return std::nullopt;
}

}  // namespace gpumodel
