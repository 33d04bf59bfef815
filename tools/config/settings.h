// What a user wants on every run: a file and the environment. What wins:
//
//   built in < architecture file < user's file < environment < command line
//
// The file is YAML: $GPUMODEL_CONFIG, else $XDG_CONFIG_HOME/gpumodel/config.yaml, else
// ~/.config/gpumodel/config.yaml; GPUMODEL_CONFIG= (empty) means none. Its keys are those of settings(), and
//
//   set:
//     k40:                     # a product, as `arch list` names it
//       clock.sm: 800 MHz      # a spec value, as --set takes it
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"

namespace gpumodel::cli {

struct SettingKind {
    std::string key;                   // of the file; the option is --key
    std::string variable;              // of the environment
    std::string built_in;              // what holds where nobody says anything
    std::vector<std::string> allowed;  // empty: any text that is not empty; "number": a whole one
    std::string meaning;
};
[[nodiscard]] const std::vector<SettingKind>& setting_kinds();

// Who said it, the strongest last.
enum class SettingLevel : unsigned char { built_in, file, environment, command_line };

struct Setting {
    const SettingKind* kind = nullptr;
    std::string value;
    SettingLevel level = SettingLevel::built_in;
    std::string origin;  // "built in", "path:line", "$VARIABLE"
    Diagnostic place;    // where a fault of the value is: file, line, column, key
};

struct Settings {
    std::string file;                                        // that was looked for, "" = none
    bool file_read = false;                                  // it was there
    std::vector<Setting> winners;                            // one of each kind, in their order
    std::map<std::string, std::vector<Override>> overrides;  // by product

    [[nodiscard]] const Setting& of(const std::string& key) const;
};

// Throws InputError (usage) with every fault of the file and the environment. A file that is not there is
// none, unless GPUMODEL_CONFIG names it.
[[nodiscard]] Settings read_settings();

// Throws InputError (usage) for products under set: that are none, or go by another name, and
// for an arch: that is none; the search path is
// settled by then.
void check_products(const Settings& settings);

// Those of this run; read_settings() once, by run_command. Without it: built in.
[[nodiscard]] Settings& settings();

}  // namespace gpumodel::cli
