// gpumodel compare: two results or two launches, term by term.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/note.h"
#include "base/parse.h"
#include "model/compare/match.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/notes.h"
#include "tools/compare/compare_options.h"
#include "tools/results/result_files.h"
#include "tools/views/compare/compare_views.h"
#include "tools/views/compare_page/compare_page.h"

namespace gpumodel::cli {
namespace {

struct CheckedSides {
    ModelChoice models = ModelChoice::both;
    SimOptions a, b;
    std::optional<double> threshold, threshold_geomean;
};

std::optional<double> percent(const std::string& text, const std::string& option, OptionFaults& faults) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto value = parse_number<double>(text);
    if (!value || *value < 0) {
        faults.add(option,
                   fmt::format("'{}' is not a percentage; allowed 0 and above, without a sign", text));
    }
    return value;
}

void check_sources(const CompareOptions& options, OptionFaults& faults) {
    if (options.files.size() == 1) {
        faults.add("A B", "give two files, or none and --arch, --kernel and what is different about b");
    }
    if (options.files == std::vector<std::string>{"-", "-"}) {
        faults.add("A B", "standard input can be read once only");
    }
    std::error_code missing;
    if (options.files.size() == 2 &&
        std::filesystem::equivalent(options.files[0], options.files[1], missing)) {
        faults.add("A B", fmt::format("'{}' and '{}' are the same file", options.files[0], options.files[1]));
    }
    if (!options.files.empty() && options.names_launch()) {
        faults.add("A B", "exclude options that name a launch; the files say what they predict");
    }
    if (options.files.empty()) {
        const std::string sources = "--kernel NAME, --sass FILE, --cu FILE and --trace FILE, or two files";
        check_program_options(options.program, sources, 0, faults);
        if (!options.vs.any()) {
            faults.add("--vs-arch",
                       "say what is different about b: --vs-arch, --vs-kernel, --vs-p, --vs-set ...");
        }
    }
}

void check_page(const CompareOptions& options, OptionFaults& faults) {
    if (options.html && (options.output.format != Format::text || options.brief)) {
        faults.add("--html", "excludes --format and --brief");
    }
    if (options.html) {
        refuse_page_on_terminal(options.output, "--html", faults);
    }
}

CheckedSides checked(const CompareOptions& options) {
    OptionFaults faults;
    CheckedSides settings;
    check_sources(options, faults);
    check_page(options, faults);
    settings.models = model_choice(options.model, ModelChoice::both, faults);
    settings.threshold = percent(options.threshold, "--threshold", faults);
    settings.threshold_geomean = percent(options.threshold_geomean, "--threshold-geomean", faults);
    if (options.files.empty()) {
        std::vector<std::string> notes;
        settings.a = checked_simulation(options.simulation, faults);
        settings.b = settings.a;
        settings.b.l2 = side_b(options, notes).simulation.cold ? L2State::cold : L2State::warm;
    }
    faults.throw_if_any();
    return settings;
}

CompareSource source_of(const ResultFile& file) {
    return {file.path, file.tool_version, file.spec_hash, file.command_line, file.launches};
}

struct LoadedSide {
    ArchSpec arch;
    LaunchProgram program;
};

LoadedSide load_side(const SideOptions& side) {
    OptionFaults faults;
    LoadedSide loaded;
    loaded.arch = faults.load_arch(side.arch);
    faults.throw_if_any();
    loaded.program = load_program(side.program, loaded.arch, faults);
    return loaded;
}

CompareSource predicted_side(const LoadedSide& side, const SimOptions& simulate, ModelChoice models) {
    CompareSource source;
    source.file = side.arch.file;
    source.spec_hash = side.arch.content_hash;
    source.tool_version = GPUMODEL_VERSION;
    for (const auto& p : predict_launch(side.program, side.arch, {models, simulate, {}, true})) {
        source.launches.push_back(record_of(p));
    }
    return source;
}

CompareView read_sides(const CompareOptions& options, const CheckedSides& settings) {
    CompareView view;
    OptionFaults faults;
    if (!options.files.empty()) {
        faults.collect([&] { view.a = source_of(read_results(options.files[0])); });
        faults.collect([&] { view.b = source_of(read_results(options.files[1])); });
        faults.throw_if_any();
        return view;
    }
    const InterruptGuard interrupts(OnInterrupt::exit);
    const auto b = side_b(options, view.notes);
    check_program_options(b.program, "--vs-kernel, --vs-sass and --vs-trace", 0, faults);
    faults.throw_if_any();
    const auto loaded_a = load_side(side_a(options)), loaded_b = load_side(b);
    view.a = predicted_side(loaded_a, settings.a, settings.models);
    view.b = predicted_side(loaded_b, settings.b, settings.models);
    return view;
}

void keep_model(const std::string& model, CompareSource& source) {
    if (model == "analytic" || model == "simulate") {
        std::erase_if(source.launches, [&model](const LaunchRecord& r) { return r.model != model; });
    }
}

ComparedPair compared(const LaunchPair& pair, const Matching& matching, const CompareView& view,
                      bool second_opinion) {
    ComparedPair result;
    result.a = &view.a.launches[pair.a];
    result.b = &view.b.launches[pair.b];
    result.terms = compare_launches(*result.a, *result.b);
    if (second_opinion && pair.analytic) {
        const auto& other = matching.pairs[*pair.analytic];
        result.analytic = compare_launches(view.a.launches[other.a], view.b.launches[other.b]);
    }
    if (result.terms.comparable()) {
        result.sentences = comparison_sentences(*result.a, *result.b, result.terms,
                                                result.analytic ? &*result.analytic : nullptr);
    }
    const bool lost = result.terms.time_us.a && !result.terms.time_us.b;
    result.exceeds = view.threshold_pct &&
                     (lost || (result.terms.comparable() && result.terms.change_pct() > *view.threshold_pct));
    return result;
}

// Code of two makers differs before the launches do.
void note_sources(CompareView& view) {
    if (view.a.launches.empty() || view.b.launches.empty()) {
        return;
    }
    const auto& a = view.a.launches.front().program_source;
    const auto& b = view.b.launches.front().program_source;
    if (!a.empty() && !b.empty() && a != b) {
        view.notes.push_back(noted(
            NoteId::different_origin,
            fmt::format("the program of a is {}, of b {}: part of the difference may be the code", a, b)));
    }
}

void note_differences(CompareView& view) {
    note_sources(view);
    const auto one_arch = [](const CompareSource& s) {
        return std::all_of(s.launches.begin(), s.launches.end(),
                           [&s](const LaunchRecord& r) { return r.arch == s.launches.front().arch; });
    };
    const bool same = !view.a.launches.empty() && !view.b.launches.empty() && one_arch(view.a) &&
                      one_arch(view.b) && view.a.launches.front().arch == view.b.launches.front().arch;
    if (same && !view.a.spec_hash.empty() && !view.b.spec_hash.empty() &&
        view.a.spec_hash != view.b.spec_hash) {
        view.notes.push_back(
            noted(NoteId::different_origin,
                  fmt::format("the spec of {} differs between a and b", view.a.launches.front().arch)));
    }
    if (!view.a.tool_version.empty() && !view.b.tool_version.empty() &&
        view.a.tool_version != view.b.tool_version) {
        view.notes.push_back(
            noted(NoteId::different_origin,
                  fmt::format("a is by gpumodel {}, b by {}", view.a.tool_version, view.b.tool_version)));
    }
}

void compare_sides(const CompareOptions& options, const CheckedSides& settings, CompareView& view) {
    keep_model(options.model, view.a);
    keep_model(options.model, view.b);
    view.threshold_pct = settings.threshold;
    view.threshold_geomean_pct = settings.threshold_geomean;
    const auto matching = match_launches(view.a.launches, view.b.launches);
    const bool both = options.model == "both";
    std::vector<std::size_t> shown = predicted_pairs(matching);
    if (both) {
        shown.resize(matching.pairs.size());
        std::generate(shown.begin(), shown.end(), [i = std::size_t{0}]() mutable { return i++; });
    }
    std::vector<LaunchComparison> terms;
    for (const auto i : shown) {
        view.pairs.push_back(compared(matching.pairs[i], matching, view, !both));
        terms.push_back(view.pairs.back().terms);
    }
    for (const auto i : matching.only_a) {
        view.only_a.push_back(&view.a.launches[i]);
    }
    for (const auto i : matching.only_b) {
        view.only_b.push_back(&view.b.launches[i]);
    }
    view.summary = summarise(terms);
    view.geomean_exceeds = settings.threshold_geomean && view.summary.launches > 0 &&
                           view.summary.geometric_mean_pct > *settings.threshold_geomean;
    if (!options.files.empty()) {
        note_differences(view);
    }
}

void require_pairs(const CompareOptions& options, const CompareView& view) {
    if (!view.pairs.empty()) {
        return;
    }
    const auto what = options.model.empty() || options.model == "both"
                          ? std::string(
                                "none of its launches corresponds to one of the other file's (model, "
                                "arch, kernel, params, M, N, K)")
                          : fmt::format("no launch of model {} is in both files", options.model);
    throw InputError(InputErrorKind::usage, {{view.b.file, 0, 0, "", what}});
}

int compare(const CompareOptions& options) {
    const auto settings = checked(options);
    auto view = read_sides(options, settings);
    compare_sides(options, settings, view);
    require_pairs(options, view);
    count_notes(read_notes(view.notes));
    if (options.page()) {
        write_data(options.output, page::compare_page(view));
    } else {
        write_result(options.output,
                     {[&] { return compare_text(view, !options.brief); }, [&] { return compare_json(view); },
                      [&] { return compare_csv(view, options.table == "terms"); }});
    }
    return view.exceeds() ? exit_threshold : view.summary.launches > 0 ? exit_ok : exit_invalid_input;
}

}  // namespace

bool CompareView::exceeds() const {
    return geomean_exceeds ||
           std::any_of(pairs.begin(), pairs.end(), [](const ComparedPair& p) { return p.exceeds; });
}

void add_compare_command(Command& app) {
    auto options = std::make_shared<CompareOptions>();
    auto command = app.add_subcommand(
        "compare", "two results, kernels or architectures, term by term: where the difference comes from");
    add_compare_options(command, *options);
    command.footer(
        "Examples:\n"
        "  gpumodel compare --arch v100_sxm2 --kernel vectorized --vs-kernel warptile\n"
        "  gpumodel compare --arch k40 --kernel warptile --vs-set sm.shared_memory.banks=64\n"
        "  gpumodel compare before.json after.json --threshold 2\n"
        "  gpumodel compare before.json after.json --out difference.html");
    command.run([options] { return compare(*options); });
}

}  // namespace gpumodel::cli
