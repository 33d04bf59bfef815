// Runs the built gpumodel as a user would and keeps what it printed.
#pragma once

#include <string>

struct CommandResult {
    int exit_code = -1;
    std::string out;
    std::string err;
};

// `arguments` as typed in a shell, run in `directory` (default: the tests' data folder).
CommandResult run_gpumodel(const std::string& arguments, const std::string& directory = GPUMODEL_TEST_DATA);

// Runs any shell command, for scripts and pipes. {gpumodel} is replaced by the binary's path.
CommandResult run_shell(const std::string& command, const std::string& directory = GPUMODEL_TEST_DATA);
