// gpumodel calibrate: fits the keys of a spec to measurements and writes a spec that inherits it.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tools/cli/option_values.h"
#include "tools/cli/parallel_runs.h"
#include "tools/views/calibrate/calibrate_views.h"
#include "validate/calibrate/calibrated_spec.h"

namespace gpumodel::cli {
namespace {

struct CalibrateCommand {
    ArchOptions arch;
    OutputOptions output;
    std::string measurements;
    std::string out;
    std::string kernels;
    std::vector<std::string> keys;
    std::vector<std::string> residual;
    std::string model = "analytic";
    std::string sample;
    int threads = 0;
};

// What follows "calibrated, +- ...:" in the source of a value.
std::string origin_of(const CalibratedKey& key, const MicrobenchmarkFile& file, const std::string& kernels) {
    const auto& name = kernels.empty() ? file.path : kernels;
    auto text = fmt::format("{} ({} rows) of {}", fmt::join(key.benchmarks, ", "), key.rows,
                            std::filesystem::path(name).filename().string());
    for (const auto* item : {"gpu", "date"}) {
        const auto found = file.metadata.find(item);
        text += found == file.metadata.end() ? "" : ", " + found->second;
    }
    return text;
}

void add_values(const std::vector<CalibratedKey>& keys, const MicrobenchmarkFile& file,
                const std::string& kernels, std::vector<SpecValue>& values) {
    for (const auto& key : keys) {
        if (key.is_written()) {
            values.push_back(
                {key.field, key.value,
                 calibrated_source(*key.field, key.standard_error, origin_of(key, file, kernels))});
        }
    }
}

void write_spec(const std::string& text, const std::string& path) {
    auto faults = check_spec_text(text, path);
    if (!faults.empty()) {
        faults.insert(faults.begin(),
                      {path, 0, 0, "", "not written: the measured values contradict the rest"});
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "--out", "cannot write this file"}});
    }
}

struct Checked {
    ArchSpec base;
    std::size_t sample = 0;
};

Checked check(const CalibrateCommand& command) {
    OptionFaults faults;
    Checked checked;
    checked.base = faults.load_arch(command.arch);
    checked.sample = static_cast<std::size_t>(faults.number_or(command.sample, "--sample", 0));
    for (const auto& fault : check_spec_path(command.out, checked.base.name)) {
        faults.add(fault.key, fault.message);
    }
    if (command.kernels.empty() != command.residual.empty()) {
        faults.add(command.kernels.empty() ? "--residual" : "--kernels",
                   "--kernels FILE and --residual KEYS go together");
    }
    faults.throw_if_any();
    return checked;
}

std::optional<ResidualFit> residuals_of(const CalibrateCommand& command, const Calibration& calibration,
                                        std::size_t sample) {
    if (command.kernels.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> fixed;
    for (const auto& key : calibration.keys) {
        if (key.status != KeyStatus::refused) {
            fixed.push_back(key.field->key);
        }
    }
    ResidualOptions options;
    options.model = command.model == "simulate" ? ModelKind::simulate : ModelKind::analytic;
    options.sample = sample;
    options.for_each = parallel_runs(command.threads);
    return fit_residuals(read_measurements(command.kernels), calibration.arch, command.residual, fixed,
                         options);
}

int run(const CalibrateCommand& command) {
    const auto [base, sample] = check(command);
    const auto file = read_microbenchmarks(command.measurements);
    auto calibration = calibrate(file, base, command.keys);
    calibration.arch.name = std::filesystem::path(command.out).stem().string();
    const auto residuals = residuals_of(command, calibration, sample);
    std::vector<SpecValue> values;
    add_values(calibration.keys, file, "", values);
    if (residuals) {
        add_values(residuals->keys, file, command.kernels, values);
    }
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
    write_spec(spec_text(calibration.arch.name, base.name, values), command.out);
    const CalibrationViews views{&base,           &file,      &calibration, residuals ? &*residuals : nullptr,
                                 command.kernels, command.out};
    return write_output(command.output, calibration_text(views, command.output.format));
}

void add_options(Command& app, CalibrateCommand& options) {
    app.add_option("--measurements", options.measurements, "microbenchmarks: csv made by gpumodel-measure")
        .required();
    app.add_option("--arch", options.arch.arch, "the spec to start from: a name or a YAML file").required();
    app.add_option("--out", options.out, "the new spec, NAME.yaml: inherits --arch, gives what differs")
        .required();
    app.add_option("--keys", options.keys, "only these keys, separated by commas; an error if one is refused")
        .comma_separated();
    app.add_option("--kernels", options.kernels, "kernel times: csv; only its calibration half is used");
    app.add_option("--residual", options.residual,
                   "with --kernels: up to 5 keys that no microbenchmark isolates, separated by commas")
        .comma_separated();
    app.add_option("--model", options.model, "with --kernels: the model whose times are fitted")
        .one_of({"analytic", "simulate"});
    app.add_option("--sample", options.sample,
                   "with --kernels: only this many launches, by a hash of the row");
    app.add_option("--threads", options.threads, "0 = all cores").range(0, 1024);
    app.footer(
        "Keys that the measurements do not identify are refused and named.\n\n"
        "Examples:\n"
        "  gpumodel calibrate --arch h200_sxm --measurements validate/data/h200_sxm_microbench.csv "
        "--out my_h200.yaml\n"
        "  gpumodel arch diff h200_sxm my_h200.yaml\n"
        "  gpumodel calibrate --arch ./mine.yaml --measurements microbench.csv --keys "
        "dram.latency,l2.latency "
        "--out mine_measured.yaml");
}

}  // namespace

void add_calibrate_command(Command& app) {
    auto options = std::make_shared<CalibrateCommand>();
    auto command = app.add_subcommand("calibrate", "fit a spec to measurements");
    add_options(command, *options);
    add_format_option(command, options->output, "of the report: text, json or csv");
    command.run([options] { return run(*options); });
}

}  // namespace gpumodel::cli
