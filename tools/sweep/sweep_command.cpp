// gpumodel sweep: every combination of parameters, shapes and spec values.
#include <memory>

#include "tools/cli/command.h"
#include "tools/sweep/options/sweep_options.h"
#include "tools/sweep/sweep_run.h"

namespace gpumodel::cli {
namespace {

int sweep(const SweepOptions& options) {
    const Ranks ranks;
    ArchSpec base;
    SweepPlan plan;
    try {
        plan = sweep_plan(options, base);
    } catch (const InputError& error) {
        if (ranks.rank() == 0) {
            throw;
        }
        return static_cast<int>(error.kind());  // rank 0 says it
    }
    return run_sweep(plan, base, ranks);
}

}  // namespace

void add_sweep_command(Command& app) {
    const auto options = std::make_shared<SweepOptions>();
    auto command =
        app.add_subcommand("sweep", "predict every combination of kernel parameters, sizes and spec values");
    add_sweep_options(command, *options);
    command.footer(
        "Lists: 64,128,256; ranges FIRST:LAST:STEP: 8:32:8. Only valid combinations become rows; which rule\n"
        "rejected how many stands on standard error at the end. Shards are put together by 'gpumodel "
        "merge'.\n\n"
        "Examples:\n"
        "  gpumodel sweep --arch v100_sxm2 --kernel warptile -p BM=64,128,256 -p BN=64,128,256 -p BK=8:32:8 "
        "--sizes 1024,2048,4096\n"
        "  gpumodel sweep --arch k40 --kernel smem,vectorized --set-sweep "
        "'sm.shared_memory.bandwidth=128,256 B/clk' --format text\n"
        "  gpumodel sweep --arch h200_sxm --kernel warptile --axes auto --shard 2/8 --out part2.csv "
        "--resume");
    command.run([options] { return sweep(*options); });
}

}  // namespace gpumodel::cli
