#include "tools/launch/variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"

namespace gpumodel::cli {
namespace {

constexpr const char* variables_option = "--variables";

bool is_named(const SassVariable& variable, const std::string& name) {
    const auto readable = readable_entry(variable.name);
    return variable.name == name || readable == name || readable.ends_with("::" + name);
}

const SassVariable* find_variable(const SassFunction& function, const std::string& name,
                                  OptionFaults& faults) {
    std::vector<const SassVariable*> found;
    std::vector<std::string> names;
    for (const auto& variable : function.variables) {
        names.push_back(readable_entry(variable.name));
        if (is_named(variable, name)) {
            found.push_back(&variable);
        }
    }
    if (found.size() == 1) {
        return found.front();
    }
    if (found.empty()) {
        faults.add(
            variables_option,
            names.empty()
                ? fmt::format("'{}': the listing names no variables ('cuobjdump -sass -elf' does)", name)
                : fmt::format("no variable is named '{}'; there are: {}", name, fmt::join(names, ", ")));
    } else {
        faults.add(variables_option,
                   fmt::format("'{}' are {} variables: give the whole name", name, found.size()));
    }
    return nullptr;
}

void add_variable(const std::string& text, const SassFunction& function, OptionFaults& faults,
                  std::vector<GivenVariable>& variables) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        faults.add(variables_option, fmt::format("'{}' is not NAME=CONTENTS", text));
        return;
    }
    const auto* variable = find_variable(function, text.substr(0, equals), faults);
    if (variable == nullptr) {
        return;
    }
    const auto again = [variable](const GivenVariable& given) { return given.name == variable->name; };
    if (std::any_of(variables.begin(), variables.end(), again)) {
        faults.add(variables_option, fmt::format("'{}' is given twice", variable->name));
        return;
    }
    const auto contents = text.substr(equals + 1);
    if (!contents.starts_with('@')) {
        auto given = given_rule(contents, variable->bytes);
        if (!given.fault.empty()) {
            faults.add(variables_option, given.fault);
        }
        variables.push_back({variable->name, std::move(given.data)});
        return;
    }
    faults.collect([&] {
        auto data = given_file(contents.substr(1));
        if (data->bytes() > variable->bytes) {
            faults.add(variables_option,
                       fmt::format("'{}' holds {} bytes, more than the {} of '{}'", contents.substr(1),
                                   data->bytes(), variable->bytes, text.substr(0, equals)));
        }
        variables.push_back({variable->name, std::move(data)});
    });
}

}  // namespace

std::vector<GivenVariable> variables_of(const std::vector<std::string>& texts, const SassFunction& function,
                                        OptionFaults& faults) {
    std::vector<GivenVariable> variables;
    for (const auto& text : texts) {
        add_variable(text, function, faults, variables);
    }
    return variables;
}

}  // namespace gpumodel::cli
