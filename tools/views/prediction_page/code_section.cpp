// The code: the hottest instructions, and every instruction in its place with what the warps did there.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "tools/views/prediction_page/stall_shades.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;

double cycles_of(const CodeLine& line, StallReason reason) {
    return line.stall_cycles[static_cast<std::size_t>(reason)];
}

std::vector<StallReason> reasons_of(const std::vector<CodeLine>& code) {
    std::vector<StallReason> reasons;
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (std::any_of(code.begin(), code.end(),
                        [&](const CodeLine& line) { return cycles_of(line, reason) > 0; })) {
            reasons.push_back(reason);
        }
    }
    return reasons;
}

// Of the cycles other than the issues'; selected where there are no others.
StallReason main_reason(const CodeLine& line) {
    auto most = StallReason::selected;
    double cycles = 0;
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (reason != StallReason::selected && cycles_of(line, reason) > cycles) {
            most = reason;
            cycles = cycles_of(line, reason);
        }
    }
    return most;
}

// The reasons of one line side by side.
std::string reason_bar(const CodeLine& line) {
    std::string tip;
    std::string parts;
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const double share = line.stall_cycles[r] / line.warp_cycles;
        if (line.stall_cycles[r] <= 0) {
            continue;
        }
        const auto reason = static_cast<StallReason>(r);
        const auto shade = shade_of(reason);
        tip += fmt::format("{}{} {:.1f} %", tip.empty() ? "" : ", ", to_string(reason), 100 * share);
        parts += fmt::format("<span class=\"{}\" style=\"width:{}%;background:var(--c{})\"></span>",
                             shade.faint ? "faint" : "", chart::coordinate(100 * share), shade.colour);
    }
    return fmt::format("<span class=\"bar parts\" title=\"{}\">{}</span>", tip, parts);
}

class CodeTableHtml {
public:
    explicit CodeTableHtml(const std::vector<CodeLine>& code) : code_(code), reasons_(reasons_of(code)) {
        for (const auto& line : code) {
            all_ += line.warp_cycles;
            most_ = std::max(most_, line.warp_cycles);
            passes_ = passes_ || line.passes;
            sectors_ = sectors_ || line.sectors;
            sources_ = sources_ || !line.source.empty();
        }
    }

    [[nodiscard]] std::string str() const {
        std::string html = "<div class=\"scroll tall\"><table class=\"sortable code\">\n<thead><tr>" +
                           heads() + "</tr></thead>\n<tbody>\n";
        double sum = 0;
        for (std::size_t i = 0; i < code_.size(); ++i) {
            sum += code_[i].warp_cycles;
            html += row(i, sum);
        }
        return html + "</tbody></table></div>\n";
    }

private:
    [[nodiscard]] std::string heads() const {
        std::string html = head("at", "") + (sources_ ? head("source", "") : "") + head("instruction", "") +
                           head("executed", "n") + head("% of cycles", "n") + head("cumulated %", "n") +
                           head("cycles per issue", "n") + head("reasons", "") + head("pipe", "");
        html += passes_ ? head("bank passes", "n") : "";
        html += sectors_ ? head("sectors", "n") + head("L2 bytes", "n") : "";
        for (const auto reason : reasons_) {
            html += head(std::string(to_string(reason)), "n reason");
        }
        return html;
    }

    static std::string head(const std::string& text, const char* css_class) {
        return fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", css_class, escaped(text));
    }

    static std::string cell(double value, const std::string& text, const char* css_class = "n") {
        return fmt::format("<td class=\"{}\" data-v=\"{}\">{}</td>", css_class, number(value), escaped(text));
    }
    static std::string none(const char* css_class = "n") {
        return fmt::format("<td class=\"{}\" data-v=\"-1e300\"></td>", css_class);
    }
    static std::string cost(const std::optional<AccessCostOf>& cost) {
        return cost ? cell(cost->now, fmt::format("{:.2f} of {:.2f}", cost->now, cost->ideal),
                           cost->now > 1.05 * cost->ideal ? "n waste" : "n")
                    : none();
    }

