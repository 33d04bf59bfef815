// What every subcommand shares: options for the architecture and the output, and the hook by which a
// subcommand puts itself on the command line. One file per subcommand: <name>_command.cpp.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arch_specs/loader.h"
#include "tools/cli/command_line.h"

namespace gpumodel::cli {

// Exit codes of the contract (design.md).
inline constexpr int exit_ok = 0;
inline constexpr int exit_internal = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_invalid_input = 3;
inline constexpr int exit_threshold = 4;
inline constexpr int exit_interrupted = 130;

struct ArchOptions {
    std::string arch;
    std::vector<std::string> sets;  // --set key=value
    std::string clock = {};         // --clock as given; "" = burst
};
void add_arch_options(Command& command, ArchOptions& options, bool required = true);
// --clock, where a command predicts times (clock_choice.h).
void add_clock_option(Command& command, ArchOptions& options);
// With what the user's settings override of this product; --set wins over that.
[[nodiscard]] ArchSpec load(const ArchOptions& options);
// All of a product's overrides, as load() applies them; throws InputError (usage) for a malformed --set.
[[nodiscard]] std::vector<Override> overrides_of(const ArchOptions& options, const std::string& product);

// "KEY=VALUE" pairs; throws InputError (usage) naming `option` for a pair without '='.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_pairs(
    const std::vector<std::string>& items, const std::string& option);

enum class Format { text, json, csv };
struct OutputOptions {
    Format format = Format::text;
    std::string out;  // --out FILE: written there; "" or "-" = standard output
    // Reports for people may be styled: markdown instead of text where --format says so, colour.
    bool report = false;
    bool markdown = false;
    bool long_rows = false, param_columns = false;  // of result csv (tools/results/csv_shape.h)
};
void add_format_option(Command& command, OutputOptions& options,
                       const std::string& description = "text, json, csv or markdown (tables to paste)");
void add_output_options(Command& command, OutputOptions& options);

// Writes `content` to stdout, or to options.out if given. Then stdout stays empty, unless it is a terminal: a
// person still reads what would have stood there, `content` if it is text, else `text` where there is one.
// Returns exit_ok, for the commands that end with it. A report as text is styled as OutputOptions says.
int write_output(const OutputOptions& options, const std::string& content,
                 const std::function<std::string()>& text = nullptr);

// A result in each of its formats, made when it is wanted.
struct ResultForms {
    std::function<std::string()> text, json, csv;
};
// In the format of the options; the text also on the console as write_output says.
int write_result(const OutputOptions& options, const ResultForms& forms);

// The same for what is data whatever --format says: csv rows, schemas.
int write_data(const OutputOptions& options, const std::string& content);

// The arguments of this run after the program name, as typed; run_command records them.
[[nodiscard]] const std::vector<std::string>& raw_arguments();
void record_arguments(std::vector<std::string> given);
[[nodiscard]] std::string command_line();  // "gpumodel predict --arch ..."

void add_predict_command(Command& app);
void add_simulate_command(Command& app);
void add_occupancy_command(Command& app);
void add_memory_command(Command& app);
void add_arch_command(Command& app);
void add_kernels_command(Command& app);
void add_cache_command(Command& app);
void add_metrics_command(Command& app);
void add_config_command(Command& app);
void add_validate_command(Command& app);
void add_sass_command(Command& app);
void add_trace_command(Command& app);
void add_calibrate_command(Command& app);
void add_sweep_command(Command& app);
void add_merge_command(Command& app);
void add_tune_command(Command& app);
void add_compare_command(Command& app);
void add_sensitivity_command(Command& app);
void add_roofline_command(Command& app);
void add_report_command(Command& app);
void add_explore_command(Command& app);
// Shell completions and the man page, from the other subcommands' own definitions; added last.
void add_help_commands(Command& app);

}  // namespace gpumodel::cli
