// What a run takes from the process that it is: its environment, its standard input, where the program's file
// lies, and whether it has been asked to stop. A host that runs gpumodel inside itself (python/core) puts its
// own in their place.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace gpumodel {

// What a host gives a run instead of the process's own.
struct HostProcess {
    std::map<std::string, std::string> environment;
    std::filesystem::path program;  // the command's file, which specs and programs are found from
    int input = -1;                 // open file in place of standard input
};

// While it lives, everything below is the host's, and nobody has asked to stop yet when it begins. One at a
// time in a process: the caller sees to that.
class HostedRun {
public:
    explicit HostedRun(HostProcess host);
    ~HostedRun();
    HostedRun(const HostedRun&) = delete;
    HostedRun& operator=(const HostedRun&) = delete;
};
[[nodiscard]] bool is_hosted();
// Of hosted runs, from 1; 0 = not hosted. For what is said once in a run.
[[nodiscard]] std::uint64_t run_number();

// nullptr = not set. Valid as long as the run.
[[nodiscard]] const char* environment_variable(const std::string& name);
// For this run and what it starts, until the process or the hosted run ends.
void set_environment_variable(const std::string& name, const std::string& value);
// "NAME=value" of all.
[[nodiscard]] std::vector<std::string> environment_entries();
[[nodiscard]] int standard_input_file();
// std::cin; of a host, whose input is for readers of standard_input_file(), an empty one.
[[nodiscard]] std::istream& standard_input_stream();
// Empty where the system does not say.
[[nodiscard]] std::filesystem::path program_file();

// From any thread; a hosted run then ends with Stopped as soon as it passes stop_if_asked(). No
// std::exception, so that nobody takes it for a fault.
struct Stopped {};
void ask_to_stop();
[[nodiscard]] bool asked_to_stop();
namespace detail {
inline std::atomic<bool> stop{false};
}
// For loops that may run long; costs a load. Does nothing outside a host, where SIGINT ends the process.
inline void stop_if_asked() {
    if (detail::stop.load(std::memory_order_relaxed)) [[unlikely]] {
        throw Stopped();
    }
}

}  // namespace gpumodel
