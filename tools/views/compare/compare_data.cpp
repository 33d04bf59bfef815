// json and csv of a comparison.
#include <fmt/format.h>

#include "base/printable.h"
#include "tools/cli/command.h"
#include "tools/views/compare/compare_views.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/simulation_json.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json launch_json(const LaunchRecord& r) {
    return {{"arch", r.arch},
            {"kernel", r.kernel},
            {"params", r.params},
            {"M", dimension_json(r.m)},
            {"N", dimension_json(r.n)},
            {"K", dimension_json(r.k)},
            {"variant", text_or_null(r.variant)},
            {"model", r.model},
            {"status", to_string(r.status)},
            {"reason", r.reason},
            {"gflops", json_optional(r.gflops)},
            {"bottleneck", text_or_null(r.bottleneck)},
            {"occupancy_limiter", text_or_null(r.occupancy_limiter)},
            {"error_band_pct", json_optional(r.error_band_pct)}};
}

// `unit` follows the keys: "_us", "".
Json term_json(const TermPair& t, const std::string& unit) {
    Json j;
    j["name"] = t.name;
    j["a" + unit] = json_optional(t.a);
    j["b" + unit] = json_optional(t.b);
    j["difference" + unit] = json_optional(t.difference());
    j["ratio"] = json_optional(t.ratio());
    return j;
}

Json terms_json(const std::vector<TermPair>& terms, const std::string& unit) {
    Json list = Json::array();
    for (const auto& term : terms) {
        list.push_back(term_json(term, unit));
    }
    return list;
}

Json site_json(const std::optional<SiteRecord>& s) {
    if (!s) {
        return nullptr;
    }
    return {{"instructions", s->instructions},
            {"sectors", json_optional(s->sectors)},
            {"l2_bytes", json_optional(s->l2_bytes)},
            {"wavefronts", json_optional(s->wavefronts)},
            {"conflict_degree", json_optional(s->conflict_degree)}};
}

Json sites_json(const std::vector<SitePair>& sites) {
    Json list = Json::array();
    for (const auto& s : sites) {
        list.push_back({{"name", s.name},
                        {"space", s.space},
                        {"kind", s.kind},
                        {"a", site_json(s.a)},
                        {"b", site_json(s.b)}});
    }
    return list;
}

Json pair_json(const ComparedPair& pair) {
    const auto& c = pair.terms;
    Json j = {{"a", launch_json(*pair.a)}, {"b", launch_json(*pair.b)}, {"model", pair.a->model}};
    j["time_a_us"] = json_optional(c.time_us.a);
    j["time_b_us"] = json_optional(c.time_us.b);
    j["change_pct"] = c.comparable() ? Json(c.change_pct()) : Json(nullptr);
    j["analytic_change_pct"] =
        pair.analytic && pair.analytic->comparable() ? Json(pair.analytic->change_pct()) : Json(nullptr);
    j["exceeds_threshold"] = pair.exceeds;
    j["words"] = pair.sentences;
    j["parts"] = terms_json(c.parts, "_us");
    j["parts_without_launch_overhead"] = c.launch_set_apart;
    j["bounds"] = terms_json(c.bounds, "_us");
    j["resources"] = terms_json(c.resources, "");
    j["sites"] = sites_json(c.sites);
    j["counters"] = terms_json(c.counters, "");
    return j;
}

Json source_json(const CompareSource& s) {
    return {{"file", s.file},
            {"version", text_or_null(s.tool_version)},
            {"spec_hash", text_or_null(s.spec_hash)},
            {"command_line", text_or_null(s.command_line)}};
}

Json unmatched_json(const std::vector<const LaunchRecord*>& launches) {
    Json list = Json::array();
    for (const auto* launch : launches) {
        list.push_back(launch_json(*launch));
    }
    return list;
}

Json summary_json(const CompareView& view) {
    const auto& s = view.summary;
    const auto value = [&s](double pct) { return s.launches > 0 ? Json(pct) : Json(nullptr); };
    return {{"launches", s.launches},
            {"without_time", s.without_time},
            {"geometric_mean_change_pct", value(s.geometric_mean_pct)},
            {"worst_change_pct", value(s.worst_pct)},
            {"worst_comparison", s.launches > 0 ? Json(s.worst) : Json(nullptr)},
            {"best_change_pct", value(s.best_pct)},
            {"best_comparison", s.launches > 0 ? Json(s.best) : Json(nullptr)},
            {"threshold_pct", json_optional(view.threshold_pct)},
            {"threshold_geomean_pct", json_optional(view.threshold_geomean_pct)},
            {"exceeded", view.exceeds()}};
}

std::vector<std::string> launch_cells(const LaunchRecord* r) {
    if (r == nullptr) {
        return {"", "", "", "", "", "", "", ""};
    }
    return {r->arch,
            r->kernel,
            r->params,
            dimension_text(r->m),
            dimension_text(r->n),
            dimension_text(r->k),
            r->variant,
            std::string(to_string(r->status))};
}

