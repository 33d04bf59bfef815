// Readers that take the path of a file or a folder.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temporary_folder.h"
#include "tools/config/settings.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "validate/accuracy/measurements.h"
#include "validate/recording/recording.h"

namespace gpumodel::fuzz {

namespace {

// A file in memory has a path.
template <typename Read>
int read_in_memory(const std::uint8_t* data, std::size_t size, const Read& read) {
    const int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    try {
        read("/proc/self/fd/" + std::to_string(file));
    } catch (const InputError&) {
        // A refused file is a correct answer.
    }
    close(file);
    return 0;
}

// Where the name counts: the file is written anew for every input.
template <typename Read>
int read_on_disk(const std::uint8_t* data, std::size_t size, const std::string& name, const Read& read) {
    static const TemporaryFolder folder;
    const auto path = folder.file(name);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        read(path);
    } catch (const InputError&) {
        // A refused file is a correct answer.
    }
    return 0;
}

}  // namespace

int read_log(const std::uint8_t* data, std::size_t size) {
    return read_in_memory(data, size,
                          [](const std::string& path) { static_cast<void>(read_resource_log(path)); });
}

int read_settings_file(const std::uint8_t* data, std::size_t size) {
    return read_in_memory(data, size, [](const std::string& path) {
        setenv("GPUMODEL_CONFIG", path.c_str(), 1);
        static_cast<void>(cli::read_settings());
    });
}

int read_measured(const std::uint8_t* data, std::size_t size) {
    return read_in_memory(data, size, [](const std::string& path) {
        MeasurementChoice choice;
        choice.sizes = {1024};
        choice.sample = 2;
        static_cast<void>(choose(read_measurements(path), choice));
    });
}

// With what a file inherits, so that derived values of any numbers are computed and checked too.
int read_architecture(const std::uint8_t* data, std::size_t size) {
    return read_on_disk(data, size, "fuzz.yaml", [](const std::string& path) {
        if (check_arch(path).empty()) {
            static_cast<void>(load_arch(path));
        }
    });
}

int read_recorded(const std::uint8_t* data, std::size_t size) {
    const auto lines = std::count(data, data + size, '\n');
    return read_on_disk(data, size, "launches.jsonl", [&](const std::string& path) {
        const auto folder = path.substr(0, path.rfind('/'));
        std::ofstream(folder + "/recording.json")
            << R"({"schema_version": 1, "not_recorded": 0, "launches": )" << lines << "}";
        for (const auto& launch : read_recording(folder).launches) {
            static_cast<void>(launch.measured_us());
            static_cast<void>(measured_on(launch, "h200_sxm", "sm_90"));
        }
    });
}

}  // namespace gpumodel::fuzz
