// A module's variables in device memory and the addresses in its code that the loader fills in, from what
// `cuobjdump -elf` prints:
//     21   5dc0    404  0  4          NOBITS       3    0        0 .nv.global        in the table of sections
//     .section .symtab
//     1a   4a00     40  0  4        PROGBITS       2    0        0 .nv.constant3     __constant__ variables
//     0x7             0x4           0x400      0x1        0   0x21     table         index, value, size,
//     info,
//                                                                                    other, section, name
//     .section .rela.text.saxpy    RELA
//     0x90    table    R_CUDA_ABS32_LO_32    0x0                                     offset, symbol, kind,
//     addend
// Other lines are skipped: what is not found is not known.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/sass/sass_module.h"

namespace gpumodel {

class SymbolDumps {
public:
    // Takes a line outside of functions, trimmed, of the image-th one of an architecture.
    void read_line(std::string_view line, const std::string& arch, int image);
    void assign(SassFunction& function, int image) const;

    // A line of a section of relocations; empty if it is none.
    [[nodiscard]] static std::optional<SassRelocation> relocation(std::string_view line);

private:
    using Image = std::pair<std::string, int>;
    struct Module {
        enum class Place : unsigned char { global, initialised_global, constants };
        std::map<std::uint64_t, Place> sections;  // of variables, by number
        std::vector<SassVariable> variables;
        std::map<std::string, std::vector<SassRelocation>> code;  // by function
    };
    enum class State : unsigned char { outside, symbols, relocations };

    void begin_section(std::string_view line, Module& module);
    static void read_section_row(std::string_view line, Module& module);
    static void read_symbol(std::string_view line, Module& module);

    std::map<Image, Module> modules_;
    State state_ = State::outside;
    std::vector<SassRelocation>* current_ = nullptr;
};

}  // namespace gpumodel
