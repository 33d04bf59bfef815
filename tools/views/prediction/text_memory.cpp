// The memory section of the text report.
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction/text_rows.h"

namespace gpumodel {
namespace {

void site_table(TextOut out, const Prediction& p, MemorySpace space) {
    const auto sites = costliest_sites(p, [space](MemorySpace s) { return s == space; });
    if (sites.rows.empty()) {
        return;
    }
    const std::string unit = space == MemorySpace::shared ? "passes" : "sectors";
    std::size_t names = 24;
    std::size_t segments = 20;
    for (const auto& row : sites.rows) {
        names = std::max(names, row.site->name.size());
        segments = std::max(segments, row.site->segment.size());
    }
    fmt::format_to(out, "  {:<{}}  {:<{}}  {:>5} {:>15} {:>15} {:>9}\n",
                   fmt::format("{} access", to_string(space)), names, "in", segments, "bits", "instructions",
                   unit + "/instr", "ideal");
    for (const auto& [s, cost, ideal] : sites.rows) {
        fmt::format_to(out, "  {:<{}}  {:<{}}  {:>5} {:>15.0f} {:>15.2f} {:>9.2f}\n", s->name, names,
                       s->segment, segments, s->bits, s->instructions, cost, ideal);
    }
    if (sites.left_out > 0) {
        fmt::format_to(out, "  ({} more with fewer {}; json lists all)\n", sites.left_out, unit);
    }
}

}  // namespace

void text_memory(TextOut out, const Prediction& p) {
    text_section(out, "Memory workload");
    const auto& t = p.traffic;
    text_row(out, "L2 -> SM, SM -> L2",
             fmt::format("{}, {}", human_bytes(t.l2_read_bytes), human_bytes(t.l2_write_bytes)));
    text_row(out, "DRAM read, written",
             fmt::format("{}, {} ({} mean)", human_bytes(t.dram_read_bytes), human_bytes(t.dram_write_bytes),
                         human_si((t.dram_read_bytes + t.dram_write_bytes) / p.time_seconds, "B/s")));
    text_row(out, "Distinct bytes touched", human_bytes(t.unique_bytes));
    for (const auto space : {MemorySpace::global, MemorySpace::shared, MemorySpace::local}) {
        site_table(out, p, space);
    }
}

}  // namespace gpumodel
