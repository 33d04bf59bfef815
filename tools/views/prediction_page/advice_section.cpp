// What to do about it: each rule that the launch meets, with the simulated gain.
#include <fmt/format.h>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"

namespace gpumodel::cli::page {
namespace {

constexpr double worth_telling_pct = 1;

std::string gain_html(const Advice& advice) {
    const auto* row = advice.lifted;
    if (row == nullptr) {
        return "not simulated";
    }
    if (row->status != ExplainStatus::ok) {
        return escaped(fmt::format("{}: {}", to_string(row->status), row->reason));
    }
    const auto id = "gain_" + std::string(advice.limiter);
    std::string slug;
    for (const char c : id) {
        slug += c == ' ' ? '-' : c;
    }
    auto html = figure(slug, row->saved_pct, fmt::format("{:.1f} %", row->saved_pct));
    if (row->error_bound_pct > 0) {
        html += fmt::format(" \u00b1 {:.1f} %", row->error_bound_pct);
    }
    return html;
}

std::string item(const Advice& advice) {
    const auto assumes = advice.lifted != nullptr ? advice.lifted->relaxed : std::string();
    return fmt::format(
        "<li><p class=\"rule\"><strong>{}</strong><span class=\"gain\">{}</span></p>\n<p>{} "
        "{}</p>\n{}</li>\n",
        escaped(advice.title), gain_html(advice), escaped(advice.found), escaped(advice.change),
        assumes.empty() ? "" : paragraph("Simulated: " + assumes + ".", "dim small"));
}

bool worth_telling(const Advice& advice) {
    return advice.lifted == nullptr || advice.lifted->status != ExplainStatus::ok ||
           advice.lifted->saved_pct >= worth_telling_pct;
}

}  // namespace

Section advice_section(const PredictionReport& report) {
    std::string helps;
    std::string little;
    int few = 0;
    for (const auto& advice : report.advice) {
        if (worth_telling(advice)) {
            helps += item(advice);
        } else {
            little += item(advice);
            ++few;
        }
    }
    if (helps.empty() && little.empty()) {
        return {};
    }
    auto html = paragraph(
        "What the rules find, and the part of the time that the launch saves in the simulator with that "
        "limiter "
        "alone lifted: the most that a change can gain. Gains do not add up.",
        "dim small");
    html += helps.empty() ? paragraph("Lifting no limiter alone saves 1 % of the time.")
                          : "<ul class=\"advice\">\n" + helps + "</ul>\n";
    if (few > 0) {
        html += details(fmt::format("{} more findings that cost less than 1 %", few),
                        "<ul class=\"advice\">\n" + little + "</ul>\n");
    }
    return {"advice", "Advice", html, true};
}

}  // namespace gpumodel::cli::page
