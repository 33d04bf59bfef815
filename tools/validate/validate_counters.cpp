// gpumodel validate --counters and --ncu: predicted counters beside a profiler's.
#include <fmt/format.h>

#include <memory>

#include "model/sim/predict_simulated.h"
#include "tools/cli/parallel_runs.h"
#include "tools/validate/validate_options.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "validate/counters/counters.h"
#include "validate/counters/ncu_profile.h"

namespace gpumodel::cli {
namespace {

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

std::string each_counter(const CounterTable& table, const CounterComparison& comparison) {
    std::string text = "family,params,M,N,K,counter,measured,predicted,error_pct\n";
    for (const auto& v : comparison.values) {
        const auto& m = v.measured->launch;
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(m.family),
                            csv_field(params_text(m.params)), m.m, m.n, m.k, table.names[v.name],
                            number(v.measured_value), number(v.predicted_value), number(100 * v.error));
    }
    return text;
}

std::string counters_json(const std::vector<CounterStatistics>& rows, const CounterComparison& comparison,
                          const ArchSpec& arch) {
    auto json = json_head(arch);
    json["counters"] = nlohmann::ordered_json::array();
    for (const auto& r : rows) {
        json["counters"].push_back({{"counter", r.name},
                                    {"launches", r.launches},
                                    {"exact", r.exact},
                                    {"within_half_pct", r.close},
                                    {"mean_pct", r.mean_pct},
                                    {"worst_pct", r.worst_pct},
                                    {"worst_launch", r.worst}});
    }
    json["left_out"] = comparison.skipped;
    return json_text(json);
}

// A profile's launch with what the models say of it.
struct ProfiledPrediction {
    const ProfiledLaunch* launch = nullptr;
    std::vector<Prediction> predictions;  // one per model
    std::string reason;                   // without predictions
};

std::string dim_text(const Dim3& d) {
    return fmt::format("{},{},{}", d.x, d.y, d.z);
}

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
    auto listed = program_of(sass, faults);
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
        auto prediction = kind == ModelKind::analytic
                              ? predict_analytic(*program, arch, {L2State::cold})
                              : predict_simulated(instruction_level(*program, arch), arch, simulation);
        if (prediction.status == Status::ok) {
            result.predictions.push_back(std::move(prediction));
        } else {
            result.reason = prediction.reason;
        }
    }
    return result;
}

std::string profile_text(const std::vector<ProfiledPrediction>& launches) {
    std::string text;
    for (const auto& l : launches) {
        text += fmt::format("{}{} {}  grid {}  block {}\n", text.empty() ? "" : "\n", l.launch->id,
                            l.launch->kernel, dim_text(l.launch->grid), dim_text(l.launch->block));
        if (l.predictions.empty()) {
            text += fmt::format("  left out: {}\n", l.reason);
        }
        for (const auto& p : l.predictions) {
            text += fmt::format("  {:<68}{:>16}{:>16}{:>10}\n", fmt::format("counter (model: {})", p.model),
                                "measured", "predicted", "error %");
            for (const auto& c : compare_profile(*l.launch, p)) {
                text += fmt::format("  {:<68}{:>16}{:>16}{:>+10.1f}\n", c.name, number(c.measured),
                                    number(c.predicted), 100 * c.error);
            }
        }
    }
    return text;
}

std::string profile_csv(const std::vector<ProfiledPrediction>& launches) {
    std::string text = "id,kernel,grid,block,model,status,reason,counter,measured,predicted,error_pct\n";
    for (const auto& l : launches) {
        const auto head =
            fmt::format("{},{},{},{}", csv_field(l.launch->id), csv_field(l.launch->kernel),
                        csv_field(dim_text(l.launch->grid)), csv_field(dim_text(l.launch->block)));
        if (l.predictions.empty()) {
            text += fmt::format("{},,error,{},,,,\n", head, csv_field(l.reason));
        }
        for (const auto& p : l.predictions) {
            for (const auto& c : compare_profile(*l.launch, p)) {
                text += fmt::format("{},{},ok,,{},{},{},{}\n", head, p.model, c.name, number(c.measured),
                                    number(c.predicted), number(100 * c.error));
            }
        }
    }
    return text;
}

std::string profile_json(const std::vector<ProfiledPrediction>& launches, const ArchSpec& arch) {
    auto json = json_head(arch);
    json["launches"] = nlohmann::ordered_json::array();
    for (const auto& l : launches) {
        nlohmann::ordered_json row{{"id", l.launch->id},
                                   {"kernel", l.launch->kernel},
                                   {"grid", {l.launch->grid.x, l.launch->grid.y, l.launch->grid.z}},
                                   {"block", {l.launch->block.x, l.launch->block.y, l.launch->block.z}},
                                   {"reason", l.predictions.empty() ? nlohmann::ordered_json(l.reason)
                                                                    : nlohmann::ordered_json(nullptr)}};
        row["counters"] = nlohmann::ordered_json::array();
        for (const auto& p : l.predictions) {
            for (const auto& c : compare_profile(*l.launch, p)) {
                row["counters"].push_back({{"model", p.model},
                                           {"counter", c.name},
                                           {"measured", c.measured},
                                           {"predicted", c.predicted},
                                           {"error_pct", 100 * c.error}});
            }
        }
        json["launches"].push_back(std::move(row));
    }
    return json_text(json);
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
    const auto comparison = compare_counters(table, arch, settings, parallel_runs(options.threads));
    const auto statistics = counter_statistics(table, comparison, [](const CountedLaunch&) { return true; });
    const auto format = options.output.format;
    write_output(options.output, options.rows ? each_counter(table, comparison)
                                 : format == Format::json
                                     ? counters_json(statistics, comparison, arch)
                                     : counter_summary(statistics, comparison, format == Format::csv));
    return exit_ok;
}

int validate_profile(const ValidateOptions& options) {
    OptionFaults faults;
    const auto& program = options.program;
    // grid and block are the profile's
    const bool from_listing = !program.sass.file.empty();
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
        module = load_listing(program.sass.file);
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
    const auto format = options.output.format;
    write_output(options.output, format == Format::json  ? profile_json(results, arch)
                                 : format == Format::csv ? profile_csv(results)
                                                         : profile_text(results));
    return exit_ok;
}

}  // namespace gpumodel::cli
