// Kernels written as C++ functions that tell what a warp executes: sources for the fold without an emulator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "traces/warp_events.h"

// Instructions one after the other, 16 bytes each.
class CodeWriter {
public:
    int add(gpumodel::OpClass op, const std::string& mnemonic);
    int alu(int count = 1);  // index of the first
    int ffma(int accumulator, int a, int b);
    int branch();
    int barrier();
    int load(gpumodel::MemorySpace space, int bytes, int result_register = -1);
    int store(gpumodel::MemorySpace space, int bytes);
    int access(gpumodel::AccessKind kind, gpumodel::MemorySpace space, int bytes);
    [[nodiscard]] int size() const { return static_cast<int>(code.instructions.size()); }
    gpumodel::StaticCode code;
};

// What the script of one warp calls.
class WarpScript {
public:
    WarpScript(const gpumodel::StaticCode& code, gpumodel::WarpSink& sink, int warp)
        : code_(code), sink_(sink), warp_(warp) {}
    void set_active(std::uint32_t active) { active_ = active; }
    // Runs [begin, end); `address(instruction, lane)` for its memory instructions.
    using Address = std::function<std::int64_t(int instruction, int lane)>;
    void run(int begin, int end, const Address& address = {});
    // Lanes of single instructions in addition to the active ones (a guard).
    std::function<std::uint32_t(int instruction)> guard;

private:
    const gpumodel::StaticCode& code_;
    gpumodel::WarpSink& sink_;
    int warp_;
    std::uint32_t active_ = 0xffffffffU;
};

class ScriptedSource : public gpumodel::BlockSource {
public:
    using Script = std::function<void(const gpumodel::Dim3& block, int warp, WarpScript& script)>;
    ScriptedSource(gpumodel::StaticCode code, int warps, Script script)
        : code_(std::move(code)), warps_(warps), script_(std::move(script)) {}
    [[nodiscard]] const gpumodel::StaticCode& code() const override { return code_; }
    void run_block(const gpumodel::Dim3& block, gpumodel::WarpSink& sink) override;
    int blocks_run = 0;

private:
    gpumodel::StaticCode code_;
    int warps_;
    Script script_;
};

// Grid, threads and `arrays` allocations without a size.
gpumodel::LaunchContext launch_of(const gpumodel::Dim3& grid, int threads, int arrays);
