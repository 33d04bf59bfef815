#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "tools/views/trace/trace_json.h"
#include "tools/views/trace/trace_views.h"
#include "traces/trace/trace_summary.h"

namespace gpumodel::cli {

namespace {

using Json = nlohmann::ordered_json;

std::uintmax_t size_of(const std::string& file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    return error ? 0 : bytes;
}

template <typename... Args>
void print(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

std::string info_text(const TraceFile& trace, const TraceSummary& summary, const std::string& file) {
    const auto& p = trace.program;
    std::string text;
    print(text, "{}: {} bytes\n", file, size_of(file));
    print(text, "kernel {}{}{}", p.kernel, p.params.empty() ? "" : " ", p.params);
    if (p.m > 0) {
        print(text, ", M={} N={} K={}", p.m, p.n, p.k);
    }
    print(text, "\nmade from {}, {}\n", trace.source,
          trace.arch.empty() ? "unknown architecture" : trace.arch);
    print(text, "grid {},{},{}  block {},{},{}  registers {}{}  shared {} bytes\n", p.grid.x, p.grid.y,
          p.grid.z, p.block.x, p.block.y, p.block.z, p.resources.registers_per_thread,
          p.resources.registers_estimated ? " (estimated)" : "",
          p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes);
    for (const auto& array : p.arrays) {
        print(text, "array {}: {} bytes{}{}\n", array.name, array.bytes, array.read ? ", read" : "",
              array.written ? ", written" : "");
    }
    print(text, "{} different bodies, {} segments, {} instructions, loops {} deep\n", summary.bodies,
          summary.segments, summary.static_instructions, summary.loop_depth);
    print(text, "\nwarp instructions of the launch: {:.0f}\n", summary.warp_instructions);
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (summary.by_class[i] > 0) {
            print(text, "  {:<16}  {:>16.0f}\n", op_class_names[i], summary.by_class[i]);
        }
    }
    print(text, "\nmemory accesses of a block, in warp instructions:\n");
    for (const auto& site : summary.sites) {
        print(text, "  {:<28} {:<6} {:<10} {:<10} {:>2} bytes  {:>12.0f}\n", site.name, to_string(site.space),
              to_string(site.kind), site.array, site.bytes_per_lane, site.per_block);
    }
    for (const auto& note : p.notes) {
        print(text, "note: {}\n", note);
    }
    return text;
}

std::string info_csv(const TraceSummary& summary) {
    std::string text = "class,warp_instructions\n";
    for (std::size_t i = 0; i < op_class_count; ++i) {
        print(text, "{},{:.0f}\n", op_class_names[i], summary.by_class[i]);
    }
    return text;
}

std::string info_json(const TraceFile& trace, const TraceSummary& summary, const std::string& file) {
    const auto& p = trace.program;
    Json json = trace_json_head(trace, file);
    json["size_bytes"] = size_of(file);
    json["kernel"] = p.kernel;
    json["params"] = p.params;
    json["grid"] = {p.grid.x, p.grid.y, p.grid.z};
    json["block"] = {p.block.x, p.block.y, p.block.z};
    json["registers_per_thread"] = p.resources.registers_per_thread;
    json["shared_bytes_per_block"] = p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes;
    json["arrays"] = Json::array();
    for (const auto& array : p.arrays) {
        json["arrays"].push_back({{"name", array.name},
                                  {"size_bytes", array.bytes},
                                  {"read", array.read},
                                  {"written", array.written}});
    }
    json["bodies"] = summary.bodies;
    json["segments"] = summary.segments;
    json["static_instructions"] = summary.static_instructions;
    json["loop_depth"] = summary.loop_depth;
    json["warp_instructions"] = summary.warp_instructions;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        json["warp_instructions_by_class"][std::string(op_class_names[i])] = summary.by_class[i];
    }
    json["sites"] = Json::array();
    for (const auto& site : summary.sites) {
        json["sites"].push_back({{"name", site.name},
                                 {"segment", site.segment},
                                 {"space", to_string(site.space)},
                                 {"kind", to_string(site.kind)},
                                 {"array", site.array},
                                 {"bytes_per_lane", site.bytes_per_lane},
                                 {"warp_instructions_per_block", site.per_block}});
    }
    const auto notes = read_notes(p.notes);
    json["notes"] = texts_of(notes);
    json["note_ids"] = ids_of(notes);
    return json_text(json);
}

}  // namespace

Json trace_json_head(const TraceFile& trace, const std::string& file) {
    auto head = json_head();
    head["file"] = file;
    head["arch"] = trace.arch;
    head["source"] = trace.source;
    return head;
}

std::string trace_info(const TraceFile& trace, const std::string& file, Format format) {
    const auto summary = summarize(trace.program);
    return format == Format::json  ? info_json(trace, summary, file)
           : format == Format::csv ? info_csv(summary)
                                   : info_text(trace, summary, file);
}

}  // namespace gpumodel::cli
