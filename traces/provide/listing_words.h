// A listing's functions as words: one instruction's text and encoding each, which is all that the reader of
// listings looks at. What packed programs (program_file.h) hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

// One instruction of sm_70 and later (16 bytes), or on Kepler one instruction or control word (8 bytes,
// `high` 0). `text` is empty for control words and for what the disassembler did not know.
struct ListedWord {
    std::string text;  // "@!P0 IADD3 R0, P1, R2.reuse, c[0x0][0x160], RZ"
    std::uint64_t low = 0, high = 0;
    friend bool operator==(const ListedWord&, const ListedWord&) = default;
};

struct ListedFunction {
    std::string name;
    std::string arch;  // "sm_70"
    std::vector<ListedWord> words;
};

// `listing`: the output of cuobjdump -sass with encodings. Lines of other kinds are passed over; a function
// whose encodings have a gap is an InputError (invalid input).
[[nodiscard]] std::vector<ListedFunction> functions_of(std::string_view listing, const std::string& file);

// As cuobjdump would print it, for read_sass.
[[nodiscard]] std::string listing_text(const ListedFunction& function);

}  // namespace gpumodel
