#include "tools/run_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arch_specs/loader.h"
#include "base/process.h"
#include "tools/build_info/build_info.h"
#include "tools/cli/command.h"
#include "tools/cli/manners.h"
#include "tools/cli/notes.h"
#include "tools/cli/output_path.h"
#include "tools/cli/streams.h"
#include "tools/config/arguments.h"
#include "tools/config/settings.h"

namespace gpumodel::cli {
namespace {

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
void collect_empty_values(const CLI::App& app, std::vector<Diagnostic>& faults) {
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
    std::vector<Diagnostic> faults;
    collect_empty_values(app, faults);
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

// Specs of one's own that are silently not found would be answered with ours.
void note_unread_spec_folders() {
    for (const auto& folder : unreadable_spec_folders()) {
        note(NoteId::spec_folder,
             "GPUMODEL_ARCH_PATH: '" + folder + "' is no folder that can be read; it is passed over");
    }
}

// One line as a person reads it, or with GPUMODEL_DIAGNOSTICS=json as a program does, field by field.
void print(const Diagnostic& d) {
    const char* wanted = environment_variable("GPUMODEL_DIAGNOSTICS");
    if (wanted == nullptr || std::string(wanted) != "json") {
        const auto line = to_string(d);
        const auto place = to_string(Diagnostic{d.file, d.line, d.column, d.key, ""});
        const bool colored = is_colored(STDERR_FILENO) && line.starts_with(place);
        err() << (colored ? bold(place) + line.substr(place.size()) : line) << '\n';
        return;
    }
    const nlohmann::ordered_json fields{
        {"path", d.file}, {"line", d.line}, {"column", d.column}, {"key", d.key}, {"message", d.message}};
    err() << fields.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

// Results that never reached their reader must not look like success.
int checked_output(int exit_code) {
    if (out().flush()) {
        return exit_code;
    }
    err() << "gpumodel: cannot write standard output\n";
    return exit_internal;
}

// Notes that --werror makes faults, behind the results; an exit code that says worse stays.
int told_faults(int exit_code) {
    const auto faults = note_faults();
    for (const auto& fault : faults) {
        print(fault);
    }
    return exit_code == exit_ok && !faults.empty() ? exit_invalid_input : exit_code;
}

// The first argument that neither names a subcommand nor an option: what a misspelt subcommand leaves.
std::string first_word(const std::vector<std::string>& arguments) {
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [](const std::string& argument) { return !argument.starts_with('-'); });
    return found == arguments.end() ? "" : *found;
}

// "; nearest: -m" for --M, else the nearest name by letters.
std::string hint_for(const std::string& given, const CLI::App& app) {
    const auto plain = [](std::string name) {
        name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return name;
    };
    for (const auto* option : app.get_options()) {
        for (const auto& [dashes, names] :
             {std::pair{"-", option->get_snames()}, {"--", option->get_lnames()}}) {
            for (const auto& name : names) {
                if (given.starts_with('-') && plain(name) == plain(given)) {
                    return "; nearest: " + std::string(dashes) + name;
                }
            }
        }
    }
    return nearest_hint(given, known_names(app));
}

// "-p BM 64": what was meant, "" where it is something else.
std::string pair_hint(const std::string& given, const std::vector<std::string>& arguments) {
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        const auto& option = arguments[i - 2];
        const auto& key = arguments[i - 1];
        if (arguments[i] == given && (option == "-p" || option == "--set") &&
            key.find('=') == std::string::npos) {
            return "; nearest: " + option + " " + key + "=" + given;
        }
    }
    return "";
}

// "a subcommand is required: list, show or pack".
std::string required_subcommand(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* sub : app.get_subcommands([](const CLI::App* a) { return !a->get_group().empty(); })) {
        names.push_back(sub->get_name());
    }
    return fmt::format("a subcommand is required: {}", fmt::join(names, ", "));
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return app.exit(error, out(), err());  // --help, --version
    }
    const auto& where = deepest_parsed(app);
    std::string message = error.what();
    if (const auto extras = where.remaining(); !extras.empty()) {
        const bool subcommand = &where == &app && extras.front().front() != '-';
        message =
            std::string(subcommand ? "unknown subcommand '" : "unknown argument '") + extras.front() + "'";
        const auto pair = pair_hint(extras.front(), arguments);
        message += pair.empty() ? hint_for(extras.front(), where) : pair;
    } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && &where == &app) {
        const auto word = first_word(arguments);
        if (!word.empty()) {
            message = "unknown subcommand '" + word + "'" + nearest_hint(word, known_names(app));
        }
    } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
               message == "A subcommand is required") {
        message = required_subcommand(where);
    }
    err() << "gpumodel: " << message << "\nRun 'gpumodel" << subcommand_path(where)
          << " --help' for usage.\n";
    return exit_usage;
}

