// Many predictions from a job file: parallel, rows written in input order as they are finished.
#pragma once

#include <string>

#include "base/csv_table.h"
#include "tools/cli/command.h"
#include "tools/launch/prediction_job.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {

// Where a job file has its columns.
struct JobColumns {
    std::size_t kernel, params, m, n, k;
};

// One row's predictions, one per model; a row that cannot run has status infeasible or error and a reason.
[[nodiscard]] std::vector<Prediction> predict_row(const CsvRow& row, const JobColumns& columns,
                                                  const ArchSpec& arch, const PredictSettings& settings);

// Rows that cannot run become rows with status infeasible or error; the exit code is then still 0. A file
// that cannot be read as a table throws InputError. `threads` 0 = all cores; the output does not depend on
// it. Ctrl-C: the rows that have begun are finished and written, exit code 130; json then says "interrupted".
[[nodiscard]] int run_jobs_file(const std::string& path, const ArchSpec& arch, PredictSettings settings,
                                const OutputOptions& output, int threads, const ReportMetadata& metadata);

}  // namespace gpumodel::cli
