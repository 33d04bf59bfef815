// The first screen: time, throughput, bottleneck, occupancy, error band, and what both models say.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model/roofline/roofline.h"
#include "tools/views/prediction/disagreement.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string error_band_text(const Prediction& p) {
    return p.error_band_pct ? fmt::format("\u00b1{:.0f} %", *p.error_band_pct) : "not measured";
}

std::string throughput_tiles(const Prediction& p) {
    std::string html;
    if (p.flops > 0) {
        html += tile("Throughput",
                     figure("gflops", p.flops_per_second() / 1e9, human_si(p.flops_per_second(), "FLOP/s")),
                     fmt::format("{:.0f} GFLOP/s", p.flops_per_second() / 1e9));
    }
    if (const double busy = tensor_busy(p); busy > 0) {
        html +=
            tile("Tensor pipes busy",
                 figure("tensor_busy_pct", 100 * busy, fmt::format("{:.1f} %", 100 * busy)), "of the time");
    }
    if (p.flops > 0 && p.peak_flops > 0) {
        html += tile("Of the peak",
                     figure("peak_pct", 100 * p.fraction_of_peak(),
                            fmt::format("{:.1f} %", 100 * p.fraction_of_peak())),
                     escaped(p.peak_unit) + ": " + human_si(p.peak_flops, "FLOP/s"));
    }
    if (p.effective_bytes > 0) {
        const double rate = p.effective_bytes / p.time_seconds;
        html += tile("Effective bandwidth",
                     figure("effective_bandwidth_gbytes_per_s", rate / 1e9, human_si(rate, "B/s")),
                     "inputs read once, outputs written once");
    }
    return html;
}

std::string tiles(const Prediction& p, const ArchSpec& arch) {
    std::string html = "<dl class=\"tiles\">\n";
    html += tile("Predicted time", figure("time_us", p.time_seconds * 1e6, human_time(p.time_seconds)),
                 p.model == "simulate" ? "cycle-level simulator" : "analytic model");
    html += throughput_tiles(p);
    html += tile("Theoretical occupancy",
                 figure("theoretical_occupancy", p.occupancy.occupancy,
                        fmt::format("{:.1f} %", 100 * p.occupancy.occupancy)),
                 fmt::format("{} of {} warps, limited by {}", p.occupancy.active_warps, arch.sm.max_warps,
                             limiter_names(p.occupancy, " and ")));
    html +=
        tile("Error band", figure("error_band_pct", p.error_band_pct.value_or(unknown), error_band_text(p)),
             p.error_band_pct ? "holds for 9 of 10 launches" : "for this kernel family and generation");
    return html + "</dl>\n";
}

std::string bottleneck_words(const Prediction& p) {
    return fmt::format("<p class=\"verdict\"><strong>Bottleneck:</strong> {}</p>\n",
                       escaped(p.bottleneck_words));
}

std::vector<std::string> model_cells(const Prediction& p) {
    const auto name = p.model == "simulate" ? "simulator" : p.model;
    if (!is_predicted(p.status)) {
        return {escaped(name), escaped(to_string(p.status)), "", "", "", escaped(p.reason)};
    }
    return {escaped(name),
            figure(p.model + "_time_us", p.time_seconds * 1e6, human_time(p.time_seconds)),
            figure(p.model + "_cycles", p.cycles, fmt::format("{:.0f}", p.cycles)),
            p.flops > 0 ? figure(p.model + "_gflops", p.flops_per_second() / 1e9,
                                 fmt::format("{:.0f}", p.flops_per_second() / 1e9))
                        : "",
            escaped(error_band_text(p)),
            escaped(bottleneck_names(p, ", "))};
}

std::string both_models(const PredictionReport& report) {
    if (report.models.size() < 2) {
        return "";
    }
    HtmlTable table({{"model"},
                     {"time", Align::number},
                     {"SM cycles", Align::number},
                     {"GFLOP/s", Align::number},
                     {"error band", Align::number},
                     {"bottleneck"}});
    for (const auto& p : report.models) {
        table.row(model_cells(p), &p == &report.main() ? "win" : "");
    }
    std::string html = "<h3>Both models</h3>\n" + table.str();
    const auto& p = report.main();
    if (p.model_disagreement_pct) {
        const auto words = disagreement_words(p);
        html += paragraph(fmt::format("The analytic time is {:+.1f} % off the simulated one.{}{}",
                                      *p.model_disagreement_pct, words.empty() ? "" : " ", words),
                          "dim small");
    }
    return html;
}

}  // namespace

Section summary_section(const PredictionReport& report) {
    const auto& p = report.main();
    if (!is_predicted(p.status)) {
        return {"summary", "No prediction",
                fmt::format("<p class=\"verdict\"><strong>{}:</strong> {}</p>\n",
                            escaped(to_string(p.status)), escaped(p.reason)),
                true};
    }
    const auto partial =
        p.status == Status::partial
            ? fmt::format("<p class=\"verdict\"><strong>Partial:</strong> {}</p>\n", escaped(p.reason))
            : "";
    return {"summary", "", partial + tiles(p, *report.arch) + bottleneck_words(p) + both_models(report),
            true};
}

}  // namespace gpumodel::cli::page
