// The driver's calls that the recorder stands in front of, exported under the driver's own names, and the
// ways by which programs get at them: linked names, dlsym, cuGetProcAddress. The CUDA runtime, also where it
// is linked statically, loads libcuda.so.1 and asks it for its functions one by one.
#include <array>
#include <cstring>
#include <string_view>

#include "validate/recorder/preload/driver.h"
#include "validate/recorder/preload/launch_request.h"
#include "validate/recorder/preload/loaded_code.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

using namespace gpumodel::recorder;  // NOLINT: the exported names must be outside of it

namespace {

CUstream stream_of(CUstream stream, bool per_thread) {
    return stream != nullptr ? stream : per_thread ? per_thread_stream() : legacy_stream();
}

CUresult launch(CUfunction function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
                unsigned shared, CUstream stream, void** parameters, void** extra) {
    LaunchRequest request;
    request.function = function;
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = shared;
    request.stream = stream;
    request.parameters = parameters;
    request.extra = extra;
    request.launch = [&] {
        return call_driver("cuLaunchKernel", function, grid[0], grid[1], grid[2], block[0], block[1],
                           block[2], shared, stream, parameters, extra);
    };
    return record_launch(request);
}

CUresult launch_cooperative(CUfunction function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
                            unsigned shared, CUstream stream, void** parameters) {
    LaunchRequest request;
    request.function = function;
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = shared;
    request.stream = stream;
    request.cooperative = true;
    request.parameters = parameters;
    request.launch = [&] {
        return call_driver("cuLaunchCooperativeKernel", function, grid[0], grid[1], grid[2], block[0],
                           block[1], block[2], shared, stream, parameters);
    };
    return record_launch(request);
}

CUresult launch_configured(const CUlaunchConfig* asked, CUfunction function, void** parameters, void** extra,
                           bool per_thread) {
    CUlaunchConfig config = *asked;
    config.stream = stream_of(config.stream, per_thread);
    LaunchRequest request;
    request.function = function;
    request.grid = {config.grid[0], config.grid[1], config.grid[2]};
    request.block = {config.block[0], config.block[1], config.block[2]};
    request.dynamic_shared_bytes = config.shared_bytes;
    request.stream = config.stream;
    request.parameters = parameters;
    request.extra = extra;
    for (unsigned i = 0; i < config.attribute_count; ++i) {
        const auto& a = config.attributes[i];
        if (a.id == launch_attribute_cluster) {
            request.cluster = {a.value.words[0], a.value.words[1], a.value.words[2]};
        }
        request.cooperative =
            request.cooperative || (a.id == launch_attribute_cooperative && a.value.words[0] != 0);
    }
    const CUlaunchConfig* const given = &config;
    request.launch = [&] { return call_driver("cuLaunchKernelEx", given, function, parameters, extra); };
    return record_launch(request);
}

// Asks once more: programs need not ask for both.
template <class Handle>
void took_variable(const char* ask, Handle module_or_library, const char* name) {
    KnownVariable variable{name, 0, 0};
    if (call_driver(ask, &variable.address, &variable.bytes, module_or_library, name) == success) {
        LoadedCodes::instance().took_variable(module_or_library, variable);
    }
}

}  // namespace

EXPORTED CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned shared, CUstream s, void** p,
                                 void** extra) {
    return launch(f, {gx, gy, gz}, {bx, by, bz}, shared, stream_of(s, false), p, extra);
}
EXPORTED CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                      unsigned by, unsigned bz, unsigned shared, CUstream s, void** p,
                                      void** extra) {
    return launch(f, {gx, gy, gz}, {bx, by, bz}, shared, stream_of(s, true), p, extra);
}
EXPORTED CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                            unsigned by, unsigned bz, unsigned shared, CUstream s, void** p) {
    return launch_cooperative(f, {gx, gy, gz}, {bx, by, bz}, shared, stream_of(s, false), p);
}
EXPORTED CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                                                 unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                                 CUstream s, void** p) {
    return launch_cooperative(f, {gx, gy, gz}, {bx, by, bz}, shared, stream_of(s, true), p);
}
EXPORTED CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** p, void** extra) {
    return launch_configured(config, f, p, extra, false);
}
EXPORTED CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** p, void** extra) {
    return launch_configured(config, f, p, extra, true);
}

