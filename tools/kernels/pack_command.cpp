#include "tools/kernels/pack_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "base/files/byte_stream.h"
#include "tools/toolkit/subprocess.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/program_file.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/accuracy/csv_row.h"

namespace gpumodel::cli {
namespace {

struct PackOptions {
    std::string listing, resources, toolkit, rows, folder, part;
};

constexpr int smallest_file = 19;  // zstd's level: written once, read often

// Of a csv with columns family,params, and the defaults of all families; all instances without a file.
std::set<std::string> wanted_instances(const std::string& file) {
    std::set<std::string> keys;
    if (file.empty()) {
        return keys;
    }
    for_each_row(file, {"family", "params"},
                 [&keys](CsvRowReader& read, std::size_t i, const auto& row, const auto& at) {
                     if (const auto* family = find_family(row[at[0]].text)) {
                         keys.insert(instance_key(*family, resolve_params(*family, read.params(i, at[1]))));
                     } else {
                         read.fault(row[at[0]], "family", "unknown");
                     }
                 });
    for (const auto& family : families()) {
        keys.insert(instance_key(family, resolve_params(family, {})));
    }
    return keys;
}

std::map<std::string, ResourceEntry> resources_by_entry(const std::string& file) {
    std::map<std::string, ResourceEntry> resources;
    for (const auto& entry : read_resource_log(file)) {
        resources[entry.entry] = entry;
    }
    return resources;
}

using KernelsByFile = std::map<std::string, std::vector<PackedKernel>>;

// By the file that they go to; `left_out` says which have no module constants.
KernelsByFile wanted_kernels(const PackOptions& options, std::string& left_out) {
    const auto resources = resources_by_entry(options.resources);
    const auto wanted = wanted_instances(options.rows);
    const auto listing = read_bytes(options.listing);
    const auto module = read_sass(listing, options.listing);
    KernelsByFile files;
    for (auto& function : functions_of(listing, options.listing)) {
        const auto entry = listing_entry(function.name);
        if (!entry ||
            (!wanted.empty() && !wanted.contains(instance_key(*find_family(entry->family), entry->params)))) {
            continue;
        }
        const auto found = resources.find(function.name);
        if (found == resources.end()) {
            throw InputError(InputErrorKind::invalid_input,
                             {{options.resources, 0, 0, function.name, "no resources of this entry"}});
        }
        const auto& used = found->second;
        const auto path = fmt::format("{}/{}/{}{}.programs", options.folder, function.arch, entry->family,
                                      options.part.empty() ? "" : "." + options.part);
        const auto* read = module.find(function.name);
        try {
            files[path].push_back(with_constants(
                {std::move(function), used.registers, used.shared_bytes, used.stack_bytes, {}}, *read));
        } catch (const InputError& error) {
            left_out += fmt::format("left out: {}\n", to_string(error.diagnostics().front()));
        }
    }
    return files;
}

// One file per family of the listing's generation, with the resources that its compiler reported.
int pack(const PackOptions& options) {
    std::string text;
    for (const auto& [path, kernels] : wanted_kernels(options, text)) {
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        const auto made_by = fmt::format("CUDA {} for {}", options.toolkit, kernels.front().function.arch);
        const auto bytes = program_file(kernels, made_by, smallest_file);
        write_file(path, bytes);
        text += fmt::format("{}: {} programs, {} bytes\n", path, kernels.size(), bytes.size());
    }
    return write_output({}, text);
}

}  // namespace

void add_pack_command(Command& kernels) {
    const auto options = std::make_shared<PackOptions>();
    auto command =
        kernels.add_subcommand("pack", "compiled kernels of the families out of a listing, as shipped");
    command
        .add_option("listing", options->listing, "of validate/kernels, by 'cuobjdump -sass'; may be packed")
        .required();
    command.add_option("--resources", options->resources, "of the same compilation, by 'ptxas -v'")
        .required();
    command.add_option("--rows", options->rows,
                       "only the instances of this csv (columns family,params), and the families' defaults");
    command.add_option("--toolkit", options->toolkit, "version of the compiler: 13.0").required();
    command.add_option("--folder", options->folder, "FOLDER/sm_XX/FAMILY.programs are written").required();
    command.add_flag(
        "--best", [options] { options->part = "best"; },
        "FAMILY.best.programs instead: what is read beside FAMILY.programs");
    command.add_flag(
        "--types", [options] { options->part = "types"; },
        "FAMILY.types.programs instead, which is read beside it, too");
    command.add_flag(
        "--clusters", [options] { options->part = "clusters"; },
        "FAMILY.clusters.programs instead, which is read beside it, too");
    command.footer(
        "Examples:\n"
        "  gpumodel kernels pack validate/listings/sm_90.sass.xz --resources "
        "validate/listings/sm_90.resources.txt --toolkit 13.0 --folder programs\n"
        "  gpumodel kernels pack k.sass --resources ptxas.log --rows tiles.csv --toolkit 11.8 --folder "
        "programs");
    command.run([options] { return pack(*options); });
}

}  // namespace gpumodel::cli
