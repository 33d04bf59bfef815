// Register counts of our own kernels at the families' defaults, as ptxas reports them (CUDA 11.8; 13.0 for
// sm_90). Copied from tests/traces/ptxas_registers.csv; a test holds the two together.
#include <algorithm>
#include <array>

#include "traces/kernel/registers.h"

namespace gpumodel {

namespace {

constexpr std::array generations{35, 70, 75, 80, 86, 90};

struct CompiledKernel {
    std::string_view family;
    std::string_view params;                        // the defaults of the family; UNROLL = 0
    std::array<int, generations.size()> registers;  // by generation; 0 = does not exist there
};

constexpr CompiledKernel compiled_kernels[] = {
    {"naive", "", {31, 32, 34, 32, 36, 32}},
    {"coalesced", "", {31, 32, 33, 32, 36, 32}},
    {"smem", "BS=32", {26, 31, 41, 32, 37, 32}},
    {"blocktile1d", "BM=64;BN=64;BK=8;TM=8", {56, 56, 72, 46, 48, 44}},
    {"blocktile2d", "BM=128;BN=128;BK=8;TM=8;TN=8", {128, 127, 123, 123, 128, 96}},
    {"vectorized", "BM=128;BN=128;BK=8;TM=8;TN=8", {109, 103, 99, 100, 109, 109}},
    {"bank_linearize", "BM=128;BN=128;BK=8;TM=8;TN=8", {113, 96, 98, 98, 127, 92}},
    {"bank_extracol", "BM=128;BN=128;BK=8;TM=8;TN=8", {112, 108, 106, 106, 106, 110}},
    {"autotuned", "BM=128;BN=128;BK=16;TM=8;TN=8", {127, 125, 101, 103, 107, 92}},
    {"warptile",
     "BM=128;BN=128;BK=16;WM=64;WN=64;WNITER=4;TM=8;TN=4;THREADS=128",
     {167, 168, 168, 168, 168, 168}},
    {"doublebuffer",
     "BM=128;BN=128;BK=16;WM=64;WN=64;WNITER=4;TM=8;TN=4;THREADS=128",
     {204, 202, 201, 201, 201, 202}},
    {"doublebuffer_split",
     "BM=64;BN=128;BK=16;WM=32;WN=32;WNITER=2;TM=4;TN=4;THREADS=256",
     {96, 96, 92, 92, 85, 88}},
    {"doublebuffer_async",
     "BM=128;BN=128;BK=16;WM=64;WN=64;WNITER=4;TM=8;TN=4;THREADS=128",
     {0, 0, 0, 200, 202, 196}},
    {"ab_simple", "", {32, 32, 64, 32, 40, 32}},
    {"ab_coalesced", "", {40, 34, 62, 34, 48, 32}},
    {"ab_shared", "", {23, 30, 34, 30, 38, 32}},
    {"aat_simple", "", {31, 31, 63, 31, 39, 32}},
    {"aat_coalesced", "", {21, 30, 34, 30, 36, 32}},
    {"aat_padded", "", {21, 30, 34, 30, 38, 32}},
    {"offset_copy", "", {6, 8, 8, 8, 8, 10}},
    {"stride_copy", "", {6, 8, 8, 8, 8, 10}},
    {"transpose_naive", "", {16, 22, 22, 22, 22, 26}},
    {"transpose_shared", "", {17, 22, 26, 22, 24, 24}},
    {"transpose_padded", "", {17, 22, 26, 22, 24, 24}},
};

// True if every KEY=VALUE of `text` is in `params` with that value, and nothing is pinned.
bool matches(std::string_view text, const ParamValues& params) {
    const auto unroll = params.find("UNROLL");
    if (unroll != params.end() && unroll->second != 0) {
        return false;
    }
    while (!text.empty()) {
        const std::string pair(text.substr(0, text.find(';')));
        const auto equals = pair.find('=');
        const auto found = params.find(pair.substr(0, equals));
        if (found == params.end() || std::to_string(found->second) != pair.substr(equals + 1)) {
            return false;
        }
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
    }
    return true;
}

}  // namespace

std::optional<int> compiled_registers(std::string_view family, const ParamValues& params,
                                      const Target& target) {
    const auto* const generation = std::find(generations.begin(), generations.end(), target.cc.number());
    if (generation == generations.end()) {
        return std::nullopt;
    }
    const auto column = static_cast<std::size_t>(generation - generations.begin());
    for (const auto& kernel : compiled_kernels) {
        if (kernel.family == family && kernel.registers[column] > 0 && matches(kernel.params, params)) {
            return kernel.registers[column];
        }
    }
    return std::nullopt;
}

}  // namespace gpumodel
