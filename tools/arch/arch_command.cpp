// gpumodel arch: list, show, check and compare architecture files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "tools/arch/arch_views.h"

namespace gpumodel::cli {

namespace {

struct ArchCommandOptions {
    OutputOptions output;
    std::string name;
    std::string other;
    std::vector<std::string> names;
    bool resolved = false;
};

int check_all(const std::vector<std::string>& names) {
    int code = exit_ok;
    for (const auto& name : names) {
        const auto outcome = arch_check(name);
        for (const auto& fault : outcome.faults) {
            std::cerr << to_string(fault) << '\n';
        }
        code = std::max(code, outcome.faults.empty() ? exit_ok : static_cast<int>(outcome.kind));
        std::cout << outcome.report << std::flush;
    }
    return code;
}

using Options = std::shared_ptr<ArchCommandOptions>;

void add_list(CLI::App& arch, Action& action, const Options& options) {
    auto* list = arch.add_subcommand("list", "all products and generations");
    add_output_options(*list, options->output);
    list->callback([options, &action] {
        action = [options] {
            write_output(options->output, arch_list(options->output.format));
            return exit_ok;
        };
    });
}

void add_show(CLI::App& arch, Action& action, const Options& options) {
    auto* show = arch.add_subcommand("show", "the values of one file, with unit and source");
    show->add_option("name", options->name, "product, generation or YAML file")->required();
    show->add_flag("--resolved", options->resolved, "after inheritance, with derived values");
    add_output_options(*show, options->output);
    show->callback([options, &action] {
        action = [options] {
            write_output(options->output,
                         arch_show(options->name, options->resolved, options->output.format));
            return exit_ok;
        };
    });
}

void add_check(CLI::App& arch, Action& action, const Options& options) {
    auto* check = arch.add_subcommand("check", "all faults of the files, or their derived peaks");
    check->add_option("names", options->names, "products, generations or YAML files")->required();
    check->callback([options, &action] { action = [options] { return check_all(options->names); }; });
}

void add_diff(CLI::App& arch, Action& action, const Options& options) {
    auto* diff = arch.add_subcommand("diff", "the keys in which two architectures differ");
    diff->add_option("a", options->name, "product, generation or YAML file")->required();
    diff->add_option("b", options->other, "product, generation or YAML file")->required();
    add_output_options(*diff, options->output);
    diff->callback([options, &action] {
        action = [options] {
            write_output(options->output, arch_diff(options->name, options->other, options->output.format));
            return exit_ok;
        };
    });
}

}  // namespace

void add_arch_command(CLI::App& app, Action& action) {
    auto* arch = app.add_subcommand("arch", "list, show, check and compare architecture files");
    arch->require_subcommand(1);
    const auto options = std::make_shared<ArchCommandOptions>();
    add_list(*arch, action, options);
    add_show(*arch, action, options);
    add_check(*arch, action, options);
    add_diff(*arch, action, options);
}

}  // namespace gpumodel::cli
