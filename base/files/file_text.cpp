#include "base/files/file_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"

namespace gpumodel {
namespace {

FileText too_large(std::uint64_t most) {
    return {"", fmt::format("larger than {} MiB", most >> 20U)};
}

}  // namespace

bool begins_with_zeros(std::string_view first) {
    return first.size() == most_leading_zeros && first.find_first_not_of('\0') == std::string_view::npos;
}

FileText read_text(std::istream& in, std::uint64_t most, Content content) {
    FileText read;
    std::array<char, most_leading_zeros> buffer{};
    while (in.read(buffer.data(), buffer.size()), in.gcount() > 0) {
        const std::string_view got(buffer.data(), static_cast<std::size_t>(in.gcount()));
        if (content == Content::text && read.text.empty() && begins_with_zeros(got)) {
            return {"", "begins with 64 KiB of zero bytes: this is no text"};
        }
        read.text.append(got);
        if (read.text.size() > most) {
            return too_large(most);
        }
    }
    return in.bad() ? FileText{"", "cannot read this file"} : read;
}

FileText read_text(const std::string& path, std::uint64_t most, Content content) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, error)) {
        return {"", "cannot read this file"};
    }
    if (!std::filesystem::is_regular_file(path, error)) {
        return read_text(in, std::min(most, most_text_bytes), content);
    }
    const auto size = std::filesystem::file_size(path, error);
    return !error && size > most ? too_large(most) : read_text(in, most, content);
}

std::string require_text(const std::string& path, const std::string& option) {
    auto read = read_text(path);
    if (!read.fault.empty()) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, option, read.fault}});
    }
    return std::move(read.text);
}

}  // namespace gpumodel
