#include "tools/report/sweep_survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "tools/results/csv_results.h"

namespace gpumodel::cli::page {
namespace {

constexpr std::size_t most_reasons = 4096;
constexpr std::size_t most_values = 100'000;  // of an axis; keeps the memory of a million sizes small

void add_pairs(const std::string& list, std::vector<std::pair<std::string, std::string>>& pairs) {
    for (const auto item : split(list, ';')) {
        const auto equals = item.find('=');
        if (equals != std::string_view::npos) {
            pairs.emplace_back(item.substr(0, equals), item.substr(equals + 1));
        }
    }
}

void note_axes(const LaunchRecord& row, SweepSurvey& survey) {
    for (const auto& [name, value] : axes_of(row)) {
        const auto found = std::find_if(survey.axes.begin(), survey.axes.end(),
                                        [&name = name](const SweepAxis& axis) { return axis.name == name; });
        auto& axis = found == survey.axes.end() ? survey.axes.emplace_back(SweepAxis{name, {}}) : *found;
        if (axis.values.size() < most_values) {
            axis.values.insert(value);
        }
    }
    survey.cubes = survey.cubes && row.m == row.n && row.n == row.k;
}

void note_rejection(const LaunchRecord& row, SweepSurvey& survey) {
    const auto found = survey.rejections.find(row.reason);
    if (found == survey.rejections.end() && survey.rejections.size() >= most_reasons) {
        ++survey.other_rejections;
    } else {
        ++survey.rejections[row.reason];
    }
}

void note_time(const LaunchRecord& row, SweepSurvey& survey) {
    auto& model = survey.models[row.model];
    const double time = row.time_us;
    model.fastest_us = model.rows == 0 ? time : std::min(model.fastest_us, time);
    model.slowest_us = std::max(model.slowest_us, time);
    model.most_gflops = std::max(model.most_gflops, row.gflops.value_or(0));
    model.all_have_gflops = model.all_have_gflops && row.gflops.value_or(0) > 0;
    ++model.rows;
}

void require_axis(const SweepSurvey& survey, const std::string& name, const char* option,
                  std::vector<Diagnostic>& faults) {
    if (name.empty() || survey.find(name) != nullptr) {
        return;
    }
    std::vector<std::string> known;
    for (const auto& axis : survey.axes) {
        known.push_back(axis.name);
    }
    faults.push_back({option, 0, 0, name, "no row has this parameter" + nearest_hint(name, known)});
}

}  // namespace

void each_row(const std::string& path, const std::function<void(const LaunchRecord&)>& take) {
    CsvSource source(path, "--sweep");
    ResultReader rows(source.reader(), ReadCounters::no);
    while (const auto row = rows.next()) {
        take(*row);
    }
    rows.throw_if_faulty();
}

std::vector<std::pair<std::string, std::string>> axes_of(const LaunchRecord& row) {
    std::vector<std::pair<std::string, std::string>> axes;
    add_pairs(row.params, axes);
    add_pairs(row.variant, axes);
    for (const auto& [name, value] : {std::pair{"M", row.m}, {"N", row.n}, {"K", row.k}}) {
        if (value > 0) {
            axes.emplace_back(name, std::to_string(value));
        }
    }
    axes.emplace_back("kernel", row.kernel);
    axes.emplace_back("arch", row.arch);
    return axes;
}

std::string identity_of(const LaunchRecord& row) {
    const auto size = row.m > 0 ? fmt::format(" M={} N={} K={}", row.m, row.n, row.k) : "";
    auto text = fmt::format("{} {}{} {}{}{}", row.arch, row.kernel, size, row.params,
                            row.variant.empty() ? "" : " ", row.variant);
    std::replace(text.end() - static_cast<std::ptrdiff_t>(row.variant.size()), text.end(), ';', ' ');
    return text;
}

bool ByNumber::operator()(const std::string& a, const std::string& b) const {
    const auto x = parse_number<double>(a);
    const auto y = parse_number<double>(b);
    if (x && y && *x != *y) {
        return *x < *y;
    }
    return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

std::string SweepSurvey::model() const {
    std::string best;
    std::int64_t most = 0;
    for (const auto& [name, timed] : models) {
        if (timed.rows > most || (timed.rows == most && name == "simulate")) {
            best = name;
            most = timed.rows;
        }
    }
    return best;
}

bool SweepSurvey::ranked_by_gflops() const {
    const auto several = [this](const char* name) {
        const auto* axis = find(name);
        return axis != nullptr && axis->values.size() > 1;
    };
    const auto found = models.find(model());
    return found != models.end() && found->second.all_have_gflops &&
           (several("M") || several("N") || several("K"));
}

const SweepAxis* SweepSurvey::find(const std::string& name) const {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const SweepAxis& axis) { return axis.name == name; });
    return found == axes.end() ? nullptr : &*found;
}

SweepSurvey survey_sweep(const std::string& path) {
    SweepSurvey survey;
    each_row(path, [&](const LaunchRecord& row) {
        ++survey.rows;
        ++survey.status[std::string(to_string(row.status))];
        note_axes(row, survey);
        is_predicted(row.status) ? note_time(row, survey) : note_rejection(row, survey);
    });
    return survey;
}

HeatAxes heat_axes(const SweepSurvey& survey, const std::string& x, const std::string& y) {
    std::vector<Diagnostic> faults;
    require_axis(survey, x, "--x", faults);
    require_axis(survey, y, "--y", faults);
    if (!x.empty() && x == y) {
        faults.push_back({"--y", 0, 0, y, "is the same as --x"});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    std::vector<const SweepAxis*> varied;
    for (const auto& axis : survey.axes) {
        const bool same_as_m = survey.cubes && (axis.name == "N" || axis.name == "K");
        if (axis.values.size() > 1 && axis.name != x && axis.name != y && !same_as_m) {
            varied.push_back(&axis);
        }
    }
    std::stable_sort(varied.begin(), varied.end(),
                     [](const auto* a, const auto* b) { return a->values.size() > b->values.size(); });
    HeatAxes axes{x, y};
    auto next = varied.begin();
    for (auto* name : {&axes.x, &axes.y}) {
        if (name->empty() && next != varied.end()) {
            *name = (*next++)->name;
        }
    }
    return axes;
}

}  // namespace gpumodel::cli::page
