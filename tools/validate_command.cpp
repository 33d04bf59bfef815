// gpumodel validate: predictions laid beside measured launches.
#include <fmt/format.h>

#include <memory>
#include <set>

#include "model/report/report.h"
#include "tools/command.h"
#include "validate/accuracy.h"
#include "validate/counters.h"

namespace gpumodel::cli {
namespace {

struct ValidateOptions {
    ArchOptions arch;
    OutputOptions output;
    std::string measurements;
    std::string counters;
    std::string split = "test";
    bool measured_registers = false;
    bool pinned = false;
};

bool in_split(const Measurement& m, const std::string& split) {
    return split == "all" || (m.split == Split::test) == (split == "test");
}

bool is_large(const ComparedLaunch& launch) {
    // the guides' kernels have K = 32 and the copies K = 1 by definition
    const auto& m = *launch.measured;
    return m.m >= 512 && m.n >= 512 && (m.k >= 512 || m.k <= 32);
}

std::vector<ErrorStatistics> tabulate(const Comparison& comparison) {
    std::vector<ErrorStatistics> rows{
        error_statistics("all", comparison, [](const ComparedLaunch&) { return true; }),
        error_statistics("all, M N K >= 512", comparison, is_large)};
    const auto plain = error_statistics("no local memory", comparison, [](const ComparedLaunch& l) {
        return l.measured->local_bytes.value_or(0) == 0;
    });
    if (plain.launches < rows.front().launches) {
        rows.push_back(plain);
    }
    std::set<std::string> families;
    for (const auto& launch : comparison.launches) {
        families.insert(launch.measured->family);
    }
    for (const auto& family : families) {
        rows.push_back(error_statistics(
            family, comparison, [&family](const ComparedLaunch& l) { return l.measured->family == family; }));
    }
    return rows;
}

std::string summary(const std::vector<ErrorStatistics>& rows, const Comparison& comparison, bool csv) {
    std::string text = csv ? "group,launches,mape_pct,median_pct,p90_pct,bias_pct\n"
                           : fmt::format("{:<22}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "group", "launches", "MAPE %",
                                         "median %", "p90 %", "bias %");
    for (const auto& r : rows) {
        text += csv ? fmt::format("{},{},{},{},{},{}\n", csv_field(r.name), r.launches, number(r.mape_pct),
                                  number(r.median_pct), number(r.p90_pct), number(r.bias_pct))
                    : fmt::format("{:<22}{:>9}{:>9.1f}{:>9.1f}{:>9.1f}{:>+9.1f}\n", r.name, r.launches,
                                  r.mape_pct, r.median_pct, r.p90_pct, r.bias_pct);
    }
    if (!csv) {
        for (const auto& reason : comparison.skipped) {
            text += fmt::format("left out: {}\n", reason);
        }
    }
    return text;
}

std::string each_launch(const Comparison& comparison) {
    std::string text = "family,params,M,N,K,registers,measured_us,predicted_us,error_pct,bottleneck\n";
    for (const auto& l : comparison.launches) {
        const auto& p = l.predicted;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", p.kernel, p.params, p.m, p.n, p.k,
                            p.resources.registers_per_thread, number(l.measured->time_us),
                            number(p.time_seconds * 1e6), number(100 * l.error),
                            p.bottlenecks.empty() ? "unknown" : p.bottlenecks.front());
    }
    return text;
}

bool is_chosen(const Measurement& m, const ValidateOptions& options) {
    const auto unroll = m.params.find("UNROLL");
    const bool pinned = unroll != m.params.end() && unroll->second != 0;
    return in_split(m, options.split) && (options.pinned || !pinned);
}

RegisterSource register_source(const ValidateOptions& options) {
    return options.measured_registers ? RegisterSource::measured : RegisterSource::predicted;
}

std::string counter_summary(const std::vector<CounterStatistics>& rows, const CounterComparison& comparison,
                            bool csv) {
    std::string text = csv ? "counter,launches,exact,within_half_pct,mean_pct,worst_pct,worst_launch\n"
                           : fmt::format("{:<58}{:>9}{:>7}{:>9}{:>8}{:>9}  {}\n", "counter", "launches",
                                         "exact", "<= 0.5 %", "mean %", "worst %", "worst launch");
    for (const auto& r : rows) {
        text += csv ? fmt::format("{},{},{},{},{},{},{}\n", r.name, r.launches, r.exact, r.close,
                                  number(r.mean_pct), number(r.worst_pct), csv_field(r.worst))
                    : fmt::format("{:<58}{:>9}{:>7}{:>9}{:>8.2f}{:>+9.2f}  {}\n", r.name, r.launches, r.exact,
                                  r.close, r.mean_pct, r.worst_pct, r.worst);
    }
    if (!csv) {
        for (const auto& reason : comparison.skipped) {
            text += fmt::format("left out: {}\n", reason);
        }
    }
    return text;
}

std::string each_counter(const CounterTable& table, const CounterComparison& comparison,
                         const ValidateOptions& options) {
    std::string text = "family,params,M,N,K,counter,measured,predicted,error_pct\n";
    for (const auto& v : comparison.values) {
        const auto& m = v.measured->launch;
        if (is_chosen(m, options)) {
            text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(m.family),
                                csv_field(params_text(m.params)), m.m, m.n, m.k, table.names[v.name],
                                number(v.measured_value), number(v.predicted_value), number(100 * v.error));
        }
    }
    return text;
}

