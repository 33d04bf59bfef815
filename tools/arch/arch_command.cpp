// gpumodel arch: list, show, check, compare and make architecture files.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "tools/arch/detect_gpu.h"
#include "tools/arch/new_arch.h"
#include "tools/cli/manners.h"
#include "tools/cli/option_values.h"
#include "tools/cli/streams.h"
#include "tools/views/arch/arch_keys.h"
#include "tools/views/arch/arch_views.h"

namespace gpumodel::cli {

namespace {

struct ArchCommandOptions {
    OutputOptions output;
    std::string name;
    std::string other;
    std::vector<std::string> names;
    bool resolved = false;
    std::string example = "h200_sxm";
    NewArch made;
    std::string driver = "libcuda.so.1";
    std::string device = "0";
};

void require_none(std::vector<Diagnostic> faults) {
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
}

int check_all(const std::vector<std::string>& names) {
    int code = exit_ok;
    for (const auto& name : names) {
        try {
            const auto file = arch_file(name);
            require_none(check_arch(file));
            out() << arch_check(file, load_arch(file)) << std::flush;
        } catch (const InputError& error) {  // the file's faults, no such spec, or the default product's
            for (const auto& fault : error.diagnostics()) {
                err() << to_string(fault) << '\n';
            }
            code = std::max(code, static_cast<int>(error.kind()));
        }
    }
    return code;
}

std::string shown(const ArchCommandOptions& options) {
    if (options.resolved) {
        return arch_show(load({options.name, {}}), options.output.format);
    }
    std::vector<Diagnostic> faults;
    const auto document = read_spec_document(arch_file(options.name), faults);
    require_none(std::move(faults));
    return arch_show(document, options.output.format);
}

int make_new(const ArchCommandOptions& options, const NewArch& made) {
    const auto& out = options.output.out;
    const auto text = new_arch_yaml(made);
    if (!out.empty() && std::filesystem::path(out).filename() != made.name + ".yaml") {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--out", "the file must be called " + made.name + ".yaml"}});
    }
    (void)load_new_arch(made, out);
    const int code = write_data(options.output, text);
    if (!manners().quiet) {
        err() << unscaled_note(made);
    }
    if (!out.empty() && !manners().quiet) {
        err() << new_arch_summary(out);
    }
    return code;
}

int detect(const ArchCommandOptions& options) {
    const auto gpus = detect_gpus(options.driver);
    OptionFaults faults;
    const auto last = static_cast<std::int64_t>(gpus.size()) - 1;
    const auto device = faults.number_or(options.device, "--device", 0, {0, last});
    faults.throw_if_any();
    const int code =
        make_new(options, arch_of_detected(gpus[static_cast<std::size_t>(device)], options.made.name));
    if (!options.output.out.empty() && !manners().quiet) {
        err() << measurable_estimates(options.output.out);
    }
    return code;
}

using Options = std::shared_ptr<ArchCommandOptions>;

void add_list(Command& arch, const Options& options) {
    auto list = arch.add_subcommand("list", "all products and generations");
    add_output_options(list, options->output);
    list.footer(
        "Examples:\n"
        "  gpumodel arch list\n"
        "  gpumodel arch list --format csv");
    list.run(
        [options] { return write_output(options->output, arch_list(list_archs(), options->output.format)); });
}

void add_show(Command& arch, const Options& options) {
    auto show = arch.add_subcommand("show", "the values of one file, with unit and source");
    show.add_option("name", options->name, "product, generation or YAML file").required();
    show.add_flag("--resolved", options->resolved, "after inheritance, with derived values");
    add_output_options(show, options->output);
    show.footer(
        "Examples:\n"
        "  gpumodel arch show h200\n"
        "  gpumodel arch show v100_sxm2 --resolved\n"
        "  gpumodel arch show ./mine.yaml --resolved --format json");
    show.run([options] { return write_output(options->output, shown(*options)); });
}

void add_check(Command& arch, const Options& options) {
    auto check = arch.add_subcommand("check", "all faults of the files, or their derived peaks");
    check.add_option("names", options->names, "products, generations or YAML files").required();
    check.footer(
        "Examples:\n"
        "  gpumodel arch check ./mine.yaml\n"
        "  gpumodel arch check k40 v100_sxm2 h200_sxm");
    check.run([options] { return check_all(options->names); });
}

void add_diff(Command& arch, const Options& options) {
    auto diff = arch.add_subcommand("diff", "the keys in which two architectures differ");
    diff.add_option("a", options->name, "product, generation or YAML file").required();
    diff.add_option("b", options->other, "product, generation or YAML file").required();
    add_output_options(diff, options->output);
    diff.footer(
        "Examples:\n"
        "  gpumodel arch diff v100_sxm2 h200_sxm\n"
        "  gpumodel arch diff h200_sxm ./my_h200.yaml --format csv");
    diff.run([options] {
        return write_output(options->output, arch_diff(load_arch(options->name), load_arch(options->other),
                                                       options->output.format));
    });
}

void add_new(Command& arch, const Options& options) {
    auto made =
        arch.add_subcommand("new", "a GPU of your own as a YAML file, from another one and a data sheet");
    auto& values = options->made;
    made.add_option("--from", values.from, "product or generation that it takes all else from").required();
    made.add_option("--name", values.name, "its name, and the file's: NAME.yaml").required();
    made.add_option("--marketing-name", values.marketing_name, "its name in print");
    made.add_option("--sm-count", values.sm_count,
                    "SMs; the L2's bandwidths scale with them, its size and the DRAM do not");
    made.add_option("--memory", values.memory, "e.g. 'GDDR7 28 Gbps 256 bit 16 GB' or '896 GB/s 16 GB'");
    made.add_option("--l2", values.l2, "size of the L2, e.g. '48 MiB'");
    made.add_option("--base-clock", values.base_clock, "e.g. '2.2 GHz'");
    made.add_option("--boost-clock", values.boost_clock, "e.g. '2.5 GHz'; predictions use it");
    made.add_option("--set", values.sets, "KEY=VALUE of any key (gpumodel arch keys)");
    made.add_option("--out", options->output.out, "file; without it the YAML goes to standard output");
    made.footer(
        "Examples:\n"
        "  gpumodel arch new --from rtx_4090 --name mine --sm-count 96 --memory 'GDDR7 28 Gbps 256 bit' "
        "--out mine.yaml\n"
        "  gpumodel arch new --from sm_90 --name half --sm-count 66 --l2 '25 MiB' --boost-clock '1.8 GHz'\n"
        "  gpumodel arch new --from v100_sxm2 --name faster --memory '1200 GB/s 32 GB' --out faster.yaml");
    made.run([options] { return make_new(*options, options->made); });
}

void add_detect(Command& arch, const Options& options) {
    auto found = arch.add_subcommand(
        "detect", "the GPU of this machine as a YAML file, as the CUDA driver describes it");
    found.add_option("--name", options->made.name, "the file's name: NAME.yaml; without it from the GPU's");
    found.add_option("--device", options->device, "which GPU, from 0");
    found.add_option("--driver", options->driver, "the driver's library");
    found.add_option("--out", options->output.out, "file; without it the YAML goes to standard output");
    found.footer(
        "Examples:\n"
        "  gpumodel arch detect\n"
        "  gpumodel arch detect --device 1 --name second --out second.yaml");
    found.run([options] { return detect(*options); });
}

void add_keys(Command& arch, const Options& options) {
    auto keys = arch.add_subcommand(
        "keys", "every key of the files: unit, range, when it is needed, meaning, an example");
    keys.add_option("name", options->name, "a section or a key, e.g. dram; without it all");
    keys.add_option("--arch", options->example, "whose figures and sources stand as the example");
    add_output_options(keys, options->output);
    keys.footer(
        "Examples:\n"
        "  gpumodel arch keys dram\n"
        "  gpumodel arch keys sm.shared_memory.banks --arch k40\n"
        "  gpumodel arch keys --format csv");
    keys.run([options] {
        return write_output(options->output,
                            arch_keys(options->name, load_arch(options->example), options->output.format));
    });
}

void add_schema(Command& arch, const Options& options) {
    auto schema = arch.add_subcommand("schema", "a JSON schema of the files, for editors");
    schema.add_option("--out", options->output.out, "file");
    schema.footer(
        "Examples:\n"
        "  gpumodel arch schema\n"
        "  gpumodel arch schema --out gpumodel.schema.json");
    schema.run([options] { return write_data(options->output, arch_json_schema()); });
}

}  // namespace

void add_arch_command(Command& app) {
    auto arch = app.add_subcommand("arch", "list, show, check, compare and make architecture files");
    arch.require_subcommand();
    const auto options = std::make_shared<ArchCommandOptions>();
    add_list(arch, options);
    add_show(arch, options);
    add_check(arch, options);
    add_diff(arch, options);
    add_new(arch, options);
    add_detect(arch, options);
    add_keys(arch, options);
    add_schema(arch, options);
}

}  // namespace gpumodel::cli
