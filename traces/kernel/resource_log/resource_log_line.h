// One line of a resource log, understood without its neighbours (resource_log.cpp puts lines together).
// Kinds of lines, as printed by the CUDA toolkits 4 to 13:
//   ptxas info    : Compiling entry function 'NAME' for 'sm_35'
//   ptxas info    : Function properties for NAME
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 63 registers, used 1 barriers, 11264+16 bytes smem, 352 bytes cmem[0]
//   arch = sm_35                                                       (cuobjdump, of a fat binary)
//    Function NAME:                                                    (cuobjdump)
//     REG:40 STACK:0 SHARED:8192 LOCAL:0 CONSTANT[0]:380               (cuobjdump)
// "ptxas : info :" is the older spelling of the prefix. Constant banks, stack frames and the rest are not
// kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace gpumodel {

struct OtherLine {};  // none of the kinds: skipped by the reader
struct LogLineFault {
    int column = 0;  // 1-based
    std::string message;
};
struct EntryLine {
    std::string name, target;
    int column = 0;  // of the name
};
struct PropertiesLine {
    std::string name;
};
struct SpillLine {
    std::int64_t stack_bytes = 0, store_bytes = 0, load_bytes = 0;
};
struct UsageLine {
    int registers = 0, barriers = 0;
    std::int64_t shared_bytes = 0;
    std::int64_t stack_bytes = 0;  // cuobjdump: STACK and LOCAL
    int column = 0;
};
struct ArchLine {
    std::string target;
};
struct FunctionLine {
    std::string name;
    int column = 0;
};

using LogLine = std::variant<OtherLine, LogLineFault, EntryLine, PropertiesLine, SpillLine, UsageLine,
                             ArchLine, FunctionLine>;

// Never throws on any text; a line that begins like one of the kinds but does not go on like it is a
// LogLineFault.
[[nodiscard]] LogLine parse_log_line(std::string_view line);

}  // namespace gpumodel
