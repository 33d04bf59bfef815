// gpumodel tune: which configuration of a kernel to use, at one problem shape or at many.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "base/number_text.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/parallel_runs.h"
#include "tools/cli/streams.h"
#include "tools/tune/tune_options.h"
#include "tools/views/tune/judge_views.h"
#include "tools/views/tune/tune_views.h"

namespace gpumodel::cli {
namespace {

using namespace tuning;  // the command is that namespace's only user

void write_found(const TuneOptions& options, TuneFormat format, const std::string& content,
                 const std::function<std::string()>& text) {
    OutputOptions output{Format::text, options.out};
    output.report = format == TuneFormat::text || format == TuneFormat::markdown;
    output.markdown = format == TuneFormat::markdown;
    write_output(output, content, text);
}

// The shape's rules with how many combinations each rejected.
Diagnostic nothing_valid(const ShapeChoice& choice, const std::vector<std::string>& kernels) {
    std::vector<std::string> reasons;
    for (const auto& [rule, count] : choice.tally.rules_by_count()) {
        reasons.push_back(fmt::format("{} {}", grouped(count), rule));
    }
    reasons.insert(reasons.end(), choice.failed.begin(), choice.failed.end());
    const auto& s = choice.shape;
    return {"", 0, 0, "-p",
            fmt::format("no valid configuration of {} at {}x{}x{} among {} combinations: {}",
                        fmt::join(kernels, ", "), s.m, s.n, s.k, grouped(choice.tally.points),
                        fmt::join(reasons, "; "))};
}

std::string formatted(const TuneView& view, TuneFormat format) {
    switch (format) {
        case TuneFormat::json:
            return tune_json(view);
        case TuneFormat::csv:
            return tune_csv(view);
        case TuneFormat::header:
            return tune_header(view);
        case TuneFormat::text:
        case TuneFormat::markdown:
            break;
    }
    return tune_text(view);
}

int tune(const TuneOptions& options, const TuneRequest& request) {
    const SearchExperience experience{load_rank_spreads(), load_choice_regrets()};
    std::vector<ShapeChoice> choices;
    std::vector<Diagnostic> empty;
    for (const auto& shape : request.shapes) {
        choices.push_back(
            choose_configuration(request.grids, shape, request.arch, request.settings, experience));
        if (choices.back().ranked.empty()) {
            empty.push_back(nothing_valid(choices.back(), options.kernels));
        }
    }
    if (empty.size() == choices.size()) {
        throw InputError(InputErrorKind::invalid_input, std::move(empty));
    }
    const TuneView view{request.arch, options.kernels, request.settings, choices};
    write_found(options, request.format, formatted(view, request.format), [&] { return tune_text(view); });
    for (const auto& fault : empty) {
        err() << to_string(fault) << '\n';
    }
    return empty.empty() ? exit_ok : exit_invalid_input;
}

// Spreads of this run over those that the file had.
void write_spreads(const std::string& path, const Comparison& comparison, const std::string& generation) {
    RankSpreads spreads;
    if (std::ifstream(path)) {
        spreads = read_rank_spreads(path);
    }
    for (const auto& [key, spread] : make_rank_spreads(ranked_launches(comparison), generation)) {
        spreads[key] = spread;
    }
    std::ofstream file(path);
    file << rank_spreads_csv(spreads);
    if (!file.flush()) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "--write-spread", "cannot be written"}});
    }
}

bool is_asked_for(const Measurement& m, const TuneOptions& options, const TuneRequest& request) {
    const auto& kernels = options.kernels;
    const auto& shapes = request.shapes;
    return !m.entry &&
           (kernels.empty() || std::find(kernels.begin(), kernels.end(), m.family) != kernels.end()) &&
           (shapes.empty() || std::any_of(shapes.begin(), shapes.end(), [&](const ProblemShape& s) {
                return s.m == m.m && s.n == m.n && s.k == m.k;
            }));
}

int judge_choice(const TuneOptions& options, const TuneRequest& request) {
    MeasurementChoice choice;
    choice.split = request.split;
    choice.include = [&](const Measurement& m) { return is_asked_for(m, options, request); };
    const auto measured = choose(read_measurements(options.measurements), choice);
    CompareOptions compared;
    compared.models = {ModelKind::analytic};
    if (request.settings.ranked_by != RankedBy::analytic) {
        compared.models.push_back(ModelKind::simulate);
    }
    compared.for_each = parallel_runs(options.threads);
    const auto comparison = compare(measured, request.arch, compared);
    if (!options.write_spread.empty()) {
        write_spreads(options.write_spread, comparison, request.arch.generation);
    }
    const auto rows = judge(comparison, request.arch, request.settings, load_rank_spreads());
    if (rows.empty()) {
        throw InputError(InputErrorKind::invalid_input,
                         {{options.measurements, 0, 0, "--measurements",
                           "has no two configurations of one kernel at one of these shapes"}});
    }
    const auto text = [&] { return judged_text(rows, request.settings); };
    write_found(options, request.format,
                request.format == TuneFormat::json  ? judged_json(rows, request.arch, request.settings)
                : request.format == TuneFormat::csv ? judged_csv(rows, request.settings)
                                                    : text(),
                text);
    return exit_ok;
}

}  // namespace

void add_tune_command(Command& app) {
    auto options = std::make_shared<TuneOptions>();
    auto command = app.add_subcommand("tune", "find the best configuration of a kernel, and say why it wins");
    add_tune_options(command, *options);
    command.footer(
        "Examples:\n"
        "  gpumodel tune --arch v100_sxm2 --kernel warptile --sizes 4096\n"
        "  gpumodel tune --arch h200_sxm --kernel warptile --sizes 1024,4096x256x1024 -p BM=64,128 --format "
        "header "
        "--out tuned.h\n"
        "  gpumodel tune --arch h200_sxm --kernel warptile --measurements validate/data/h200_sxm_times.csv "
        "--split "
        "calibration");
    command.run([options] {
        const InterruptGuard interrupts(OnInterrupt::exit);
        const auto request = checked_request(*options);
        return options->measurements.empty() ? tune(*options, request) : judge_choice(*options, request);
    });
}

}  // namespace gpumodel::cli
