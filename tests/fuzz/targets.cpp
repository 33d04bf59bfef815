#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/diagnostics.h"
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

constexpr Target list[] = {
    {"sass", fuzz_sass, 20000},
    {"trace_file", fuzz_trace_file, 20000},
    {"accelsim", fuzz_accelsim, 20000},
    {"resource_log", resource_log, 40000},
};

}  // namespace

std::span<const Target> targets() {
    return list;
}

}  // namespace gpumodel::fuzz
