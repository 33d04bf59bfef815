#include "tools/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace gpumodel::cli {
namespace {

// "a|b|c"; empty for anything else.
std::vector<std::string> alternatives(const std::string& text) {
    return text.find('|') != std::string::npos && text.find(' ') == std::string::npos
               ? CLI::detail::split(text, '|')
               : std::vector<std::string>{};
}

// CLI11 keeps a range in the name of the type: "INT in [1 - 512]".
void read_type(const std::string& type, OptionDefinition& option) {
    option.value = option.value.empty() ? type.substr(0, type.find(':')) : option.value;
    const auto open = type.find(" in [");
    const auto dash = type.find(" - ", open);
    if (open != std::string::npos && dash != std::string::npos) {
        option.lowest = type.substr(open + 5, dash - open - 5);
        option.highest = type.substr(dash + 3, type.find(']', dash) - dash - 3);
    }
}

OptionDefinition definition_of(const CLI::Option& of) {
    OptionDefinition option;
    option.name = of.get_name();
    for (const auto& name : of.get_snames()) {
        option.names.push_back('-' + name);
    }
    for (const auto& name : of.get_lnames()) {
        option.names.push_back("--" + name);
    }
    option.description = of.get_description();
    option.value = of.get_option_text();
    option.values = alternatives(option.value);
    read_type(of.get_type_name(), option);
    option.positional = of.get_positional();
    option.required = of.get_required();
    option.hidden = of.get_group().empty();
    option.takes_value = of.get_items_expected_max() > 0;
    option.list = of.get_items_expected_max() > 1;
    option.takes_several = option.list && of.get_allow_extra_args();
    return option;
}

// CLI11 keeps alternatives as subcommands without a name.
CommandDefinition definition_of(const CLI::App& of, std::vector<std::string> path = {}) {
    CommandDefinition command;
    path.push_back(of.get_name());
    command.path = path;
    command.description = of.get_description();
    command.footer = of.get_footer();
    command.hidden = of.get_group().empty();
    for (const auto* option : of.get_options()) {
        command.options.push_back(definition_of(*option));
    }
    for (const auto* sub : of.get_subcommands({})) {
        auto definition = definition_of(*sub, path);
        if (sub->get_name().empty()) {
            command.options.insert(command.options.end(), definition.options.begin(),
                                   definition.options.end());
        } else {
            command.subcommands.push_back(std::move(definition));
        }
    }
    return command;
}

}  // namespace

Option& Option::required(bool is) {
    option_->required(is);
    return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
    const auto check = [values](const std::string& given) {
        return std::find(values.begin(), values.end(), given) == values.end()
                   ? fmt::format("'{}' is none of {}", given, fmt::join(values, ", "))
                   : "";
    };
    option_->check(CLI::Validator(check, ""))->option_text(fmt::format("{}", fmt::join(values, "|")));
    return *this;
}

Option& Option::shown_as(const std::string& text) {
    option_->option_text(text);
    return *this;
}

Option& Option::range(std::int64_t lowest, std::int64_t highest) {
    option_->check(CLI::Range(lowest, highest));
    return *this;
}

Option& Option::one_each() {
    option_->allow_extra_args(false);
    return *this;
}

Option& Option::comma_separated() {
    option_->delimiter(',');
    return *this;
}

Option& Option::at_most(int count) {
    option_->expected(0, count);
    return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
    return {*app_->add_subcommand(name, description), *chosen_};
}

void Command::require_subcommand() {
    app_->require_subcommand(1);
}

Command Command::add_alternatives(const std::string& name, const std::string& description) {
    auto* group = app_->add_option_group(name, description);
    group->require_option(1);
    return {*group, *chosen_};
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& description) {
    return Option(*app_->add_option(name, value, description));
}
Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& description) {
    return Option(*app_->add_option(name, values, description));
}
Option Command::add_option(const std::string& name, int& value, const std::string& description) {
    return Option(*app_->add_option(name, value, description));
}
Option Command::add_option(const std::string& name, std::int64_t& value, const std::string& description) {
    return Option(*app_->add_option(name, value, description));
}
Option Command::add_option(const std::string& name, std::size_t& value, const std::string& description) {
    return Option(*app_->add_option(name, value, description));
}
Option Command::add_option(const std::string& name, std::optional<int>& value,
                           const std::string& description) {
    return Option(*app_->add_option(name, value, description));
}
Option Command::add_option(const std::string& name, std::vector<std::int64_t>& values,
                           const std::string& description) {
    return Option(*app_->add_option(name, values, description));
}
Option Command::add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& description) {
    return Option(*app_->add_option_function<std::string>(name, take, description));
}

void Command::add_flag(const std::string& name, bool& value, const std::string& description) {
    app_->add_flag(name, value, description)->disable_flag_override();
}

void Command::add_flag(const std::string& name, const std::function<void()>& take,
                       const std::string& description) {
    app_->add_flag_callback(name, take, description)->disable_flag_override();
}

void Command::add_flag(const std::string& name, std::vector<std::string>& values,
                       const std::string& description) {
    app_->add_flag(name, values, description);
}

void Command::add_count(const std::string& name, int& value, const std::string& description) {
    app_->add_flag(
            name, [&value](std::int64_t count) { value += static_cast<int>(count); }, description)
        ->disable_flag_override();
}

bool Command::has_option(const std::string& name) const {
    return app_->get_option_no_throw(name) != nullptr;
}

void Command::for_each_leaf(const std::function<void(Command&)>& take) {
    for (auto* below : app_->get_subcommands({})) {
        const bool named = !below->get_name().empty() && !below->get_group().empty();
        Command command(*below, *chosen_);
        const auto deeper =
            below->get_subcommands([](const CLI::App* app) { return !app->get_name().empty(); });
        if (named && deeper.empty()) {
            take(command);
        } else if (named) {
            command.for_each_leaf(take);
        }
    }
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::hide() {
    app_->group("");
    app_->set_help_flag();
    app_->prefix_command();
}

void Command::run(const Action& work) {
    app_->callback([chosen = chosen_, work] { *chosen = work; });
}

CommandDefinition Command::definition() const {
    return definition_of(*app_);
}

}  // namespace gpumodel::cli
