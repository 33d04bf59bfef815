#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/diagnostics.h"
#include "traces/emulate/data/npy.h"
#include "traces/emulate/prepare/kernel_arguments.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/sass/reader/sass_reader.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/trace_file.h"

namespace gpumodel::fuzz {

namespace {

// The reader takes a path; a file in memory has one.
int resource_log(const std::uint8_t* data, std::size_t size) {
    const int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    try {
        static_cast<void>(read_resource_log("/proc/self/fd/" + std::to_string(file)));
    } catch (const InputError&) {
        // A refused log is a correct answer.
    }
    close(file);
    return 0;
}

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

constexpr Target list[] = {
    {"sass", fuzz_sass, 20000},
    {"trace_file", fuzz_trace_file, 20000},
    {"accelsim", fuzz_accelsim, 20000},
    {"resource_log", resource_log, 40000},
    {"npy", npy, 100000},
    {"arguments", arguments, 40000},
};

}  // namespace

std::span<const Target> targets() {
    return list;
}

}  // namespace gpumodel::fuzz