struct NamedCommand {
    const char* name;
    void (*add)(Command&);
};
constexpr std::array commands{
    NamedCommand{"predict", &add_predict_command},     NamedCommand{"simulate", &add_simulate_command},
    NamedCommand{"occupancy", &add_occupancy_command}, NamedCommand{"memory", &add_memory_command},
    NamedCommand{"kernels", &add_kernels_command},     NamedCommand{"metrics", &add_metrics_command},
    NamedCommand{"config", &add_config_command},       NamedCommand{"cache", &add_cache_command},
    NamedCommand{"arch", &add_arch_command},           NamedCommand{"validate", &add_validate_command},
    NamedCommand{"sass", &add_sass_command},           NamedCommand{"trace", &add_trace_command},
    NamedCommand{"calibrate", &add_calibrate_command}, NamedCommand{"sweep", &add_sweep_command},
    NamedCommand{"merge", &add_merge_command},         NamedCommand{"tune", &add_tune_command},
    NamedCommand{"compare", &add_compare_command},     NamedCommand{"sensitivity", &add_sensitivity_command},
    NamedCommand{"roofline", &add_roofline_command},   NamedCommand{"report", &add_report_command},
    NamedCommand{"explore", &add_explore_command},
};

// The options of all subcommands take a millisecond to define. Where the first argument names one and no
// other argument could name a second, that one is all that parsing can meet.
const NamedCommand* only_command(const std::vector<std::string>& arguments) {
    const auto named = [](const std::string& argument) {
        return std::find_if(commands.begin(), commands.end(),
                            [&argument](const NamedCommand& command) { return argument == command.name; });
    };
    if (arguments.empty() || named(arguments.front()) == commands.end()) {
        return nullptr;
    }
    const bool words = std::any_of(arguments.begin() + 1, arguments.end(), [&](const std::string& argument) {
        return named(argument) != commands.end() || argument == "completion" || argument == "man" ||
               argument == "__complete";
    });
    return words ? nullptr : &*named(arguments.front());
}

void add_commands(Command app, const std::vector<std::string>& arguments) {
    if (const auto* only = only_command(arguments)) {
        only->add(app);
    } else {
        for (const auto& command : commands) {
            command.add(app);
        }
        add_help_commands(app);
    }
    add_manners(app);
    app.require_subcommand();
}

std::string version_text() {
    const auto& arguments = raw_arguments();
    const bool long_form = std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument == "-v" || argument == "--verbose";
    });
    const std::string version = std::string("gpumodel ") + GPUMODEL_VERSION;
    const auto build = build_info();
    return long_form ? version + "\nrevision  " + (build.revision.empty() ? "unknown" : build.revision) +
                           "\ncompiler  " + build.compiler + "\nbuild     " + build.type
                     : version;
}

// What holds of the user's settings for this run; said with -v.
void tell_settings() {
    const auto build = build_info();
    detail(std::string("version ") + GPUMODEL_VERSION + ", revision " +
           (build.revision.empty() ? "unknown" : build.revision) + ", " + build.compiler + ", " + build.type);
    detail("settings file " + (settings().file.empty() ? "none" : settings().file) +
           (settings().file.empty() || settings().file_read ? "" : " (not there)"));
    for (const auto& winner : settings().winners) {
        if (winner.level != SettingLevel::built_in) {
            detail(winner.kind->key + " = " + winner.value + ", from " + winner.origin);
        }
    }
}

// The user's settings as this run sees them, and the arguments with them; CLI11 wants those backwards.
std::vector<std::string> settled_arguments(const Command& app) {
    auto arguments = raw_arguments();
    const auto program = app.definition();
    if (needs_settings(program, arguments)) {
        settings() = read_settings();
        apply_settings(settings());
        check_products(settings());
        arguments = with_settings(program, arguments, settings());
    }
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
    CLI::App app{"gpumodel: predicts runtime, occupancy, coalescing and bank conflicts of GPU kernels"};
    app.name("gpumodel");
    app.set_version_flag("--version", version_text);
    Action action;
    record_arguments(arguments);
    manners() = {};  // of an earlier run in the same process
    forget_notes();
    settings() = {};
    return reporting_faults([&] {
        const Command program(app, action);
        add_commands(program, arguments);
        try {
            app.parse(settled_arguments(program));
        } catch (const CLI::ParseError& error) {
            return report_parse_error(app, error, arguments);
        }
        require_values(app);
        check_werror();
        check_output_path();
        note_unread_spec_folders();
        tell_settings();
        return told_faults(checked_output(action()));
    });
}

int reporting_faults(const std::function<int()>& work) {
    try {
        return work();
    } catch (const InputError& error) {
        for (const auto& diagnostic : error.diagnostics()) {
            print(diagnostic);
        }
        return static_cast<int>(error.kind());
    } catch (const std::ios_base::failure& error) {  // of a read that the system refuses half-way
        err() << "gpumodel: an input cannot be read: " << error.what() << '\n';
        return exit_usage;
    } catch (const std::exception& error) {
        err() << "gpumodel: internal error: " << error.what() << '\n';
        return exit_internal;
    }
}

}  // namespace gpumodel::cli
