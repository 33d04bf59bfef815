#include "validate/calibrate/held_back.h"

namespace gpumodel {

HeldBack judge_held_back(const std::vector<Measurement>& measurements, const ArchSpec& before,
                         const ArchSpec& after, const ResidualOptions& options) {
    const auto launches = choose(measurements, {Split::test, false, {}, "", options.sample});
    std::vector<std::pair<double, double>> errors(launches.size(), {-1, -1});
    run_each(options.for_each, launches.size(), [&](std::size_t i) {
        LaunchSettings settings;
        settings.model = options.model;
        const auto error = [&](const ArchSpec& arch) {
            const auto tried = predict_or_say_why(launches[i], arch, settings);
            return tried.prediction ? tried.prediction->time_seconds * 1e6 / launches[i].time_us - 1 : -1;
        };
        errors[i] = {error(before), error(after)};
    });
    std::vector<double> of_before, of_after;
    for (const auto& [b, a] : errors) {
        if (b > -1 && a > -1) {  // no time is predicted as 0
            of_before.push_back(b);
            of_after.push_back(a);
        }
    }
    return {options.model, error_statistics("before", of_before), error_statistics("after", of_after)};
}

}  // namespace gpumodel