EXPORTED CUresult cuModuleLoad(CUmodule* module, const char* path) {
    const auto status = call_driver("cuModuleLoad", module, path);
    if (status == success) {
        LoadedCodes::instance().loaded_file(*module, path);
    }
    return status;
}
EXPORTED CUresult cuModuleLoadData(CUmodule* module, const void* code) {
    const auto status = call_driver("cuModuleLoadData", module, code);
    if (status == success) {
        LoadedCodes::instance().loaded(*module, code);
    }
    return status;
}
EXPORTED CUresult cuModuleLoadDataEx(CUmodule* module, const void* code, unsigned count, int* options,
                                     void** values) {
    const auto status = call_driver("cuModuleLoadDataEx", module, code, count, options, values);
    if (status == success) {
        LoadedCodes::instance().loaded(*module, code);
    }
    return status;
}
EXPORTED CUresult cuModuleLoadFatBinary(CUmodule* module, const void* code) {
    const auto status = call_driver("cuModuleLoadFatBinary", module, code);
    if (status == success) {
        LoadedCodes::instance().loaded(*module, code);
    }
    return status;
}
EXPORTED CUresult cuLibraryLoadData(CUlibrary* library, const void* code, int* jit, void** jit_values,
                                    unsigned jits, int* options, void** values, unsigned count) {
    const auto status =
        call_driver("cuLibraryLoadData", library, code, jit, jit_values, jits, options, values, count);
    if (status == success) {
        LoadedCodes::instance().loaded(*library, code);
    }
    return status;
}
EXPORTED CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, int* jit, void** jit_values,
                                        unsigned jits, int* options, void** values, unsigned count) {
    const auto status =
        call_driver("cuLibraryLoadFromFile", library, path, jit, jit_values, jits, options, values, count);
    if (status == success) {
        LoadedCodes::instance().loaded_file(*library, path);
    }
    return status;
}
EXPORTED CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    const auto status = call_driver("cuModuleGetFunction", function, module, name);
    if (status == success) {
        LoadedCodes::instance().took_function(*function, module, name);
    }
    return status;
}
EXPORTED CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    const auto status = call_driver("cuLibraryGetKernel", kernel, library, name);
    if (status == success) {
        LoadedCodes::instance().took_kernel(*kernel, library, name);
    }
    return status;
}
EXPORTED CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module,
                                       const char* name) {
    const auto status = call_driver("cuModuleGetGlobal_v2", address, bytes, module, name);
    if (status == success) {
        took_variable("cuModuleGetGlobal_v2", module, name);
    }
    return status;
}
EXPORTED CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library,
                                     const char* name) {
    const auto status = call_driver("cuLibraryGetGlobal", address, bytes, library, name);
    if (status == success) {
        took_variable("cuLibraryGetGlobal", library, name);
    }
    return status;
}
EXPORTED CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    const auto status = call_driver("cuKernelGetFunction", function, kernel);
    if (status == success) {
        LoadedCodes::instance().is_function_of(*function, kernel);
    }
    return status;
}

EXPORTED CUresult cuGetProcAddress(const char* symbol, void** found, int version, std::uint64_t flags);
EXPORTED CUresult cuGetProcAddress_v2(const char* symbol, void** found, int version, std::uint64_t flags,
                                      int* status);

