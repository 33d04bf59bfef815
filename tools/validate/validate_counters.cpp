// gpumodel validate --counters and --ncu: predicted counters beside a profiler's.
#include <fmt/format.h>

#include <memory>

#include "model/sim/predict_simulated.h"
#include "tools/cli/parallel_runs.h"
#include "tools/launch/code_input.h"
#include "tools/validate/validate_options.h"
#include "tools/views/validate/counters_views.h"

namespace gpumodel::cli {
namespace {

std::optional<KernelProgram> profiled_program(const ValidateOptions& options, const ArchSpec& arch,
                                              const SassModule* module, const ProfiledLaunch& launch,
                                              std::string& reason) {
    OptionFaults faults;
    if (module == nullptr) {
        auto made = load_program(options.program, arch, faults);
        reason = made.infeasible.reason;
        return made.program;
    }
    const auto* function = find_profiled(*module, launch.kernel);
    if (function == nullptr) {
        reason = "no entry of the listing has this name";
        return std::nullopt;
    }
    auto sass = options.program.sass;
    sass.entry = function->name;
    sass.grid = dim_text(launch.grid);
    sass.block = dim_text(launch.block);
    auto listed = program_of(sass, arch.generation, options.program.code.cuda, faults);
    faults.throw_if_any();
    return std::move(listed->program);
}

ProfiledPrediction predict_profiled(const ValidateOptions& options, const ArchSpec& arch,
                                    const SassModule* module, const ProfiledLaunch& launch) {
    ProfiledPrediction result{&launch, {}, {}};
    auto program = profiled_program(options, arch, module, launch, result.reason);
    if (!program) {
        return result;
    }
    auto& resources = program->resources;
    if (const auto found = launch.counters.find("launch__registers_per_thread");
        found != launch.counters.end()) {
        resources.registers_per_thread = static_cast<int>(found->second);
        resources.registers_estimated = false;
        resources.registers_source = "profile";
    }
    SimOptions simulation;
    simulation.l2 = L2State::cold;  // the profiler flushes caches before each pass unless told otherwise
    for (const auto kind : models_of(options)) {
        auto prediction = kind == ModelKind::analytic ? predict_analytic(*program, arch, {L2State::cold})
                                                      : predict_simulated(*program, arch, simulation);
        if (is_predicted(prediction.status)) {
            result.predictions.push_back(std::move(prediction));
        } else {
            result.reason = prediction.reason;
        }
    }
    return result;
}

}  // namespace

int validate_counters(const ValidateOptions& options) {
    const auto arch = load(options.arch);
    auto table = read_counters(options.counters);
    const auto choice = choice_of(options);
    std::erase_if(table.launches, [&](const CountedLaunch& l) { return choose({l.launch}, choice).empty(); });
    std::unique_ptr<ListedKernels> listing;
    if (!options.listings.empty()) {
        listing = std::make_unique<ListedKernels>(options.listings);
    }
    const auto models = models_of(options);
    if (models.size() > 1) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--model", "one model at a time with --counters"}});
    }
    const LaunchSettings settings{
        .model = models.front(), .registers = registers_of(options), .listing = listing.get()};
    const auto caches = options.cache_control == "none" ? CacheControl::none : CacheControl::all;
    const auto comparison = compare_counters(table, arch, settings, caches, parallel_runs(options.threads));
    const auto statistics = counter_statistics(table, comparison, [](const CountedLaunch&) { return true; });
    if (options.rows) {
        return write_data(options.output, counter_rows_csv(table, comparison));
    }
    return write_result(options.output, {[&] { return counters_text(statistics, comparison); },
                                         [&] { return counters_json(statistics, comparison, arch); },
                                         [&] { return counters_csv(statistics); }});
}

int validate_profile(const ValidateOptions& options) {
    OptionFaults faults;
    const auto& program = options.program;
    // grid and block are the profile's
    const bool from_listing = program.sass.given();
    if (program.sources() != 1 || !(program.sass.grid.empty() && program.sass.block.empty())) {
        faults.add("--ncu",
                   "give what was profiled: --sass FILE with --args (grid and block come from the "
                   "profile), --kernel NAME with its sizes, or --trace FILE");
    }
    const auto arch = faults.load_arch(options.arch);
    faults.throw_if_any();
    auto launches = read_ncu_profile(options.ncu);
    std::optional<SassModule> module;
    if (from_listing) {
        module = read_code({program.sass.file, program.sass.cu, program.sass.nvcc_flags, program.code.cuda},
                           arch.generation)
                     .module;
        if (!program.sass.entry.empty()) {
            const auto* wanted = &choose_entry(*module, program.sass.entry);
            std::erase_if(launches, [&](const ProfiledLaunch& l) {
                return find_profiled(*module, l.kernel) != wanted;
            });
        }
    }
    std::vector<ProfiledPrediction> results(launches.size());
    parallel_runs(options.threads)(launches.size(), [&](std::size_t i) {
        results[i] = predict_profiled(options, arch, module ? &*module : nullptr, launches[i]);
    });
    return write_result(options.output,
                        {[&] { return profile_text(results); }, [&] { return profile_json(results, arch); },
                         [&] { return profile_csv(results); }});
}

}  // namespace gpumodel::cli
