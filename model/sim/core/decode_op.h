// One instruction -> DecodedOp.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "model/sim/core/stream.h"

namespace gpumodel::sim {

// Numbers the registers of a stream in order of first appearance.
class ScoreboardNumbers {
public:
    [[nodiscard]] std::uint16_t of(RegisterKind kind, int index);
    [[nodiscard]] int size() const { return static_cast<int>(numbers_.size()); }

private:
    std::map<std::pair<RegisterKind, int>, std::uint16_t> numbers_;
};

[[nodiscard]] DecodedOp decode_op(const Instruction& instruction, const std::string& mnemonic,
                                  const ArchSpec& arch, const Machine& machine, ScoreboardNumbers& numbers);

}  // namespace gpumodel::sim
