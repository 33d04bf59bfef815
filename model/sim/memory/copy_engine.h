// The copy engine of one SM at work: when it asks L2 for what (model/memory/costs/copy_engine_costs.h has the
// rules).
#pragma once

#include <algorithm>

#include "model/memory/costs/copy_engine_costs.h"

namespace gpumodel::sim {

class CopyEngine {
public:
    explicit CopyEngine(const CopyEngineCosts& costs) : costs_(costs) {}

    // It takes a copy that issues at `now`.
    void begin(double now) {
        next_copy_ = std::max(now, next_copy_);
        free_ = std::max(free_, next_copy_);
        next_copy_ += costs_.interval;
    }
    // When it asks for the next `bytes` of the copy that it has begun last.
    [[nodiscard]] double piece(double bytes, CopyUnit unit) {
        const double asked = free_;
        free_ += costs_.cycles(bytes, unit);
        return asked;
    }

private:
    CopyEngineCosts costs_;
    double next_copy_ = 0, free_ = 0;
};

}  // namespace gpumodel::sim