    [[nodiscard]] std::string row(std::size_t i, double sum) const {
        const auto& line = code_[i];
        const bool idle = line.warp_cycles <= 0;
        std::string html =
            fmt::format("<tr class=\"{}\"><td data-v=\"{}\">{}</td>{}<td class=\"code\">{}</td>",
                        idle                              ? "idle"
                        : line.warp_cycles >= 0.5 * most_ ? "win"
                                                          : "",
                        i, escaped(line.place),
                        sources_ ? fmt::format("<td class=\"nowrap\">{}</td>", escaped(line.source)) : "",
                        escaped(line.text));
        if (idle) {
            html += cell(0, "0") + cell(0, "") + cell(100 * sum / all_, "", "n sum") + none() + none("") +
                    "<td></td>";
        } else {
            html += cell(line.executions, grouped(static_cast<std::int64_t>(line.executions + 0.5)));
            html += cell(100 * line.warp_cycles / all_, fmt::format("{:.2f}", 100 * line.warp_cycles / all_),
                         "n share");
            html += cell(100 * sum / all_, fmt::format("{:.1f}", 100 * sum / all_), "n sum");
            html += line.executions > 0 ? cell(line.warp_cycles / line.executions,
                                               fmt::format("{:.1f}", line.warp_cycles / line.executions))
                                        : none();
            html += fmt::format("<td class=\"nowrap\">{} {}</td>", reason_bar(line),
                                escaped(to_string(main_reason(line))));
            html += fmt::format("<td>{}</td>", escaped(line.pipe));
        }
        html += passes_ ? cost(line.passes) : "";
        if (sectors_) {
            html += cost(line.sectors);
            html += line.l2_bytes ? cell(*line.l2_bytes, human_bytes(*line.l2_bytes)) : none();
        }
        for (const auto reason : reasons_) {
            html += cell(cycles_of(line, reason), idle ? "" : fmt::format("{:.0f}", cycles_of(line, reason)),
                         "n reason");
        }
        return html + "</tr>\n";
    }

    const std::vector<CodeLine>& code_;
    std::vector<StallReason> reasons_;
    double all_ = 0, most_ = 0;
    bool passes_ = false, sectors_ = false, sources_ = false;
};

}  // namespace

Section instructions_section(const PredictionReport& report) {
    constexpr std::size_t most = 12;
    std::vector<const CodeLine*> rows;
    double all = 0;
    for (const auto& line : report.code) {
        all += line.warp_cycles;
        if (line.warp_cycles > 0) {
            rows.push_back(&line);
        }
    }
    if (rows.empty()) {
        return {};
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return a->warp_cycles > b->warp_cycles; });
    const auto executed = rows.size();
    rows.resize(std::min(most, executed));
    HtmlTable table({{"%", Align::number}, {""}, {"at"}, {"instruction"}, {"reasons"}, {"pipe"}});
    for (const auto* line : rows) {
        table.row({fmt::format("{:.1f}", 100 * line->warp_cycles / all),
                   inline_bar(line->warp_cycles / rows.front()->warp_cycles),
                   escaped(line->place + (line->source.empty() ? "" : "  " + line->source)),
                   fmt::format("<code>{}</code>", escaped(line->text)),
                   fmt::format("<span class=\"nowrap\">{} {} ({:.0f} %)</span>", reason_bar(*line),
                               escaped(to_string(main_reason(*line))),
                               100 * cycles_of(*line, main_reason(*line)) / line->warp_cycles),
                   escaped(line->pipe)});
    }
    auto html = paragraph("Where warps spend most of their cycles.", "dim small") + table.str();
    if (rows.size() < executed) {
        html +=
            paragraph(fmt::format("{} more instructions, all of them under Code.", executed - rows.size()),
                      "dim small");
    }
    return {"instructions", "Hot instructions", std::move(html), true};
}

Section code_section(const PredictionReport& report) {
    if (report.code.empty()) {
        return {};
    }
    auto html = paragraph(
        "Every instruction in the order of the code, with the warp cycles of the busiest SM over the whole "
        "launch; bank passes and sectors per execution, beside the least that the bytes take. Marked: at "
        "least half of the hottest line's cycles. A click on a column's head sorts.",
        "dim small");
    return {"code", "Code", html + CodeTableHtml(report.code).str(), true};
}

}  // namespace gpumodel::cli::page
