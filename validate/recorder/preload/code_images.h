// Code as programs hand it to the driver: a cubin, a fatbin, PTX text, or the record that nvcc puts around a
// fatbin.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gpumodel::recorder {

// program: a program's own file, which holds fatbins.
enum class CodeKind : unsigned char { none, cubin, fatbin, ptx, program };

struct CodeImage {
    CodeKind kind = CodeKind::none;
    std::span<const std::uint8_t> bytes;  // in the program's memory
};

// Nobody says how long the memory is: the length is what its own header says. Formats: ELF-64; fatbinary.h of
// the CUDA toolkit (16 bytes of header with the length, wrapper with a pointer).
[[nodiscard]] CodeImage image_at(const void* code);

struct ParameterPlace {
    std::uint32_t offset = 0, bytes = 0;
};

// By ordinal, from the section .nv.info.KERNEL of a cubin, or of a fatbin's cubins that are not packed; empty
// where it is not found. Never reads beyond `image`.
[[nodiscard]] std::vector<ParameterPlace> described_parameters(const CodeImage& image,
                                                               std::string_view kernel);

}  // namespace gpumodel::recorder
