// Lines of an Accel-Sim trace (.traceg, versions 3 to 5 of its tracer).
//
// An instruction line is, in fields separated by blanks,
//     PC mask ndst [Rd] opcode nsrc [Rs ...] width [mode address...] [imm]
// (https://github.com/accel-sim/accel-sim-framework, util/tracer_nvbit). Everything up to the width is the
// same each time the instruction is executed, but for the mask; that part is kept once, in a table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"

namespace gpumodel {

// What the first lines of a kernel say about the others.
struct AccelSimLayout {
    bool line_numbers = false;  // a decimal source line leads each instruction
    bool block_fields = false;  // versions below 3: block x, y, z and warp lead it
};

struct AccelSimStatic {
    std::uint32_t pc = 0;
    std::string pc_text;
    std::string tail;  // from ndst to width, as written
    std::string opcode;
    std::vector<int> results, sources;  // register numbers, 255 = RZ
    int width = 0;
    int first_line = 0;
};

struct AccelSimLine {
    int instruction = 0;  // in the table
    std::uint32_t mask = 0;
    std::array<std::int64_t, 32> address{};  // of lanes in the mask; 0 without a width
};

// Instructions by (PC, text), in order of first appearance.
class AccelSimTable {
public:
    explicit AccelSimTable(AccelSimLayout layout) : layout_(layout) {}
    // False, with a fault added, if the line is malformed.
    bool parse(std::string_view line, int number, AccelSimLine& out, std::vector<Diagnostic>& faults,
               const std::string& file);
    [[nodiscard]] const std::vector<AccelSimStatic>& instructions() const { return instructions_; }

private:
    class Scanner;
    int find(Scanner& scan);
    int add(Scanner& scan, int number);

    AccelSimLayout layout_;
    std::vector<AccelSimStatic> instructions_;
    std::unordered_map<std::uint32_t, std::vector<int>> by_pc_;
    std::vector<int> followers_;  // what came next the last time
    int last_ = -1;
};

}  // namespace gpumodel
