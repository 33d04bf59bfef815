#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "tools/views/sass/sass_names.h"
#include "tools/views/sass/sass_views.h"

namespace gpumodel::cli {

namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const InstructionCounts& counts) {
    Json json{{"instructions", counts.total}, {"by_class", Json::object()}, {"accesses", Json::object()}};
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (counts.by_class[i] > 0) {
            json["by_class"][std::string(op_class_names[i])] = counts.by_class[i];
        }
    }
    for (const auto& [width, count] : counts.accesses) {
        json["accesses"][access_name(width)] = count;
    }
    json["unknown"] = counts.unknown;
    json["stall_cycles"] = json_optional(counts.stall_cycles);
    json["dual_issue"] = counts.dual_issue;
    return json;
}

Json ports_json(const std::optional<PortStatistics>& ports) {
    if (!ports) {
        return nullptr;
    }
    return {{"ffmas", ports->ffmas},
            {"cycles_per_ffma", ports->cycles_per_ffma},
            {"ffmas_by_reuse_hits", ports->reuse_hits},
            {"ffmas_by_reads_on_one_bank", ports->same_bank}};
}

Json loop_json(const LoopAnalysis& loop) {
    return {{"first_address", loop.span.first_address},
            {"last_address", loop.span.last_address},
            {"parent", loop.parent < 0 ? Json(nullptr) : Json(loop.parent)},
            {"depth", loop.depth},
            {"without_inner_loops", counts_json(loop.counts.own)},
            {"with_inner_loops", counts_json(loop.counts.whole)},
            {"register_ports", ports_json(loop.ports)}};
}

Json entry_json(const SassEntry& entry) {
    const auto& analysis = entry.analysis;
    Json json{{"entry", entry.function->name},
              {"arch", entry.function->arch},
              {"bank_rules", entry.bank_rules.empty() ? Json(nullptr) : Json(entry.bank_rules)},
              {"registers_at_least", analysis.registers},
              {"total", counts_json(analysis.total)},
              {"outside_loops", counts_json(analysis.outside_loops)},
              {"loops", Json::array()},
              {"unknown_opcodes", Json::array()},
              {"irreducible_edges", analysis.irreducible_edges},
              {"indirect_branches", analysis.indirect_branches}};
    for (const auto& loop : analysis.loops) {
        json["loops"].push_back(loop_json(loop));
    }
    for (const auto& unknown : analysis.unknown) {
        json["unknown_opcodes"].push_back(
            {{"opcode", unknown.opcode}, {"first_address", unknown.first_address}, {"count", unknown.count}});
    }
    return json;
}

}  // namespace

std::string sass_json(const SassModule& module, const std::vector<SassEntry>& entries) {
    auto json = json_head();
    json["listing"] = module.file;
    json["entries"] = Json::array();
    for (const auto& entry : entries) {
        json["entries"].push_back(entry_json(entry));
    }
    return json_text(json);
}

}  // namespace gpumodel::cli
