// The driver's own functions, past the recorder.
#pragma once

#include "validate/recorder/preload/driver_api.h"

namespace gpumodel::recorder {

// glibc's dlsym, which this library hides from the program.
[[nodiscard]] void* real_dlsym(void* handle, const char* name);

// A function of libcuda.so.1 by its exported name; nullptr where this driver has none.
[[nodiscard]] void* driver_symbol(const char* name);

// call<int(int)>("cuInit")(0); a function that the driver lacks answers as CUDA_ERROR_NOT_SUPPORTED.
inline constexpr CUresult not_supported = 801;

template <class... Parameters>
CUresult call_driver(const char* name, Parameters... arguments) {
    using Function = CUresult (*)(Parameters...);
    auto* const function = reinterpret_cast<Function>(driver_symbol(name));  // NOLINT: a symbol's type
    return function == nullptr ? not_supported : function(arguments...);
}

}  // namespace gpumodel::recorder
