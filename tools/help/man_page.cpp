#include "tools/help/man_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "tools/help/option_values_of.h"

namespace gpumodel::cli {
namespace {

// A backslash, a dash that is meant as typed, and a control character at the start of a line.
std::string roff(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\') {
            escaped += "\\e";
        } else if (c == '-') {
            escaped += "\\-";
        } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) {
            escaped += std::string("\\&") + c;
        } else if (c == '\'') {
            escaped += "\\(aq";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

// Running text in short lines, as roff's readers like it.
std::string filled(const std::string& text) {
    constexpr std::size_t width = 78;
    std::string lines, line, word;
    for (std::istringstream in(text); in >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            lines += roff(line) + '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return lines + roff(line);
}

std::string value_name(const CLI::Option& option) {
    const auto values = enumerated(option);
    if (!values.empty()) {
        return fmt::format("{}", fmt::join(values, "|"));
    }
    if (!option.get_option_text().empty()) {
        return option.get_option_text();
    }
    const auto type = option.get_type_name();
    auto name = type.substr(0, type.find(':'));
    for (const char* said : {"KEY=VALUE", "FILE"}) {  // in capitals where the description refers to it
        if (name == "TEXT" && option.get_description().find(said) != std::string::npos) {
            return said;
        }
    }
    return name;
}

std::string option_head(const CLI::Option& option) {
    std::string head;
    for (const auto& name : option.get_snames()) {
        head += fmt::format(R"({}\fB\-{}\fR)", head.empty() ? "" : ", ", roff(name));
    }
    for (const auto& name : option.get_lnames()) {
        head += fmt::format(R"({}\fB\-\-{}\fR)", head.empty() ? "" : ", ", roff(name));
    }
    if (option.get_positional()) {
        head = fmt::format("\\fI{}\\fR", roff(option.get_option_text().empty() ? option.get_name()
                                                                               : option.get_option_text()));
        head += enumerated(option).empty() ? "" : " " + roff(value_name(option));
    } else if (takes_value(option)) {
        head += fmt::format(" \\fI{}\\fR", roff(value_name(option)));
    }
    return head + (option.get_required() ? " (required)" : "");
}

std::string range_words(const CLI::Option& option) {
    const auto type = option.get_type_name();
    const auto open = type.find(" in [");
    if (open == std::string::npos) {
        return "";
    }
    const auto range = type.substr(open + 5, type.find(']', open) - open - 5);
    const auto dash = range.find(" - ");
    return dash == std::string::npos
               ? ""
               : fmt::format(" Allowed: {} to {}.", range.substr(0, dash), range.substr(dash + 3));
}

std::string options_text(const CLI::App& command) {
    std::string text;
    for (const auto* option : all_options(command)) {
        const bool help_again = command.get_parent() != nullptr && option->check_name("--help");
        if (option->get_group().empty() || help_again) {
            continue;
        }
        auto words = option->get_description();
        const auto range = range_words(*option);
        if (!range.empty() && !words.empty() && words.back() != '.') {
            words += '.';
        }
        text += fmt::format(".TP\n{}\n{}\n", option_head(*option), filled(words + range));
    }
    return text;
}

std::string path_of(const CLI::App& command) {
    return command.get_parent() == nullptr ? command.get_name()
                                           : path_of(*command.get_parent()) + ' ' + command.get_name();
}

std::string footer_text(const std::string& footer) {
    std::string text;
    std::string line;
    bool literal = false;
    const auto close = [&] {
        text += literal ? ".EE\n" : "";
        literal = false;
    };
    for (std::istringstream in(footer); std::getline(in, line);) {
        const bool indented = line.rfind("  ", 0) == 0;
        if (indented && !literal) {
            text += ".PP\n.EX\n";
            literal = true;
        } else if (!indented) {
            close();
        }
        if (!line.empty()) {
            text += indented ? roff(line) + '\n' : ".PP\n" + filled(line) + '\n';
        }
    }
    close();
    return text;
}

std::string command_text(const CLI::App& command) {
    if (command.get_group().empty() || command.get_name().empty()) {
        return "";
    }
    auto text = fmt::format(".SS {}\n{}\n", roff(path_of(command)), filled(command.get_description()));
    text += options_text(command) + footer_text(command.get_footer());
    for (const auto* sub : command.get_subcommands({})) {
        text += command_text(*sub);
    }
    return text;
}

constexpr const char* description =
    ".SH SYNOPSIS\n"
    ".B gpumodel\n"
    ".I command\n"
    ".RI [ options ]\n"
    ".SH DESCRIPTION\n"
    "Takes the description of a GPU (a YAML file) and a kernel (a tile\n"
    "configuration, the listing of a compiled kernel, or a trace) and predicts how\n"
    "long it takes, what limits it and why its warps wait.\n"
    "Needs neither a GPU nor the CUDA toolkit.\n"
    ".PP\n"
    "An analytic model and a cycle\\-level simulator answer.\n"
    "The simulator\\(aqs time is the predicted time: what CUDA events report as the\n"
    "median of back\\-to\\-back launches of that kernel alone on the device.\n"
    ".PP\n"
    "Results go to standard output, everything else to standard error.\n"
    "The same input gives the same bytes, at any number of threads.\n";

std::string head(const CLI::App& app) {
    const auto words = app.get_description();
    const auto colon = words.find(": ");
    return fmt::format(
               ".\\\" Written by 'gpumodel man'.\n"
               ".TH GPUMODEL 1 \"\" \"gpumodel {}\" \"User Commands\"\n"
               ".SH NAME\n"
               "gpumodel \\- {}\n",
               GPUMODEL_VERSION, filled(colon == std::string::npos ? words : words.substr(colon + 2))) +
           description;
}

constexpr const char* tail =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nno fault\n"
    ".TP\n.B 1\ninternal error, or the output could not be written\n"
    ".TP\n.B 2\nwrong usage: options, names, tables given as input\n"
    ".TP\n.B 3\nan invalid spec, kernel or trace; a launch that cannot run\n"
    ".TP\n.B 4\na threshold was exceeded\n"
    ".TP\n.B 130\ninterrupted; what was finished has been written\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B GPUMODEL_ARCH_PATH\n"
    "Folders, separated by colons, that are searched for specs before those\n"
    "installed: each itself, its\n"
    ".I products\nand its\n.IR generations .\n"
    ".SH FILES\n"
    ".TP\n.I PREFIX/share/gpumodel/arch_specs\n"
    "The specs of generations and products, found beside the program\\(aqs own\n"
    "folder.\n"
    "A spec of one\\(aqs own is a YAML file that inherits one of these; see\n"
    "\\(lqgpumodel arch check\\(rq.\n";

}  // namespace

std::string man_page(const CLI::App& app) {
    auto text = head(app) + ".SH OPTIONS\n" + options_text(app) + ".SH COMMANDS\n";
    for (const auto* command : app.get_subcommands({})) {
        text += command_text(*command);
    }
    return text + tail;
}

}  // namespace gpumodel::cli
