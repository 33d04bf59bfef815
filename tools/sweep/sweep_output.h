// Where a sweep's finished pieces go, in order.
#pragma once

#include <memory>

#include "tools/cli/output_stream.h"
#include "tools/sweep/pieces/piece.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {

class SweepOutput {
public:
    SweepOutput() = default;
    SweepOutput(const SweepOutput&) = delete;
    SweepOutput& operator=(const SweepOutput&) = delete;
    virtual ~SweepOutput() = default;

    virtual void take(PieceResult&& piece) = 0;
    // After the last piece; `tally` of all, `interrupted` when pieces are missing.
    virtual void finish(const Tally& tally, bool interrupted) = 0;
    [[nodiscard]] virtual bool good() const = 0;  // as OutputStream's
};

// A row's csv lines as they stand in the file: with the cell of the plan's shard, if it has one. `first`: the
// first point that no earlier row accounts for.
[[nodiscard]] std::string csv_text(const SweepPlan& plan, const SweepRow& row, std::int64_t first);

// csv goes on behind what is kept of the file when the sweep resumes at `begin` > the plan's first point or
// behind a header (`continues`). Throws InputError (usage) for a file that cannot be written.
[[nodiscard]] std::unique_ptr<SweepOutput> open_sweep_output(const SweepPlan& plan, const ArchSpec& base,
                                                             std::int64_t begin, bool continues);

}  // namespace gpumodel::cli
