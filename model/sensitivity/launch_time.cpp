#include "model/sensitivity/launch_time.h"

#include "base/diagnostics.h"
#include "model/analytic/predict.h"

namespace gpumodel {
namespace {

void time_analytic(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                   LaunchTime& time) {
    const auto p = predict_analytic(program, arch, {options.l2});
    if (is_predicted(p.status)) {
        time.analytic_seconds = p.time_seconds;
    } else {
        time.reason = p.reason;
    }
}

void time_simulated(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                    LaunchTime& time) {
    const auto run = simulate(program, arch, options);
    if (run.status == SimStatus::ok) {
        time.simulated_seconds = run.time_seconds;
        time.error_bound_pct = run.extrapolation.error_bound_pct;
    } else {
        time.reason = first_part(run.reason);
    }
}

}  // namespace

std::string first_part(const std::string& reason) {
    return reason.substr(0, reason.find_first_of(";\n"));
}

LaunchTime time_launch(const KernelProgram& program, const ArchSpec& arch, const StudyOptions& options) {
    LaunchTime time;
    try {
        time_analytic(program, arch, options.simulation, time);
        if (options.simulate && time.analytic_seconds) {
            time_simulated(program, arch, options.simulation, time);
        }
    } catch (const InputError& error) {
        time.reason = error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
    }
    return time;
}

}  // namespace gpumodel
