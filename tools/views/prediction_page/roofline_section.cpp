// The launch among the roofs of its GPU.
#include <fmt/format.h>

#include "model/roofline/roofline.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "tools/views/roofline/roofline_svg.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string percent(double part) {
    return fmt::format("<span class=\"nowrap\">{} {:.1f} %</span>", inline_bar(part), 100 * part);
}

std::string bandwidth_text(const Roofline& roofline, RoofLevel level) {
    for (const auto& bandwidth : roofline.bandwidths) {
        if (bandwidth.level == level) {
            return human_si(bandwidth.roof.rate, "B/s");
        }
    }
    return "";
}

std::string reached_table(const Roofline& roofline, const RooflineKernel& kernel) {
    HtmlTable table({{"roof"},
                     {"height", Align::number},
                     {"FLOP/B", Align::number},
                     {"moved", Align::number},
                     {"reached"}});
    const auto row = [&](const std::string& name, const std::string& roof, const std::string& intensity,
                         const std::string& moved, double reached) {
        table.row({escaped(name), escaped(roof), intensity, escaped(moved), percent(reached)},
                  name == kernel.lowest_roof ? "win" : "");
    };
    if (kernel.tensor_reached > 0) {
        row("tensor pipe", "", "", "", kernel.tensor_reached);
    } else if (kernel.flops_per_second > 0) {
        row(roofline.fp32.name, human_si(roofline.fp32.rate, "FLOP/s"), "", "", kernel.fp32_reached);
    }
    row(roofline.issue.name, human_si(roofline.issue.rate, "instr/s"), "", "", kernel.issue_reached);
    for (const auto& point : kernel.points) {
        row(std::string(to_string(point.level)), bandwidth_text(roofline, point.level),
            point.intensity > 0 ? fmt::format("{:.4g}", point.intensity) : "", human_bytes(point.bytes),
            point.reached);
    }
    return table.str();
}

}  // namespace

Section roofline_section(const PredictionReport& report) {
    const auto roofline = make_roofline(*report.arch, {report.main()});
    if (roofline.kernels.empty()) {
        return {};
    }
    const auto& kernel = roofline.kernels.front();
    std::string html = paragraph(fmt::format("Nearest roof: {}, of which the launch reaches {:.1f} %.",
                                             kernel.lowest_roof, 100 * kernel.reached));
    if (kernel.flops_per_second > 0) {
        html += figure_box(roofline_svg(roofline));
    }
    return {"roofline", "Roofline", html + reached_table(roofline, kernel), true};
}

}  // namespace gpumodel::cli::page
