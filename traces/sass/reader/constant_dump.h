// The constant banks of a module, from what `cuobjdump -elf` prints; what it prints of resources goes on to
// resource_dump.h, of symbols and of addresses in the code to symbol_dump.h.
//
// A bank stands under its section's name, in words of 32 bits, the last bytes one by one:
//     .nv.constant2._Z6kernelPf          bank 2 of one entry: literals that the compiler put there
//     0x54442d11 0x400921fb
//     .nv.constant3                      bank 3 of the module: __constant__ variables, as initialised
//     0x04030201 0x0a 0x00
//     .section .rel.nv.constant3	REL     words that the loader fills in: offset, symbol, kind
//     0x28    table    R_CUDA_G64
// The n-th image ("64bit elf: type=2, ..., sm=70, ...") of an architecture belongs to the n-th "code for"
// line of that architecture: so cuobjdump prints them, and the order does not matter where -elf output is
// appended.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/sass/reader/instruction_line.h"
#include "traces/sass/reader/resource_dump.h"
#include "traces/sass/reader/symbol_dump.h"
#include "traces/sass/sass_module.h"

namespace gpumodel {

class ConstantDumps {
public:
    [[nodiscard]] static bool begins_image(std::string_view line);
    [[nodiscard]] static bool begins_bank(std::string_view line);

    // Takes a line outside of functions, trimmed. Returns what is wrong with it, if it stands in a bank.
    [[nodiscard]] std::vector<LineFault> read_line(std::string_view line);

    // Images are counted from 0 within their architecture.
    void assign(SassFunction& function, int image) const;

private:
    struct Section {
        std::string arch;
        int image = 0;
        std::string name;  // "nv.constant3"
        std::shared_ptr<SassConstants> constants;
    };
    enum class State : unsigned char { outside, bank, relocations };

    void begin_image(std::string_view line);
    void begin_bank(std::string_view line, std::vector<LineFault>& faults);
    void begin_relocations(std::string_view line);
    void read_words(std::string_view line, std::vector<LineFault>& faults);
    void read_relocation(std::string_view line, std::vector<LineFault>& faults);
    [[nodiscard]] const Section* find(std::string_view name) const;  // in the current image
    [[nodiscard]] int image() const;

    ResourceDumps resources_;
    SymbolDumps symbols_;
    std::string arch_;
    std::map<std::string, int> images_;  // so far, by architecture
    State state_ = State::outside;
    std::vector<Section> sections_;
    SassConstants* current_ = nullptr;
    int bytes_ = 0;  // of the current bank so far
};

}  // namespace gpumodel
