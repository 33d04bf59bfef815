#include "traces/sass/reader/resource_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/parse.h"
#include "traces/sass/reader/text_scan.h"

namespace gpumodel {
namespace {

constexpr std::string_view info_section = ".nv.info";
constexpr std::string_view shared_section = ".nv.shared.";
constexpr std::int64_t most_bytes = std::int64_t{1} << 20;  // far beyond any shared memory or stack frame

std::string key_of(std::string_view function, const std::string& arch, int image) {
    return fmt::format("{} {} {}", arch, image, function);
}

// "0x1c" or "28"; empty for what is no such number below the limit.
std::optional<std::int64_t> number_of(std::string_view text) {
    const bool hex = text.starts_with("0x");
    const auto value = parse_number<std::int64_t>(hex ? text.substr(2) : text, hex ? 16 : 10);
    return value && *value >= 0 && *value < most_bytes ? value : std::nullopt;
}

// "Size    : 0x8" -> 8.
std::optional<std::int64_t> field(std::string_view line, std::string_view name) {
    const auto at = line.find(name);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto words = words_of(line.substr(at + name.size()));
    return words.size() >= 2 && words[0] == ":" ? number_of(words[1]) : std::nullopt;
}

}  // namespace

SassResources& ResourceDumps::of(std::string_view function, const std::string& arch, int image) {
    return list_[key_of(function, arch, image)];
}

void ResourceDumps::read_section_size(std::string_view line, const std::string& arch, int image) {
    const auto words = words_of(line);
    constexpr std::size_t columns = 10, size_column = 2;
    if (words.size() != columns || !words.back().starts_with(shared_section)) {
        return;
    }
    const auto bytes = parse_number<std::int64_t>(words[size_column], 16);
    if (bytes && *bytes >= 0 && *bytes < most_bytes) {
        of(words.back().substr(shared_section.size()), arch, image).shared_bytes = *bytes;
    }
}

void ResourceDumps::read_value(std::string_view line, SassResources* of_section, const std::string& arch,
                               int image) {
    if (attribute_.starts_with("EIATTR_KPARAM_INFO") && of_section != nullptr) {
        const auto ordinal = field(line, "Ordinal"), offset = field(line, "Offset"),
                   size = field(line, "Size");
        if (ordinal && offset && size && *size > 0) {
            of_section->parameters.push_back({static_cast<int>(*ordinal), *offset, *size});
        }
        return;
    }
    if (attribute_ == "EIATTR_CTA_PER_CLUSTER" && of_section != nullptr) {
        const auto words = words_of(line);
        auto& cluster = of_section->cluster;
        for (std::size_t i = 0; i < cluster.size() && words.size() == cluster.size() + 1; ++i) {
            cluster[i] = number_of(words[i + 1]).value_or(0);
        }
        return;
    }
    const bool registers = attribute_ == "EIATTR_REGCOUNT";
    if (!registers && attribute_ != "EIATTR_FRAME_SIZE") {
        return;
    }
    constexpr std::string_view front = "function:";
    const auto begin = line.find(front);
    const auto end = line.find('(', begin == std::string_view::npos ? 0 : begin);
    const auto words = words_of(line);
    const auto value = words.empty() ? std::nullopt : number_of(words.back());
    if (begin == std::string_view::npos || end == std::string_view::npos || !value) {
        return;
    }
    auto& resources = of(trim(line.substr(begin + front.size(), end - begin - front.size())), arch, image);
    if (registers && *value > 0) {
        resources.registers = static_cast<int>(*value);
    } else if (!registers) {
        resources.frame_bytes = *value;
    }
}

void ResourceDumps::read_line(std::string_view line, const std::string& arch, int image) {
    constexpr std::string_view attribute = "Attribute:", value = "Value:";
    if (line.starts_with('.')) {
        in_info_ = line == info_section || line.starts_with(".nv.info.");
        section_ = in_info_ && line != info_section ? std::string(line.substr(info_section.size() + 1)) : "";
        attribute_.clear();
    } else if (line.starts_with(attribute)) {
        attribute_ = trim(line.substr(attribute.size()));
    } else if (line.starts_with(value) && in_info_) {
        read_value(line, section_.empty() ? nullptr : &of(section_, arch, image), arch, image);
    } else if (line.find(shared_section) != std::string_view::npos) {
        read_section_size(line, arch, image);
    }
}

void ResourceDumps::assign(SassFunction& function, int image) const {
    const auto found = list_.find(key_of(function.name, function.arch, image));
    if (found == list_.end()) {
        return;
    }
    function.resources = found->second;
    auto& parameters = function.resources->parameters;
    std::sort(parameters.begin(), parameters.end(),
              [](const SassParameter& a, const SassParameter& b) { return a.ordinal < b.ordinal; });
}

}  // namespace gpumodel
