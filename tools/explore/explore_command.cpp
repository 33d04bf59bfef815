// gpumodel explore: one HTML file in which tiles, shapes, GPUs and clocks are moved by hand.
#include <fmt/format.h>

#include <memory>

#include "base/number_text.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/manners.h"
#include "tools/explore/explore_options.h"
#include "tools/explore/explore_run.h"
#include "tools/views/explore_page/explore_page.h"

namespace gpumodel::cli {
namespace {

int explore(const ExploreOptions& options) {
    OptionFaults faults;
    refuse_page_on_terminal(options.output, "--out", faults);
    faults.throw_if_any();
    const auto plan = explore_plan(options);
    const InterruptGuard interrupts(OnInterrupt::exit);
    page::ExploredData data(plan);
    explore_all(plan, data);
    const auto html = page::explore_page(plan, data);
    write_data(options.output, html);
    tell(fmt::format("{} launches at {} clocks, {} of them predicted; a page of {}", grouped(plan.launches()),
                     plan.clock_names.size(), grouped(data.predicted()),
                     human_bytes(static_cast<double>(html.size()))));
    return data.predicted() > 0 ? exit_ok : exit_invalid_input;
}

}  // namespace

void add_explore_command(Command& app) {
    auto options = std::make_shared<ExploreOptions>();
    auto command = app.add_subcommand(
        "explore", "one HTML file in which tiles, shapes, GPUs and clocks are moved by hand");
    add_explore_options(command, *options);
    command.footer(
        "Examples:\n"
        "  gpumodel explore --out page.html\n"
        "  gpumodel explore --arch a100,h200 --kernel warptile,blocktile2d -m 512:4096:512 -n 4096 -k 4096 "
        "--clock 100% --out sizes.html\n"
        "  gpumodel explore --arch k40 -p BM=64,128 -p BN=64,128 -p BK=8,16,32 --clock 745MHz,875MHz --out "
        "k40.html");
    command.run([options] { return explore(*options); });
}

}  // namespace gpumodel::cli
