// Instruction fetch of one sub-partition: its nearest cache (L0) and the stream that fills it.
//
// A line of 128 bytes that a warp comes to and that is not in L0 is fetched, and the lines behind it follow
// on their own, up to prefetch_lines ahead of the warp. Warps that follow shortly after another find its
// lines in L0: they share the fetch (H200 microbenchmarks: 5.7, 2.9, 1.5 cycles per instruction with 1, 2, 4
// warps).
//   cycles per instruction = sum over levels of (share of the code that it holds) x (its cost); a cache of C
//   bytes holds min(1, C / F) of a kernel of F bytes: walked again and again, some of it stays
// A line that the stream does not come to next costs the restart.
//
// Ignored: cold misses of the first blocks; which part of the kernel each level holds; two streams at once.
// Not modelled at all where the spec has no fetch costs, or where the whole kernel fits L0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
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
    double cycles_per_line = 0;
    double restart = 0;
};
// `instructions`: of the whole kernel.
[[nodiscard]] FetchCosts fetch_costs(const ArchSpec& arch, std::int64_t instructions);
[[nodiscard]] bool knows_fetch_costs(const ArchSpec& arch);

class InstructionFetch {
public:
    explicit InstructionFetch(const FetchCosts& costs) : costs_(costs) {}

    // When a warp that comes to `line` at `now` has its instructions.
    [[nodiscard]] Cycle need(std::int32_t line, Cycle now);

private:
    static constexpr std::int32_t prefetch_lines = 8;
    static constexpr std::size_t places = 256;  // by line number; the l0_lines newest count
    struct Line {
        std::int32_t number = -1;
        std::int64_t order = 0;  // of arrival
        double ready = 0;
    };
    void fetch(std::int32_t line, double ready);
    [[nodiscard]] const Line* find(std::int32_t line) const;

    FetchCosts costs_;
    std::array<Line, places> lines_{};
    std::int64_t fetched_ = 0;
    std::int32_t next_line_ = -1;  // of the stream
    double next_ready_ = 0;
};

}  // namespace gpumodel::sim
