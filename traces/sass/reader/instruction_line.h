// One line of a listing -> its parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/sass/sass_module.h"

namespace gpumodel {

struct LineFault {
    int column = 0;  // 1-based
    std::string key;
    std::string message;
};

// `/* 0x0123456789abcdef */` alone on a line.
[[nodiscard]] bool looks_like_encoding(std::string_view line);
[[nodiscard]] std::optional<std::uint64_t> parse_encoding_line(std::string_view line);

struct InstructionLine {
    SassInstruction instruction;            // control and effect not set
    std::optional<std::uint64_t> encoding;  // the word at the end of the line
    bool encoding_follows = false;  // on a line of its own: the second of a pair, which ends at a brace
};

// `/*0010*/ @P0 OPCODE operands ; /* 0x... */`. Empty, with faults added, if the line is malformed; all
// faulty operands of a line are reported.
[[nodiscard]] std::optional<InstructionLine> parse_instruction_line(std::string_view line,
                                                                    std::vector<LineFault>& faults);

}  // namespace gpumodel
