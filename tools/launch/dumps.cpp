#include "tools/launch/dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/diagnostics.h"
#include "base/note.h"
#include "tools/cli/progress.h"

namespace gpumodel::cli {
namespace {

void add_dump(const std::string& text, const KernelArguments& arguments, OptionFaults& faults,
              std::vector<Dump>& dumps) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        faults.add("--dump", fmt::format("'{}' is not NAME=FILE", text));
        return;
    }
    const auto name = text.substr(0, equals);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        const auto& argument = arguments.list[i];
        if (!argument.is_allocation()) {
            continue;
        }
        names.push_back(argument.name);
        if (argument.name != name) {
            continue;
        }
        if (argument.allocation_bytes == 0) {
            faults.add("--dump",
                       fmt::format("'{}' has no size; --args {}=ptr:SIZE gives it one", name, name));
        }
        dumps.push_back({i, text.substr(equals + 1)});
        return;
    }
    faults.add("--dump", fmt::format("no allocation of --args is named '{}'; there are: {}", name,
                                     fmt::join(names, ", ")));
}

}  // namespace

std::vector<Dump> dumps_of(const std::vector<std::string>& texts, const KernelArguments& arguments,
                           OptionFaults& faults) {
    std::vector<Dump> dumps;
    for (const auto& text : texts) {
        add_dump(text, arguments, faults, dumps);
    }
    return dumps;
}

void write_dumps(const std::vector<Dump>& dumps, const SassFunction& function, const SassLaunch& launch,
                 KernelProgram& program) {
    std::vector<DeviceArray> arrays;
    {
        Progress progress("blocks", launch.grid.count());
        arrays = execute_grid(function, launch, [&progress] { progress.add(1); });
    }
    for (const auto& dump : dumps) {
        const auto& array = arrays.at(dump.argument);
        std::ofstream out(dump.file, std::ios::binary);
        out.write(reinterpret_cast<const char*>(array.bytes.data()),
                  static_cast<std::streamsize>(array.bytes.size()));
        if (!out.flush()) {
            throw InputError(InputErrorKind::usage, {{"--dump", 0, 0, dump.file, "cannot be written"}});
        }
        if (array.unknown_bytes > 0) {
            program.notes.push_back(
                noted(NoteId::dump_unknown,
                      fmt::format("--dump {}: {} of {} bytes hang on memory that nobody gave, or were never "
                                  "written: 0 in the file",
                                  array.name, array.unknown_bytes, array.bytes.size())));
        }
    }
}

}  // namespace gpumodel::cli
