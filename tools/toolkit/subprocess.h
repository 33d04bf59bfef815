// Runs another program to its end.
#pragma once

#include <string>
#include <vector>

namespace gpumodel::cli {

struct ProgramRun {
    int exit_code = 0;  // 127: could not be started
    std::string out, err;
};

// `arguments` begin with the program: a path, or a name looked for on PATH. `path_first` goes before the rest
// of the child's PATH (compilers take their own tools from there).
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& arguments,
                                     const std::string& path_first = "");

// A folder of this process alone, gone with it. Throws InputError (usage) if it cannot be made.
class WorkFolder {
public:
    WorkFolder();
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + '/' + name; }

private:
    std::string path_;
};

// Throws InputError (usage) if the file cannot be written.
void write_file(const std::string& path, std::string_view text);
[[nodiscard]] std::string read_file(const std::string& path);  // "" if it cannot be read

}  // namespace gpumodel::cli
