// Instructions of a program as lines of an Accel-Sim trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "traces/trace/warp_walk.h"

namespace gpumodel {

// Lines of one static instruction: `head` mask `tail`, and for memory instructions the addresses.
struct AccelSimText {
    std::string head, tail;
    bool dropped = false;
    bool exit = false;
};

class AccelSimTexts {
public:
    AccelSimTexts(const KernelProgram& program, bool kepler);
    [[nodiscard]] const std::vector<AccelSimText>& of(const Segment& segment) const {
        return texts_.at(&segment);
    }
    [[nodiscard]] const std::string& exit_head() const { return exit_head_; }  // of an EXIT of its own

private:
    using Numbering = std::map<const Segment*, std::vector<std::uint32_t>>;
    [[nodiscard]] bool own_addresses(Numbering& pcs) const;
    [[nodiscard]] std::uint32_t number(Numbering& pcs, bool kepler) const;

    std::vector<std::vector<const Segment*>> bodies_;
    std::map<const Segment*, std::vector<AccelSimText>> texts_;
    std::string exit_head_;
};

// Appends mode and addresses of the lanes in `mask`.
void append_addresses(std::string& text, std::uint32_t mask, const std::array<std::int64_t, 32>& address);

}  // namespace gpumodel
