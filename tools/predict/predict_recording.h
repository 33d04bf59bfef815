// predict --recording: every launch that gpumodel-record saw, beside its measured time.
#pragma once

#include <string>

#include "tools/cli/command.h"
#include "tools/launch/prediction_job.h"

namespace gpumodel::cli {

struct RecordingRun {
    std::string folder;
    std::string cuda;  // folder of a toolkit, for code without a listing
    int threads = 0;
};

// The launch of that number (column `launch`), with its data, to be predicted like any other; `arch` gets the
// recorder's way of taking times. Throws InputError as predict_recording, and for a launch that is not there
// or cannot be predicted.
[[nodiscard]] LaunchProgram recorded_launch(const RecordingRun& run, std::int64_t number, ArchSpec& arch);

// A launch that is refused is a row with its reason. Exit code 0 if any launch is predicted, or there is
// none. Throws InputError: usage for a folder that is no recording, invalid input with all that is wrong in a
// damaged one.
[[nodiscard]] int predict_recording(const RecordingRun& run, const ArchSpec& arch,
                                    const PredictSettings& settings, const OutputOptions& output);

}  // namespace gpumodel::cli
