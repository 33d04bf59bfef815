#include "tools/views/roofline/roofline_views.h"

#include <fmt/format.h>

#include "base/text_table.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/simulation_json.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

std::string right(const std::string& text, int width) {
    return fmt::format("{:>{}}", text, width);
}

Cells roof_rows(const Roofline& r) {
    Cells cells{{"  roof", "        ceiling", "ridge FLOP/B", "formula"}};
    const auto row = [&](const Roof& roof, const char* unit, const std::string& ridge) {
        cells.push_back(
            {"  " + roof.name, right(human_si(roof.rate, unit), 15), right(ridge, 12), roof.formula});
    };
    row(r.fp32, "FLOP/s", "-");
    if (r.fp32_without_fma) {
        row(*r.fp32_without_fma, "FLOP/s", "-");
    }
    for (const auto& roof : r.tensor) {
        row(roof, "FLOP/s", "-");
    }
    row(r.issue, "inst/s", "-");
    for (const auto& b : r.bandwidths) {
        row(b.roof, "B/s", fmt::format("{:.3g}", b.ridge));
    }
    return cells;
}

std::string notes(const Roofline& r) {
    std::string text =
        "  inst: warp instructions; ridge: where the memory roof meets FP32 with FMA\n"
        "  the nearest roof is of what is busiest; the bottleneck (predict, --explain) is what lifting saves "
        "most\n";
    for (const auto& missing : r.missing) {
        text += fmt::format("  not drawn: {}: {}\n", missing.name, missing.reason);
    }
    return text;
}

std::string kernel_text(const RooflineKernel& k, const Roofline& r) {
    const auto& p = k.prediction;
    auto text = fmt::format("\n{}  {}\n", kernel_label(k), p.params);
    const auto speed = p.flops > 0 ? human_si(k.flops_per_second, "FLOP/s") : "no FLOP";
    text += fmt::format("  {} (model: {}), {}; nearest roof: {}, {:.1f} % of it reached, {:.1f} % below\n",
                        human_time(p.time_seconds), p.model, speed, k.lowest_roof, 100 * k.reached,
                        100 * (1 - k.reached));
    Cells cells{
        {"  level", "      bytes", "  FLOP/B", "     per second", " % of roof", "roof at this intensity"}};
    for (const auto& point : k.points) {
        std::string roof = "-";
        for (const auto& b : r.bandwidths) {
            if (b.level == point.level && point.intensity > 0) {
                roof = human_si(attainable(r, b, point.intensity), "FLOP/s");
            }
        }
        cells.push_back({"  " + std::string(to_string(point.level)), right(human_bytes(point.bytes), 11),
                         right(point.intensity > 0 ? fmt::format("{:.4g}", point.intensity) : "-", 8),
                         right(human_si(point.bytes_per_second, "B/s"), 15),
                         fmt::format("{:>10.1f}", 100 * point.reached), roof});
    }
    const auto work = [&](const char* name, const std::string& total, double rate, const char* unit,
                          double reached, const std::string& roof) {
        cells.push_back({"  " + std::string(name), right(total, 11), right("-", 8),
                         right(human_si(rate, unit), 15), fmt::format("{:>10.1f}", 100 * reached), roof});
    };
    work("issue", human_si(k.warp_instructions, "inst"), k.warp_instructions / p.time_seconds, "inst/s",
         k.issue_reached, k.issue_flops_per_second ? human_si(*k.issue_flops_per_second, "FLOP/s") : "-");
    if (k.tensor_reached > 0) {
        work("tensor pipe", p.flops > 0 ? human_si(p.flops, "FLOP") : "-", k.flops_per_second, "FLOP/s",
             k.tensor_reached, "-");
    } else if (p.flops > 0) {
        const auto& fp32 = k.uses_fma || !r.fp32_without_fma ? r.fp32 : *r.fp32_without_fma;
        work(k.uses_fma ? "FP32" : "FP32 without FMA", human_si(p.flops, "FLOP"), k.flops_per_second,
             "FLOP/s", k.fp32_reached, human_si(fp32.rate, "FLOP/s"));
    }
    return text + aligned(cells);
}

std::string csv_head(const Roofline& r, const char* kind, const Prediction* p) {
    return p == nullptr ? csv_cells(r.arch, kind, "", "", "", "", "", "")
                        : csv_cells(r.arch, kind, p->kernel, p->params, dimension_text(p->m),
                                    dimension_text(p->n), dimension_text(p->k), p->model);
}

std::string csv_roof(const Roofline& r, const Roof& roof, const char* unit,
                     const std::optional<double>& ridge) {
    return csv_head(r, "roof", nullptr) + ',' +
           csv_record(roof.name, roof.rate, unit, ridge, "", "", "", "", "", "", "ok", roof.formula);
}

Json json_roof(const Roof& roof, const char* unit) {
    return {{"name", roof.name}, {std::string("ceiling_") + unit, roof.rate}, {"formula", roof.formula}};
}

