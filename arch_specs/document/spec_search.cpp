#include "arch_specs/document/spec_search.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "arch_specs/loader.h"
#include "base/process.h"

namespace gpumodel {

namespace fs = std::filesystem;

namespace {

bool is_folder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// A folder and, for products, those in it: one per architecture.
using FolderGroup = std::vector<fs::path>;

std::vector<FolderGroup> folders_of(const std::string& directory) {
    const fs::path root(directory);
    FolderGroup products{root / "products"};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(products.front(), error)) {
        if (entry.is_directory(error)) {
            products.push_back(entry.path());
        }
    }
    std::sort(products.begin() + 1, products.end());
    return {{root}, products, {root / "generations"}};
}

// By file name, so that the folders within a group do not show.
std::vector<fs::path> specs_in(const FolderGroup& group) {
    std::vector<fs::path> found;
    for (const auto& folder : group) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            if (entry.path().extension() == ".yaml") {
                found.push_back(entry.path().lexically_normal());
            }
        }
    }
    std::sort(found.begin(), found.end(),
              [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
    return found;
}

// Those of GPUMODEL_ARCH_PATH.
std::vector<std::string> folders_of_variable() {
    std::vector<std::string> directories;
    if (const char* variable = environment_variable("GPUMODEL_ARCH_PATH")) {
        const std::string list(variable);
        for (std::size_t at = 0; at <= list.size();) {
            const auto colon = std::min(list.find(':', at), list.size());
            if (colon > at) {
                directories.push_back(list.substr(at, colon - at));
            }
            at = colon + 1;
        }
    }
    return directories;
}

}  // namespace

bool is_spec_path(const std::string& name_or_path) {
    return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".yaml");
}

std::optional<std::string> find_spec_file(const std::string& name,
                                          const std::vector<std::string>& directories) {
    for (const auto& directory : directories) {
        for (const auto& group : folders_of(directory)) {
            for (const auto& folder : group) {
                std::error_code error;
                const auto path = (folder / (name + ".yaml")).lexically_normal();
                if (fs::exists(path, error)) {
                    return path.string();
                }
            }
        }
    }
    return std::nullopt;
}

std::vector<std::string> directories_around(const std::string& file,
                                            const std::vector<std::string>& search_path) {
    const auto own = fs::path(file).parent_path();
    const auto here = own.empty() ? fs::path(".") : own;
    std::vector<std::string> directories{here.string(), (here / "..").lexically_normal().string()};
    if (fs::absolute(here).lexically_normal().parent_path().filename() == "products") {
        directories.push_back((here / ".." / "..").lexically_normal().string());
    }
    directories.insert(directories.end(), search_path.begin(), search_path.end());
    return directories;
}

std::vector<std::string> all_spec_files(const std::vector<std::string>& directories) {
    std::vector<std::string> files;
    std::set<std::string> names;
    for (const auto& directory : directories) {
        for (const auto& group : folders_of(directory)) {
            for (const auto& path : specs_in(group)) {
                if (names.insert(path.stem().string()).second) {
                    files.push_back(path.string());
                }
            }
        }
    }
    return files;
}

std::vector<std::string> unreadable_spec_folders() {
    auto folders = folders_of_variable();
    std::erase_if(folders, [](const std::string& folder) {
        std::error_code error;
        const fs::directory_iterator opened(folder, error);
        return !error;
    });
    return folders;
}

std::vector<std::string> default_spec_path() {
    auto directories = folders_of_variable();
    const auto executable = program_file();
    const auto installed = (executable.parent_path() / GPUMODEL_INSTALLED_SPECS_FROM_BIN).lexically_normal();
    if (!executable.empty() && is_folder(installed)) {
        directories.push_back(installed.string());
    }
    for (const char* directory : {GPUMODEL_SOURCE_SPECS, GPUMODEL_INSTALLED_SPECS}) {
        if (is_folder(directory)) {
            directories.emplace_back(directory);
        }
    }
    return directories;
}

}  // namespace gpumodel
