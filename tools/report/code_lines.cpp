#include "tools/report/code_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli::page {
namespace {

std::string register_text(const RegisterUse& r) {
    const char* prefix = "";
    switch (r.kind) {
        case RegisterKind::none:
            return "";
        case RegisterKind::vector:
            prefix = "R";
            break;
        case RegisterKind::predicate:
            prefix = "P";
            break;
        case RegisterKind::uniform:
            prefix = "UR";
            break;
        case RegisterKind::uniform_predicate:
            prefix = "UP";
            break;
        case RegisterKind::condition_code:
            return "CC";
    }
    return fmt::format("{}{}{}", prefix, r.index, r.reuse ? ".reuse" : "");
}

// Generated code has registers only: no immediates, no addresses.
std::string generated_text(const Instruction& instruction, const std::string& mnemonic) {
    std::string operands;
    const auto add = [&operands](const auto& list, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            operands += (operands.empty() ? " " : ", ") + register_text(list[i]);
        }
    };
    add(instruction.results, instruction.result_count);
    add(instruction.sources, instruction.source_count);
    const auto guard = register_text(instruction.guard);
    return (guard.empty() ? "" : fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", guard)) +
           mnemonic + operands;
}

// Segments by name: where the operands of generated code stand.
using SegmentsByName = std::map<std::string_view, std::vector<const Segment*>>;

SegmentsByName segments_of(const KernelProgram& program) {
    SegmentsByName found;
    const auto add = [&found](const Segment& segment) { found[segment.name].push_back(&segment); };
    each_segment(program.body, add);
    for (const auto& variant : program.variants) {
        each_segment(variant.body, add);
    }
    return found;
}

std::string text_of(const InstructionReport& line, const KernelProgram& program,
                    const SegmentsByName& segments) {
    const auto named = segments.find(line.segment);
    if (line.index < 0 || named == segments.end()) {
        return line.mnemonic;
    }
    const auto index = static_cast<std::size_t>(line.index);
    for (const auto* segment : named->second) {
        if (index < segment->code.size() &&
            program.mnemonics.name(segment->code[index].mnemonic) == line.mnemonic) {
            return generated_text(segment->code[index], line.mnemonic);
        }
    }
    return line.mnemonic;
}

// Sites of listed code bear their address, those of generated code belong to their segment.
std::string site_key(const std::string& segment, const std::string& name, bool listed) {
    return listed ? name : segment + '\n' + name;
}

struct SiteTotals {
    double instructions = 0, sectors = 0, ideal_sectors = 0, l2_bytes = 0;
    double shared_instructions = 0, wavefronts = 0, ideal_wavefronts = 0;
};

std::map<std::string, SiteTotals> site_totals(const Prediction& p, bool listed) {
    std::map<std::string, SiteTotals> totals;
    for (const auto& site : p.sites) {
        auto& t = totals[site_key(site.segment, site.name, listed)];
        if (site.space == MemorySpace::shared) {
            t.shared_instructions += site.instructions;
            t.wavefronts += site.wavefronts;
            t.ideal_wavefronts += site.ideal_wavefronts;
        } else {
            t.instructions += site.instructions;
            t.sectors += site.sectors;
            t.ideal_sectors += site.ideal_sectors;
            t.l2_bytes += site.l2_bytes;
        }
    }
    return totals;
}

void set_costs(const SiteTotals& t, CodeLine& line) {
    if (t.shared_instructions > 0) {
        line.passes = {t.wavefronts / t.shared_instructions, t.ideal_wavefronts / t.shared_instructions};
    }
    if (t.instructions > 0) {
        line.sectors = {t.sectors / t.instructions, t.ideal_sectors / t.instructions};
        line.l2_bytes = t.l2_bytes;
    }
}

class CodeTable {
public:
    CodeTable(const KernelProgram& program, const ArchSpec& arch, const Prediction& p)
        : program_(program),
          arch_(arch),
          listed_(program.text != nullptr),
          sites_(site_totals(p, listed_)),
          segments_(segments_of(program)) {
        if (listed_) {
            add_listing(*program.text);
        }
    }

    void add(const InstructionReport& report) {
        auto& line = lines_[place_in_table(report)];
        line.executions += report.issues;
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            line.stall_cycles[r] += report.stall_cycles[r];
        }
        if (const auto& op = arch_.sm.ops[static_cast<std::size_t>(report.op)]) {
            line.pipe = to_string(op->pipe);
        }
        const auto site = sites_.find(site_key(report.segment, report.site, listed_));
        if (!report.site.empty() && site != sites_.end()) {
            set_costs(site->second, line);
        }
    }

    [[nodiscard]] std::vector<CodeLine> lines() && {
        for (auto& line : lines_) {
            line.warp_cycles = std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0);
        }
        return std::move(lines_);
    }

private:
    void add_listing(const CodeText& text) {
        std::size_t begin = 0;
        for (const auto address : text.addresses) {
            const auto end = text.lines.find('\n', begin);
            places_[fmt::format("{:#06x}", address)] = lines_.size();
            auto& line = lines_.emplace_back();
            line.place = fmt::format("{:#06x}", address);
            line.text = text.lines.substr(begin, end - begin);
            line.source = text.source_at(address);
            begin = end + 1;
        }
    }

    std::size_t place_in_table(const InstructionReport& report) {
        const auto place =
            listed_ && report.index >= 0 ? fmt::format("{:#06x}", report.address) : place_of(report);
        const auto key = listed_ ? place : place + '\n' + report.mnemonic;
        const auto [found, added] = places_.try_emplace(key, lines_.size());
        if (added) {
            auto& line = lines_.emplace_back();
            line.place = place;
            line.text = text_of(report, program_, segments_);
        }
        return found->second;
    }

    const KernelProgram& program_;
    const ArchSpec& arch_;
    const bool listed_;
    const std::map<std::string, SiteTotals> sites_;
    const SegmentsByName segments_;
    std::map<std::string, std::size_t> places_;
    std::vector<CodeLine> lines_;
};

}  // namespace

std::vector<CodeLine> code_lines(const KernelProgram& program, const ArchSpec& arch,
                                 const Prediction& prediction) {
    if (!prediction.simulation) {
        return {};
    }
    std::vector<const InstructionReport*> reports;
    for (const auto& report : prediction.simulation->instructions_by_stall) {
        reports.push_back(&report);
    }
    std::sort(reports.begin(), reports.end(), [](const auto* a, const auto* b) { return a->line < b->line; });
    CodeTable table(program, arch, prediction);
    for (const auto* report : reports) {
        table.add(*report);
    }
    return std::move(table).lines();
}

}  // namespace gpumodel::cli::page
