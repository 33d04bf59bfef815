// Where spec files are found. default_spec_path() is declared in loader.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpumodel {

// First `<name>.yaml` in the directories, each searched itself and in its products/, the folders of that, and
// generations/.
[[nodiscard]] std::optional<std::string> find_spec_file(const std::string& name,
                                                        const std::vector<std::string>& directories);

// Directories for the names that `file` mentions: its own, the one that holds products/ and generations/
// where it lies in one of them (or the one above), then the search path.
[[nodiscard]] std::vector<std::string> directories_around(const std::string& file,
                                                          const std::vector<std::string>& search_path);

// Every .yaml file that find_spec_file could return, each name once, sorted by name within a directory.
[[nodiscard]] std::vector<std::string> all_spec_files(const std::vector<std::string>& directories);

// Contains '/' or ends in .yaml: a path, not a name.
[[nodiscard]] bool is_spec_path(const std::string& name_or_path);

}  // namespace gpumodel
