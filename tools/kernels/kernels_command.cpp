// gpumodel kernels: the built-in kernel families, their parameters and rules, and the structure of the
// program that a family lowers to.
#include <fmt/format.h>

#include <memory>

#include "tools/kernels/pack_command.h"
#include "tools/launch/prediction_job.h"
#include "tools/views/kernels/kernels_views.h"
#include "traces/codegen/make_program.h"
#include "traces/provide/program_provider.h"
#include "traces/provide/shipped_programs.h"

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

constexpr const char* default_arch = "sm_70";

std::string show(const KernelsOptions& options) {
    if (options.output.format == Format::csv) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--format", "kernels show has no csv form, allowed text and json"}});
    }
    const Family& family = require_family(options.name, "");
    const ParamValues params = resolve_params(family, parse_params(options.params, "-p"));
    const ArchSpec arch = load(options.arch);
    ProblemShape shape = family.default_shape;
    shape.m = options.m > 0 ? options.m : shape.m;
    shape.n = options.n > 0 ? options.n : shape.n;
    shape.k = options.k > 0 ? options.k : shape.k;
    const ProgramProvider shipped({std::make_shared<ShippedPrograms>()});
    const KernelView view{family,
                          arch,
                          params,
                          shape,
                          family.generated ? make_program(family, params, shape, target_of(arch))
                                           : shipped.make(family, params, shape, target_of(arch)),
                          shipped.instances(family, arch.generation)};
    return options.output.format == Format::json ? kernel_json(view) : kernel_text(view);
}

void add_list(Command& kernels, const Options& options) {
    auto list = kernels.add_subcommand("list", "all families in one line each");
    add_output_options(list, options->output);
    list.footer(
        "Examples:\n"
        "  gpumodel kernels list\n"
        "  gpumodel kernels list --format csv");
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
    command.footer(
        "Examples:\n"
        "  gpumodel kernels show warptile\n"
        "  gpumodel kernels show doublebuffer --arch h200_sxm -m 1024 -n 1024 -k 1024 -p BM=64 -p BN=64\n"
        "  gpumodel kernels show transpose_padded --format json");
    command.run([options] {
        if (options->arch.arch.empty()) {
            options->arch.arch = default_arch;
        }
        return write_output(options->output, show(*options));
    });
}

}  // namespace

void add_kernels_command(Command& app) {
    auto kernels =
        app.add_subcommand("kernels", "list the kernel families, show one's parameters and structure");
    kernels.require_subcommand();
    const auto options = std::make_shared<KernelsOptions>();
    add_list(kernels, options);
    add_show(kernels, options);
    add_pack_command(kernels);
}

}  // namespace gpumodel::cli
