#include "tools/help/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

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

std::string value_name(const OptionDefinition& option) {
    for (const char* said : {"KEY=VALUE", "FILE"}) {  // in capitals where the description refers to it
        if (option.value == "TEXT" && option.description.find(said) != std::string::npos) {
            return said;
        }
    }
    return option.value;
}

std::string option_head(const OptionDefinition& option) {
    std::string head;
    for (const auto& name : option.names) {
        head += fmt::format(R"({}\fB{}\fR)", head.empty() ? "" : ", ", roff(name));
    }
    if (option.positional) {
        const bool renamed = option.values.empty() && option.value != "TEXT";
        head = fmt::format("\\fI{}\\fR", roff(renamed ? option.value : option.name));
        head += option.values.empty() ? "" : " " + roff(option.value);
    } else if (option.takes_value) {
        head += fmt::format(" \\fI{}\\fR", roff(value_name(option)));
    }
    return head + (option.required ? " (required)" : "");
}

std::string options_text(const CommandDefinition& command) {
    std::string text;
    for (const auto& option : command.options) {
        const auto& names = option.names;
        const bool help = std::find(names.begin(), names.end(), "--help") != names.end();
        if (option.hidden || (help && command.path.size() > 1)) {
            continue;
        }
        auto words = option.description;
        if (!option.lowest.empty()) {
            words += words.ends_with('.') ? "" : ".";
            words += fmt::format(" Allowed: {} to {}.", option.lowest, option.highest);
        }
        text += fmt::format(".TP\n{}\n{}\n", option_head(option), filled(words));
    }
    return text;
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

std::string command_text(const CommandDefinition& command) {
    if (command.hidden) {
        return "";
    }
    auto text = fmt::format(".SS {}\n{}\n", roff(fmt::format("{}", fmt::join(command.path, " "))),
                            filled(command.description));
    text += options_text(command) + footer_text(command.footer);
    for (const auto& sub : command.subcommands) {
        text += command_text(sub);
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

std::string head(const CommandDefinition& program) {
    const auto& words = program.description;
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
    ".TP\n.B GPUMODEL_CONFIG\n"
    "The file with settings, instead of the one below; empty for none.\n"
    ".TP\n.B GPUMODEL_ARCH, GPUMODEL_FORMAT, GPUMODEL_L2, GPUMODEL_THREADS, GPUMODEL_COMPILE, "
    "GPUMODEL_COLOR, GPUMODEL_QUIET, GPUMODEL_STAMP, GPUMODEL_CACHE_DIR\n"
    "One setting each; options win over them, and they over the file.\n"
    "\\(lqgpumodel config show\\(rq prints which won.\n"
    ".TP\n.B NO_COLOR\n"
    "Set and not empty: no colour, unless\n.B \\-\\-color\nsays so.\n"
    ".SH FILES\n"
    ".TP\n.I $XDG_CONFIG_HOME/gpumodel/config.yaml, ~/.config/gpumodel/config.yaml\n"
    "Settings: arch, format, l2, threads, compile, color, quiet, stamp, arch_path,\n"
    "cache_dir, and under set the spec values of products.\n"
    ".TP\n.I PREFIX/share/gpumodel/arch_specs\n"
    "The specs of generations and products, found beside the program\\(aqs own\n"
    "folder.\n"
    "A spec of one\\(aqs own is a YAML file that inherits one of these; see\n"
    "\\(lqgpumodel arch check\\(rq.\n";

}  // namespace

std::string man_page(const CommandDefinition& program) {
    auto text = head(program) + ".SH OPTIONS\n" + options_text(program) + ".SH COMMANDS\n";
    for (const auto& command : program.subcommands) {
        text += command_text(command);
    }
    return text + tail;
}

}  // namespace gpumodel::cli
