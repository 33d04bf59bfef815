#include "tools/views/sweep_page/sweep_page.h"

#include <fmt/format.h>

#include "tools/cli/command.h"
#include "tools/views/sweep_page/sweep_sections.h"

namespace gpumodel::cli::page {
namespace {

PageHead head_of(const Sweep& sweep) {
    PageHead head;
    const auto list = [&](const char* name) {
        std::string names;
        if (const auto* axis = sweep.survey.find(name)) {
            std::size_t shown = 0;
            for (const auto& value : axis->values) {
                names += (names.empty() ? "" : ", ") + (++shown <= 4 ? value : "\u2026");
                if (shown > 4) {
                    break;
                }
            }
        }
        return names.empty() ? std::string("nothing") : names;
    };
    head.heading = fmt::format("Sweep of {} on {}", list("kernel"), list("arch"));
    head.title = head.heading + " \u2013 gpumodel";
    head.subtitle = fmt::format("{} rows", sweep.survey.rows);
    for (const auto& axis : sweep.survey.axes) {
        if (axis.values.size() > 1) {
            head.chips.push_back(fmt::format("{}: {} values", axis.name, axis.values.size()));
        }
    }
    head.metadata = {{"gpumodel", GPUMODEL_VERSION}, {"rows of", sweep.file}, {"command", command_line()}};
    return head;
}

}  // namespace

std::string sweep_page(const Sweep& sweep) {
    return html_page(head_of(sweep),
                     {sweep_summary(sweep), heat_section(sweep), best_section(sweep), times_section(sweep),
                      bottlenecks_section(sweep), rejected_section(sweep), sweep_accuracy(sweep)});
}

}  // namespace gpumodel::cli::page
