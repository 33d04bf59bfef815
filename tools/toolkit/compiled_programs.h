// The families' kernels compiled on this machine, through the cache.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tools/toolkit/code_cache.h"
#include "tools/toolkit/cuda_toolkit.h"

namespace gpumodel::cli {

// A file that instantiates this one kernel of the family (validate/kernels, in `kernels`).
[[nodiscard]] std::string instance_source(const KernelInstance& instance, const std::string& kernels);

enum class MayCompile : unsigned char {
    no,    // only what the cache has
    yes,   // where a toolkit knows the generation; what does not compile is another source's
    must,  // what cannot be compiled is an InputError (invalid input)
};

class CompiledPrograms : public CodeSource {
public:
    CompiledPrograms(std::string cuda_folder, MayCompile may, CodeCache cache = CodeCache());

    [[nodiscard]] std::shared_ptr<const CompiledKernel> find(const KernelInstance& instance) const override;
    [[nodiscard]] ProgramSource source() const override { return ProgramSource::compiled; }

private:
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const CompiledKernel> kernel;
    };
    [[nodiscard]] std::shared_ptr<const CompiledKernel> make(const KernelInstance& instance) const;
    [[nodiscard]] std::shared_ptr<const CompiledKernel> compiled(const KernelInstance& instance,
                                                                 const CudaToolkit& toolkit,
                                                                 const std::string& key) const;
    [[nodiscard]] const std::string& sources() const;
    void pass_over(const std::string& reason) const;

    std::string cuda_folder_;
    MayCompile may_;
    CodeCache cache_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Slot> slots_;
    mutable std::once_flag sources_once_;
    mutable std::string kernels_, sources_;  // folder, and all its files' text
};

}  // namespace gpumodel::cli
