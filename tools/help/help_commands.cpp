// gpumodel completion, gpumodel man: help for shells and readers, from the other subcommands' definitions.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "tools/cli/command.h"
#include "tools/cli/streams.h"
#include "tools/help/complete.h"
#include "tools/help/completion_scripts.h"
#include "tools/help/man_page.h"

namespace gpumodel::cli {
namespace {

struct HelpOptions {
    std::string shell;
    OutputOptions output;  // text only: no --format
};

void add_out(Command& command, HelpOptions& options) {
    command.add_option("--out", options.output.out, "write to FILE instead of standard output");
}

void add_completion(Command& app, const std::shared_ptr<HelpOptions>& options) {
    auto command = app.add_subcommand("completion", "print the completion script of a shell");
    command.add_option("shell", options->shell, "the shell").required().one_of({"bash", "zsh", "fish"});
    add_out(command, *options);
    command.footer(
        "Examples:\n"
        "  source <(gpumodel completion bash)\n"
        "  gpumodel completion zsh --out ~/.zfunc/_gpumodel\n"
        "  gpumodel completion fish --out ~/.config/fish/completions/gpumodel.fish");
    command.run([options] {
        const std::map<std::string, std::string_view> scripts{
            {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
        return write_output(options->output, std::string(scripts.at(options->shell)));
    });
}

void add_man(Command& app, const std::shared_ptr<HelpOptions>& options) {
    auto command = app.add_subcommand("man", "print the manual page");
    add_out(command, *options);
    command.footer(
        "Examples:\n"
        "  gpumodel man | man -l -\n"
        "  gpumodel man --out gpumodel.1\n"
        "  gpumodel man | mandoc -T html > gpumodel.html");
    command.run([app, options] { return write_output(options->output, man_page(app.definition())); });
}

// Answers the scripts; the words after it are a command line that may be unfinished or wrong.
void add_answers(Command& app) {
    auto command = app.add_subcommand("__complete", "answer a completion script");
    command.hide();
    command.run([app] {
        const auto& words = raw_arguments();
        out() << completion_lines(complete(app.definition(), {words.begin() + 1, words.end()}));
        return exit_ok;
    });
}

}  // namespace

void add_help_commands(Command& app) {
    const auto options = std::make_shared<HelpOptions>();
    add_completion(app, options);
    add_man(app, options);
    add_answers(app);
}

}  // namespace gpumodel::cli
