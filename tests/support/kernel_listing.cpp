#include "tests/support/kernel_listing.h"

#include <zlib.h>

#include <array>
#include <map>
#include <stdexcept>

#include "traces/sass/reader/sass_reader.h"

namespace {

std::string unpacked(const std::string& path) {
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) {
        throw std::runtime_error("cannot open " + path);
    }
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (int read = 0; (read = gzread(file, buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(read));
    }
    gzclose(file);
    return text;
}

}  // namespace

const gpumodel::SassFunction& kernel_listing(const std::string& arch, const std::string& kernel) {
    static std::map<std::string, gpumodel::SassModule> modules;
    auto found = modules.find(arch);
    if (found == modules.end()) {
        const auto text = unpacked(GPUMODEL_SOURCE_DIR "/tests/traces/emulate/listings/" + arch + ".sass.gz");
        found = modules.emplace(arch, gpumodel::read_sass(text, arch)).first;
    }
    const auto* function = found->second.find(kernel);
    if (function == nullptr) {
        throw std::runtime_error("no kernel " + kernel);
    }
    return *function;
}
