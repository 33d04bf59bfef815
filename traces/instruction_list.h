// The instructions of a segment. Copies share one list until one of them is edited: a sweep's programs, and
// the segments of a trace that say the same, hold their code once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "traces/instruction.h"

namespace gpumodel {

class InstructionList {
public:
    InstructionList() = default;
    InstructionList(std::vector<Instruction> list);  // NOLINT: what a list is made of
    InstructionList(std::initializer_list<Instruction> list);

    [[nodiscard]] bool empty() const { return all().empty(); }
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }
    [[nodiscard]] const Instruction& operator[](std::size_t i) const { return all()[i]; }
    [[nodiscard]] const Instruction& back() const { return all().back(); }
    [[nodiscard]] const std::vector<Instruction>& all() const;

    // The list to write to: a copy of its own where others share it. Valid until this object is copied.
    [[nodiscard]] std::vector<Instruction>& edit();
    void push_back(const Instruction& instruction) { edit().push_back(instruction); }

    // Lists with the same identity hold the same instructions, at any time of the process; 0 = none. What
    // follows from the instructions alone can be remembered by it.
    [[nodiscard]] std::uint64_t identity() const { return held_ ? held_->identity : 0; }

private:
    struct Held {
        std::vector<Instruction> list;
        std::uint64_t identity = 0;
    };
    std::shared_ptr<Held> held_;
};

}  // namespace gpumodel
