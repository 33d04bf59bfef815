#include "base/process.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

namespace gpumodel {
namespace {

std::optional<HostProcess>& host() {
    static std::optional<HostProcess> current;
    return current;
}

std::uint64_t runs = 0;

}  // namespace

HostedRun::HostedRun(HostProcess given) {
    detail::stop = false;
    ++runs;
    host() = std::move(given);
}

HostedRun::~HostedRun() {
    host().reset();
}

bool is_hosted() {
    return host().has_value();
}

std::uint64_t run_number() {
    return is_hosted() ? runs : 0;
}

const char* environment_variable(const std::string& name) {
    if (!host()) {
        return std::getenv(name.c_str());
    }
    const auto found = host()->environment.find(name);
    return found == host()->environment.end() ? nullptr : found->second.c_str();
}

void set_environment_variable(const std::string& name, const std::string& value) {
    if (host()) {
        host()->environment[name] = value;
    } else {
        setenv(name.c_str(), value.c_str(), 1);
    }
}

std::vector<std::string> environment_entries() {
    std::vector<std::string> entries;
    if (host()) {
        for (const auto& [name, value] : host()->environment) {
            entries.push_back(name + '=' + value);
        }
        return entries;
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
        entries.emplace_back(*entry);
    }
    return entries;
}

int standard_input_file() {
    return host() ? host()->input : STDIN_FILENO;
}

std::istream& standard_input_stream() {
    static std::istream nothing(nullptr);
    return host() ? nothing : std::cin;
}

std::filesystem::path program_file() {
    std::error_code unknown;
    return host() ? host()->program : std::filesystem::read_symlink("/proc/self/exe", unknown);
}

void ask_to_stop() {
    detail::stop = true;
}

bool asked_to_stop() {
    return detail::stop;
}

}  // namespace gpumodel
