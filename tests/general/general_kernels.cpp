#include "tests/general/general_kernels.h"

#include <cstdio>
#include <stdexcept>

#include "base/csv_table.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel {
namespace {

const std::string folder = GPUMODEL_SOURCE_DIR "/validate/general/";

const SassModule& listing(const std::string& arch) {
    static std::map<std::string, SassModule> modules;
    const auto found = modules.find(arch);
    return found != modules.end()
               ? found->second
               : modules.emplace(arch, read_sass_file(folder + arch + ".sass.gz")).first->second;
}

Dim3 dim(const std::string& text) {
    Dim3 d;
    if (std::sscanf(text.c_str(), "%ld,%ld,%ld", &d.x, &d.y, &d.z) != 3) {
        throw std::runtime_error("not three numbers: " + text);
    }
    return d;
}

const SassFunction& entry(const SassModule& module, const std::string& kernel) {
    // the length in front of a mangled name tells apart names that contain each other
    const auto part = std::to_string(kernel.size()) + kernel;
    for (const auto& function : module.functions) {
        if (function.name.find(part) != std::string::npos) {
            return function;
        }
    }
    throw std::runtime_error("no entry " + kernel);
}

GeneralLaunch launch_of(const CsvTable& table, const std::vector<CsvField>& row) {
    GeneralLaunch launch;
    for (std::size_t c = 0; c < table.header.size(); ++c) {
        const auto& name = table.header[c];
        const auto& text = row[c].text;
        if (name == "kernel") {
            launch.kernel = text;
        } else if (name == "grid") {
            launch.grid = dim(text);
        } else if (name == "block") {
            launch.block = dim(text);
        } else if (name == "shared_bytes") {
            launch.shared_bytes = std::stoll(text);
        } else if (name == "args") {
            launch.args = text;
        } else {
            launch.measured[name] = std::stod(text);
        }
    }
    return launch;
}

}  // namespace

const std::vector<GeneralLaunch>& general_launches() {
    static const std::vector<GeneralLaunch> launches = [] {
        std::vector<GeneralLaunch> list;
        const auto table = read_csv(folder + "h200_sxm.csv");
        for (const auto& row : table.rows) {
            list.push_back(launch_of(table, row));
        }
        return list;
    }();
    return launches;
}

KernelProgram general_program(const GeneralLaunch& launch, const std::string& arch) {
    SassLaunch sass;
    sass.grid = launch.grid;
    sass.block = launch.block;
    sass.dynamic_shared_bytes = launch.shared_bytes;
    sass.arguments = parse_arguments(launch.args);
    return program_from_sass(entry(listing(arch), launch.kernel), sass);
}

}  // namespace gpumodel
