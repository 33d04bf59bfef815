// Where compiled code of a family's kernel comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traces/kernel/family.h"
#include "traces/sass/sass_module.h"

namespace gpumodel {

// What a compiler made of one instance of a family's kernel.
struct CompiledKernel {
    SassFunction function;
    int registers_per_thread = 0;
    std::int64_t static_shared_bytes = 0;
    std::int64_t local_bytes = 0;  // per thread: stack and spills
    std::string made_by;           // "CUDA 13.0 for sm_90"
};

// One instance of a kernel, for one generation.
struct KernelInstance {
    const Family& family;
    const ParamValues& params;  // resolved
    std::string generation;     // "sm_90"
};

class CodeSource {
public:
    CodeSource() = default;
    CodeSource(const CodeSource&) = delete;
    CodeSource& operator=(const CodeSource&) = delete;
    virtual ~CodeSource() = default;

    // nullptr: not there. May be called by several threads at once. Throws InputError where code ought to be
    // there and is not.
    [[nodiscard]] virtual std::shared_ptr<const CompiledKernel> find(
        const KernelInstance& instance) const = 0;
    [[nodiscard]] virtual ProgramSource source() const = 0;
    // Parameters of what is there in any case, without a compiler.
    [[nodiscard]] virtual std::vector<ParamValues> instances(const Family& /*family*/,
                                                             const std::string& /*generation*/) const {
        return {};
    }
};

}  // namespace gpumodel