std::string identity_header() {
    std::string header = "model";
    for (const auto* side : {"_a", "_b"}) {
        for (const auto* name : {"arch", "kernel", "params", "M", "N", "K", "variant", "status"}) {
            header += fmt::format(",{}{}", name, side);
        }
    }
    return header;
}

std::string csv_line(const LaunchRecord* a, const LaunchRecord* b, const std::string& more) {
    std::vector<std::string> cells{(a != nullptr ? a : b)->model};
    for (const auto* side : {a, b}) {
        const auto own = launch_cells(side);
        cells.insert(cells.end(), own.begin(), own.end());
    }
    auto line = csv_record(cells);
    line.back() = ',';
    return line + more;
}

std::string launches_csv(const CompareView& view) {
    auto text =
        identity_header() + ",time_a_us,time_b_us,change_pct,bottleneck_a,bottleneck_b,exceeds_threshold\n";
    for (const auto& pair : view.pairs) {
        const auto& t = pair.terms;
        const auto change = t.comparable() ? std::optional(t.change_pct()) : std::nullopt;
        text += csv_line(pair.a, pair.b,
                         csv_record(t.time_us.a, t.time_us.b, change, pair.a->bottleneck, pair.b->bottleneck,
                                    pair.exceeds));
    }
    const auto time = [](const LaunchRecord* r) {
        return is_predicted(r->status) ? std::optional(r->time_us) : std::nullopt;
    };
    for (const auto* a : view.only_a) {
        text += csv_line(a, nullptr, csv_record(time(a), "", "", a->bottleneck, "", false));
    }
    for (const auto* b : view.only_b) {
        text += csv_line(nullptr, b, csv_record("", time(b), "", "", b->bottleneck, false));
    }
    return text;
}

void add_terms(const ComparedPair& pair, const std::string& section, const std::string& unit,
               const std::vector<TermPair>& terms, std::string& text) {
    for (const auto& t : terms) {
        text +=
            csv_line(pair.a, pair.b, csv_record(section, t.name, unit, t.a, t.b, t.difference(), t.ratio()));
    }
}

std::vector<TermPair> site_terms(const std::vector<SitePair>& sites) {
    std::vector<TermPair> terms;
    for (const auto& s : sites) {
        const auto add = [&](const char* what, std::optional<double> SiteRecord::*member) {
            TermPair t{fmt::format("{} {} {} {}", s.name, s.space, s.kind, what),
                       s.a ? (*s.a).*member : std::nullopt, s.b ? (*s.b).*member : std::nullopt};
            if (t.a || t.b) {
                terms.push_back(std::move(t));
            }
        };
        const auto instructions = [](const std::optional<SiteRecord>& r) {
            return r ? std::optional(r->instructions) : std::nullopt;
        };
        terms.push_back({fmt::format("{} {} {} instructions", s.name, s.space, s.kind), instructions(s.a),
                         instructions(s.b)});
        add("sectors", &SiteRecord::sectors);
        add("l2_bytes", &SiteRecord::l2_bytes);
        add("wavefronts", &SiteRecord::wavefronts);
        add("conflict_degree", &SiteRecord::conflict_degree);
    }
    return terms;
}

std::string terms_csv(const CompareView& view) {
    auto text = identity_header() + ",section,term,unit,a,b,difference,ratio\n";
    for (const auto& pair : view.pairs) {
        add_terms(pair, "time", "us", {pair.terms.time_us}, text);
        add_terms(pair, "parts", "us", pair.terms.parts, text);
        add_terms(pair, "bounds", "us", pair.terms.bounds, text);
        add_terms(pair, "resources", "", pair.terms.resources, text);
        add_terms(pair, "sites", "", site_terms(pair.terms.sites), text);
        add_terms(pair, "counters", "", pair.terms.counters, text);
    }
    return text;
}

}  // namespace

std::string compare_json(const CompareView& view) {
    auto j = json_head();
    j["a"] = source_json(view.a);
    j["b"] = source_json(view.b);
    j["summary"] = summary_json(view);
    j["comparisons"] = Json::array();
    for (const auto& pair : view.pairs) {
        j["comparisons"].push_back(pair_json(pair));
    }
    j["only_a"] = unmatched_json(view.only_a);
    j["only_b"] = unmatched_json(view.only_b);
    const auto notes = read_notes(view.notes);
    j["notes"] = texts_of(notes);
    j["note_ids"] = ids_of(notes);
    return json_text(j);
}

std::string compare_csv(const CompareView& view, bool terms) {
    return valid_utf8(terms ? terms_csv(view) : launches_csv(view));
}

}  // namespace gpumodel::cli
