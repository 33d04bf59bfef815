// Counters, what is estimated or left out, and how far the numbers can be trusted.
#include <fmt/format.h>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "validate/accuracy/error_bands.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

std::string list_of(const std::vector<std::string>& texts, std::string_view css_class) {
    std::string html = fmt::format("<ul class=\"{}\">\n", css_class);
    for (const auto& text : texts) {
        html += "<li>" + escaped(text) + "</li>\n";
    }
    return html + "</ul>\n";
}

// What a band rests on.
std::string basis_words(const PredictionReport& report) {
    const auto& p = report.main();
    const auto family = p.m > 0 ? p.kernel : std::string(sass_family);
    const auto size = size_class(family, {p.m, p.n, p.k});
    if (!size) {
        return "";
    }
    const auto bands = load_error_bands();
    const auto found = bands.find({report.arch->generation, p.model, family, *size});
    if (found == bands.end()) {
        return "";
    }
    const auto& band = found->second;
    return band.basis == BandBasis::family
               ? fmt::format("It rests on {} measured launches of this family on {}.", band.launches,
                             report.arch->generation)
               : fmt::format(
                     "It rests on {} measured launches of all families on {}, each family weighted alike.",
                     band.launches, report.arch->generation);
}

}  // namespace

Section counters_section(const PredictionReport& report) {
    HtmlTable table({{"counter"}, {"value", Align::number}});
    for (const auto& counter : report.main().counters) {
        const std::string name(counter.name);
        table.row({fmt::format("<code>{}</code>", escaped(name)),
                   figure(name, counter.value, number(counter.value))});
    }
    if (table.empty()) {
        return {};
    }
    return {"counters", "Counters",
            paragraph("Under Nsight Compute's names, to lay beside a profile.", "dim small") +
                details(fmt::format("{} counters", report.main().counters.size()), table.str()),
            true};
}

Section estimates_section(const PredictionReport& report) {
    const auto& p = report.main();
    if (p.estimates.empty() && p.gaps.empty()) {
        return {};
    }
    std::string html;
    if (!p.gaps.empty()) {
        html += "<h3>Left out</h3>\n" + list_of(p.gaps, "small");
    }
    if (!p.estimates.empty()) {
        html +=
            details(fmt::format("{} estimated inputs", p.estimates.size()), list_of(p.estimates, "columns"));
    }
    return {
        "estimates", "Estimates and gaps",
        paragraph("Inputs that no document or microbenchmark settles, and what the model does not look at.",
                  "dim small") +
            html};
}

Section accuracy_section(const PredictionReport& report) {
    const auto& p = report.main();
    std::string html;
    if (p.error_band_pct) {
        html += paragraph(
            fmt::format("For 9 of 10 launches of this family, size class and generation the measured "
                        "time lies within \u00b1{:.0f} % of the predicted one. {}",
                        *p.error_band_pct, basis_words(report)));
    } else {
        html += paragraph(
            fmt::format("Nothing like this launch has been measured on {}: how far the predicted time "
                        "may be off is unknown.",
                        report.arch->generation));
    }
    html += paragraph(
        "Time means the median of back-to-back launches of this kernel alone, as CUDA events report "
        "it, at the clock above. To compare with measured launches of your own:",
        "dim small");
    html +=
        fmt::format("<p><code>gpumodel validate --arch {} --measurements times.csv --split all</code></p>\n",
                    escaped(report.arch->name));
    return {"accuracy", "Accuracy", std::move(html)};
}

}  // namespace gpumodel::cli::page