namespace {

struct Replacement {
    std::string_view name;  // as exported, and as cuGetProcAddress is asked for it
    void* function;
    void* per_thread;  // where 0 means the thread's own stream; nullptr: no streams
};

template <class Function>
void* address_of(Function* function) {
    return reinterpret_cast<void*>(function);  // NOLINT: as dlsym gives it
}

const auto& replacements() {
    static const std::array list{
        Replacement{"cuLaunchKernel", address_of(&cuLaunchKernel), address_of(&cuLaunchKernel_ptsz)},
        Replacement{"cuLaunchCooperativeKernel", address_of(&cuLaunchCooperativeKernel),
                    address_of(&cuLaunchCooperativeKernel_ptsz)},
        Replacement{"cuLaunchKernelEx", address_of(&cuLaunchKernelEx), address_of(&cuLaunchKernelEx_ptsz)},
        Replacement{"cuModuleLoad", address_of(&cuModuleLoad), nullptr},
        Replacement{"cuModuleLoadData", address_of(&cuModuleLoadData), nullptr},
        Replacement{"cuModuleLoadDataEx", address_of(&cuModuleLoadDataEx), nullptr},
        Replacement{"cuModuleLoadFatBinary", address_of(&cuModuleLoadFatBinary), nullptr},
        Replacement{"cuLibraryLoadData", address_of(&cuLibraryLoadData), nullptr},
        Replacement{"cuLibraryLoadFromFile", address_of(&cuLibraryLoadFromFile), nullptr},
        Replacement{"cuModuleGetFunction", address_of(&cuModuleGetFunction), nullptr},
        Replacement{"cuLibraryGetKernel", address_of(&cuLibraryGetKernel), nullptr},
        Replacement{"cuModuleGetGlobal", address_of(&cuModuleGetGlobal_v2), nullptr},
        Replacement{"cuModuleGetGlobal_v2", address_of(&cuModuleGetGlobal_v2), nullptr},
        Replacement{"cuLibraryGetGlobal", address_of(&cuLibraryGetGlobal), nullptr},
        Replacement{"cuKernelGetFunction", address_of(&cuKernelGetFunction), nullptr},
        Replacement{"cuGetProcAddress", address_of(&cuGetProcAddress), nullptr},
        Replacement{"cuGetProcAddress_v2", address_of(&cuGetProcAddress_v2), nullptr}};
    return list;
}

// Of an exported name; nullptr: not one of ours.
void* replacement_of(std::string_view name) {
    constexpr std::string_view per_thread = "_ptsz";
    const bool ends = name.ends_with(per_thread);
    const auto base = ends ? name.substr(0, name.size() - per_thread.size()) : name;
    for (const auto& r : replacements()) {
        if (r.name == base) {
            return ends ? r.per_thread : r.function;
        }
    }
    return nullptr;
}

void replace_found(std::string_view symbol, void** found, int version, std::uint64_t flags) {
    if (found == nullptr || *found == nullptr) {
        return;
    }
    if (symbol == "cuGetProcAddress" && version >= first_version_with_query_result) {
        symbol = "cuGetProcAddress_v2";
    }
    for (const auto& r : replacements()) {
        if (r.name == symbol) {
            const bool per_thread = (flags & per_thread_default_stream) != 0 && r.per_thread != nullptr;
            *found = per_thread ? r.per_thread : r.function;
        }
    }
}

}  // namespace

EXPORTED CUresult cuGetProcAddress(const char* symbol, void** found, int version, std::uint64_t flags) {
    const auto status = call_driver("cuGetProcAddress", symbol, found, version, flags);
    if (status == success) {
        replace_found(symbol, found, version, flags);
    }
    return status;
}
EXPORTED CUresult cuGetProcAddress_v2(const char* symbol, void** found, int version, std::uint64_t flags,
                                      int* query) {
    const auto status = call_driver("cuGetProcAddress_v2", symbol, found, version, flags, query);
    if (status == success) {
        replace_found(symbol, found, version, flags);
    }
    return status;
}

// Without a version: the loader takes it for any that is asked for. What the driver has not is not there
// either.
EXPORTED void* dlsym(void* handle, const char* name) {
    if (name == nullptr || std::strncmp(name, "cu", 2) != 0 || replacement_of(name) == nullptr) {
        return real_dlsym(handle, name);
    }
    return driver_symbol(name) == nullptr ? nullptr : replacement_of(name);
}
