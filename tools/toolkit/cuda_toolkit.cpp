#include "tools/toolkit/cuda_toolkit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "base/process.h"

namespace gpumodel::cli {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> places(const std::string& folder) {
    if (!folder.empty()) {
        return {fs::path(folder) / "bin", folder};
    }
    std::vector<fs::path> list;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* value = environment_variable(variable); value != nullptr && *value != '\0') {
            list.push_back(fs::path(value) / "bin");
        }
    }
    if (const char* path = environment_variable("PATH")) {
        std::istringstream parts(path);
        for (std::string part; std::getline(parts, part, ':');) {
            if (!part.empty()) {
                list.emplace_back(part);
            }
        }
    }
    list.emplace_back("/usr/local/cuda/bin");
    list.emplace_back("/usr/bin");
    return list;
}

std::string program_in(const fs::path& place, const char* name) {
    const auto path = place / name;
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0 ? path.string() : "";
}

// "11.8" out of "Cuda compilation tools, release 11.8, V11.8.89".
std::string release_in(const std::string& text) {
    const auto at = text.find("release ");
    return at == std::string::npos ? "" : text.substr(at + 8, text.find(',', at) - at - 8);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("sm_")) {
            lines.push_back(line);
        }
    }
    return lines;
}

std::optional<CudaToolkit> toolkit_at(const fs::path& place) {
    CudaToolkit toolkit;
    toolkit.nvcc = program_in(place, "nvcc");
    if (toolkit.nvcc.empty()) {
        return std::nullopt;
    }
    toolkit.identity = run_program({toolkit.nvcc, "--version"}, place.string()).out;
    toolkit.version = release_in(toolkit.identity);
    toolkit.archs = lines_of(run_program({toolkit.nvcc, "--list-gpu-code"}, place.string()).out);
    toolkit.disassembler = program_in(place, "cuobjdump");
    return toolkit.version.empty() ? std::nullopt : std::optional(toolkit);
}

ToolkitSearch search(const std::string& folder) {
    ToolkitSearch result;
    std::set<std::string> seen;
    std::vector<CudaToolkit> compilers;
    for (const auto& place : places(folder)) {
        std::error_code error;
        const auto real = fs::weakly_canonical(place, error).string();
        if (!seen.insert(real).second) {
            continue;
        }
        result.looked.push_back(place.string());
        if (result.disassembler.empty()) {
            result.disassembler = program_in(place, "cuobjdump");
        }
        if (auto toolkit = toolkit_at(place)) {
            result.compiler = result.compiler.empty() ? toolkit->nvcc : result.compiler;
            compilers.push_back(*std::move(toolkit));
        }
    }
    for (auto& toolkit : compilers) {
        toolkit.disassembler = toolkit.disassembler.empty() ? result.disassembler : toolkit.disassembler;
        const bool twice = std::any_of(result.found.begin(), result.found.end(),
                                       [&](const CudaToolkit& t) { return t.identity == toolkit.identity; });
        if (!toolkit.disassembler.empty() && !twice) {
            result.found.push_back(std::move(toolkit));
        }
    }
    return result;
}

}  // namespace

bool CudaToolkit::knows(const std::string& arch) const {
    return archs.empty() || std::find(archs.begin(), archs.end(), arch) != archs.end();
}

const ToolkitSearch& find_toolkits(const std::string& folder) {
    static std::mutex mutex;
    static std::map<std::string, ToolkitSearch> known;
    const std::lock_guard lock(mutex);
    auto key = folder;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH", "PATH"}) {  // what places() looks at
        const char* value = environment_variable(name);
        key += fmt::format("\n{}", value != nullptr ? value : "");
    }
    auto found = known.find(key);
    if (found == known.end()) {
        found = known.emplace(key, search(folder)).first;
    }
    return found->second;
}

const CudaToolkit* toolkit_for(const ToolkitSearch& search, const std::string& arch) {
    const auto found = std::find_if(search.found.begin(), search.found.end(),
                                    [&arch](const CudaToolkit& t) { return t.knows(arch); });
    return found == search.found.end() ? nullptr : &*found;
}

std::string search_words(const ToolkitSearch& search) {
    std::vector<std::string> versions;
    for (const auto& toolkit : search.found) {
        versions.push_back(fmt::format("CUDA {} ({})", toolkit.version, toolkit.nvcc));
    }
    std::string found = fmt::format("{}", fmt::join(versions, ", "));
    if (versions.empty()) {
        found = search.compiler.empty()       ? search.disassembler.empty() ? "neither" : "no nvcc"
                : search.disassembler.empty() ? fmt::format(
                                                    "{}, but no cuobjdump (of any CUDA; put the folder "
                                                    "that has one on PATH)",
                                                    search.compiler)
                                              : "no nvcc that works";
    }
    return fmt::format("looked for nvcc and cuobjdump in {}; found {}", fmt::join(search.looked, ", "),
                       found);
}

}  // namespace gpumodel::cli
