#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gpumodel {

std::string readable_entry(const std::string& entry) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        entry.starts_with("_Z") ? abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status) : nullptr,
        std::free);
    return name ? std::string(name.get()) : entry;
}

}  // namespace gpumodel
