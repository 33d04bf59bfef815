#include "tests/support/run_command.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

CommandResult run_shell(const std::string& command, const std::string& directory) {
    const std::string stem = "/tmp/gpumodel_test_" + std::to_string(::getpid());
    std::string expanded = command;
    const std::string placeholder = "{gpumodel}";
    for (auto at = expanded.find(placeholder); at != std::string::npos; at = expanded.find(placeholder, at)) {
        expanded.replace(at, placeholder.size(), GPUMODEL_BINARY);
    }
    const std::string line =
        // what is found on this machine must not decide what tests see
        "export GPUMODEL_COMPILE=never GPUMODEL_CONFIG=; cd '" + directory + "' && ( " + expanded + " ) >" +
        stem + ".out 2>" + stem + ".err </dev/null";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): the test is the user at a shell
    CommandResult result;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = slurp(stem + ".out");
    result.err = slurp(stem + ".err");
    std::remove((stem + ".out").c_str());
    std::remove((stem + ".err").c_str());
    return result;
}

CommandResult run_gpumodel(const std::string& arguments, const std::string& directory) {
    return run_shell("{gpumodel} " + arguments, directory);
}
