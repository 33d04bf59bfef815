// Occupancy: the four limits, and the cliffs over each resource with the launch marked.
#include <fmt/format.h>

#include <algorithm>

#include "tools/views/chart/steps.h"
#include "tools/views/occupancy/launch_request.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

struct Axis {
    OccupancyAxis axis;
    const char* title;
    const char* x_name;
    double unit;   // of the x axis
    double start;  // lowest value, in units
    double here;   // of the launch, in units
    const char* suffix;
};

std::string cliff_chart(const ArchSpec& arch, const OccupancyRequest& request, const Axis& axis,
                        const Occupancy& now) {
    chart::StepChart steps;
    steps.title = axis.title;
    steps.x_name = axis.x_name;
    steps.y_name = "active warps per SM";
    steps.start = axis.start;
    steps.y_end = arch.sm.max_warps;
    steps.width = chart::narrow_chart_width;
    for (const auto& step : occupancy_cliffs(arch, request, axis.axis)) {
        steps.steps.push_back(
            {static_cast<double>(step.up_to) / axis.unit, static_cast<double>(step.active_warps)});
    }
    steps.mark = chart::Point{axis.here, static_cast<double>(now.active_warps)};
    steps.mark_label = fmt::format("{} warps at {:.4g}{}", now.active_warps, axis.here, axis.suffix);
    return "<div class=\"half\"><h3>" + escaped(axis.title) + "</h3>" + step_chart(steps) + "</div>\n";
}

std::string cliffs(const ArchSpec& arch, const Prediction& p) {
    constexpr double kibibyte = 1024;
    const auto request = request_of(p.resources);
    const std::vector<Axis> axes{
        {OccupancyAxis::registers, "Over registers", "registers per thread", 1, 1,
         static_cast<double>(request.registers_per_thread), ""},
        {OccupancyAxis::threads, "Over threads", "threads per block", 1, 1,
         static_cast<double>(request.threads_per_block), ""},
        {OccupancyAxis::shared_memory, "Over shared memory", "KiB of shared memory per block", kibibyte, 0,
         static_cast<double>(request.shared_bytes_per_block) / kibibyte, " KiB"}};
    std::string html = "<div class=\"pair\">\n";
    for (const auto& axis : axes) {
        html += cliff_chart(arch, request, axis, p.occupancy);
    }
    return html + "</div>\n";
}

template <class T>
std::string limit(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "\u2013";
}

std::string limits_table(const Prediction& p, const ArchSpec& arch) {
    const auto& o = p.occupancy;
    HtmlTable table({{"resource"}, {"asked"}, {"allocated"}, {"blocks/SM", Align::number}});
    const auto row = [&](OccupancyLimiter which, const std::string& asked, const std::string& allocated,
                         const std::string& blocks) {
        const bool limits = std::find(o.limiters.begin(), o.limiters.end(), which) != o.limiters.end();
        table.row({escaped(to_string(which)), asked, allocated, blocks}, limits ? "win" : "");
    };
    row(OccupancyLimiter::warps, fmt::format("{} threads", p.resources.threads),
        fmt::format("{} warps of {} per SM", o.warps_per_block, arch.sm.max_warps),
        fmt::format("{}", o.limit_warps));
    row(OccupancyLimiter::registers,
        fmt::format("{} per thread ({})", p.resources.registers_per_thread,
                    escaped(p.resources.registers_source)),
        fmt::format("{} per block", o.registers_allocated_per_block), limit(o.limit_registers));
    row(OccupancyLimiter::shared_memory, fmt::format("{} B", o.shared_asked_bytes),
        fmt::format("{} B of {} B", o.shared_allocated_bytes, o.carveout_bytes),
        limit(o.limit_shared_memory));
    row(OccupancyLimiter::blocks, "", fmt::format("{} block slots", arch.sm.max_blocks),
        fmt::format("{}", o.limit_blocks));
    return table.str();
}

std::string next_step(const Occupancy& o) {
    std::string words;
    const auto add = [&](const auto& value, const char* what) {
        if (value) {
            words += fmt::format("{}{} {}", words.empty() ? "" : ", or ", *value, what);
        }
    };
    add(o.registers_fewer_for_next_block, "registers per thread fewer");
    add(o.shared_bytes_fewer_for_next_block, "bytes of shared memory fewer");
    return words.empty() ? "No resource alone gains one more block." : "One more block for " + words + ".";
}

}  // namespace

Section occupancy_section(const PredictionReport& report) {
    const auto& p = report.main();
    const auto& o = p.occupancy;
    std::string html =
        fmt::format("<p>{} blocks per SM, {} of {} warps: {:.1f} % theoretical, {} achieved. {}</p>\n",
                    o.blocks_per_sm, o.active_warps, report.arch->sm.max_warps, 100 * o.occupancy,
                    figure("achieved_occupancy", p.achieved_occupancy,
                           fmt::format("{:.1f} %", 100 * p.achieved_occupancy)),
                    escaped(next_step(o)));
    html += cliffs(*report.arch, p);
    html += limits_table(p, *report.arch);
    return {"occupancy", "Occupancy", std::move(html), true};
}

}  // namespace gpumodel::cli::page
