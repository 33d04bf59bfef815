#include "tools/views/kernels/kernels_views.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

std::string defaults_of(const Family& family) {
    return canonical_params(family, resolve_params(family, {}));
}

std::string quoted(std::string text) {
    return "\"" + std::move(text) + "\"";
}

std::string range_text(const ParamSpec& spec) {
    return !spec.words.empty() ? fmt::format("one of {}", fmt::join(spec.words, ", "))
           : spec.fixed        ? "fixed"
                               : fmt::format("{} to {}", spec.min, spec.max);
}

std::string params_text(const KernelView& view) {
    if (view.family.params.empty()) {
        return "parameters: none\n";
    }
    std::string text = "parameters\n";
    for (const ParamSpec& spec : view.family.params) {
        text += fmt::format("  {:<8} {:>5}  (default {}, {})  {}\n", spec.name,
                            param_text(spec, view.params.at(spec.name)), param_text(spec, spec.default_value),
                            range_text(spec), spec.meaning);
    }
    return text;
}

std::string derived_text(const KernelView& view) {
    if (view.family.derived.empty()) {
        return "";
    }
    std::string text = "derived (-p takes these too, if they say the same)\n";
    for (const DerivedParam& derived : view.family.derived) {
        const auto value = derived.value(view.params);
        const auto shown = value ? std::to_string(*value) : "-";
        text += fmt::format("  {:<8} {:>5}  {}{}\n", derived.name, shown, derived.meaning,
                            derived.formula == shown ? "" : ": " + derived.formula);
    }
    return text;
}

std::string rules_text(const Family& family) {
    std::string text = "rules\n";
    for (const std::string& rule : family.rules) {
        text += fmt::format("  {}\n", rule);
    }
    return text;
}

std::string launch_text(const KernelProgram& program) {
    const BlockResources& r = program.resources;
    return fmt::format("  grid {} x {}, block {} x {} ({} threads)\n", program.grid.x, program.grid.y,
                       program.block.x, program.block.y, r.threads) +
           fmt::format("  shared memory {} B, registers {} per thread ({})\n",
                       r.static_shared_bytes + r.dynamic_shared_bytes, r.registers_per_thread,
                       r.registers_source);
}

std::string ops_text(const OpCounts& ops) {
    std::string text;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (ops[i] > 0) {
            text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", op_class_names[i], ops[i]);
        }
    }
    return text;
}

std::string site_text(const AccessSite& site, const std::string& indent) {
    return fmt::format("{}{:<20} {:<6} {:<4} {:<10} {:>3} x {}-bit\n", indent, site.name,
                       to_string(site.space), site.array, to_string(site.kind), site.accesses(),
                       32 * site.vector_words);
}

std::string segment_text(const Segment& segment, int threads, const std::string& indent) {
    const bool all = segment.thread_begin == 0 && segment.thread_end == threads;
    std::string text = fmt::format(
        "{}{}{}\n", indent, segment.name,
        all ? "" : fmt::format(" (threads {} to {})", segment.thread_begin, segment.thread_end - 1));
    const std::string inner = indent + "  ";
    for (const AccessSite& site : segment.sites) {
        text += site_text(site, inner);
    }
    return text + fmt::format("{}{}\n", inner, ops_text(segment.ops));
}

std::string nodes_text(const std::vector<Node>& nodes, int threads, const std::string& indent) {
    std::string text;
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            const auto unrolled = loop->unroll > 1 ? fmt::format(", unrolled by {}", loop->unroll) : "";
            text += fmt::format("{}{}: {} trips{}\n", indent, loop->name, loop->trips, unrolled);
            text += nodes_text(loop->body, threads, indent + "  ");
            continue;
        }
        const auto& interval = std::get<Interval>(node);
        for (const Segment& segment : interval.segments) {
            text += segment_text(segment, threads, indent);
        }
        if (interval.barrier_after || interval.warp_barrier_after) {
            text += fmt::format("{}-- {} barrier\n", indent, interval.barrier_after ? "block" : "warp");
        }
    }
    return text;
}

nlohmann::ordered_json site_json(const AccessSite& site) {
    return {{"name", site.name},
            {"array", site.array},
            {"space", to_string(site.space)},
            {"kind", to_string(site.kind)},
            {"accesses_per_thread", site.accesses()},
            {"bytes_per_access", site.bytes_per_lane()}};
}

nlohmann::ordered_json segment_json(const Segment& segment) {
    nlohmann::ordered_json json{{"segment", segment.name},
                                {"thread_begin", segment.thread_begin},
                                {"thread_end", segment.thread_end},
                                {"sites", nlohmann::ordered_json::array()},
                                {"warp_instructions", nlohmann::ordered_json::object()}};
    for (const AccessSite& site : segment.sites) {
        json["sites"].push_back(site_json(site));
    }
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (segment.ops[i] > 0) {
            json["warp_instructions"][std::string(op_class_names[i])] = segment.ops[i];
        }
    }
    return json;
}

nlohmann::ordered_json nodes_json(const std::vector<Node>& nodes) {
    auto json = nlohmann::ordered_json::array();
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            json.push_back({{"loop", loop->name},
                            {"trips", loop->trips},
                            {"unroll", loop->unroll},
                            {"body", nodes_json(loop->body)}});
            continue;
        }
        const auto& interval = std::get<Interval>(node);
        nlohmann::ordered_json entry{{"segments", nlohmann::ordered_json::array()}};
        for (const Segment& segment : interval.segments) {
            entry["segments"].push_back(segment_json(segment));
        }
        entry["barrier_after"] = interval.barrier_after        ? "block"
                                 : interval.warp_barrier_after ? "warp"
                                                               : "none";
        json.push_back(std::move(entry));
    }
    return json;
}

