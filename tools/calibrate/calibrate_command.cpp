// gpumodel calibrate: measures the GPU at hand or reads what was measured, fits the keys of a spec to it and
// writes a spec that inherits the one it started from.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "base/printable.h"
#include "tools/calibrate/measured_gpu.h"
#include "tools/cli/option_values.h"
#include "tools/cli/parallel_runs.h"
#include "tools/views/calibrate/calibrate_views.h"
#include "validate/calibrate/calibrated_spec.h"

namespace gpumodel::cli {
namespace {

struct CalibrateCommand {
    ArchOptions arch;
    OutputOptions output;
    std::string from;
    std::string measurements;
    std::string measure;  // the program, in place of `measurements`
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

std::size_t check(const CalibrateCommand& command) {
    OptionFaults faults;
    const auto sample = static_cast<std::size_t>(faults.number_or(command.sample, "--sample", 0));
    const auto parent = command.arch.arch.empty() ? command.from : command.arch.arch;
    if (!command.arch.arch.empty() && !command.from.empty()) {
        faults.add("--from",
                   "or --arch: the first takes what the measurements say of the GPU, the second not");
    }
    std::string base = "";
    if (!parent.empty()) {
        base = faults.load_arch({parent, {}}).name;
    }
    if (command.measurements.empty() == command.measure.empty()) {
        faults.add("--measurements", "FILE or --measure PROGRAM is required, one of them");
    }
    for (const auto& fault : check_spec_path(command.out, base)) {
        faults.add(fault.key, fault.message);
    }
    if (command.kernels.empty() && command.measure.empty() && !command.residual.empty()) {
        faults.add("--residual", "needs --kernels FILE");
    }
    faults.throw_if_any();
    return sample;
}

ResidualOptions kernel_options(const CalibrateCommand& command, std::size_t sample) {
    ResidualOptions options;
    options.model = command.model == "simulate" ? ModelKind::simulate : ModelKind::analytic;
    options.sample = sample;
    options.for_each = parallel_runs(command.threads);
    return options;
}

// What a launch costs a host alone is not what it adds to one of a series of products: where kernel times are
// at hand, these decide, unless the user names keys.
std::vector<std::string> residual_keys(const CalibrateCommand& command,
                                       const std::vector<Measurement>& times) {
    constexpr auto enough = 10;
    const auto fitted = std::count_if(times.begin(), times.end(),
                                      [](const Measurement& m) { return m.split == Split::calibration; });
    if (!command.residual.empty() || !command.keys.empty() || fitted < enough) {
        return command.residual;
    }
    return {"launch.overhead"};
}

std::optional<ResidualFit> residuals_of(const CalibrateCommand& command, const ArchSpec& base,
                                        Calibration& calibration, const std::vector<Measurement>& times,
                                        std::size_t sample) {
    const auto keys = residual_keys(command, times);
    if (keys.empty()) {
        return std::nullopt;
    }
    if (command.residual.empty()) {
        const std::array fields{find_field(keys.front())};
        set_values(calibration.arch, fields, std::array{value_of(*fields.front(), base)});
        std::erase_if(calibration.keys,
                      [&](const CalibratedKey& key) { return key.field == fields.front(); });
    }
    std::vector<std::string> fixed;
    for (const auto& key : calibration.keys) {
        if (key.status != KeyStatus::refused) {
            fixed.push_back(key.field->key);
        }
    }
    return fit_residuals(times, calibration.arch, keys, fixed, kernel_options(command, sample));
}

std::vector<SpecValue> written_values(const Calibration& calibration,
                                      const std::optional<ResidualFit>& residuals,
                                      const MicrobenchmarkFile& file, const std::string& kernels) {
    std::vector<SpecValue> values;
    add_values(calibration.keys, file, "", values);
    if (residuals) {
        add_values(residuals->keys, file, kernels, values);
    }
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
    return values;
}

int run(CalibrateCommand command) {
    const auto sample = check(command);
    if (!command.measure.empty()) {
        const auto files = measure_gpu(command.measure, command.out);
        command.measurements = files.microbenchmarks;
        command.kernels = command.kernels.empty() ? files.times : command.kernels;
    }
    const auto file = read_microbenchmarks(command.measurements);
    const bool of_gpu = command.arch.arch.empty();
    auto sheet = of_gpu ? sheet_of_measured(file, command.from, command.out) : NewArch{};
    const auto base = of_gpu ? load_new_arch(sheet, command.out) : load(command.arch);
    auto calibration = calibrate(file, base, command.keys);
    calibration.arch.name = std::filesystem::path(command.out).stem().string();
    const auto times =
        command.kernels.empty() ? std::vector<Measurement>{} : read_measurements(command.kernels);
    const auto residuals = residuals_of(command, base, calibration, times, sample);
    std::optional<HeldBack> held_back;
    if (!command.kernels.empty()) {
        held_back = judge_held_back(times, base, residuals ? residuals->arch : calibration.arch,
                                    kernel_options(command, sample));
    }
    const auto values = written_values(calibration, residuals, file, command.kernels);
    for (const auto& value : values) {
        sheet.measured.push_back(
            {value.field->key, print_value(*value.field, value.value), safe_to_print(value.source)});
    }
    write_spec(of_gpu ? new_arch_yaml(sheet) : spec_text(calibration.arch.name, base.name, values),
               command.out);
    const CalibrationViews views{&base,
                                 of_gpu ? sheet.from : base.name,
                                 &file,
                                 &calibration,
                                 residuals ? &*residuals : nullptr,
                                 held_back ? &*held_back : nullptr,
                                 command.kernels,
                                 command.out};
    return write_output(command.output, calibration_text(views, command.output.format));
}

void add_options(Command& app, CalibrateCommand& options) {
    app.add_option(
        "--measure", options.measure,
        "the program gpumodel-measure: measures the GPU at hand, minutes; its files lie beside --out");
    app.add_option("--measurements", options.measurements, "microbenchmarks: csv made by gpumodel-measure");
    app.add_option(
        "--from", options.from,
        "what the GPU takes all else from: a product or generation; SMs, clocks, memory and L2 are "
        "those that the measurements name. Without it and --arch: the product of the GPU's name, or "
        "its generation");
    app.add_option("--arch", options.arch.arch, "in place of --from: the spec itself, a name or a YAML file");
    app.add_option("--out", options.out, "the new spec, NAME.yaml: inherits the other, gives what differs")
        .required();
    app.add_option("--keys", options.keys, "only these keys, separated by commas; an error if one is refused")
        .comma_separated();
    app.add_option("--kernels", options.kernels, "kernel times: csv; its test half judges before and after");
    app.add_option(
           "--residual", options.residual,
           "with --kernels: up to 5 keys that no microbenchmark isolates, fitted to the calibration half, "
           "separated by commas")
        .comma_separated();
    app.add_option("--model", options.model, "with --kernels: the model whose times are fitted and judged")
        .one_of({"analytic", "simulate"});
    app.add_option("--sample", options.sample,
                   "with --kernels: only this many launches, by a hash of the row");
    app.add_option("--threads", options.threads, "0 = all cores").range(0, 1024);
    app.footer(
        "Keys that the measurements do not identify are refused and named.\n\n"
        "Examples:\n"
        "  gpumodel calibrate --measure build/release/validate/gpumodel-measure --out mine.yaml\n"
        "  gpumodel calibrate --from a100 --measurements validate/data/h200_sxm_microbench.csv --kernels "
        "validate/data/h200_sxm_times.csv --out unknown.yaml\n"
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
