// gpumodel config: what the user's file, the environment and the command line say, and which of them wins.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/csv_text.h"
#include "base/json_text.h"
#include "base/text_table.h"
#include "tools/cli/command.h"
#include "tools/config/settings.h"

namespace gpumodel::cli {
namespace {

struct ConfigOptions {
    OutputOptions output;
};

struct Row {
    std::string key, value, origin, variable, meaning;
};

// What the command line says of a setting, "" = nothing.
std::string given(const std::string& key) {
    const auto& words = raw_arguments();
    const auto option = "--" + key;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].starts_with(option + "=")) {
            return words[i].substr(option.size() + 1);
        }
        if (words[i] == option) {
            const bool flag = key == "quiet" || key == "stamp";
            return flag || i + 1 == words.size() ? "yes" : words[i + 1];
        }
    }
    return "";
}

std::vector<Row> all_rows() {
    std::vector<Row> rows;
    for (const auto& winner : settings().winners) {
        const auto& kind = *winner.kind;
        const auto word = given(kind.key);
        rows.push_back({kind.key, word.empty() ? winner.value : word,
                        word.empty() ? winner.origin : "command line", kind.variable, kind.meaning});
    }
    for (const auto& [product, overrides] : settings().overrides) {
        for (const auto& item : overrides) {
            rows.push_back({fmt::format("set.{}.{}", product, item.key), item.value,
                            fmt::format("{}:{}", item.file, item.line), "", "a spec value of this product"});
        }
    }
    return rows;
}

std::string file_words() {
    const auto& all = settings();
    return all.file.empty() ? "none" : all.file + (all.file_read ? "" : " (not there)");
}

std::string as_text(const std::vector<Row>& list) {
    std::vector<std::vector<std::string>> rows{{"key", "value", "from", "variable"}};
    for (const auto& row : list) {
        rows.push_back({row.key, row.value.empty() ? "-" : row.value, row.origin,
                        row.variable.empty() ? "-" : row.variable});
    }
    return fmt::format("file: {}\n\n{}", file_words(), aligned(rows)) +
           "\nbuilt in < architecture file < this file < environment < command line\n";
}

std::string as_csv(const std::vector<Row>& list) {
    std::string text = "key,value,from,variable,meaning\n";
    for (const auto& row : list) {
        text += csv_record(row.key, row.value, row.origin, row.variable, row.meaning);
    }
    return text;
}

std::string as_json(const std::vector<Row>& list) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : list) {
        rows.push_back({{"key", row.key},
                        {"value", row.value},
                        {"from", row.origin},
                        {"variable", row.variable},
                        {"meaning", row.meaning}});
    }
    return json_text(nlohmann::ordered_json{{"schema_version", 1},
                                            {"file", settings().file},
                                            {"file_read", settings().file_read},
                                            {"settings", std::move(rows)}});
}

// The kinds that are options of subcommands, so that the command line can be seen to win; all_rows() reads
// them.
void add_given(Command& command) {
    for (const auto& kind : setting_kinds()) {
        if (kind.key != "arch" && kind.key != "l2" && kind.key != "threads" && kind.key != "compile") {
            continue;
        }
        auto option = command.add_option(
            "--" + kind.key, [](const std::string& /*value*/) {},
            kind.meaning + ", as given to a subcommand");
        if (kind.allowed.size() > 1) {
            option.one_of(kind.allowed);
        }
    }
}

}  // namespace

void add_config_command(Command& app) {
    auto command = app.add_subcommand("config", "the user's settings, and where each comes from");
    command.require_subcommand();
    const auto options = std::make_shared<ConfigOptions>();
    auto show = command.add_subcommand("show", "each setting, its value, and who gave it");
    add_given(show);
    add_output_options(show, options->output);
    show.footer(
        "The file is YAML: $GPUMODEL_CONFIG, else $XDG_CONFIG_HOME/gpumodel/config.yaml, else\n"
        "~/.config/gpumodel/config.yaml. Its keys are those shown, and set: with spec values by product.\n"
        "\n"
        "Examples:\n"
        "  gpumodel config show\n"
        "  gpumodel config show --arch k40 --format json");
    show.run([options] {
        const auto rows = all_rows();
        const auto format = options->output.format;
        return write_output(options->output, format == Format::json  ? as_json(rows)
                                             : format == Format::csv ? as_csv(rows)
                                                                     : as_text(rows));
    });
}

}  // namespace gpumodel::cli
