#include "tools/compare/compare_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/note.h"

namespace gpumodel::cli {
namespace {

void add_vs_program(Command& command, OtherSide& vs) {
    command.add_option("--vs-kernel", vs.program.kernel, "b: another kernel family");
    command.add_option("--vs-m", vs.program.m, "b: another M");
    command.add_option("--vs-n", vs.program.n, "b: another N");
    command.add_option("--vs-k", vs.program.k, "b: another K");
    command.add_option("--vs-p", vs.program.params, "b: kernel parameter KEY=VALUE, repeatable").one_each();
    command.add_option("--vs-registers", vs.program.registers, "b: other registers per thread").range(1, 512);
    command.add_option("--vs-sass", vs.program.sass.file, "b: another listing");
    command.add_option("--vs-cu", vs.program.sass.cu, "b: another CUDA source");
    command.add_option("--vs-entry", vs.program.sass.entry, "b: another kernel of the listing");
    command.add_option("--vs-grid", vs.program.sass.grid, "b: another grid X[,Y[,Z]]");
    command.add_option("--vs-block", vs.program.sass.block, "b: another block X[,Y[,Z]]");
    command.add_option("--vs-args", vs.program.sass.args, "b: other arguments");
    command.add_option("--vs-trace", vs.program.trace, "b: another trace");
}

// The pairs of `base`, with those of `more` in place of the same key and else after them.
std::vector<std::string> merged(std::vector<std::string> base, const std::vector<std::string>& more) {
    const auto key = [](const std::string& pair) { return pair.substr(0, pair.find('=')); };
    for (const auto& pair : more) {
        std::erase_if(base, [&](const std::string& other) { return key(other) == key(pair); });
    }
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

void replace(std::string& value, const std::string& other) {
    if (!other.empty()) {
        value = other;
    }
}

// Unknown families keep all: the error about them comes with the launch.
std::vector<std::string> inherited_params(const ProgramOptions& a, const std::string& kernel,
                                          std::vector<std::string>& notes) {
    const auto* family = kernel == a.kernel ? nullptr : find_family(kernel);
    if (family == nullptr) {
        return a.params;
    }
    std::vector<std::string> kept;
    for (const auto& pair : a.params) {
        const auto key = pair.substr(0, pair.find('='));
        const bool known = std::any_of(family->params.begin(), family->params.end(),
                                       [&key](const ParamSpec& spec) { return spec.name == key; });
        if (known) {
            kept.push_back(pair);
        } else {
            notes.push_back(
                noted(NoteId::option_left_out,
                      fmt::format("b: {} has no parameter {}; -p {} is left out", kernel, key, pair)));
        }
    }
    return kept;
}

void set_listing(const SassLaunchOptions& other, SassLaunchOptions& sass) {
    replace(sass.file, other.file);
    replace(sass.cu, other.cu);
    replace(sass.entry, other.entry);
    replace(sass.grid, other.grid);
    replace(sass.block, other.block);
    replace(sass.args, other.args);
}

// Another kind of program shares nothing with a's.
void set_source(const ProgramOptions& vs, ProgramOptions& program) {
    if (!vs.kernel.empty()) {
        program.sass = {};
        program.trace.clear();
    } else if (vs.sass.given() || !vs.trace.empty()) {
        program.kernel.clear();
        program.m.clear();
        program.n.clear();
        program.k.clear();
        program.params.clear();
        if (!vs.trace.empty()) {
            program.sass = {};
            return;
        }
        program.trace.clear();
        (vs.sass.cu.empty() ? program.sass.cu : program.sass.file).clear();
    }
}

}  // namespace

bool OtherSide::any() const {
    return !arch.arch.empty() || !arch.sets.empty() || !arch.clock.empty() || program.sources() > 0 ||
           program.sized() || program.registers || program.sass.any_besides_file() || !l2.empty();
}

bool CompareOptions::page() const {
    return html ||
           (output.format == Format::text && (output.out.ends_with(".html") || output.out.ends_with(".htm")));
}

bool CompareOptions::names_launch() const {
    return !arch.arch.empty() || !arch.sets.empty() || !arch.clock.empty() || program.sources() > 0 ||
           program.sized() || program.registers || program.sass.any_besides_file() ||
           !program.resources_from.empty() || simulation.exact || simulation.cold ||
           !simulation.max_cycles.empty() || vs.any();
}

void add_compare_options(Command& command, CompareOptions& options) {
    command
        .add_option("files", options.files,
                    "two results: json of predict or simulate, csv of predict or sweep; '-' = standard input")
        .shown_as("A B")
        .at_most(2);
    add_arch_options(command, options.arch, false);
    add_clock_option(command, options.arch);
    add_program_options(command, options.program);
    add_simulation_options(command, options.simulation);
    command.add_option("--vs-arch", options.vs.arch.arch, "b: another architecture");
    command.add_option("--vs-set", options.vs.arch.sets, "b: override a spec value: KEY=VALUE, repeatable")
        .one_each();
    command.add_option("--vs-clock", options.vs.arch.clock, "b: another clock, as --clock");
    add_vs_program(command, options.vs);
    command.add_option("--vs-l2", options.vs.l2, "b: other state of the L2 before the launch")
        .one_of({"warm", "cold"});
    command
        .add_option("--model", options.model,
                    "compare the times of one model, or of both (default: the predicted times)")
        .shown_as("simulate|analytic|both");
    command.add_option("--threshold", options.threshold,
                       "exit with 4 when b takes more than so many % more time in any launch");
    command.add_option("--threshold-geomean", options.threshold_geomean,
                       "the same for the geometric mean over all launches");
    command.add_option("--table", options.table, "csv: one row per launch, or per term of each launch")
        .one_of({"launches", "terms"});
    command.add_flag("--brief", options.brief, "text: the first screen only");
    command.add_flag("--html", options.html, "one HTML page instead of text, as --out FILE.html writes");
    add_output_options(command, options.output);
}

SideOptions side_a(const CompareOptions& options) {
    return {options.arch, options.program, options.simulation};
}

SideOptions side_b(const CompareOptions& options, std::vector<std::string>& notes) {
    auto b = side_a(options);
    const auto& vs = options.vs;
    replace(b.arch.arch, vs.arch.arch);
    replace(b.arch.clock, vs.arch.clock);
    b.arch.sets = merged(b.arch.sets, vs.arch.sets);
    set_source(vs.program, b.program);
    replace(b.program.kernel, vs.program.kernel);
    replace(b.program.m, vs.program.m);
    replace(b.program.n, vs.program.n);
    replace(b.program.k, vs.program.k);
    if (!vs.program.kernel.empty()) {
        b.program.params = inherited_params(options.program, vs.program.kernel, notes);
    }
    b.program.params = merged(b.program.params, vs.program.params);
    set_listing(vs.program.sass, b.program.sass);
    replace(b.program.trace, vs.program.trace);
    if (vs.program.registers) {
        b.program.registers = vs.program.registers;
        b.program.resources_from.clear();
    }
    if (!vs.l2.empty()) {
        b.simulation.cold = vs.l2 == "cold";
    }
    return b;
}

}  // namespace gpumodel::cli
