// gpumodel arch: list, show, check and compare architecture files.
#include <algorithm>
#include <iostream>
#include <memory>

#include "tools/views/arch/arch_views.h"

namespace gpumodel::cli {

namespace {

struct ArchCommandOptions {
    OutputOptions output;
    std::string name;
    std::string other;
    std::vector<std::string> names;
    bool resolved = false;
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
            std::cout << arch_check(file, load_arch(file)) << std::flush;
        } catch (const InputError& error) {  // the file's faults, no such spec, or the default product's
            for (const auto& fault : error.diagnostics()) {
                std::cerr << to_string(fault) << '\n';
            }
            code = std::max(code, static_cast<int>(error.kind()));
        }
    }
    return code;
}

std::string shown(const ArchCommandOptions& options) {
    if (options.resolved) {
        return arch_show(load_arch(options.name), options.output.format);
    }
    std::vector<Diagnostic> faults;
    const auto document = read_spec_document(arch_file(options.name), faults);
    require_none(std::move(faults));
    return arch_show(document, options.output.format);
}

using Options = std::shared_ptr<ArchCommandOptions>;

void add_list(Command& arch, const Options& options) {
    auto list = arch.add_subcommand("list", "all products and generations");
    add_output_options(list, options->output);
    list.run(
        [options] { return write_output(options->output, arch_list(list_archs(), options->output.format)); });
}

void add_show(Command& arch, const Options& options) {
    auto show = arch.add_subcommand("show", "the values of one file, with unit and source");
    show.add_option("name", options->name, "product, generation or YAML file").required();
    show.add_flag("--resolved", options->resolved, "after inheritance, with derived values");
    add_output_options(show, options->output);
    show.run([options] { return write_output(options->output, shown(*options)); });
}

void add_check(Command& arch, const Options& options) {
    auto check = arch.add_subcommand("check", "all faults of the files, or their derived peaks");
    check.add_option("names", options->names, "products, generations or YAML files").required();
    check.run([options] { return check_all(options->names); });
}

void add_diff(Command& arch, const Options& options) {
    auto diff = arch.add_subcommand("diff", "the keys in which two architectures differ");
    diff.add_option("a", options->name, "product, generation or YAML file").required();
    diff.add_option("b", options->other, "product, generation or YAML file").required();
    add_output_options(diff, options->output);
    diff.run([options] {
        return write_output(options->output, arch_diff(load_arch(options->name), load_arch(options->other),
                                                       options->output.format));
    });
}

}  // namespace

void add_arch_command(Command& app) {
    auto arch = app.add_subcommand("arch", "list, show, check and compare architecture files");
    arch.require_subcommand();
    const auto options = std::make_shared<ArchCommandOptions>();
    add_list(arch, options);
    add_show(arch, options);
    add_check(arch, options);
    add_diff(arch, options);
}

}  // namespace gpumodel::cli