nlohmann::ordered_json params_json(const KernelView& view) {
    auto json = nlohmann::ordered_json::array();
    for (const ParamSpec& spec : view.family.params) {
        nlohmann::ordered_json entry{{"name", spec.name},
                                     {"value", view.params.at(spec.name)},
                                     {"default", spec.default_value},
                                     {"meaning", spec.meaning}};
        entry["min"] = spec.fixed ? spec.default_value : spec.min;
        entry["max"] = spec.fixed ? spec.default_value : spec.max;
        if (!spec.words.empty()) {
            entry["words"] = spec.words;  // of the values 0, 1, ...
        }
        json.push_back(std::move(entry));
    }
    return json;
}

nlohmann::ordered_json derived_json(const KernelView& view) {
    auto json = nlohmann::ordered_json::array();
    for (const DerivedParam& derived : view.family.derived) {
        nlohmann::ordered_json entry{{"name", derived.name}};
        if (const auto value = derived.value(view.params)) {
            entry["value"] = *value;
        }
        entry["formula"] = derived.formula;
        entry["meaning"] = derived.meaning;
        json.push_back(std::move(entry));
    }
    return json;
}

std::string derived_names(const Family& family) {
    std::vector<std::string> names;
    for (const DerivedParam& derived : family.derived) {
        names.push_back(derived.name);
    }
    return fmt::format("{}", fmt::join(names, ";"));
}

void add_program_json(nlohmann::ordered_json& json, const KernelProgram& program) {
    json["grid"] = {program.grid.x, program.grid.y, program.grid.z};
    json["block"] = {program.block.x, program.block.y, program.block.z};
    json["threads_per_block"] = program.resources.threads;
    json["registers_per_thread"] = program.resources.registers_per_thread;
    json["registers_source"] = program.resources.registers_source;
    json["shared_bytes_per_block"] =
        program.resources.static_shared_bytes + program.resources.dynamic_shared_bytes;
    json["flops"] = program.flops;
    json["effective_bytes"] = program.effective_bytes;
    const auto notes = read_notes(program.notes);
    json["notes"] = texts_of(notes);
    json["note_ids"] = ids_of(notes);
    json["program"] = nodes_json(program.body);
}

std::string list_text() {
    std::string text;
    for (const Family& family : families()) {
        text += fmt::format("{:<19} {}\n", family.name, family.summary);
        if (!family.params.empty()) {
            text += fmt::format("{:<19} {}\n", "", defaults_of(family));
        }
        if (!family.derived.empty()) {
            text += fmt::format("{:<19} derived: {}\n", "", derived_names(family));
        }
    }
    return text;
}

}  // namespace

std::string kernel_list(Format format) {
    if (format == Format::text) {
        return list_text();
    }
    std::string csv = "kernel,params,summary,derived\n";
    nlohmann::ordered_json json{{"schema_version", schema_version},
                                {"kernels", nlohmann::ordered_json::array()}};
    for (const Family& family : families()) {
        csv += fmt::format("{},{},{},{}\n", family.name, defaults_of(family), quoted(family.summary),
                           derived_names(family));
        json["kernels"].push_back({{"kernel", family.name},
                                   {"params", defaults_of(family)},
                                   {"summary", family.summary},
                                   {"derived", derived_names(family)}});
    }
    return format == Format::csv ? csv : json_text(json);
}

std::string kernel_text(const KernelView& view) {
    std::string text = fmt::format("{}: {}\n\n", view.family.name, view.family.summary);
    text += params_text(view) + derived_text(view) + "\n" + rules_text(view.family) + "\n";
    text += fmt::format("on {} ({}, {}), M = {}, N = {}, K = {}\n", view.arch.marketing_name, view.arch.name,
                        view.arch.generation, view.shape.m, view.shape.n, view.shape.k);
    for (const auto& tile : view.family.generated ? std::vector<std::string>{} : view.shipped) {
        text += fmt::format("  shipped: {}\n", tile);
    }
    if (!view.result.program) {
        return text + fmt::format("  infeasible: {}\n", view.result.infeasible_reason);
    }
    const KernelProgram& program = *view.result.program;
    text += launch_text(program) + "\n";
    text +=
        "program (accesses per thread and trip; warp instructions per trip, addresses and moves estimated)\n";
    text += nodes_text(program.body, program.resources.threads, "  ");
    for (const std::string& note : program.notes) {
        text += fmt::format("note: {}\n", note);
    }
    return text;
}

std::string kernel_json(const KernelView& view) {
    nlohmann::ordered_json json = json_head(view.arch);
    json["kernel"] = view.family.name;
    json["summary"] = view.family.summary;
    json["M"] = view.shape.m;
    json["N"] = view.shape.n;
    json["K"] = view.shape.k;
    json["parameters"] = params_json(view);
    json["derived_parameters"] = derived_json(view);
    json["rules"] = view.family.rules;
    json["shipped"] = view.shipped;
    json["status"] = view.result.program ? "ok" : "infeasible";
    json["reason"] = view.result.infeasible_reason;
    if (view.result.program) {
        add_program_json(json, *view.result.program);
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
