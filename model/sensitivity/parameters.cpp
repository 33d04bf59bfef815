#include "model/sensitivity/parameters.h"

#include <bit>

#include "base/diagnostics.h"
#include "model/analytic/predict.h"

namespace gpumodel {
namespace {

constexpr std::size_t most_tries = 3;

// The family's program with one parameter changed, or the rule that forbids it.
FamilyResult changed_program(const StudiedLaunch& launch, const std::string& name, std::int64_t value,
                             const ArchSpec& arch) {
    const auto& from = *launch.family;
    auto params = from.params;
    params[name] = value;
    try {
        return make_program(launch.provider.get(), *from.family, params, from.shape, target_of(arch),
                            launch.set_resources);
    } catch (const InputError& error) {
        return {std::nullopt,
                {},
                error.diagnostics().empty() ? error.what() : error.diagnostics().front().message};
    }
}

VariedSide vary(const StudiedLaunch& launch, const ParamSpec& parameter, std::int64_t value,
                Direction direction, const ArchSpec& arch, const StudyOptions& options) {
    VariedSide side;
    for (const auto next : neighbour_parameters(parameter, value, direction)) {
        const auto made = changed_program(launch, parameter.name, next, arch);
        LaunchTime time;
        if (made.program) {
            if (made.program->source != launch.program.source && launch.family->family->generated) {
                side.other_source = true;
                return side;
            }
            time = time_launch(*made.program, arch, options);
        } else {
            time.reason = made.infeasible_reason;
        }
        if (!side.value) {  // of several failures the nearest one's
            side = {static_cast<double>(next), time, time.reason};
        }
        if (time.seconds(options.simulate)) {
            return {static_cast<double>(next), time, ""};
        }
    }
    if (!side.value) {
        side.reason = value == 0 ? "left to the compiler" : "no further value is allowed";
    }
    return side;
}

VariedSide with_registers(const StudiedLaunch& launch, int registers, const ArchSpec& arch,
                          const StudyOptions& options) {
    VariedSide side;
    if (registers < 1 || registers > arch.sm.register_file.max_per_thread) {
        side.reason = "no thread can have so many";
        return side;
    }
    side.value = registers;
    auto program = launch.program;
    program.resources.registers_per_thread = registers;
    side.time = time_launch(program, arch, options);
    side.reason = side.time.reason;
    return side;
}

// A neighbour without compiled code: all three launches of the row are of generated code then.
SensitivityRow of_generated_code(const StudiedLaunch& launch, const ParamSpec& parameter,
                                 const ArchSpec& arch, const StudyOptions& options) {
    StudiedLaunch generated{launch.program, launch.family, launch.set_resources, nullptr};
    const auto& from = *launch.family;
    generated.program =
        *changed_program(generated, parameter.name, from.params.at(parameter.name), arch).program;
    auto row = vary_parameter(generated, parameter, arch, options);
    row.base = time_launch(generated.program, arch, options);
    return row;
}

}  // namespace

std::vector<std::int64_t> neighbour_parameters(const ParamSpec& spec, std::int64_t value,
                                               Direction direction) {
    std::vector<std::int64_t> values;
    if (spec.fixed || value <= 0) {
        return values;
    }
    const bool doubles = std::has_single_bit(static_cast<std::uint64_t>(value)) && value > 1;
    while (values.size() < most_tries) {
        const bool up = direction == Direction::up;
        value = doubles ? (up ? 2 * value : value / 2) : (up ? value + 1 : value - 1);
        if (value < std::max<std::int64_t>(spec.min, 1) || value > spec.max) {
            break;
        }
        values.push_back(value);
    }
    return values;
}

SensitivityRow vary_parameter(const StudiedLaunch& launch, const ParamSpec& parameter, const ArchSpec& arch,
                              const StudyOptions& options) {
    SensitivityRow row;
    row.name = parameter.name;
    const auto value = launch.family->params.at(parameter.name);
    row.value = static_cast<double>(value);
    row.low = vary(launch, parameter, value, Direction::down, arch, options);
    row.high = row.low.other_source ? row.low : vary(launch, parameter, value, Direction::up, arch, options);
    if (row.low.other_source || row.high.other_source) {
        return of_generated_code(launch, parameter, arch, options);
    }
    return row;
}

SensitivityRow vary_registers(const StudiedLaunch& launch, const ArchSpec& arch,
                              const StudyOptions& options) {
    SensitivityRow row;
    row.name = "registers per thread";
    const int registers = launch.program.resources.registers_per_thread;
    row.value = registers;
    row.low = with_registers(launch, registers - register_step, arch, options);
    row.high = with_registers(launch, registers + register_step, arch, options);
    return row;
}

}  // namespace gpumodel
