// gpumodel kernels: the built-in kernel families, their parameters and rules, and the structure of the
// program that a family lowers to.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "base/byte_stream.h"
#include "base/csv_table.h"
#include "base/parse.h"
#include "tools/launch/prediction_job.h"
#include "tools/views/kernels/kernels_views.h"
#include "traces/codegen/make_program.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/program_file.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel::cli {

namespace {

struct KernelsOptions {
    OutputOptions output;
    ArchOptions arch;
    std::string name;
    std::vector<std::string> params;
    std::int64_t m = 0, n = 0, k = 0;  // 0 = the family's default
};
using Options = std::shared_ptr<KernelsOptions>;

struct PackOptions {
    std::string listing, resources, toolkit, rows, out;
};

constexpr const char* default_arch = "sm_70";

const Family& require_family(const std::string& name) {
    if (const Family* family = find_family(name)) {
        return *family;
    }
    std::vector<std::string> names;
    for (const Family& family : families()) {
        names.push_back(family.name);
    }
    throw InputError(
        InputErrorKind::usage,
        {{"", 0, 0, name,
          fmt::format("unknown kernel family; see 'gpumodel kernels list'{}", nearest_hint(name, names))}});
}

std::string show(const KernelsOptions& options) {
    if (options.output.format == Format::csv) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--format", "kernels show has no csv form, allowed text and json"}});
    }
    const Family& family = require_family(options.name);
    const ParamValues params = resolve_params(family, parse_params(options.params, "-p"));
    const ArchSpec arch = load(options.arch);
    ProblemShape shape = family.default_shape;
    shape.m = options.m > 0 ? options.m : shape.m;
    shape.n = options.n > 0 ? options.n : shape.n;
    shape.k = options.k > 0 ? options.k : shape.k;
    const KernelView view{family, arch, params, shape, make_program(family, params, shape, target_of(arch))};
    return options.output.format == Format::json ? kernel_json(view) : kernel_text(view);
}

void add_list(Command& kernels, const Options& options) {
    auto list = kernels.add_subcommand("list", "all families in one line each");
    add_output_options(list, options->output);
    list.run([options] { return write_output(options->output, kernel_list(options->output.format)); });
}

void add_show(Command& kernels, const Options& options) {
    auto command = kernels.add_subcommand("show", "parameters, rules and loop structure of one family");
    command.add_option("name", options->name, "family, see 'gpumodel kernels list'").required();
    add_arch_options(command, options->arch, false);
    command.add_option("-p", options->params, "a parameter: KEY=VALUE").one_each();
    command.add_option("-m", options->m, "rows of A and C").range(1, largest_dimension);
    command.add_option("-n", options->n, "columns of B and C").range(1, largest_dimension);
    command.add_option("-k", options->k, "columns of A, rows of B").range(1, largest_dimension);
    add_output_options(command, options->output);
    command.run([options] {
        if (options->arch.arch.empty()) {
            options->arch.arch = default_arch;
        }
        return write_output(options->output, show(*options));
    });
}

// Of a csv with columns family,params, and the defaults of all families; all instances without a file.
std::set<std::string> wanted_instances(const std::string& file) {
    std::set<std::string> keys;
    if (file.empty()) {
        return keys;
    }
    const auto table = read_csv(file);
    const auto at = require_columns(table, {"family", "params"}, false);
    for (const auto& row : table.rows) {
        if (const auto* family = find_family(row[at[0]].text)) {
            std::vector<std::string> pairs;
            for (const auto part : split(row[at[1]].text, ';')) {
                if (!part.empty()) {
                    pairs.emplace_back(part);
                }
            }
            keys.insert(instance_key(*family, resolve_params(*family, parse_params(pairs, "params"))));
        }
    }
    for (const auto& family : families()) {
        keys.insert(instance_key(family, resolve_params(family, {})));
    }
    return keys;
}

// One file per family of the listing's generation, with the resources that its compiler reported.
int pack(const PackOptions& options) {
    std::map<std::string, ResourceEntry> resources;
    for (const auto& entry : read_resource_log(options.resources)) {
        resources[entry.entry] = entry;
    }
    const auto wanted = wanted_instances(options.rows);
    std::map<std::string, std::vector<PackedKernel>> families;
    std::string text;
    const auto bytes_of_listing = read_bytes(options.listing);
    const auto module = read_sass(bytes_of_listing, options.listing);
    for (auto& function : functions_of(bytes_of_listing, options.listing)) {
        const auto entry = listing_entry(function.name);
        const auto found = resources.find(function.name);
        if (!entry ||
            (!wanted.empty() && !wanted.contains(instance_key(*find_family(entry->family), entry->params)))) {
            continue;
        }
        if (found == resources.end()) {
            throw InputError(InputErrorKind::invalid_input,
                             {{options.resources, 0, 0, function.name, "no resources of this entry"}});
        }
        const auto& used = found->second;
        const auto folder = options.out + '/' + function.arch + '/';
        const auto* read = module.find(function.name);
        try {
            families[folder + entry->family + ".programs"].push_back(with_constants(
                {std::move(function), used.registers, used.shared_bytes, used.stack_bytes, {}}, *read));
        } catch (const InputError& error) {
            text += fmt::format("left out: {}\n", to_string(error.diagnostics().front()));
        }
    }
    for (const auto& [path, kernels] : families) {
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        const auto bytes = program_file(
            kernels, fmt::format("CUDA {} for {}", options.toolkit, kernels.front().function.arch), 19);
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        out << bytes;
        out.flush();
        if (!out) {
            throw InputError(InputErrorKind::usage, {{path, 0, 0, "--out", "cannot write this file"}});
        }
        text += fmt::format("{}: {} programs, {} bytes\n", path, kernels.size(), bytes.size());
    }
    return write_output({}, text);
}

void add_pack(Command& kernels) {
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
    command.add_option("--out", options->out, "folder; FOLDER/sm_XX/FAMILY.programs are written").required();
    command.run([options] { return pack(*options); });
}

}  // namespace

void add_kernels_command(Command& app) {
    auto kernels =
        app.add_subcommand("kernels", "list the kernel families, show one's parameters and structure");
    kernels.require_subcommand();
    const auto options = std::make_shared<KernelsOptions>();
    add_list(kernels, options);
    add_show(kernels, options);
    add_pack(kernels);
}

}  // namespace gpumodel::cli
