#include "tools/views/trace/fidelity_views.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "base/csv_text.h"

namespace gpumodel::cli {

namespace {

std::string optional_number(const std::optional<double>& value, const char* absent) {
    return value ? fmt::format("{:.1f}", *value) : absent;
}

struct TableRow {
    std::string arch, family, tiles;
    FidelityScore score;
};

void add_row(std::vector<TableRow>& rows, const FidelityTable& table, TableRow row,
             const std::function<bool(const FidelityRow&)>& include) {
    row.score = fidelity_score(table, include);
    if (row.score.rows > 0) {
        rows.push_back(std::move(row));
    }
}

// One row per architecture and family, then per architecture the tiles tuned on, those held back, all.
std::vector<TableRow> tabulate(const FidelityTable& table, const std::vector<std::string>& archs) {
    std::vector<TableRow> rows;
    for (const std::string& arch : archs) {
        std::set<std::string> families;
        for (const FidelityRow& row : table.rows) {
            families.insert(row.family);
        }
        for (const std::string& family : families) {
            add_row(rows, table, {arch, family, "all", {}},
                    [&](const FidelityRow& row) { return row.arch == arch && row.family == family; });
        }
        for (const bool held : {false, true}) {
            add_row(rows, table, {arch, "all families", held ? "held back" : "tuned on", {}},
                    [&](const FidelityRow& row) { return row.arch == arch && row.held_back == held; });
        }
        add_row(rows, table, {arch, "all families", "all", {}},
                [&](const FidelityRow& row) { return row.arch == arch; });
    }
    return rows;
}

std::string csv_of(const std::vector<TableRow>& rows) {
    std::string text =
        "arch,family,tiles,instances,mean_instructions_pct,worst_instructions_pct,exact_accesses_pct,"
        "mean_registers_pct,blocks_right_pct,mean_generated_instructions_pct,mean_port_cycles_pct\n";
    for (const TableRow& row : rows) {
        const FidelityScore& s = row.score;
        text += fmt::format("{},{},{},{},{:.2f},{:.2f},{:.1f},{:.2f},{:.1f},{},{}\n", row.arch, row.family,
                            row.tiles, s.rows, s.mean_instructions, s.worst_instructions, s.exact,
                            s.mean_registers, s.blocks_right, optional_number(s.mean_generated, ""),
                            optional_number(s.mean_ports, ""));
    }
    return text;
}

std::string target_line(const std::string& arch) {
    const FidelityTarget t = fidelity_target(arch);
    return fmt::format(
        "{:<6} {:<20} {:<9} {:>4} {:>8.1f} {:>+8.1f} {:>7.0f} {:>8.1f} {:>8.0f} {:>8} {:>8.1f}\n", arch,
        "target", "", "", t.mean_instructions, t.worst_instructions, t.exact, t.mean_registers,
        t.blocks_right, "", t.mean_ports);
}

std::string text_of(const std::vector<TableRow>& rows) {
    std::string text = fmt::format(
        "programs against compiled code, %\n{:<6} {:<20} {:<9} {:>4} {:>8} {:>8} {:>7} {:>8} {:>8} "
        "{:>8} {:>8}\n",
        "arch", "family", "tiles", "n", "instr", "worst", "exact", "regs", "blocks", "code", "ports");
    for (const TableRow& row : rows) {
        const FidelityScore& s = row.score;
        text += fmt::format(
            "{:<6} {:<20} {:<9} {:>4} {:>8.2f} {:>+8.1f} {:>7.0f} {:>8.1f} {:>8.0f} {:>8} "
            "{:>8}\n",
            row.arch, row.family, row.tiles, s.rows, s.mean_instructions, s.worst_instructions, s.exact,
            s.mean_registers, s.blocks_right, optional_number(s.mean_generated, "-"),
            optional_number(s.mean_ports, "-"));
        if (row.family == "all families" && row.tiles == "all") {
            text += target_line(row.arch);
        }
    }
    return text +
           "instr: mean error of executed warp instructions; exact: instances whose FFMA, BAR, LDS, STS, "
           "LDG, STG counts are exact by width;\nregs, blocks: registers per thread as estimated, and blocks "
           "per SM;\ncode: instructions of generated code; ports: register-port cycles per FFMA of generated "
           "code\n";
}

std::string differences(const FidelityRow& row) {
    std::string text;
    for (const AccessDifference& d : row.differences) {
        text += fmt::format("{}{} {} {} bit {:g} {:g}", text.empty() ? "" : "; ", to_string(d.access.space),
                            to_string(d.access.kind), 8 * d.access.bytes, d.real, d.ours);
    }
    for (const std::string& other : row.other_differences) {
        text += (text.empty() ? "" : "; ") + other;
    }
    return text;
}

}  // namespace

std::string fidelity_text(const FidelityTable& table, const std::vector<std::string>& archs) {
    auto text = text_of(tabulate(table, archs));
    for (const std::string& reason : table.skipped) {
        text += fmt::format("left out: {}\n", reason);
    }
    return text;
}

std::string fidelity_csv(const FidelityTable& table, const std::vector<std::string>& archs) {
    return csv_of(tabulate(table, archs));
}

std::string fidelity_rows_csv(const FidelityTable& table) {
    std::string text =
        "arch,family,params,held_back,warp_instructions,our_warp_instructions,error_pct,generated_error_pct,"
        "registers,our_registers,blocks_per_sm,our_blocks_per_sm,port_cycles,"
        "our_port_cycles,differences\n";
    for (const FidelityRow& r : table.rows) {
        constexpr double percent = 100;
        text += fmt::format("{},{},{},{},{},{},{:.2f},{},{},{},{},{},{},{},{}\n", r.arch, r.family,
                            csv_field(r.params), r.held_back, number(r.real.instructions),
                            number(r.ours.instructions), percent * r.instruction_error,
                            r.generated_error ? fmt::format("{:.2f}", percent * *r.generated_error) : "",
                            r.registers, r.our_registers, r.blocks_per_sm, r.our_blocks_per_sm,
                            r.port_cycles ? fmt::format("{:.3f}", *r.port_cycles) : "",
                            r.our_port_cycles ? fmt::format("{:.3f}", *r.our_port_cycles) : "",
                            csv_field(differences(r)));
    }
    return text;
}

}  // namespace gpumodel::cli
