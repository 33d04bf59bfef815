#include "tools/toolkit/code_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/process.h"
#include "tools/toolkit/subprocess.h"

namespace gpumodel::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".programs";
constexpr int quick_level = 3;  // of zstd: written once, 2 ms

template <class Work>
void for_each_program(const std::string& folder, Work work) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename().string().find(ending) != std::string::npos) {
            work(entry.path());
        }
    }
}

}  // namespace

std::string cache_folder() {
    if (const char* own = environment_variable("GPUMODEL_CACHE_DIR"); own != nullptr && *own != '\0') {
        return own;
    }
    if (const char* all = environment_variable("XDG_CACHE_HOME"); all != nullptr && *all != '\0') {
        return (fs::path(all) / "gpumodel").string();
    }
    if (const char* home = environment_variable("HOME"); home != nullptr && *home != '\0') {
        return (fs::path(home) / ".cache" / "gpumodel").string();
    }
    return "";
}

std::optional<CompiledKernel> CodeCache::find(const std::string& key) const {
    const auto path = fs::path(folder_) / (key + ending);
    std::error_code error;
    if (folder_.empty() || !fs::exists(path, error)) {
        return std::nullopt;
    }
    try {
        const ProgramFileReader reader(path.string());
        const auto names = reader.names();
        return names.empty() ? std::nullopt : std::optional(reader.load(names.front()));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

bool CodeCache::add(const std::string& key, const PackedKernel& kernel, const std::string& made_by) const {
    static std::atomic<int> number{0};
    if (folder_.empty()) {
        return false;
    }
    std::error_code error;
    fs::create_directories(folder_, error);
    const auto path = (fs::path(folder_) / (key + ending)).string();
    const auto part = fmt::format("{}.{}.{}", path, ::getpid(), number++);
    try {
        write_file(part, program_file({kernel}, made_by, quick_level));
        fs::rename(part, path, error);
    } catch (const InputError&) {
        error = std::make_error_code(std::errc::io_error);
    }
    if (error) {
        std::error_code ignored;
        fs::remove(part, ignored);
    }
    return !error;
}

CodeCache::Info CodeCache::info() const {
    Info info{folder_, 0, 0};
    for_each_program(folder_, [&info](const fs::path& path) {
        std::error_code error;
        const auto bytes = fs::file_size(path, error);
        ++info.programs;
        info.bytes += error ? 0 : static_cast<std::int64_t>(bytes);
    });
    return info;
}

CodeCache::Info CodeCache::clear() const {
    const auto before = info();
    for_each_program(folder_, [](const fs::path& path) {
        std::error_code ignored;
        fs::remove(path, ignored);
    });
    return before;
}

}  // namespace gpumodel::cli