Json json_kernel(const RooflineKernel& k) {
    const auto& p = k.prediction;
    Json json{{"kernel", p.kernel},       {"params", p.params},       {"M", dimension_json(p.m)},
              {"N", dimension_json(p.n)}, {"K", dimension_json(p.k)}, {"model", p.model}};
    json["time_us"] = p.time_seconds * 1e6;
    json["flops"] = p.flops;
    json["gflops"] = k.flops_per_second / 1e9;
    json["uses_fma"] = k.uses_fma;
    json["warp_instructions"] = k.warp_instructions;
    json["issue_reached"] = k.issue_reached;
    json["fp32_reached"] = k.fp32_reached;
    json["issue_ceiling_flops_per_second"] = json_optional(k.issue_flops_per_second);
    json["nearest_roof"] = k.lowest_roof;
    json["nearest_roof_reached"] = k.reached;
    json["points"] = Json::array();
    for (const auto& point : k.points) {
        json["points"].push_back({{"level", to_string(point.level)},
                                  {"bytes", point.bytes},
                                  {"intensity_flop_per_byte", p.flops > 0 ? Json(point.intensity) : Json()},
                                  {"bytes_per_second", point.bytes_per_second},
                                  {"reached", point.reached}});
    }
    return json;
}

}  // namespace

std::string kernel_label(const RooflineKernel& kernel) {
    const auto& p = kernel.prediction;
    if (p.m <= 0) {
        return readable_entry(p.kernel);
    }
    const bool cube = p.m == p.n && p.n == p.k;
    return cube ? fmt::format("{} {}^3", p.kernel, p.m) : fmt::format("{} {}x{}x{}", p.kernel, p.m, p.n, p.k);
}

std::string roofline_text(const Roofline& r) {
    auto text = fmt::format("roofline of {} ({}, {})\n\n", r.marketing_name, r.arch, r.generation) +
                aligned(roof_rows(r)) + notes(r);
    for (const auto& kernel : r.kernels) {
        text += kernel_text(kernel, r);
    }
    for (const auto& p : r.left_out) {
        text += fmt::format("\n{}  {}\n  {}: {}\n", p.kernel, p.params, to_string(p.status), p.reason);
    }
    return text;
}

std::string roofline_csv(const Roofline& r) {
    std::string text =
        "arch,kind,kernel,params,M,N,K,model,name,ceiling,unit,ridge_flop_per_byte,bytes,"
        "intensity_flop_per_byte,gflops,time_us,reached,nearest_roof,status,formula_or_reason\n";
    text += csv_roof(r, r.fp32, "FLOP/s", {});
    for (const auto& roof : r.tensor) {
        text += csv_roof(r, roof, "FLOP/s", {});
    }
    if (r.fp32_without_fma) {
        text += csv_roof(r, *r.fp32_without_fma, "FLOP/s", {});
    }
    text += csv_roof(r, r.issue, "inst/s", {});
    for (const auto& b : r.bandwidths) {
        text += csv_roof(r, b.roof, "B/s", b.ridge);
    }
    for (const auto& missing : r.missing) {
        text += csv_head(r, "roof", nullptr) + ',' +
                csv_record(missing.name, "", "", "", "", "", "", "", "", "", "missing", missing.reason);
    }
    for (const auto& k : r.kernels) {
        const auto& p = k.prediction;
        const auto speed = csv_cells(k.flops_per_second / 1e9, p.time_seconds * 1e6);
        for (const auto& point : k.points) {
            const auto intensity = p.flops > 0 ? std::optional(point.intensity) : std::nullopt;
            text += csv_head(r, "point", &p) + ',' +
                    csv_cells(to_string(point.level), "", "", "", point.bytes, intensity) + ',' + speed +
                    ',' + csv_record(point.reached, k.lowest_roof, "ok", "");
        }
        text += csv_head(r, "issue", &p) + ',' +
                csv_cells("issue", k.issue_flops_per_second, "FLOP/s", "", "", "") + ',' + speed + ',' +
                csv_record(k.issue_reached, k.lowest_roof, "ok", "");
    }
    for (const auto& p : r.left_out) {
        text += csv_head(r, "kernel", &p) + ',' +
                csv_record("", "", "", "", "", "", "", "", "", "", to_string(p.status), p.reason);
    }
    return text;
}

std::string roofline_json(const Roofline& r, const ArchSpec& arch) {
    auto json = json_head(arch);
    json["fp32"] = json_roof(r.fp32, "flops_per_second");
    json["fp32_without_fma"] =
        r.fp32_without_fma ? json_roof(*r.fp32_without_fma, "flops_per_second") : Json();
    json["issue"] = json_roof(r.issue, "warp_instructions_per_second");
    json["bandwidths"] = Json::array();
    for (const auto& b : r.bandwidths) {
        auto roof = json_roof(b.roof, "bytes_per_second");
        roof["ridge_flop_per_byte"] = b.ridge;
        roof["ridge_without_fma_flop_per_byte"] =
            b.ridge_without_fma > 0 ? Json(b.ridge_without_fma) : Json();
        json["bandwidths"].push_back(roof);
    }
    json["tensor"] = Json::array();
    for (const auto& roof : r.tensor) {
        json["tensor"].push_back(json_roof(roof, "flops_per_second"));
    }
    json["missing"] = Json::array();
    for (const auto& missing : r.missing) {
        json["missing"].push_back({{"name", missing.name}, {"reason", missing.reason}});
    }
    json["kernels"] = Json::array();
    for (const auto& kernel : r.kernels) {
        json["kernels"].push_back(json_kernel(kernel));
    }
    json["left_out"] = Json::array();
    for (const auto& p : r.left_out) {
        json["left_out"].push_back({{"kernel", p.kernel},
                                    {"params", p.params},
                                    {"status", to_string(p.status)},
                                    {"reason", p.reason}});
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
