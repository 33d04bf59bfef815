#include "tools/config/arguments.h"

#include <algorithm>

#include "base/process.h"
#include "tools/cli/manners.h"

namespace gpumodel::cli {
namespace {

bool is_one_of(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

const CommandDefinition* below(const CommandDefinition& command, const std::string& name) {
    for (const auto& sub : command.subcommands) {
        if (!sub.hidden && sub.name() == name) {
            return &sub;
        }
    }
    return nullptr;
}

// How many of the arguments lead to the subcommand.
std::size_t words_to(const CommandDefinition& program, const std::vector<std::string>& arguments) {
    const auto* command = &program;
    std::size_t count = 0;
    for (; count < arguments.size(); ++count) {
        const auto* next = below(*command, arguments[count]);
        if (next == nullptr) {
            break;
        }
        command = next;
    }
    return count;
}

const OptionDefinition* option_of(const CommandDefinition& command, const std::string& name) {
    for (const auto& option : command.options) {
        if (is_one_of(option.names, name)) {
            return &option;
        }
    }
    return nullptr;
}

bool is_given(const std::vector<std::string>& arguments, const std::string& name) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
        return argument == name || argument.starts_with(name + "=");
    });
}

// Whether the subcommand takes it; one that has no such format keeps its own.
bool takes(const OptionDefinition* option, const Setting& setting, bool needs_arch) {
    if (option == nullptr) {
        return false;
    }
    // where an architecture may be left out the command means something else without: files, not a launch
    const bool launch = setting.kind->key == "arch" || setting.kind->key == "l2";
    return (!launch || needs_arch) && (option->values.empty() || is_one_of(option->values, setting.value));
}

// "--out -" is what no --out means.
void drop_standard_output(const CommandDefinition& command, std::vector<std::string>& arguments) {
    const auto* out = option_of(command, "--out");
    if (out == nullptr || out->required) {
        return;
    }
    const auto outs = std::count_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument == "--out" || argument.starts_with("--out=");
    });
    if (outs != 1) {
        return;  // given twice is a fault
    }
    std::erase(arguments, "--out=-");
    for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
        if (arguments[i] == "--out" && arguments[i + 1] == "-") {
            const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
            arguments.erase(at, at + 2);
            return;
        }
    }
}

// "--out picture.svg" is an svg without --format.
bool ending_decides(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool out = (i > 0 && arguments[i - 1] == "--out") || arguments[i].starts_with("--out=");
        if (out && arguments[i].ends_with(".svg")) {
            return true;
        }
    }
    return false;
}

// For the floors that read it themselves.
void hand_on(const Settings& settings, const std::string& key) {
    const auto& setting = settings.of(key);
    if (setting.level == SettingLevel::file) {
        set_environment_variable(setting.kind->variable, setting.value);
    }
}

}  // namespace

const CommandDefinition& named_command(const CommandDefinition& program,
                                       const std::vector<std::string>& arguments) {
    const auto* command = &program;
    const auto words = words_to(program, arguments);
    for (std::size_t i = 0; i < words; ++i) {
        command = below(*command, arguments[i]);
    }
    return *command;
}

bool needs_settings(const CommandDefinition& program, const std::vector<std::string>& arguments) {
    const auto& command = named_command(program, arguments);
    const bool about_gpumodel = command.path.size() > 1 && is_one_of({"completion", "man"}, command.path[1]);
    return command.path.size() > 1 && command.subcommands.empty() && !about_gpumodel &&
           !is_one_of(arguments, "--help") && !is_one_of(arguments, "-h");
}

std::vector<std::string> with_settings(const CommandDefinition& program,
                                       const std::vector<std::string>& arguments, const Settings& settings) {
    const auto& command = named_command(program, arguments);
    auto all = arguments;
    drop_standard_output(command, all);
    if (command.path.size() > 1 && command.path[1] == "config") {
        return all;  // shows them instead
    }
    const auto* arch = option_of(command, "--arch");
    const bool needs_arch = arch != nullptr && arch->required;
    auto at = all.begin() + static_cast<std::ptrdiff_t>(words_to(program, all));
    for (const char* key : {"arch", "format", "l2", "threads"}) {
        const auto& setting = settings.of(key);
        const auto name = std::string("--") + key;
        if (setting.level != SettingLevel::built_in && takes(option_of(command, name), setting, needs_arch) &&
            !is_given(arguments, name) && !(key == std::string("format") && ending_decides(all))) {
            at = all.insert(at, name + "=" + setting.value) + 1;
        }
    }
    return all;
}

void apply_settings(const Settings& settings) {
    auto& kept = manners();
    const auto& color = settings.of("color").value;
    kept.color = color == "always" ? Color::always : color == "never" ? Color::never : Color::automatic;
    kept.quiet = settings.of("quiet").value == "yes";
    kept.stamp = settings.of("stamp").value == "yes";
    for (const char* key : {"compile", "arch_path", "cache_dir"}) {
        hand_on(settings, key);
    }
}

}  // namespace gpumodel::cli
