// The texture and surface objects among a kernel's parameters: how they are read, and their texels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validate/recorder/preload/recorded_memory.h"

namespace gpumodel::recorder {

struct TextureObject {
    std::uint32_t offset = 0;  // of its handle, among the parameters
    bool surface = false;
    std::string text;  // "f32x4,1024x768,linear": as between the parentheses of tex() (docs/programs.md)
    std::vector<std::uint8_t> texels;  // in C's order, rows without padding
    std::string fault;                 // why something of it is missing
};

// Of parameters of eight bytes whose value the driver knows as a handle; what is no more than a number of the
// same value is among them. Texels up to the cap, else none. The stream must be idle.
[[nodiscard]] std::vector<TextureObject> textures_of(const ParameterBytes& parameters, std::uint64_t cap);

}  // namespace gpumodel::recorder
