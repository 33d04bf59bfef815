// Compiled kernels in little room: what is shipped (one file per generation and family) and what the cache
// keeps (one file per instance).
//
//   file        = head '\n' dictionary entry ...
//   head        one line: its checksum (FNV-1a, 64 bits), space, json: generation, made_by, and for the
//               dictionary and each entry its name, resources, module constants, number of words, packed
//               bytes and their checksum
//   dictionary  zstd: the distinct words without the bits of their control information: all texts, each with
//               a newline, then the bytes of all encodings, least significant first (8 + 6 planes)
//   entry       zstd: per word its index in the dictionary, as the zigzag distance from the index after the
//               word before, and its control bits (3 + 3 planes)
// Little endian, no padding. A text alone would take five times the room, and one packed listing 30 times as
// long to read an entry of.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "traces/provide/code_source.h"
#include "traces/provide/listing_words.h"

namespace gpumodel {

struct PackedKernel {
    ListedFunction function;
    int registers_per_thread = 0;
    std::int64_t static_shared_bytes = 0;
    std::int64_t local_bytes = 0;
    SassConstantBanks constants;  // of the module, as far as the function reads them
};

// The same with what the reader of listings made of it: its module constants. Throws InputError (invalid
// input) for a function that reads module constants which the listing does not have.
[[nodiscard]] PackedKernel with_constants(PackedKernel kernel, const SassFunction& function);

// All of one architecture. `level`: of zstd, 1 to 19.
[[nodiscard]] std::string program_file(const std::vector<PackedKernel>& kernels, const std::string& made_by,
                                       int level);

// Reads entries as they are asked for. Thread-safe. Throws InputError (usage) for a file that cannot be read
// and InputError (invalid input) for one that is damaged, here or when an entry is loaded.
class ProgramFileReader {
public:
    explicit ProgramFileReader(const std::string& path);
    ~ProgramFileReader();
    ProgramFileReader(const ProgramFileReader&) = delete;
    ProgramFileReader& operator=(const ProgramFileReader&) = delete;

    [[nodiscard]] std::vector<std::string> names() const;  // of the functions, mangled
    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] PackedKernel packed(const std::string& name) const;  // `name`: one of names()
    [[nodiscard]] CompiledKernel load(const std::string& name) const;

private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace gpumodel
