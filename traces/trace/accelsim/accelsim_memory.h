// Where the addresses of an Accel-Sim trace lie: windows and arrays.
#pragma once

#include <set>
#include <vector>

#include "traces/sass/sass_module.h"
#include "traces/trace/accelsim/accelsim_header.h"
#include "traces/trace/accelsim/accelsim_line.h"
#include "traces/trace/accelsim/accelsim_reader.h"

namespace gpumodel {

class AccelSimMemory {
public:
    AccelSimMemory(const AccelSimHeader& header, std::vector<AccelSimAllocation> allocations);

    // Remembers what an executed line touches.
    void touch(const AccelSimLine& line, SassSpace space);
    // After the last: regions for what lies in no allocation. The arrays, in order of `AccessEvent::array`.
    [[nodiscard]] std::vector<ArrayUse> arrays();
    // Fills in space, array, active lanes and addresses of `event`.
    void resolve(const AccelSimLine& line, SassSpace space, AccessEvent& event) const;

private:
    [[nodiscard]] MemorySpace space_of(SassSpace space, std::int64_t address) const;
    [[nodiscard]] int array_at(std::int64_t address) const;

    std::int64_t shared_base_, local_base_;
    std::vector<AccelSimAllocation> arrays_;
    std::set<std::int64_t> pages_;
    std::int64_t last_page_ = -1;
};

}  // namespace gpumodel
