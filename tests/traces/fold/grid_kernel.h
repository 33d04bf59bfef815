// A kernel whose trips, lanes and addresses are functions of the block.
#pragma once

#include <cstdint>
#include <functional>

#include "tests/traces/fold/scripted_source.h"
#include "traces/kernel_program.h"

// A loop of `trips(block)` with a load that a mask of lanes guards.
struct GridKernel {
    CodeWriter c;
    int head = 0, loop_end = 0, exit = 0;
    GridKernel() {
        c.alu();
        head = c.load(gpumodel::MemorySpace::global, 4);
        loop_end = c.branch() + 1;
        c.store(gpumodel::MemorySpace::global, 4);
        exit = c.branch() + 1;
    }
    ScriptedSource source(int warps, std::function<std::int64_t(const gpumodel::Dim3&)> trips,
                          std::function<std::uint32_t(const gpumodel::Dim3&)> lanes,
                          std::function<std::int64_t(const gpumodel::Dim3&)> start) {
        return {c.code, warps, [=, this](const gpumodel::Dim3& block, int warp, WarpScript& s) {
                    s.set_active(lanes(block));
                    for (std::int64_t t = 0; t < trips(block); ++t) {
                        s.run(t == 0 ? 0 : head, loop_end,
                              [&](int, int lane) { return start(block) + 128 * warp + 4 * lane + 4096 * t; });
                    }
                    s.run(loop_end, exit,
                          [&](int, int lane) { return start(block) + 128 * warp + 4 * lane; });
                }};
    }
};

inline std::uint32_t all_lanes(const gpumodel::Dim3&) {
    return 0xffffffffU;
}

// Blocks in all variants.
inline std::int64_t covered(const gpumodel::KernelProgram& program) {
    std::int64_t blocks = 0;
    for (const auto& variant : program.variants) {
        blocks += variant.blocks.count();
    }
    return blocks;
}
