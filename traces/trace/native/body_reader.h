// The documents of a native trace file that make up the code (FORMAT.md: code, table, bits, body).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "traces/trace/native/access_table.h"

namespace gpumodel {

inline constexpr std::int64_t max_table_address = std::int64_t{1} << 56;  // sums of a few stay within 64 bits

struct ValueTable {
    Int64Table values;
    std::int64_t largest = 0;  // absolute value
};

// In order of the documents; bodies refer to them by number.
struct TracePools {
    std::vector<InstructionList> code;
    std::vector<ValueTable> tables;
    std::vector<BitTable> bits;
    std::uint64_t instructions = 0;  // of all segments so far
};

// Each throws FieldFault.
void read_code(const nlohmann::json& document, std::size_t mnemonics, TracePools& pools);
void read_table(const nlohmann::json& document, TracePools& pools);
void read_bits(const nlohmann::json& document, TracePools& pools);
// `launch`: grid, block and mnemonics are set.
[[nodiscard]] BlockVariant read_body(const nlohmann::json& document, const KernelProgram& launch,
                                     TracePools& pools);

}  // namespace gpumodel
