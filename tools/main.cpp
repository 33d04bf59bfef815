// The gpumodel command: parses, runs one subcommand, maps errors to the contract's exit codes.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arch_specs/loader.h"
#include "tools/cli/command.h"
#include "tools/cli/output_path.h"

namespace {

using gpumodel::cli::Action;

// Names that may follow the program or subcommand where parsing stopped.
std::vector<std::string> known_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* sub : app.get_subcommands({})) {
        names.push_back(sub->get_name());
    }
    for (const auto* option : app.get_options()) {
        for (const auto& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

const CLI::App& deepest_parsed(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : deepest_parsed(*chosen.front());
}

// " arch show" for that subcommand, "" for the program itself.
std::string subcommand_path(const CLI::App& app) {
    return app.get_parent() == nullptr ? "" : subcommand_path(*app.get_parent()) + " " + app.get_name();
}

// An empty value is an unset variable in a script; taking it for "not given" would hide that.
void collect_empty_values(const CLI::App& app, std::vector<gpumodel::Diagnostic>& faults) {
    for (const auto* option : app.get_options()) {
        for (const auto& value : option->results()) {
            if (value.empty()) {
                faults.push_back({"", 0, 0, option->get_name(), "the value is empty"});
            }
        }
    }
    for (const auto* sub : app.get_subcommands()) {
        collect_empty_values(*sub, faults);
    }
}

void require_values(const CLI::App& app) {
    std::vector<gpumodel::Diagnostic> faults;
    collect_empty_values(app, faults);
    if (!faults.empty()) {
        throw gpumodel::InputError(gpumodel::InputErrorKind::usage, std::move(faults));
    }
}

// Specs of one's own that are silently not found would be answered with ours.
void note_unread_spec_folders() {
    for (const auto& folder : gpumodel::unreadable_spec_folders()) {
        std::cerr << "gpumodel: GPUMODEL_ARCH_PATH: '" << folder
                  << "' is no folder that can be read; it is passed over\n";
    }
}

// One line as a person reads it, or with GPUMODEL_DIAGNOSTICS=json as a program does, field by field.
void print(const gpumodel::Diagnostic& d) {
    const char* wanted = std::getenv("GPUMODEL_DIAGNOSTICS");
    if (wanted == nullptr || std::string(wanted) != "json") {
        std::cerr << to_string(d) << '\n';
        return;
    }
    const nlohmann::ordered_json fields{
        {"path", d.file}, {"line", d.line}, {"column", d.column}, {"key", d.key}, {"message", d.message}};
    std::cerr << fields.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

// Results that never reached their reader must not look like success.
int checked_output(int exit_code) {
    if (std::cout.flush()) {
        return exit_code;
    }
    std::cerr << "gpumodel: cannot write standard output\n";
    return gpumodel::cli::exit_internal;
}

// The first argument that neither names a subcommand nor an option: what a misspelt subcommand leaves.
std::string first_word(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] != '-') {
            return argv[i];
        }
    }
    return "";
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return app.exit(error);  // --help, --version
    }
    const auto& where = deepest_parsed(app);
    std::string message = error.what();
    if (const auto extras = where.remaining(); !extras.empty()) {
        const bool subcommand = &where == &app && extras.front().front() != '-';
        message = std::string(subcommand ? "unknown subcommand '" : "unknown argument '") + extras.front() +
                  "'" + gpumodel::nearest_hint(extras.front(), known_names(where));
    } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && &where == &app) {
        const auto word = first_word(argc, argv);
        if (!word.empty()) {
            message = "unknown subcommand '" + word + "'" + gpumodel::nearest_hint(word, known_names(app));
        }
    }
    std::cerr << "gpumodel: " << message << "\nRun 'gpumodel" << subcommand_path(where)
              << " --help' for usage.\n";
    return gpumodel::cli::exit_usage;
}

void add_commands(gpumodel::cli::Command app) {
    gpumodel::cli::add_predict_command(app);
    gpumodel::cli::add_simulate_command(app);
    gpumodel::cli::add_occupancy_command(app);
    gpumodel::cli::add_memory_command(app);
    gpumodel::cli::add_kernels_command(app);
    gpumodel::cli::add_metrics_command(app);
    gpumodel::cli::add_cache_command(app);
    gpumodel::cli::add_arch_command(app);
    gpumodel::cli::add_validate_command(app);
    gpumodel::cli::add_sass_command(app);
    gpumodel::cli::add_trace_command(app);
    gpumodel::cli::add_calibrate_command(app);
    gpumodel::cli::add_sweep_command(app);
    gpumodel::cli::add_merge_command(app);
    gpumodel::cli::add_tune_command(app);
    gpumodel::cli::add_compare_command(app);
    gpumodel::cli::add_sensitivity_command(app);
    gpumodel::cli::add_roofline_command(app);
    gpumodel::cli::add_report_command(app);
    gpumodel::cli::add_explore_command(app);
    gpumodel::cli::add_help_commands(app);
    app.require_subcommand();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"gpumodel: predicts runtime, occupancy, coalescing and bank conflicts of GPU kernels"};
    app.name("gpumodel");
    app.set_version_flag("--version", std::string("gpumodel ") + GPUMODEL_VERSION);
    Action action;
    gpumodel::cli::record_arguments(argc, argv);
    try {
        add_commands({app, action});
        app.parse(argc, argv);
        require_values(app);
        gpumodel::cli::check_output_path();
        note_unread_spec_folders();
        return checked_output(action());
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, error, argc, argv);
    } catch (const gpumodel::InputError& error) {
        for (const auto& diagnostic : error.diagnostics()) {
            print(diagnostic);
        }
        return static_cast<int>(error.kind());
    } catch (const std::ios_base::failure& error) {  // of a read that the system refuses half-way
        std::cerr << "gpumodel: an input cannot be read: " << error.what() << '\n';
        return gpumodel::cli::exit_usage;
    } catch (const std::exception& error) {
        std::cerr << "gpumodel: internal error: " << error.what() << '\n';
        return gpumodel::cli::exit_internal;
    }
}
