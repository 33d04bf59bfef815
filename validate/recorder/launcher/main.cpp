// gpumodel-record: runs a program with the recorder in front of its driver, then disassembles what it
// launched.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "validate/recorder/preload/settings.h"

namespace {

namespace fs = std::filesystem;
namespace recorder = gpumodel::recorder;

constexpr int exit_internal = 1, exit_usage = 2;

struct Options {
    std::string folder = "recording", filter, cap = "64MiB";
    std::int64_t most_launches = 1000, skip = 0, repeat = 0;
    std::vector<std::string> program;
};

// Beside this program, or where an installation has its libraries.
fs::path preload_library() {
    std::error_code ignored;
    const auto here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const auto* place : {".", "../lib", "../lib/gpumodel", "../lib/x86_64-linux-gnu"}) {
        const auto path = here / place / "libgpumodel-record.so";
        if (fs::exists(path, ignored)) {
            return fs::canonical(path);
        }
    }
    return {};
}

std::string find_cuobjdump() {
    std::vector<std::string> folders;
    const auto add_list = [&folders](const char* variable, const std::string& below) {
        const char* value = std::getenv(variable);
        std::string text = value == nullptr ? "" : value;
        for (std::size_t begin = 0; begin < text.size();) {
            const auto end = std::min(text.find(':', begin), text.size());
            folders.push_back(text.substr(begin, end - begin) + below);
            begin = end + 1;
        }
    };
    add_list("CUDA_HOME", "/bin");
    add_list("PATH", "");
    folders.insert(folders.end(), {"/usr/local/cuda/bin", "/usr/bin"});
    for (const auto& folder : folders) {
        if (auto path = folder + "/cuobjdump"; access(path.c_str(), X_OK) == 0) {
            return path;
        }
    }
    return "";
}

// Exit status of a shell's kind; 127 if it could not be started.
int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int signalled = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

[[noreturn]] void replace_process(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (auto& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    std::cerr << fmt::format("gpumodel-record: cannot start '{}': {}\n", words.front(), std::strerror(errno));
    _exit(127);
}

void set_environment(const Options& options, std::int64_t cap, const fs::path& library) {
    const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
    const char* others = std::getenv("LD_PRELOAD");
    set("LD_PRELOAD", library.string() + (others == nullptr ? "" : std::string(":") + others));
    set(recorder::folder_variable, fs::absolute(options.folder));
    set(recorder::filter_variable, options.filter);
    set(recorder::most_launches_variable, std::to_string(options.most_launches));
    set(recorder::skip_variable, std::to_string(options.skip));
    set(recorder::cap_variable, std::to_string(cap));
    set(recorder::repeat_variable, std::to_string(options.repeat));
}

int run_program(const Options& options, std::int64_t cap, const fs::path& library) {
    // what is typed at the terminal is the program's; its end is awaited in any case
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGQUIT, SIG_DFL);
        set_environment(options, cap, library);
        replace_process(options.program);
    }
    return child < 0 ? exit_internal : status_of(child);
}

// IMAGE.sass beside each cubin and fatbin.
void disassemble_all(const fs::path& folder) {
    const auto cuobjdump = find_cuobjdump();
    std::vector<fs::path> images;
    for (const auto& entry : fs::directory_iterator(folder / "images")) {
        if (entry.path().extension() == ".cubin" || entry.path().extension() == ".fatbin") {
            images.push_back(entry.path());
        }
    }
    if (cuobjdump.empty() && !images.empty()) {
        std::cerr
            << "gpumodel-record: no cuobjdump here; gpumodel predict --recording disassembles the code where "
               "there is one\n";
        return;
    }
    for (const auto& image : images) {
        const auto listing = image.string() + ".sass";
        const pid_t child = fork();
        if (child == 0) {
            if (std::freopen(listing.c_str(), "w", stdout) == nullptr) {
                _exit(exit_internal);
            }
            replace_process({cuobjdump, "-sass", "-elf", image.string()});
        }
        if (child < 0 || status_of(child) != 0) {
            std::cerr << fmt::format("gpumodel-record: {} could not read {}\n", cuobjdump, image.string());
            std::error_code ignored;
            fs::remove(listing, ignored);
        }
    }
}

