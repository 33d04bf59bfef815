#include "tools/cli/output_path.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/diagnostics.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {
namespace {

constexpr std::array<std::string_view, 24> never_written{
    ".png",  ".jpg", ".jpeg",    ".gif",     ".webp", ".bmp",    ".tif", ".tiff",
    ".pdf",  ".eps", ".ps",      ".xls",     ".ods",  ".odt",    ".doc", ".docx",
    ".xlsx", ".zip", ".parquet", ".feather", ".hdf5", ".sqlite", ".npy", ".npz"};

std::string lower_ending(const std::string& path) {
    auto ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

void check_ending(const std::string& path) {
    const auto ending = lower_ending(path);
    if (std::find(never_written.begin(), never_written.end(), ending) != never_written.end()) {
        throw InputError(
            InputErrorKind::usage,
            {{path, 0, 0, "--out",
              fmt::format("{} is not written by gpumodel; text, csv, json, svg and html are", ending)}});
    }
}

// As far as can be told without opening it, which would empty it.
void check_writable(const std::string& path) {
    std::error_code missing;
    const auto folder = std::filesystem::path(path).parent_path();
    const bool exists = std::filesystem::exists(path, missing);
    const std::string place = exists ? path : folder.empty() ? "." : folder.string();
    if (std::filesystem::is_directory(path, missing) || access(place.c_str(), W_OK) != 0 ||
        (!exists && !std::filesystem::is_directory(place, missing))) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "--out", "cannot write this file"}});
    }
}

// "x=@FILE" and "--option=FILE" name FILE.
std::string file_named_by(const std::string& argument) {
    const auto equals = argument.find('=');
    auto file = equals == std::string::npos ? argument : argument.substr(equals + 1);
    return file.starts_with('@') ? file.substr(1) : file;
}

// A gate's limits are read to the end and written anew where they are.
bool may_be_replaced(const std::vector<std::string>& arguments, std::size_t i) {
    return arguments[i].starts_with("--gate=") || (i > 0 && arguments[i - 1] == "--gate");
}

void check_not_read(const std::string& path, const std::vector<std::string>& others) {
    for (std::size_t i = 0; i < others.size(); ++i) {
        const auto& argument = others[i];
        std::error_code missing;
        if (!may_be_replaced(others, i) && std::filesystem::is_regular_file(path, missing) &&
            std::filesystem::equivalent(path, file_named_by(argument), missing)) {
            throw InputError(
                InputErrorKind::usage,
                {{path, 0, 0, "--out", fmt::format("would be written over '{}', which is read", argument)}});
        }
    }
}

}  // namespace

void check_output_path() {
    auto others = raw_arguments();
    if (!others.empty() && others.front() == "__complete") {
        return;  // its arguments are words of a line being typed
    }
    std::string path;
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (others[i].starts_with("--out=")) {
            path = others[i].substr(std::string_view("--out=").size());
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
        if (others[i] == "--out" && i + 1 < others.size()) {
            path = others[i + 1];
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i),
                         others.begin() + static_cast<std::ptrdiff_t>(i + 2));
            break;
        }
    }
    if (!path.empty()) {
        check_ending(path);
        check_not_read(path, others);
        if (path != "-") {
            check_writable(path);
        }
    }
}

}  // namespace gpumodel::cli
