#include "tests/traces/data/data_kernel.h"

#include <map>
#include <stdexcept>

#include "traces/sass/reader/sass_reader.h"

namespace gpumodel::data_tests {

namespace {

struct NoSink final : WarpSink {
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent&) override {}
};

}  // namespace

const SassFunction& data_kernel(const std::string& arch, const std::string& kernel) {
    static std::map<std::string, SassModule> modules;
    auto found = modules.find(arch);
    if (found == modules.end()) {
        const auto path = GPUMODEL_SOURCE_DIR "/tests/traces/data/listings/" + arch + ".sass.gz";
        found = modules.emplace(arch, read_sass_file(path)).first;
    }
    const auto* function = found->second.find(kernel);
    if (function == nullptr) {
        throw std::runtime_error("no kernel " + kernel);
    }
    return *function;
}

SassLaunch launch_of(const Dim3& grid, const Dim3& block, const std::string& arguments) {
    SassLaunch launch;
    launch.grid = grid;
    launch.block = block;
    launch.arguments = parse_arguments(arguments);
    return launch;
}

Executed execute(const SassFunction& function, const SassLaunch& launch) {
    const auto source = make_sass_source(function, launch);
    NoSink sink;
    for (std::int64_t y = 0; y < launch.grid.y; ++y) {
        for (std::int64_t x = 0; x < launch.grid.x; ++x) {
            source->run_block({x, y, 0}, sink);
        }
    }
    return {source->unknown_data(), source->notes()};
}

}  // namespace gpumodel::data_tests
