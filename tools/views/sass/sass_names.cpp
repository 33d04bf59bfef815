#include "tools/views/sass/sass_names.h"

#include <fmt/format.h>

#include "base/enum_table.h"

namespace gpumodel::cli {

namespace {

constexpr int bits_per_byte = 8;

std::string_view word(SassSpace space) {
    constexpr auto names = enum_words<SassSpace>("none", "global", "shared", "local", "constant", "generic");
    return names[static_cast<std::size_t>(space)];
}

std::string_view word(SassDirection direction) {
    constexpr auto names = enum_words<SassDirection>("none", "load", "store", "atomic", "copy");
    return names[static_cast<std::size_t>(direction)];
}

void append(std::string& list, std::string_view name, int count, const char* equals, const char* between) {
    list += fmt::format("{}{}{}{}", list.empty() ? "" : between, name, equals, count);
}

}  // namespace

std::string access_name(const AccessWidth& width) {
    return fmt::format("{}_{}_{}", word(width.space), word(width.direction), width.bytes * bits_per_byte);
}

std::string class_list(const InstructionCounts& counts, const char* equals, const char* between) {
    std::string list;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (counts.by_class[i] > 0) {
            append(list, op_class_names[i], counts.by_class[i], equals, between);
        }
    }
    if (counts.unknown > 0) {
        append(list, "unknown", counts.unknown, equals, between);
    }
    return list;
}

std::string access_list(const InstructionCounts& counts, const char* equals, const char* between) {
    std::string list;
    for (const auto& [width, count] : counts.accesses) {
        append(list, access_name(width), count, equals, between);
    }
    return list;
}

double conflict_share(const PortStatistics& ports) {
    return static_cast<double>(ports.same_bank[2] + ports.same_bank[3]) / ports.ffmas;
}

}  // namespace gpumodel::cli
