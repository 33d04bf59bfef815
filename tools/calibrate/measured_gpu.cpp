#include "tools/calibrate/measured_gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/parse.h"
#include "base/printable.h"
#include "tools/arch/detect_gpu.h"
#include "tools/cli/manners.h"
#include "tools/toolkit/subprocess.h"

namespace gpumodel::cli {
namespace {

// What it said last, on one line.
std::string said_by(const ProgramRun& run) {
    const auto end = run.err.find_last_not_of(" \n\r\t");
    const auto text = run.err.substr(0, end == std::string::npos ? 0 : end + 1);
    const auto start = text.find_last_of('\n');
    return safe_to_print(start == std::string::npos ? text : text.substr(start + 1));
}

void measure(const std::vector<std::string>& arguments, const char* what) {
    if (shows_progress()) {
        fmt::print(stderr, "measuring {} ...\n", what);
    }
    const auto run = run_program(arguments);
    if (run.exit_code != 0) {
        throw InputError(InputErrorKind::invalid_input,
                         {{arguments.front(), 0, 0, "--measure",
                           run.exit_code == 127 ? std::string("cannot be started")
                                                : fmt::format("failed: {}", said_by(run))}});
    }
}

double number(const MicrobenchmarkFile& file, const char* name) {
    const auto found = file.metadata.find(name);
    const auto value = found == file.metadata.end() ? std::nullopt : parse_number<double>(found->second);
    constexpr double absurd = 1e12;
    return value && *value > 0 && *value < absurd ? *value : 0;
}

std::string word(const MicrobenchmarkFile& file, const char* name) {
    const auto found = file.metadata.find(name);
    return found == file.metadata.end() ? "" : found->second;
}

}  // namespace

MeasuredFiles measure_gpu(const std::string& program, const std::string& out) {
    const auto stem = (std::filesystem::path(out).parent_path() / std::filesystem::path(out).stem()).string();
    MeasuredFiles files{stem + "_microbench.csv", stem + "_times.csv"};
    measure({program, "--suite", "microbench", "--out", files.microbenchmarks}, "microbenchmarks");
    measure({program, "--suite", "kernels", "--sizes", "512,1024,2048", "--configurations", "4", "--longest",
             "0.1", "--out", files.times},
            "kernels");
    return files;
}

NewArch sheet_of_measured(const MicrobenchmarkFile& file, const std::string& from, const std::string& out) {
    DetectedGpu gpu;
    gpu.name = word(file, "gpu");
    const auto sm = word(file, "sm");
    const auto capability =
        sm.starts_with("sm_") ? parse_number<int>(std::string_view(sm).substr(3)) : std::nullopt;
    gpu.capability = capability.value_or(0);
    gpu.sm_count = static_cast<int>(number(file, "sm_count"));
    if (gpu.name.empty() || gpu.capability <= 0 || gpu.sm_count <= 0) {
        throw InputError(InputErrorKind::invalid_input,
                         {{file.path, 1, 1, "",
                           "its first lines do not say '# gpu', '# sm' and '# sm_count', as gpumodel-measure "
                           "writes them; give the spec to start from with --arch"}});
    }
    gpu.sm_hz = 1e6 * number(file, "clock_mhz_maximum");
    gpu.memory_hz = 1e6 * number(file, "memory_clock_mhz");
    gpu.bus_width_bits = static_cast<int>(number(file, "memory_bus_bits"));
    gpu.l2_bytes = static_cast<std::int64_t>(number(file, "l2_kib")) << 10;
    gpu.memory_bytes = static_cast<std::int64_t>(number(file, "memory_mib")) << 20;
    const auto name = std::filesystem::path(out).stem().string();
    auto sheet = from.empty() ? arch_of_detected(gpu, name) : arch_of_detected(gpu, name, from);
    std::erase_if(sheet.sets, [](const std::string& set) { return set.starts_with("dram.ecc="); });  // unsaid
    sheet.source = fmt::format("CUDA driver, by gpumodel-measure: {}",
                               std::filesystem::path(file.path).filename().string());
    return sheet;
}

}  // namespace gpumodel::cli
