#include "tests/support/kernel_listing.h"

#include <map>
#include <stdexcept>

#include "traces/sass/reader/sass_reader.h"

const gpumodel::SassFunction& kernel_listing(const std::string& arch, const std::string& kernel) {
    static std::map<std::string, gpumodel::SassModule> modules;
    auto found = modules.find(arch);
    if (found == modules.end()) {
        const auto path = GPUMODEL_SOURCE_DIR "/tests/traces/emulate/listings/" + arch + ".sass.gz";
        found = modules.emplace(arch, gpumodel::read_sass_file(path)).first;
    }
    const auto* function = found->second.find(kernel);
    if (function == nullptr) {
        throw std::runtime_error("no kernel " + kernel);
    }
    return *function;
}
