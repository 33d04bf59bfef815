// gpumodel memory: coalescing and bank conflicts of one warp access typed on the command line.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/cli/command.h"
#include "tools/memory/memory_access_options.h"
#include "tools/views/memory/memory_views.h"

namespace gpumodel::cli {

namespace {

struct MemoryOptions {
    ArchOptions arch;
    OutputOptions output;
    AccessOptions access;
    std::string space = "both";
    std::string path;
    std::string bank_width;
    bool store = false;
    bool verbose = false;
};

GlobalPath read_path(const MemoryOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    if (options.store && (options.path == "l1" || options.path == "ro")) {
        faults.add("--path", options.path + " is for loads; stores go to L2 by sectors");
    }
    if (options.path == "l1") {
        return GlobalPath::l1_cached;
    }
    if (options.path == "ro") {
        return GlobalPath::read_only;
    }
    if (!options.path.empty() && options.path != "l2") {
        faults.add("--path", "'" + options.path + "' is none of l1, l2, ro");
    }
    const bool cached = options.path.empty() && !options.store && arch.l1.caches_global_loads;
    return cached ? GlobalPath::l1_cached : GlobalPath::l1_bypassed;
}

BankGeometry read_geometry(const MemoryOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    auto geometry = bank_geometry(arch.sm.shared_memory);
    if (options.bank_width.empty()) {
        return geometry;
    }
    const auto& offered = arch.sm.shared_memory.bank_widths_bytes;
    const auto width = faults.whole_number(options.bank_width, "--bank-width", {1, 1024});
    if (width && !offered.empty() && std::find(offered.begin(), offered.end(), *width) == offered.end()) {
        faults.add("--bank-width", fmt::format("{} is not a bank width of {}; allowed {}", *width, arch.name,
                                               fmt::join(offered, ", ")));
    }
    geometry.bank_width_bytes = static_cast<int>(width.value_or(geometry.bank_width_bytes));
    return geometry;
}

MemoryResult analyse(const MemoryOptions& options, const ArchSpec& arch, MemoryResult result) {
    if (options.space != "shared") {
        result.global = analyse_coalescing_verbose(result.access, arch.coalescing_rule, result.path);
    }
    if (options.space != "global") {
        result.shared = analyse_bank_conflicts(result.access, result.geometry, result.direction);
        result.picture = bank_picture(result.access, result.geometry, result.direction);
    }
    return result;
}

int run(const MemoryOptions& options) {
    OptionFaults faults;
    if (options.space != "global" && options.space != "shared" && options.space != "both") {
        faults.add("--space", "'" + options.space + "' is none of global, shared, both");
    }
    MemoryResult asked;
    asked.access = read_access(options.access, faults);
    asked.pattern = describe_access(options.access);
    asked.direction = options.store ? AccessDirection::store : AccessDirection::load;
    const auto arch = faults.load_arch(options.arch);
    if (!arch.name.empty()) {
        asked.path = read_path(options, arch, faults);
        asked.geometry = read_geometry(options, arch, faults);
    }
    faults.throw_if_any();

    const auto result = analyse(options, arch, std::move(asked));
    return write_result(options.output, {[&] { return memory_text(arch, result, options.verbose); },
                                         [&] { return memory_json(arch, result, options.verbose); },
                                         [&] { return memory_csv(arch, result); }});
}

void add_access_options(Command& command, AccessOptions& access) {
    command.add_option("--stride", access.stride,
                       "words of --width bytes between neighbouring lanes (default 1)");
    command.add_option("--offset", access.offset, "byte address of lane 0 (default 0)");
    command.add_option("--width", access.width, "bytes per lane: 1, 2, 4 (default), 8 or 16");
    command.add_option("--pitch", access.pitch, "row length of a 2-D tile in words, with --column");
    command.add_flag("--column", access.column,
                     "lanes go down a column of the tile: lane l at l * pitch words");
    command.add_option("--addresses", access.addresses,
                       "byte addresses a,b,c,... of lanes 0, 1, 2 ...; @FILE or -");
    command.add_option("--active", access.active, "mask of the active lanes, e.g. 0xffff (default: all)");
}

}  // namespace

void add_memory_command(Command& app) {
    auto options = std::make_shared<MemoryOptions>();
    auto command = app.add_subcommand("memory", "coalescing and bank conflicts of one warp access");
    add_arch_options(command, options->arch, false);
    command.add_option("--space", options->space, "global, shared or both (default)")
        .shown_as("global|shared|both");
    add_access_options(command, options->access);
    command.add_flag("--store", options->store, "a store instead of a load");
    command
        .add_option(
            "--path", options->path,
            "of a global load: l1, l2 (L1 bypassed) or ro (read-only cache); default: the architecture's")
        .shown_as("l1|l2|ro");
    command.add_option("--bank-width", options->bank_width, "bank mode in bytes, 4 or 8 where selectable");
    command.add_flag("-v,--verbose", options->verbose, "list the transactions and draw lane -> bank");
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel memory --arch sm_70 --stride 2\n"
        "  gpumodel memory --arch k40 --space shared --pitch 33 --column -v\n"
        "  gpumodel memory --arch gtx_280 --space global --addresses @addresses.txt");
    command.run([options] { return run(*options); });
}

}  // namespace gpumodel::cli
