#include "traces/kernel/compiler/registers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "traces/kernel/compiler/registers_table.h"

namespace gpumodel {

namespace {

bool known_scheme(std::string_view scheme) {
    return std::find(std::begin(register_schemes), std::end(register_schemes), scheme) !=
           std::end(register_schemes);
}

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

// The table's row for the scheme; the nearest newer one where the generation cannot run the scheme.
const RegisterWeights& weights_of(std::string_view scheme, int cc) {
    const int wanted = generation_with_data(cc);
    const RegisterWeights* best = nullptr;
    for (const auto& row : register_table()) {
        if (row.scheme == scheme && (row.cc == wanted || best == nullptr)) {
            best = &row;
        }
    }
    if (best == nullptr) {
        throw std::logic_error("register_table: no row for scheme " + std::string(scheme));
    }
    return *best;
}

double library_registers(const RegisterDemand& d) {
    constexpr int addresses = 18;  // two global pointers and steps, shared addresses, loop counter: estimated
    return d.accumulators + 2 * d.fragment_words + d.staged_words + addresses;
}

}  // namespace

int estimate_registers(const RegisterDemand& demand, const Target& target) {
    if (!known_scheme(demand.scheme)) {
        throw std::invalid_argument("estimate_registers: unknown scheme " + std::string(demand.scheme));
    }
    const double registers =
        demand.scheme == "library"
            ? library_registers(demand)
            : weighted_registers(weights_of(demand.scheme, target.cc.number()), demand, target);
    std::int64_t most = target.max_registers_per_thread;
    if (demand.scheme == "tile2d" && demand.threads > 0) {  // its launch bound lets a block fit the file
        most = std::min(most, target.registers_per_block / demand.threads);
    }
    constexpr std::int64_t fewest = 8;  // below one allocation step nothing changes
    return static_cast<int>(std::min(std::max<std::int64_t>(std::lround(registers), fewest), most));
}

}  // namespace gpumodel
