// gpumodel validate --measurements and --gate: predicted times beside measured ones.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "tools/cli/output_stream.h"
#include "tools/cli/parallel_runs.h"
#include "tools/validate/validate_options.h"
#include "tools/views/prediction/report.h"
#include "tools/views/validate/validate_views.h"
#include "validate/accuracy/error_bands.h"
#include "validate/accuracy/gate.h"

namespace gpumodel::cli {
namespace {

// Bands of this run over those that the file had.
void write_bands(const std::string& path, const Comparison& comparison,
                 const std::vector<Measurement>& all_measured, const std::string& generation) {
    ErrorBands bands;
    if (std::ifstream(path)) {
        bands = read_error_bands(path);
    }
    for (const auto& [key, band] : make_error_bands(comparison, all_measured, generation)) {
        bands[key] = band;
    }
    std::ofstream file(path);
    file << error_bands_csv(bands);
    if (!file.flush()) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "--write-bands", "cannot be written"}});
    }
}

bool has_bands(const AccuracyReport& report) {
    return std::any_of(report.groups.begin(), report.groups.end(),
                       [](const GroupRow& r) { return r.coverage.launches > 0; });
}

}  // namespace

int validate_times(const ValidateOptions& options) {
    const auto arch = load(options.arch);
    const auto all = read_measurements(options.measurements);
    const auto models = models_of(options);
    std::unique_ptr<ListedKernels> listing;
    if (!options.listings.empty()) {
        listing = std::make_unique<ListedKernels>(options.listings);
    }
    auto choice = choice_of(options);
    if (listing && models == std::vector{ModelKind::simulate_sass}) {
        // a sample of what can be compared
        choice.include = [&listing](const Measurement& m) { return listing->find(m) != nullptr; };
    }
    const auto chosen = choose(all, choice);
    std::optional<OutputStream> rows;  // written as they come: an interrupt keeps what was finished
    CompareOptions how{.models = models,
                       .registers = registers_of(options),
                       .listing = listing.get(),
                       .for_each = parallel_runs(options.threads)};
    if (options.rows) {
        rows.emplace(options.output);
        rows->write(times_rows_header());
        how.take = [&rows](const ComparedLaunch& launch) { rows->write(times_row(launch)); };
    }
    const auto comparison = compare(chosen, arch, how);
    if (!options.write_bands.empty()) {
        write_bands(options.write_bands, comparison, all, arch.generation);
    }
    if (options.rows) {
        return exit_ok;
    }
    const auto bands = options.bands.empty() ? load_error_bands() : read_error_bands(options.bands);
    const auto report = accuracy_report(comparison, bands, arch.generation);
    const TimesView view{report, comparison, has_bands(report), models.size() > 1};
    return write_result(options.output,
                        {[&] { return times_text(view); }, [&] { return times_json(view, arch); },
                         [&] { return times_csv(view, options.table); }});
}

int validate_gate(const ValidateOptions& options) {
    // files are named from the gate's own folder on
    const auto folder = std::filesystem::path(options.gate).parent_path().string();
    const auto results = check_gate(read_gate(options.gate), folder, parallel_runs(options.threads));
    if (options.output.format == Format::csv) {
        std::vector<GateLimit> limits;
        for (const auto& r : results) {
            limits.push_back(r.limit);
            limits.back().reached = r.value;
        }
        write_data(options.output, gate_csv(limits));
    } else {
        write_output(options.output, gate_text(results));
    }
    const bool passed =
        std::all_of(results.begin(), results.end(), [](const GateResult& r) { return r.passed(); });
    return passed ? exit_ok : exit_threshold;
}

}  // namespace gpumodel::cli
