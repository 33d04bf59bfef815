// Micro-programs: a few instructions with registers, run on one SM, whose cycle counts have a closed form.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/sim/simulate.h"
#include "traces/kernel_program.h"

namespace gpumodel::micro {

[[nodiscard]] RegisterUse reg(int index, int slot = -1, bool reuse = false, int width = 1);
[[nodiscard]] Instruction arithmetic(OpClass op, int result, std::vector<int> sources);
// FFMA result, a, b, c with slots A, B, C; `reuse` is the set of slots with the flag, bit 0 = A.
[[nodiscard]] Instruction ffma(int result, int a, int b, int c, unsigned reuse = 0);
[[nodiscard]] Instruction branch();
[[nodiscard]] Instruction barrier();
[[nodiscard]] Instruction with_stall(Instruction instruction, int stall);
[[nodiscard]] Instruction dual(Instruction instruction);
// Memory instructions on `site` (of the segment) with 4 * words bytes per lane.
[[nodiscard]] Instruction load(MemorySpace space, int result, int address, int words, int site = 0);
[[nodiscard]] Instruction store(MemorySpace space, int data, int address, int words, int site = 0);

// Lane l of the block's thread t accesses byte address(t).
[[nodiscard]] AccessSite site(MemorySpace space, AccessKind kind, int words,
                              std::function<std::int64_t(const Coord&)> address);

// One block of `warps` warps that runs `code` once.
[[nodiscard]] KernelProgram straight(std::vector<Instruction> code, int warps = 1,
                                     std::vector<AccessSite> sites = {});
// The same, `trips` times; `code` ends with the closing branch.
[[nodiscard]] KernelProgram looped(std::vector<Instruction> code, std::int64_t trips, int warps = 1,
                                   std::vector<AccessSite> sites = {});
[[nodiscard]] KernelProgram with_grid(KernelProgram program, std::int64_t blocks);

// The spec, and without instruction fetch: straight micro-programs are longer than the nearest cache.
[[nodiscard]] ArchSpec shipped_arch(const std::string& name, const std::vector<std::string>& overrides = {});
[[nodiscard]] ArchSpec arch(const std::string& name, const std::vector<std::string>& overrides = {});

struct IssueRecorder : SimListener {
    std::vector<WarpIssue> issues;  // in the order of the run
    void issued(const WarpIssue& issue) override { issues.push_back(issue); }
};

// An exact run that ends, and every issue in it.
struct Run : SimResult {
    std::vector<WarpIssue> issues;
};
[[nodiscard]] Run run(const KernelProgram& program, const ArchSpec& arch);
[[nodiscard]] double cycles(const KernelProgram& program, const ArchSpec& arch);
// Issue cycle of instruction `index` in its `occurrence`-th execution by `warp`.
[[nodiscard]] std::int64_t issued_at(const KernelProgram& program, const ArchSpec& arch, int index,
                                     int warp = 0, int occurrence = 0);
// Cycles per instruction in the steady state of a body repeated 64 and 128 times: (T(128) - T(64)) / (64 *
// n).
[[nodiscard]] double cycles_per_instruction(const std::vector<Instruction>& body, int warps,
                                            const ArchSpec& arch, const std::vector<AccessSite>& sites = {});

}  // namespace gpumodel::micro
