#include "traces/kernel/compiler/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "traces/kernel/compiler/registers_features.h"

namespace gpumodel {

namespace {

// The generation with data that stands for `cc`: before 5.0 Kepler, 5.x and 6.x Volta (as unroll.h), then
// the newest that is not newer.
int generation_with_data(int cc) {
    if (cc < 50) {
        return 35;
    }
    constexpr std::array generations{90, 86, 80, 75, 70};
    const auto* const found =
        std::find_if(generations.begin(), generations.end(), [cc](int known) { return known <= cc; });
    return found == generations.end() ? 70 : *found;
}

// The table's row for the shape; the nearest newer one where the generation cannot run the shape.
const RegisterWeights& weights_of(CodeShape shape, int cc) {
    const auto& rows = compiler_tables().registers.at(static_cast<std::size_t>(shape));
    const int wanted = generation_with_data(cc);
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [wanted](const RegisterWeights& row) { return row.cc == wanted; });
    if (rows.empty()) {
        throw std::logic_error(fmt::format("registers.csv: no row for {}", to_string(shape)));
    }
    return found == rows.end() ? rows.front() : *found;
}

double library_registers(const RegisterDemand& d) {
    constexpr int addresses = 18;  // two global pointers and steps, shared addresses, loop counter: estimated
    return d.accumulators + 2 * d.fragment_words + d.staged_words + addresses;
}

}  // namespace

int estimate_registers(const RegisterDemand& demand, const Target& target) {
    const double registers =
        demand.shape == CodeShape::library
            ? library_registers(demand)
            : weighted_registers(weights_of(demand.shape, target.cc.number()), demand, target);
    std::int64_t most = target.max_registers_per_thread;
    if (demand.shape == CodeShape::scalar_rows &&
        demand.threads > 0) {  // its launch bound lets a block fit the file
        most = std::min(most, target.registers_per_block / demand.threads);
    }
    constexpr std::int64_t fewest = 8;  // below one allocation step nothing changes
    return static_cast<int>(std::min(std::max<std::int64_t>(std::lround(registers), fewest), most));
}

}  // namespace gpumodel
