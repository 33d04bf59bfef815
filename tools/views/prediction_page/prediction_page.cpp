#include "tools/views/prediction_page/prediction_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli::page {
namespace {

PageHead head_of(const PredictionReport& report) {
    const auto& p = report.main();
    const auto& arch = *report.arch;
    PageHead head;
    head.heading = fmt::format("{} on {}", readable_entry(p.kernel), arch.marketing_name);
    head.title = head.heading + " \u2013 gpumodel";
    head.subtitle = fmt::format("{} [{}], {} clock, L2 {} before the launch", arch.name, arch.generation,
                                human_si(p.sm_hz > 0 ? p.sm_hz : arch.clock.sm_hz, "Hz"),
                                report.l2 == L2State::cold ? "cold" : "warm");
    if (p.m > 0) {
        head.chips = {fmt::format("M={}", p.m), fmt::format("N={}", p.n), fmt::format("K={}", p.k)};
    }
    for (const auto param : split(p.params, ';')) {
        if (!param.empty()) {
            head.chips.emplace_back(param);
        }
    }
    const auto metadata = report_metadata(arch);
    head.metadata = {{"gpumodel", metadata.tool_version},
                     {"spec", metadata.spec_file},
                     {"spec hash", metadata.spec_hash},
                     {"command", metadata.command_line}};
    return head;
}

}  // namespace

const Prediction& PredictionReport::main() const {
    return main_prediction(models);
}

const Prediction* PredictionReport::analytic() const {
    const auto found = std::find_if(models.begin(), models.end(), [](const Prediction& p) {
        return is_predicted(p.status) && p.model == "analytic";
    });
    return found == models.end() ? nullptr : &*found;
}

std::string prediction_page(const PredictionReport& report) {
    std::vector<Section> sections{summary_section(report)};
    if (is_predicted(report.main().status)) {
        for (auto* make :
             {advice_section, bounds_section, time_section, roofline_section, stalls_section, what_if_section,
              occupancy_section, memory_section, mix_section, timeline_section, instructions_section,
              code_section, counters_section, accuracy_section, estimates_section}) {
            sections.push_back(make(report));
        }
    }
    return html_page(head_of(report), sections);
}

}  // namespace gpumodel::cli::page