int validate_counters(const ValidateOptions& options, bool rows) {
    const auto arch = load(options.arch);
    const auto table = read_counters(options.counters);
    const auto comparison = compare_counters(table, arch, register_source(options));
    const auto statistics = counter_statistics(
        table, comparison, [&options](const CountedLaunch& l) { return is_chosen(l.launch, options); });
    write_output(options.output,
                 rows ? each_counter(table, comparison, options)
                      : counter_summary(statistics, comparison, options.output.format == Format::csv));
    return exit_ok;
}

int validate(const ValidateOptions& options, bool rows) {
    const auto arch = load(options.arch);
    std::vector<Measurement> chosen;
    for (auto& m : read_measurements(options.measurements)) {
        if (is_chosen(m, options)) {
            chosen.push_back(std::move(m));
        }
    }
    const auto comparison = compare(chosen, arch, register_source(options));
    write_output(options.output,
                 rows ? each_launch(comparison)
                      : summary(tabulate(comparison), comparison, options.output.format == Format::csv));
    return exit_ok;
}

}  // namespace

void add_validate_command(CLI::App& app, Action& action) {
    auto options = std::make_shared<ValidateOptions>();
    auto rows = std::make_shared<bool>(false);
    auto* command = app.add_subcommand("validate", "compare predictions with measured launches");
    add_arch_options(*command, options->arch);
    auto* measured = command->add_option_group("measured", "what to compare with; one of");
    measured->add_option("--measurements", options->measurements, "times: csv made by validate/measure");
    measured->add_option("--counters", options->counters,
                         "Nsight Compute counters: csv made by validate/measure/ncu_to_csv.py");
    measured->require_option(1);
    command->add_option("--split", options->split, "which half, fixed by a hash of family and parameters")
        ->check(CLI::IsMember({"calibration", "test", "all"}));
    command->add_flag("--measured-registers", options->measured_registers,
                      "take registers per thread from the measurements instead of the estimate");
    command->add_flag("--pinned", options->pinned, "also the kernels whose k loop is pinned by a pragma");
    command->add_flag("--rows", *rows, "csv of every launch instead of the summary");
    add_output_options(*command, options->output);
    command->footer(
        "Example:\n"
        "  gpumodel validate --arch h200_sxm --measurements validate/data/h200_sxm_times.csv --split test\n"
        "  gpumodel validate --arch h200_sxm --counters validate/data/h200_sxm_counters.csv --split test");
    command->callback([options, rows, &action] {
        action = [options, rows] {
            return options->counters.empty() ? validate(*options, *rows) : validate_counters(*options, *rows);
        };
    });
}

}  // namespace gpumodel::cli
