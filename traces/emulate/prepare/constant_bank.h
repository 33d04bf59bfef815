// Constant bank 0 as the driver fills it at launch: launch dimensions, address windows and parameters.
//
// Offsets, from compiled listings:
//                       sm_35, sm_37   sm_50 ... sm_62   sm_70 ... sm_89   sm_90       sm_100 ... sm_121
//   blockDim, gridDim   0x28, 0x34     0x8, 0x14         0x0, 0xc          0x0, 0xc    0x360, 0x370
//   shared window       0x20 (32 bit)  0x0 (32 bit)      0x18              0x18        (SR_SWINHI)
//   local window        0x24 (32 bit)  0x4 (32 bit)      0x20              0x20        0x2f8
//   their upper words                  0x100, 0x104 (sm_60 and later)
//   stack pointer       0x44           0x20              0x28              0x28        0x37c
//   grid's barrier      0x50           0x34              0x8c              0x44        0x254 (upper half
//   first) 1 = in clusters                                                        0x140       0x36c
//   parameters' address                                                    0x198
//   memory descriptor                                    0x118             0x208       0x358
//   parameters          0x140          0x140             0x160             0x210       0x380
// Allocations, windows and the stack lie at addresses of our own choice. Other banks hold the module's
// constants (SassFunction::constants): 2 literals, 3 __constant__ variables, 4 addresses of variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/kernel_program.h"

namespace gpumodel::emulate {

// Generic addresses inside these windows are shared or local. 32-bit, for Kepler's sake.
inline constexpr std::int64_t window_bytes = 0x1000000;
inline constexpr std::int64_t shared_window = 0x1000000;
inline constexpr std::int64_t local_window = 0x2000000;
// CUDA 13's code puts this (SR_SWINHI) above a 32-bit shared address instead; below the first allocation.
inline constexpr std::uint32_t shared_window_high = 0xf0;
// Generic address of the first parameter, for tensor maps.
inline constexpr std::int64_t parameter_window = 0x3000000;
// A thread's stack grows down from here, as an offset in its local memory.
inline constexpr std::int64_t stack_top = 0x10000;
// Allocation i begins at (i + 1) << allocation_shift.
inline constexpr int allocation_shift = 40;

// Of the tensor map that argument i points to: in front of where its allocation is or would be, where nothing
// else lies. No code reads the map's own format.
[[nodiscard]] constexpr std::int64_t tensor_map_address(std::size_t i) {
    constexpr std::int64_t map_bytes = 128;
    return (static_cast<std::int64_t>(i + 1) << allocation_shift) - map_bytes;
}

// What the driver hands out as a texture or surface object is an index into its tables, in 32 of 64 bits.
inline constexpr std::int64_t first_texture_handle = 0x100;
[[nodiscard]] constexpr std::int64_t texture_handle(std::size_t argument) {
    return first_texture_handle + static_cast<std::int64_t>(argument);
}

// In front of a block's own shared memory on sm_90, from listings.
inline constexpr std::int64_t hopper_reserved_bytes = 0x400;

// The bank of __constant__ variables.
inline constexpr int variables_bank = 3;
inline constexpr const char* variables_note =
    "a branch or an address depends on __constant__ memory: taken as the module initialises it; --variables "
    "says what it holds";

// 70 for "sm_70"; 0 if there is no number.
[[nodiscard]] int architecture_number(const std::string& arch);

// True for the architectures of the table above.
[[nodiscard]] bool has_known_constants(int architecture);

// Where the address of a cooperative launch's barrier stands (module_variables.h).
[[nodiscard]] std::int64_t grid_barrier_offset(int architecture);

class ConstantBank {
public:
    ConstantBank(int architecture, const Dim3& grid, const Dim3& block, const KernelArguments& arguments,
                 const Dim3& cluster = {1, 1, 1});

    // The word at an offset that is a multiple of four; empty if the driver puts nothing known there.
    [[nodiscard]] std::optional<std::uint32_t> word(std::int64_t offset) const;
    // Holds the address of the shared or the local window.
    [[nodiscard]] bool is_window(std::int64_t offset) const { return offset == shared_ || offset == local_; }
    [[nodiscard]] std::int64_t parameters() const { return parameters_; }
    [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(words_.size()) * 4; }

private:
    void set(std::int64_t offset, std::int64_t value, int words);
    void set_arguments(const KernelArguments& arguments);
    void set_clusters(std::int64_t offset, const Dim3& grid, const Dim3& cluster);
    void set_grid_barrier(std::int64_t offset, const KernelArguments& arguments);

    std::int64_t parameters_ = 0, shared_ = 0, local_ = 0;
    std::vector<std::optional<std::uint32_t>> words_;
};

}  // namespace gpumodel::emulate
