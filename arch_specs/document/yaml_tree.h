// YAML as a plain tree with positions. Built from yaml-cpp's parse events rather than its nodes, because
// those accept duplicate keys, follow alias loops and lose the position of empty values.
//
// The spec language is a small part of YAML: one document of maps, lists and scalars. Anchors, aliases,
// control characters, files above 256 KiB and nesting beyond 16 levels are faults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace gpumodel {

struct YamlMember;

struct YamlNode {
    enum class Kind : unsigned char { null, scalar, sequence, map, rejected };  // rejected: fault reported
    Kind kind = Kind::null;
    std::string text;                 // scalar
    int line = 0;                     // 1-based
    int column = 0;                   // 1-based
    std::vector<YamlNode> items;      // sequence
    std::vector<YamlMember> members;  // map, in file order; keys are scalars, unique
};

struct YamlMember {
    YamlNode key;
    YamlNode value;
};

// Appends every fault of the syntax to `faults` (with `file` as their path); nothing if the text is
// no YAML at all.
[[nodiscard]] std::optional<YamlNode> parse_yaml(const std::string& text, const std::string& file,
                                                 std::vector<Diagnostic>& faults);

// The file's text; nothing, and a fault, if it cannot be read or is too large.
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path,
                                                        std::vector<Diagnostic>& faults);

}  // namespace gpumodel
