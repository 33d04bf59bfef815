#include "tools/predict/predict_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/diagnostics.h"
#include "model/analytic/describe_launch.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/notes.h"
#include "tools/cli/parallel_runs.h"
#include "tools/launch/code_input.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/recording/recording_views.h"
#include "traces/emulate/prepare/program_from_sass.h"

namespace gpumodel::cli {
namespace {

// By image; all that cannot be read is said at once.
std::map<std::string, ReadCode> read_all_code(const Recording& recording, const std::string& cuda) {
    std::map<std::string, ReadCode> codes;
    std::vector<Diagnostic> faults;
    for (const auto& launch : recording.launches) {
        if (launch.image.empty() || launch.image.ends_with(".ptx") || codes.contains(launch.image)) {
            continue;
        }
        auto file = launch.image;
        std::error_code ignored;
        for (const auto* ending : {".sass", ".sass.gz"}) {
            file = std::filesystem::exists(launch.image + ending, ignored) ? launch.image + ending : file;
        }
        try {
            codes.emplace(launch.image, read_code({file, "", "", cuda}, launch.generation));
        } catch (const InputError& error) {
            faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
            codes.emplace(launch.image, ReadCode{});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return codes;
}

InputError refusal(const std::string& what) {
    return {InputErrorKind::invalid_input, {{"", 0, 0, "", what}}};
}

const SassFunction& function_of(const RecordedLaunch& launch, const std::map<std::string, ReadCode>& codes) {
    const auto code = codes.find(launch.image);
    if (code == codes.end()) {
        throw refusal(launch.image.empty()
                          ? "its code was not seen when it was loaded"
                          : "its code is PTX, which the driver compiled: no machine code is recorded");
    }
    const SassFunction* found = nullptr;
    for (const auto& function : code->second.module.functions) {
        if (function.name == launch.kernel && (found == nullptr || function.arch == launch.generation)) {
            found = &function;
        }
    }
    if (found == nullptr) {
        throw refusal("the recorded code has no entry of this name");
    }
    return *found;
}

// Of all SMs; 0 where none fits.
std::int64_t blocks_at_once(const RecordedLaunch& recorded, const SassFunction& function,
                            const SassLaunch& launch, const ArchSpec& arch) {
    KernelProgram program;
    program.resources = launch_context(function, launch).resources;
    program.resources.registers_per_thread =
        static_cast<int>(recorded.registers.value_or(program.resources.registers_per_thread));
    return std::int64_t{launch_occupancy(program, arch).blocks_per_sm} * arch.sm_count;
}

KernelProgram program_of_launch(const RecordedLaunch& launch, const std::map<std::string, ReadCode>& codes,
                                const ArchSpec& arch) {
    const auto& function = function_of(launch, codes);
    if (launch.cluster.count() > 1) {
        throw refusal(fmt::format("it was launched in clusters of {} blocks, which are not modelled",
                                  launch.cluster.count()));
    }
    auto given = launch_of(launch, function);
    given.blocks_at_once = blocks_at_once(launch, function, given, arch);
    auto program = program_from_sass(function, given);
    for (auto& array : program.arrays) {
        array.restored =
            std::any_of(launch.allocations.begin(), launch.allocations.end(), [&](const auto& a) {
                return a.restored && array.address == static_cast<std::int64_t>(a.address);
            });
    }
    auto& resources = program.resources;
    if (launch.registers && *launch.registers > 0) {
        resources.registers_per_thread = static_cast<int>(*launch.registers);
        resources.registers_source = "recording";
    }
    if (launch.static_shared_bytes) {
        resources.static_shared_bytes = *launch.static_shared_bytes;
    }
    return program;
}

// An empty launch by the recorder's clock.
void time_as_recorded(ArchSpec& arch) {
    arch.launch.overhead_seconds = arch.launch.held_overhead_seconds.value_or(arch.launch.overhead_seconds);
}

ReplayedLaunch replay(const RecordedLaunch& launch, const std::map<std::string, ReadCode>& codes,
                      const ArchSpec& arch, const PredictSettings& settings) {
    ReplayedLaunch result;
    result.recorded = &launch;
    result.measured_us =
        measured_on(launch, arch.name, arch.generation) ? launch.measured_us() : std::nullopt;
    try {
        LaunchProgram lowered;
        lowered.program = program_of_launch(launch, codes, arch);
        result.prediction = std::move(predict_launch(lowered, arch, settings).front());
    } catch (const InputError& error) {
        result.prediction.status = Status::error;
        result.prediction.reason = joined_diagnostics(error);
        result.prediction.model = settings.models == ModelChoice::analytic ? "analytic" : "simulate";
    }
    return result;
}

}  // namespace

LaunchProgram recorded_launch(const RecordingRun& run, std::int64_t number, ArchSpec& arch) {
    time_as_recorded(arch);
    auto recording = read_recording(run.folder);
    const auto found =
        std::find_if(recording.launches.begin(), recording.launches.end(),
                     [number](const RecordedLaunch& launch) { return launch.number == number; });
    if (found == recording.launches.end()) {
        throw InputError(
            InputErrorKind::usage,
            {{run.folder, 0, 0, "--launch",
              recording.launches.empty() ? "there is no launch in it"
                                         : fmt::format("there is no launch {}, the last is {}", number,
                                                       recording.launches.back().number)}});
    }
    recording.launches = {std::move(*found)};
    const auto& launch = recording.launches.front();
    LaunchProgram lowered;
    lowered.program = program_of_launch(launch, read_all_code(recording, run.cuda), arch);
    const auto measured = launch.measured_us();
    lowered.program->source_detail = fmt::format("launch {} of {}, {} on {}", number, run.folder,
                                                 measured ? fmt::format("{:.4g} us", *measured) : "not timed",
                                                 launch.device.empty() ? "a GPU" : launch.device);
    return lowered;
}

int predict_recording(const RecordingRun& run, const ArchSpec& spec, const PredictSettings& settings,
                      const OutputOptions& output) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    ArchSpec arch = spec;
    time_as_recorded(arch);
    const auto recording = read_recording(run.folder);
    const auto codes = read_all_code(recording, run.cuda);
    std::vector<ReplayedLaunch> launches(recording.launches.size());
    parallel_runs(run.threads)(launches.size(), [&](std::size_t i) {
        launches[i] = replay(recording.launches[i], codes, arch, settings);
    });
    write_result(output, {[&] { return recording_text(recording, launches, arch); },
                          [&] { return recording_json(recording, launches, arch); },
                          [&] { return recording_csv(launches); }});
    for (const auto& launch : launches) {
        count_notes(notes_of(launch.prediction));
    }
    const bool any = launches.empty() ||
                     std::any_of(launches.begin(), launches.end(),
                                 [](const ReplayedLaunch& l) { return is_predicted(l.prediction.status); });
    return any ? exit_ok : exit_invalid_input;
}

}  // namespace gpumodel::cli
