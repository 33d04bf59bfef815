#include "base/files/file_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"

namespace gpumodel {
namespace {

constexpr std::size_t read_at_once = 1 << 16;

FileText too_large(std::uint64_t most) {
    return {"", fmt::format("larger than {} MiB", most >> 20U)};
}

}  // namespace

FileText read_text(std::istream& in, std::uint64_t most) {
    FileText read;
    std::array<char, read_at_once> buffer{};
    while (in.read(buffer.data(), read_at_once), in.gcount() > 0) {
        read.text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
        if (read.text.size() > most) {
            return too_large(most);
        }
    }
    return in.bad() ? FileText{"", "cannot read this file"} : read;
}

FileText read_text(const std::string& path, std::uint64_t most) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, error)) {
        return {"", "cannot read this file"};
    }
    if (!std::filesystem::is_regular_file(path, error)) {
        return read_text(in, std::min(most, most_text_bytes));
    }
    const auto size = std::filesystem::file_size(path, error);
    return !error && size > most ? too_large(most) : read_text(in, most);
}

std::string require_text(const std::string& path, const std::string& option) {
    auto read = read_text(path);
    if (!read.fault.empty()) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, option, read.fault}});
    }
    return std::move(read.text);
}

}  // namespace gpumodel
