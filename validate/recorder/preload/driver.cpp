#include "validate/recorder/preload/driver.h"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>

namespace gpumodel::recorder {

namespace {

using Dlsym = void* (*)(void*, const char*);

// glibc 2.34 moved dlsym into libc under a new version; older programs ask for the old one.
Dlsym find_dlsym() {
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"}) {
        if (void* found = dlvsym(RTLD_NEXT, "dlsym", version)) {
            return reinterpret_cast<Dlsym>(found);  // NOLINT: a symbol's type
        }
    }
    return nullptr;
}

}  // namespace

// The last call, so that it leaves no frame: RTLD_NEXT means what comes after the caller.
void* real_dlsym(void* handle, const char* name) {
    static const Dlsym function = find_dlsym();
    return function(handle, name);
}

void* driver_symbol(const char* name) {
    static std::mutex mutex;
    static std::map<std::string, void*> known;
    static void* library = nullptr;
    const std::lock_guard lock(mutex);
    if (library == nullptr) {
        library = dlopen("libcuda.so.1", RTLD_NOW);
    }
    if (library == nullptr) {
        return nullptr;
    }
    const auto [at, is_new] = known.emplace(name, nullptr);
    if (is_new) {
        at->second = real_dlsym(library, name);
    }
    return at->second;
}

}  // namespace gpumodel::recorder
