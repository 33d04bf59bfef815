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

class LoadedCodes {
public:
    static LoadedCodes& instance();

    void loaded(const void* module_or_library, const void* code);
    void loaded_file(const void* module_or_library, const char* path);
    void took_kernel(CUkernel kernel, CUlibrary library, const char* name);
    void took_function(CUfunction function, CUmodule module, const char* name);
    void is_function_of(CUfunction function, CUkernel kernel);

    // Of a handle as launches get it; asks the driver for what it has not seen. Without a name where the
    // driver cannot say either.
    [[nodiscard]] KnownKernel find(CUfunction handle);

private:
    [[nodiscard]] std::shared_ptr<const LoadedCode> code_of(const void* handle) const;
    [[nodiscard]] KnownKernel ask_driver(CUfunction handle) const;

    std::mutex mutex_;
    std::map<const void*, std::shared_ptr<const LoadedCode>> codes_;  // by module or library
    std::map<const void*, KnownKernel> kernels_;
};

}  // namespace gpumodel::recorder