std::int64_t lines_of(const fs::path& file) {
    std::ifstream in(file);
    return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
}

void write_manifest(const Options& options, std::int64_t cap, int exit_code) {
    const fs::path folder = options.folder;
    nlohmann::ordered_json manifest{{"schema_version", 1},
                                    {"program", options.program},
                                    {"exit_code", exit_code},
                                    {"launches", lines_of(folder / "launches.jsonl")},
                                    {"not_recorded", lines_of(folder / "skipped.jsonl")},
                                    {"max_launches", options.most_launches},
                                    {"skip", options.skip},
                                    {"filter", options.filter},
                                    {"cap_bytes", cap},
                                    {"repeat", options.repeat}};
    std::ofstream out(folder / "recording.json");
    out << manifest.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    std::cerr << fmt::format("gpumodel-record: {} launches in {}\n", manifest["launches"].get<std::int64_t>(),
                             folder.string());
}

int record(const Options& options) {
    const auto cap = gpumodel::parse_quantity(options.cap, gpumodel::Dimension::bytes);
    std::vector<std::string> faults;
    if (!cap.value || *cap.value < 0 || *cap.value > 1e12) {
        faults.push_back(fmt::format("--cap: '{}' is no size from 0 to 1 TB{}", options.cap,
                                     cap.fault.empty() ? "" : ": " + cap.fault));
    }
    std::error_code error;
    if (fs::exists(options.folder, error) && !fs::is_empty(options.folder, error)) {
        faults.push_back(fmt::format("--out: '{}' is there already and not empty", options.folder));
    }
    const auto library = preload_library();
    if (library.empty()) {
        faults.emplace_back("libgpumodel-record.so is not beside this program or in ../lib");
    }
    if (faults.empty()) {
        fs::create_directories(fs::path(options.folder) / "data", error);
        fs::create_directories(fs::path(options.folder) / "images", error);
        if (error) {
            faults.push_back(fmt::format("--out: '{}': {}", options.folder, error.message()));
        }
    }
    if (!faults.empty()) {
        std::cerr << fmt::format("{}\n", fmt::join(faults, "\n"));
        return exit_usage;
    }
    const auto cap_bytes = static_cast<std::int64_t>(*cap.value);
    const int exit_code = run_program(options, cap_bytes, library);
    disassemble_all(options.folder);
    write_manifest(options, cap_bytes, exit_code);
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "records the kernel launches of a CUDA program (code, arguments, data, time): gpumodel-record "
        "[OPTIONS] "
        "PROGRAM [ARGUMENTS]",
        "gpumodel-record");
    app.add_option("--out", options.folder, "folder of the recording (default recording); new or empty");
    app.add_option("--max-launches", options.most_launches, "record so many at most (default 1000)")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30));
    app.add_option("--skip", options.skip, "pass so many launches before the first that is recorded")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
    app.add_option("--filter", options.filter, "only kernels with this part in their name, mangled or plain");
    app.add_option("--cap", options.cap,
                   "bytes of an allocation that are kept, from its start (default 64MiB)");
    app.add_option(
           "--repeat", options.repeat,
           "replay each launch so often on the data it found, for a median time; only for programs whose "
           "kernels write nothing but what their arguments point to")
        ->check(CLI::Range(0, 1000));
    app.prefix_command();
    try {
        app.parse(argc, argv);
        options.program = app.remaining();
        if (!options.program.empty() && options.program.front() == "--") {
            options.program.erase(options.program.begin());
        }
        if (options.program.empty()) {
            std::cerr
                << "gpumodel-record: a program is required: gpumodel-record [OPTIONS] PROGRAM [ARGUMENTS]\n";
            return exit_usage;
        }
        return record(options);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error, std::cout, std::cerr);
        return code == 0 ? 0 : exit_usage;
    } catch (const std::exception& error) {
        std::cerr << "gpumodel-record: " << error.what() << '\n';
        return exit_internal;
    }
}
