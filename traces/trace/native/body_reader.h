// The sections of a native trace file that make up the code (FORMAT.md: CODE, TABL, BODY).
#pragma once

#include <variant>
#include <vector>

#include "traces/trace/native/access_table.h"
#include "traces/trace/native/byte_stream.h"

namespace gpumodel {

inline constexpr std::int64_t max_block_threads = 1024;  // CUDA programming guide, all compute capabilities

inline constexpr std::int64_t max_table_address = std::int64_t{1} << 56;  // sums of a few stay within 64 bits

// In all segments of a file; ours have a thousand times fewer.
inline constexpr std::uint64_t max_trace_instructions = std::uint64_t{1} << 22;

struct ValueTable {
    Int64Table values;
    std::int64_t largest = 0;  // absolute value
};

struct TracePools {
    std::vector<Instruction> code;
    std::vector<std::variant<ValueTable, BitTable>> tables;
};

// Each throws ByteFault.
void read_code(ByteReader& in, std::size_t mnemonics, std::vector<Instruction>& code);
void read_tables(ByteReader& in, TracePools& pools);
// `launch`: grid, block and mnemonics are set.
[[nodiscard]] BlockVariant read_body(ByteReader& in, const KernelProgram& launch, const TracePools& pools);

}  // namespace gpumodel
