#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "traces/emulate/data/npy.h"
#include "traces/emulate/data/tensor_map.h"
#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/trace_file.h"

namespace gpumodel::fuzz {

namespace {

int npy(const std::uint8_t* data, std::size_t size) {
    const std::string file(data, data + size);
    const auto header = read_npy_header(file);
    if (header.fault.empty() && header.data_begin > size) {
        std::abort();
    }
    return 0;
}

// Files that the text would name are not opened.
int arguments(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    if (text.find('@') != std::string::npos) {
        return 0;
    }
    try {
        static_cast<void>(parse_arguments(text));
    } catch (const InputError&) {
        // Refused arguments are a correct answer.
    }
    return 0;
}

int tensor_map(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    const auto read = read_tensor_map(text);
    if (read.fault.empty() && (read.map.bytes() <= 0 || read.map.tile_bytes() <= 0)) {
        std::abort();
    }
    return 0;
}

struct NoSink final : WarpSink {
    void straight(int /*warp*/, int /*begin*/, int /*end*/, std::uint32_t /*active*/) override {}
    void access(int /*warp*/, const AccessEvent& /*event*/) override {}
};

// A line of arguments, then a listing, of which the first function is executed.
int emulate_listing(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    const auto line = text.find('\n');
    if (line == std::string::npos || text.find('@') < line) {
        return 0;
    }
    try {
        const auto listing = read_sass(std::string_view(text).substr(line + 1), "fuzz");
        if (listing.functions.empty()) {
            return 0;
        }
        SassLaunch launch;
        launch.grid = {2, 1, 1};
        launch.block = {40, 1, 1};
        launch.dynamic_shared_bytes = 1024;
        launch.arguments = parse_arguments(text.substr(0, line));
        launch.most_instructions_per_warp = 2000;
        const auto source = make_sass_source(listing.functions.front(), launch);
        NoSink sink;
        source->run_block({1, 0, 0}, sink);
    } catch (const InputError&) {
        // Code that is refused, or ends in a loop, is a correct answer.
    }
    return 0;
}

constexpr Target list[] = {
    {"sass", fuzz_sass, 10000},
    {"elf", fuzz_sass, 4000},
    {"emulate", emulate_listing, 4000},
    {"trace_file", fuzz_trace_file, 10000},
    {"accelsim", fuzz_accelsim, 10000},
    {"resource_log", read_log, 20000},
    {"npy", npy, 100000},
    {"arguments", arguments, 40000},
    {"tensor_map", tensor_map, 100000},
    {"settings", read_settings_file, 10000},
    {"measurements", read_measured, 10000},
    {"arch", read_architecture, 300},
    {"recording", read_recorded, 5000},
};

}  // namespace

std::span<const Target> targets() {
    return list;
}

}  // namespace gpumodel::fuzz
