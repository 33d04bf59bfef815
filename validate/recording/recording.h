// A recording of a program's launches, as gpumodel-record writes it (validate/recorder/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/emulate/sass_block_source.h"

namespace gpumodel {

struct RecordedAllocation {
    std::uint64_t address = 0;
    std::int64_t bytes = 0, recorded_bytes = 0;
    std::string file;  // path of its contents; "" = not recorded
    bool zeros = false;
    bool restored = false;  // copied back before each repetition
};

struct RecordedParameter {
    std::int64_t offset = 0, bytes = 0;
};

struct RecordedVariable {
    std::string name;  // mangled
    std::int64_t recorded_bytes = 0;
    std::string file;  // "" = not recorded
    bool zeros = false;
};

// A texture or surface object; where the code reads none, it is a number like any other.
struct RecordedTexture {
    std::int64_t offset = 0;  // of the parameter
    bool surface = false;
    std::string text;  // texture.h
    std::int64_t bytes = 0;
    std::string file;
    bool zeros = false;
};

struct RecordedLaunch {
    int line = 0;  // of launches.jsonl
    std::int64_t number = 0;
    std::string kernel, name;        // mangled, plain
    std::string device, generation;  // "NVIDIA H200", "sm_90"; "" = not said
    std::string image;               // path; "" = the code was not seen
    Dim3 grid, block, cluster{1, 1, 1};
    bool cooperative = false;
    std::int64_t dynamic_shared_bytes = 0;
    std::optional<std::int64_t> static_shared_bytes, registers;
    std::vector<RecordedParameter> parameters;
    std::vector<std::uint8_t> parameter_bytes;
    std::vector<RecordedAllocation> allocations;  // by address, none over another
    // Empty: recorded before there was such a thing, and nobody knows.
    std::optional<std::vector<RecordedVariable>> variables;
    std::vector<RecordedTexture> textures;
    std::optional<double> first_us;  // the program's own launch
    std::vector<double> replays_us;
    std::vector<std::string> notes;

    // Median of the replays, else the launch itself.
    [[nodiscard]] std::optional<double> measured_us() const;
};

struct Recording {
    std::string folder;
    std::int64_t not_recorded = 0;
    std::vector<RecordedLaunch> launches;
};

// Throws InputError: usage for a folder that is no recording, invalid input with all that is wrong in it
// (fields, files that are missing or of another length than said).
[[nodiscard]] Recording read_recording(const std::string& folder);

// The launch as the emulator takes it, with its data. Pointers into one allocation share it; structures are
// laid out word by word. `function` says where parameters lie if the recording does not. Throws InputError
// (usage) for a file that cannot be read.
[[nodiscard]] SassLaunch launch_of(const RecordedLaunch& launch, const SassFunction& function);

// Whether the launch was measured on this product: the generation, and the product's number in the device's
// name.
[[nodiscard]] bool measured_on(const RecordedLaunch& launch, const std::string& product,
                               const std::string& generation);

}  // namespace gpumodel
