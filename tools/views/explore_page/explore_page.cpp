#include "tools/views/explore_page/explore_page.h"

#include <fmt/format.h>

#include <set>

#include "tools/cli/command.h"
#include "tools/views/html/html.h"
#include "validate/accuracy/error_bands.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string place_for(const char* id) {
    return fmt::format("<div id=\"{}\"></div>\n", id);
}

// As typed, without what must not change the page: where it goes, and how many threads make it.
std::string command_of_page() {
    std::string line = "gpumodel";
    const auto& arguments = raw_arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        if (argument == "--out" || argument == "--threads") {
            ++i;
        } else if (!argument.starts_with("--out=") && !argument.starts_with("--threads=")) {
            line += ' ' + argument;
        }
    }
    return line;
}

// What has been measured of a family on a generation, by the analytic model.
void add_bands(const ErrorBands& bands, const std::string& generation, const std::string& family,
               HtmlTable& table) {
    bool any = false;
    for (const auto& [key, band] : bands) {
        if (key.generation == generation && key.model == "analytic" && key.family == family) {
            table.row({escaped(generation), escaped(family), escaped(to_string(key.size)),
                       fmt::format("\u00b1{:.0f} %", band.pct),
                       fmt::format("{}{}", band.launches,
                                   band.basis == BandBasis::family ? "" : " of all families")});
            any = true;
        }
    }
    if (!any) {
        table.row({escaped(generation), escaped(family), "", "not measured", "0"});
    }
}

std::string band_table(const ExplorePlan& plan) {
    const auto bands = load_error_bands();
    HtmlTable table({{"generation"},
                     {"kernel"},
                     {"smallest side"},
                     {"error band", Align::number},
                     {"measured launches", Align::number}});
    std::set<std::string> generations;
    for (const auto& gpu : plan.gpus) {
        if (generations.insert(gpu.spec().generation).second) {
            for (const auto& kernel : plan.kernels) {
                add_bands(bands, gpu.spec().generation, kernel.family.family->name, table);
            }
        }
    }
    return table.str();
}

Section accuracy_section(const ExplorePlan& plan) {
    std::string html = paragraph(
        "Every figure was computed beforehand by gpumodel's analytic model, one launch at a time, and is the "
        "one "
        "that the command above prints; the controls stop at the values that were computed, and nothing "
        "between "
        "them is interpolated. The simulator looks closer (gpumodel predict without --model).");
    html += paragraph(
        "Time means the median of back-to-back launches of this kernel alone, as CUDA events report it, with "
        "a "
        "warm L2. For 9 of 10 launches the measured time lies within the band around the predicted one; "
        "where no "
        "band stands, nothing like it has been measured.");
    return {"accuracy", "Model and accuracy", html + band_table(plan), true};
}

PageHead head_of(const ExplorePlan& plan) {
    PageHead head;
    head.brand = "gpumodel explore";
    std::string kernels;
    for (const auto& kernel : plan.kernels) {
        kernels += (kernels.empty() ? "" : ", ") + kernel.family.family->name;
    }
    head.heading = "Explore " + kernels;
    head.title = head.heading + " \u2013 gpumodel";
    head.subtitle = "Move a control; everything on the page follows at once.";
    head.metadata = {{"gpumodel", GPUMODEL_VERSION}, {"command", command_of_page()}};
    for (const auto& gpu : plan.gpus) {
        head.metadata.emplace_back("spec hash", gpu.spec().name + " " + gpu.spec().content_hash);
    }
    return head;
}

}  // namespace

std::string explore_page(const ExplorePlan& plan, const ExploredData& data) {
    const std::string no_scripts =
        "<noscript><p>This page needs scripts: its figures are all in it, and a script shows those that are "
        "chosen. Nothing is loaded from elsewhere. gpumodel report makes pages that read "
        "without.</p></noscript>\n";
    const std::vector<Section> sections{
        {"controls", "Controls", no_scripts + "<form id=\"form\"></form>\n"},
        {"summary", "Time",
         "<p id=\"said\" class=\"hidden\" role=\"status\"></p>\n" + place_for("summary_view"), true},
        {"bounds", "Bounds", place_for("bounds_view")},
        {"best", "Best tiles", place_for("best_view")},
        {"map", "Map", place_for("map_view"), true},
        {"occupancy", "Occupancy", place_for("occupancy_view"), true},
        {"banks", "Lanes and banks", place_for("banks_view"), true},
        accuracy_section(plan)};
    PageExtras extras;
    extras.style = explore_style();
    extras.script = explore_script();
    extras.data = data.json().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return html_page(head_of(plan), sections, extras);
}

}  // namespace gpumodel::cli::page
