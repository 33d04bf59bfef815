// Which code each of the driver's handles stands for: modules, libraries, and the kernels taken from them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "validate/recorder/preload/code_images.h"
#include "validate/recorder/preload/driver_api.h"

namespace gpumodel::recorder {

// A copy, as programs may free what they loaded.
struct LoadedCode {
    CodeKind kind = CodeKind::none;
    std::vector<std::uint8_t> bytes;
    std::string fault;  // why there are no bytes
    [[nodiscard]] CodeImage image() const { return {kind, bytes}; }
};

struct KnownKernel {
    std::string name;  // mangled
    std::shared_ptr<const LoadedCode> code;
    CUfunction function = nullptr;  // of a CUkernel, for calls that take functions alone
};

// A __device__ or __constant__ variable that the program asked for, to fill it or to read it.
struct KnownVariable {
    std::string name;
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
};

// The program's own file, if the kernel's name stands in it: runtimes before CUDA 12 that are linked into
// programs have the driver load their code by ways that are not seen.
[[nodiscard]] std::shared_ptr<const LoadedCode> program_with(const std::string& kernel);

class LoadedCodes {
public:
    static LoadedCodes& instance();

    void loaded(const void* module_or_library, const void* code);
    void loaded_file(const void* module_or_library, const char* path);
    void took_kernel(CUkernel kernel, CUlibrary library, const char* name);
    void took_function(CUfunction function, CUmodule module, const char* name);
    void took_variable(const void* module_or_library, const KnownVariable& variable);
    void is_function_of(CUfunction function, CUkernel kernel);

    // Of a handle as launches get it; asks the driver for what it has not seen. Without a name where the
    // driver cannot say either.
    [[nodiscard]] KnownKernel find(CUfunction handle);
    // Of the kernel's module, in the order in which they were asked for first.
    [[nodiscard]] std::vector<KnownVariable> variables_of(const KnownKernel& kernel);

private:
    [[nodiscard]] std::shared_ptr<const LoadedCode> code_of(const void* handle) const;
    [[nodiscard]] KnownKernel ask_driver(CUfunction handle) const;

    std::mutex mutex_;
    std::map<const void*, std::shared_ptr<const LoadedCode>> codes_;  // by module or library
    std::map<const void*, KnownKernel> kernels_;
    std::map<const LoadedCode*, std::vector<KnownVariable>> variables_;
};

}  // namespace gpumodel::recorder
