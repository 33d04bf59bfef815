#include "tools/cli/command.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tools/cli/clock_choice.h"
#include "tools/cli/manners.h"
#include "tools/cli/streams.h"
#include "tools/config/settings.h"
#include "tools/results/csv_shape.h"
#include "tools/views/markdown/markdown.h"

namespace gpumodel::cli {
namespace {

std::vector<std::string>& arguments() {
    static std::vector<std::string> list;
    return list;
}

}  // namespace

const std::vector<std::string>& raw_arguments() {
    return arguments();
}

void record_arguments(std::vector<std::string> given) {
    arguments() = std::move(given);
}

std::string command_line() {
    std::string line = "gpumodel";
    for (const auto& argument : raw_arguments()) {
        line += ' ' + argument;
    }
    return line;
}

void add_arch_options(Command& command, ArchOptions& options, bool required) {
    command
        .add_option("--arch", options.arch,
                    "a product as people type it (k40, h200, 'RTX 4090'; gpumodel arch list), a generation "
                    "(sm_35: its default product) or a YAML file (a path with / or .yaml); names are also "
                    "looked for in the folders of GPUMODEL_ARCH_PATH, a:b")
        .required(required);
    command
        .add_option("--set", options.sets, "override a spec value: KEY=VALUE, e.g. sm.shared_memory.banks=64")
        .one_each();
}

std::vector<std::pair<std::string, std::string>> split_pairs(const std::vector<std::string>& items,
                                                             const std::string& option) {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<Diagnostic> faults;
    for (const auto& item : items) {
        const auto equals = item.find('=');
        if (equals == std::string::npos || equals == 0) {
            faults.push_back({option, 0, 0, item, "expected KEY=VALUE"});
            continue;
        }
        pairs.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return pairs;
}

std::vector<Override> overrides_of(const ArchOptions& options, const std::string& product) {
    std::vector<Override> overrides;
    std::vector<Diagnostic> faults;
    const auto given = [&overrides](const std::string& key) {
        return std::any_of(overrides.begin(), overrides.end(),
                           [&key](const Override& other) { return other.key == key; });
    };
    for (auto& [key, value] : split_pairs(options.sets, "--set")) {
        if (given(key)) {
            faults.push_back({"--set", 0, 0, key, "given twice"});
        }
        overrides.push_back({key, value});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    const auto own = settings().overrides.find(product);
    if (own != settings().overrides.end()) {
        std::copy_if(own->second.begin(), own->second.end(), std::back_inserter(overrides),
                     [&](const Override& item) { return !given(item.key); });
    }
    return overrides;
}

ArchSpec load(const ArchOptions& options) {
    auto overrides = overrides_of(options, "");
    auto spec = load_arch(options.arch, overrides);
    if (settings().overrides.contains(spec.name)) {
        overrides = overrides_of(options, spec.name);
        spec = load_arch(options.arch, overrides);
    }
    if (!options.clock.empty()) {
        spec = at_chosen_clock(options.clock, std::move(spec), options.arch, std::move(overrides));
    }
    detail("spec " + spec.file + ", hash " + spec.content_hash);
    return spec;
}

void add_format_option(Command& command, OutputOptions& options, const std::string& description) {
    const auto take = [&options](const std::string& name) {
        options.format = name == "json" ? Format::json : name == "csv" ? Format::csv : Format::text;
        options.markdown = name == "markdown";
    };
    options.report = true;
    command.add_option("--format", take, description).one_of({"text", "json", "csv", "markdown"});
}

void add_output_options(Command& command, OutputOptions& options) {
    add_format_option(command, options);
    command.add_option(
        "--out", options.out,
        "write the result to FILE; standard output (-) has it as text then if it is a terminal");
}

int write_output(const OutputOptions& options, const std::string& content,
                 const std::function<std::string()>& text) {
    const bool is_text = options.report && options.format == Format::text;
    const auto for_console = [](const std::string& report) {
        return is_colored(STDOUT_FILENO) ? emphasized(report) : report;
    };
    if (!options.out.empty() && out_is_terminal() && (text || is_text)) {
        out() << for_console(text ? text() : content) << std::flush;
    }
    if (options.format == Format::csv && CsvShape(options).changes()) {
        return write_data(options, CsvShape(options).shaped(content));
    }
    if (is_text && options.markdown) {
        return write_data(options, markdown_report(content));
    }
    return write_data(options, is_text && options.out.empty() ? for_console(content) : content);
}

int write_result(const OutputOptions& options, const ResultForms& forms) {
    const auto& form = options.format == Format::csv    ? forms.csv
                       : options.format == Format::json ? forms.json
                                                        : forms.text;
    return write_output(options, form(), forms.text);
}

int write_data(const OutputOptions& options, const std::string& content) {
    if (options.out.empty()) {
        out() << content << std::flush;
        return exit_ok;
    }
    std::ofstream file(options.out, std::ios::binary);
    file << content;
    file.close();
    if (!file) {
        throw InputError(InputErrorKind::usage, {{options.out, 0, 0, "--out", "cannot write this file"}});
    }
    return exit_ok;
}

}  // namespace gpumodel::cli
