#include "traces/sass/reader/listing_arch.h"

#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

std::string arch_in(std::string_view text) {
    const auto at = text.find("sm_");
    if (at == std::string_view::npos) {
        return "";
    }
    auto end = at + 3;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
        ++end;
    }
    return std::string(text.substr(at, end - at));
}

std::optional<SassIsa> isa_of(const std::string& arch) {
    const auto number =
        arch.empty() ? std::nullopt : parse_number<std::uint64_t>(std::string_view(arch).substr(3), 10);
    constexpr std::uint64_t first_maxwell = 50;
    constexpr std::uint64_t first_volta = 70;
    constexpr std::uint64_t largest = 999;
    if (!number || *number > largest) {
        return std::nullopt;
    }
    if (*number == 35 || *number == 37) {
        return SassIsa::kepler;
    }
    if (*number < first_maxwell) {
        return std::nullopt;
    }
    return *number >= first_volta ? SassIsa::volta : SassIsa::maxwell;
}

}  // namespace gpumodel
