// Instruction fetch of one sub-partition: its nearest cache (L0) and what fills it.
//
// A line of 128 bytes that a warp comes to and that is not in L0 is fetched from the SM's caches
// (code_supply.h), and the next one follows on its own when that is there. More ahead of the warp that asked
// last is not fetched: eight lines for one make no difference in loops of products, but tiles whose unrolled
// loops are longer than L1 come out 10 % too fast, not 5, as barriers and loads give time to run ahead. Warps
// that follow shortly after another find its lines in L0: they share the fetch (H200
// microbenchmarks: 5.7, 2.9, 1.5 cycles per instruction with 1, 2, 4 warps). A line that was not on its way
// costs the restart.
//
// Not modelled at all where the spec has no fetch costs, or where the whole kernel fits L0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/sim/core/code_supply.h"
#include "model/sim/core/machine.h"
#include "model/sim/core/stream.h"

namespace gpumodel::sim {

inline constexpr std::int32_t instructions_per_fetch_line = 8;  // 128 bytes of 16-byte instructions

// Where the code lies: at its addresses if the program has them (compiled code may run the same instruction
// in several segments), else in program order.
struct CodeLayout {
    std::vector<std::int32_t> line_of_code;  // by index into DecodedProgram::code
    std::int64_t instructions = 0;           // distinct ones
};
[[nodiscard]] CodeLayout code_layout(const DecodedProgram& decoded);

struct FetchCosts {
    bool modelled = false;
    int l0_lines = 0;
    double cycles_per_line = 0;  // at most, into L0
    double restart = 0;
    SupplyCosts supply;
};
// `instructions`: of the whole kernel.
[[nodiscard]] FetchCosts fetch_costs(const ArchSpec& arch, std::int64_t instructions);
[[nodiscard]] bool knows_fetch_costs(const ArchSpec& arch);

class InstructionFetch {
public:
    // The supply, which all sub-partitions share, has to outlive it.
    InstructionFetch(const FetchCosts& costs, CodeSupply& supply) : costs_(costs), supply_(&supply) {}

    // When a warp that comes to `line` at `at`, as is known at `now`, has its instructions. `now` never goes
    // back. Who comes much later, as a block that starts then, is not held up by its first line.
    [[nodiscard]] Cycle need(std::int32_t line, Cycle at, Cycle now);

private:
    static constexpr std::int32_t prefetch_lines = 1;  // `estimated`, see above
    static constexpr Cycle far_ahead = 64;
    static constexpr std::size_t places = 256;  // by line number; the l0_lines newest count
    struct Line {
        std::int32_t number = -1;
        std::int64_t order = 0;  // of arrival
        double wanted = 0, ready = 0;
    };
    // `early`: cycles from now to `start`.
    void fetch(std::int32_t line, double start, double early);
    void run_ahead(double now);
    [[nodiscard]] Line* find(std::int32_t line);

    FetchCosts costs_;
    CodeSupply* supply_;
    std::array<Line, places> lines_{};
    std::int64_t fetched_ = 0;
    std::int32_t asked_ = -1;  // last, by a warp
    double asked_at_ = 0;
    double free_ = 0;         // the next line can be fetched
    double misses_free_ = 0;  // one that L1 has not; those that it has need not wait for it
};

}  // namespace gpumodel::sim
