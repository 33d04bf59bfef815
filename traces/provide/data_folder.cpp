#include "traces/provide/data_folder.h"

#include <filesystem>
#include <vector>

#include "base/process.h"

namespace gpumodel {

namespace fs = std::filesystem;

std::optional<std::string> data_folder(DataFolder folder) {
    const fs::path name = folder == DataFolder::programs ? "programs" : "kernels";
    const fs::path source = GPUMODEL_SOURCE_ROOT;
    std::vector<fs::path> places;
    if (const char* given = environment_variable("GPUMODEL_DATA_PATH")) {
        places.emplace_back(given / name);
    }
    std::error_code error;
    if (const auto executable = program_file(); !executable.empty()) {
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
