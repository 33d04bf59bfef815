#include "tools/toolkit/subprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/diagnostics.h"
#include "base/process.h"

namespace gpumodel::cli {
namespace {

std::vector<std::string> environment(const std::string& path_first) {
    std::vector<std::string> list;
    for (const auto& text : environment_entries()) {
        list.push_back(!path_first.empty() && text.starts_with("PATH=")
                           ? "PATH=" + path_first + ':' + text.substr(5)
                           : text);
    }
    return list;
}

std::vector<char*> pointers(std::vector<std::string>& list) {
    std::vector<char*> all;
    for (auto& text : list) {
        all.push_back(text.data());
    }
    all.push_back(nullptr);
    return all;
}

// In a host, a group of its own that can be ended, and signals as a program expects them: there this thread
// blocks them.
class SpawnAttributes {
public:
    SpawnAttributes() {
        posix_spawnattr_init(&attributes_);
        if (is_hosted()) {
            sigset_t none;
            sigemptyset(&none);
            posix_spawnattr_setsigmask(&attributes_, &none);
            posix_spawnattr_setpgroup(&attributes_, 0);
            posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        }
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

// As waitpid; a hosted run that is asked to stop ends the program with what it has started.
pid_t wait_for(pid_t child, int& status) {
    if (!is_hosted()) {
        return ::waitpid(child, &status, 0);
    }
    constexpr auto pause = std::chrono::milliseconds(2);
    pid_t ended = 0;
    while ((ended = ::waitpid(child, &status, WNOHANG)) == 0) {
        if (asked_to_stop()) {
            ::kill(-child, SIGKILL);
        }
        std::this_thread::sleep_for(pause);
    }
    stop_if_asked();
    return ended;
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& path_first) {
    const WorkFolder folder;
    const auto out = folder.file("out");
    const auto err = folder.file("err");
    const SpawnAttributes attributes;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    auto words = arguments;
    auto variables = environment(path_first);
    pid_t child = 0;
    const int fault = posix_spawnp(&child, words.front().c_str(), &actions, attributes.get(),
                                   pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    ProgramRun run;
    int status = 0;
    if (fault != 0 || wait_for(child, status) != child) {
        run.exit_code = 127;
        return run;
    }
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.out = read_file(out);
    run.err = read_file(err);
    return run;
}

WorkFolder::WorkFolder() {
    std::error_code error;
    auto name = (std::filesystem::temp_directory_path(error) / "gpumodel_XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
        throw InputError(InputErrorKind::usage, {{name, 0, 0, "", "cannot make a temporary folder"}});
    }
    path_ = name;
}

WorkFolder::~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::string& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    out.flush();
    if (!out) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot write this file"}});
    }
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return in ? std::move(all).str() : "";
}

}  // namespace gpumodel::cli
