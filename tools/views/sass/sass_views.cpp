#include "tools/views/sass/sass_views.h"

#include <fmt/format.h>

#include "base/csv_text.h"
#include "tools/views/sass/sass_names.h"

namespace gpumodel::cli {

namespace {

std::string issue_text(const InstructionCounts& counts) {
    std::string text = counts.stall_cycles
                           ? fmt::format("issue by the stall counts {} cycles", *counts.stall_cycles)
                           : std::string("issue cycles unknown (no encodings in the listing)");
    if (counts.dual_issue > 0) {
        text += fmt::format(", {} of {} instructions go with the next one (dual issue)", counts.dual_issue,
                            counts.total);
    }
    return text;
}

std::string counts_text(const InstructionCounts& counts, const std::string& indent) {
    std::string text =
        fmt::format("{}instructions {}: {}\n", indent, counts.total, class_list(counts, " ", ", "));
    if (!counts.accesses.empty()) {
        text += fmt::format("{}accesses by width: {}\n", indent, access_list(counts, " ", ", "));
    }
    return text + fmt::format("{}{}\n", indent, issue_text(counts));
}

std::string ports_text(const PortStatistics& ports, const std::string& indent) {
    const auto percent = [&](int count) { return 100.0 * count / ports.ffmas; };
    return fmt::format(
        "{}register ports: {:.3f} cycles per FFMA, reuse hits 0/1/2+: {:.0f}/{:.0f}/{:.0f} %, two or more "
        "reads "
        "on one bank: {:.0f} %\n",
        indent, ports.cycles_per_ffma, percent(ports.reuse_hits[0]), percent(ports.reuse_hits[1]),
        percent(ports.reuse_hits[2] + ports.reuse_hits[3]), 100.0 * conflict_share(ports));
}

std::string loop_text(const LoopAnalysis& loop) {
    const std::string indent(static_cast<std::size_t>(2 * loop.depth), ' ');
    const bool has_inner = loop.counts.own.total != loop.counts.whole.total;
    std::string text = fmt::format("{}loop {:#06x} to {:#06x}{}\n", indent, loop.span.first_address,
                                   loop.span.last_address, has_inner ? ", without its inner loops" : "");
    text += counts_text(loop.counts.own, indent + "  ");
    return loop.ports ? text + ports_text(*loop.ports, indent + "  ") : text;
}

std::string warnings_text(const SassAnalysis& analysis) {
    std::string text;
    for (const auto& unknown : analysis.unknown) {
        text += fmt::format("  unknown opcode {}: {} times, first at {:#06x}\n", unknown.opcode,
                            unknown.count, unknown.first_address);
    }
    if (analysis.indirect_branches > 0) {
        text += fmt::format("  {} indirect branches are not followed: loops may be missing\n",
                            analysis.indirect_branches);
    }
    if (analysis.irreducible_edges > 0) {
        text += fmt::format("  {} backward edges close no natural loop\n", analysis.irreducible_edges);
    }
    return text;
}

std::string entry_text(const SassEntry& entry) {
    const auto& analysis = entry.analysis;
    std::string text = fmt::format("{}\n  {}, at least {} registers, bank rules of {}\n",
                                   entry.function->name, entry.function->arch, analysis.registers,
                                   entry.bank_rules.empty() ? "no known architecture" : entry.bank_rules);
    text += counts_text(analysis.total, "  ");
    for (const auto& loop : analysis.loops) {
        text += loop_text(loop);
    }
    return text + warnings_text(analysis);
}

struct Region {
    std::string name;
    const InstructionCounts* counts = nullptr;
    const LoopAnalysis* loop = nullptr;
};

std::vector<Region> regions_of(const SassAnalysis& analysis) {
    std::vector<Region> regions{{"all", &analysis.total}, {"outside_loops", &analysis.outside_loops}};
    for (const auto& loop : analysis.loops) {
        regions.push_back({"loop", &loop.counts.own, &loop});
    }
    return regions;
}

std::string row_head(const SassEntry& entry, const Region& region) {
    const auto span = region.loop ? fmt::format("{:#x},{:#x},{}", region.loop->span.first_address,
                                                region.loop->span.last_address, region.loop->depth)
                                  : std::string(",,0");
    return csv_cells(entry.function->name, entry.function->arch, region.name) + ',' + span + ',' +
           csv_cells(entry.analysis.registers, region.counts->total);
}

std::string csv_row(const SassEntry& entry, const Region& region) {
    std::string row = row_head(entry, region);
    for (const int count : region.counts->by_class) {
        row += fmt::format(",{}", count);
    }
    row += fmt::format(",{},{}", region.counts->unknown, access_list(*region.counts, "=", ";"));
    row += region.counts->stall_cycles ? fmt::format(",{}", *region.counts->stall_cycles) : ",";
    row += fmt::format(",{}", region.counts->dual_issue);
    if (region.loop && region.loop->ports) {
        const auto& ports = *region.loop->ports;
        return row + fmt::format(",{:.6g},{:.6g},{:.6g}\n", ports.cycles_per_ffma,
                                 1.0 - static_cast<double>(ports.reuse_hits[0]) / ports.ffmas,
                                 conflict_share(ports));
    }
    return row + ",,,\n";
}

}  // namespace

std::string sass_text(const SassModule& module, const std::vector<SassEntry>& entries) {
    std::string text = fmt::format("{}: {} of {} entries; static counts, NOPs left out\n", module.file,
                                   entries.size(), module.functions.size());
    for (const auto& entry : entries) {
        text += "\n" + entry_text(entry);
    }
    return text;
}

std::string sass_csv(const std::vector<SassEntry>& entries) {
    std::string csv = "entry,arch,region,first_address,last_address,depth,registers,instructions";
    for (const auto name : op_class_names) {
        csv += fmt::format(",{}", name);
    }
    csv += ",unknown,accesses,stall_cycles,dual_issue,port_cycles_per_ffma,reuse_share,bank_conflict_share\n";
    for (const auto& entry : entries) {
        for (const auto& region : regions_of(entry.analysis)) {
            csv += csv_row(entry, region);
        }
    }
    return csv;
}

}  // namespace gpumodel::cli
