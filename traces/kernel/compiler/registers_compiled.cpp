#include "traces/kernel/compiler/registers_compiled.h"

#include <algorithm>
#include <string>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

namespace {

std::string key_of(std::string_view family, const ParamValues& params) {
    std::string key(family);
    if (family == "offset_copy" || family == "stride_copy") {
        return key;
    }
    for (const auto& [name, value] : params) {
        key += ';';
        key += name;
        key += '=';
        key += std::to_string(value);
    }
    return key;
}

}  // namespace

std::optional<int> compiled_registers(std::string_view family, const ParamValues& params,
                                      const Target& target) {
    const auto* const generation =
        std::find(compiled_generations.begin(), compiled_generations.end(), target.cc.number());
    if (generation == compiled_generations.end()) {
        return std::nullopt;
    }
    const auto column = static_cast<std::size_t>(generation - compiled_generations.begin());
    const std::string key = key_of(family, params);
    for (const auto kernels : {compiled_block_tiles(), compiled_warp_tiles(), compiled_double_buffers()}) {
        const auto found = std::lower_bound(
            kernels.begin(), kernels.end(), key,
            [](const CompiledKernel& kernel, const std::string& wanted) { return kernel.key < wanted; });
        if (found != kernels.end() && found->key == key && found->registers.at(column) > 0) {
            return found->registers.at(column);
        }
    }
    return std::nullopt;
}

}  // namespace gpumodel
