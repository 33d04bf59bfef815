// The memory section of the text report.
#include <algorithm>
#include <functional>
#include <vector>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction/text_rows.h"

namespace gpumodel {
namespace {

constexpr std::size_t most_rows = 24;

double cost(const SiteReport& s) {
    return s.space == MemorySpace::shared ? s.wavefronts : s.sectors;
}

double ideal(const SiteReport& s) {
    return s.space == MemorySpace::shared ? s.ideal_wavefronts : s.ideal_sectors;
}

// The costliest sites of a space, in the order of the prediction.
void site_table(TextOut out, const Prediction& p, MemorySpace space) {
    std::vector<const SiteReport*> rows;
    for (const auto& s : p.sites) {
        if (s.space == space && s.instructions > 0) {
            rows.push_back(&s);
        }
    }
    if (rows.empty()) {
        return;
    }
    const auto left_out = rows.size() - std::min(rows.size(), most_rows);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return cost(*a) > cost(*b); });
    rows.resize(rows.size() - left_out);
    std::sort(rows.begin(), rows.end(), std::less<>());  // as they stand in p.sites
    const std::string unit = space == MemorySpace::shared ? "passes" : "sectors";
    fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16}{:>14}{:>10}\n", fmt::format("{} access", to_string(space)),
                   "in", "bits", "instructions", unit + "/instr", "ideal");
    for (const auto* s : rows) {
        fmt::format_to(out, "  {:<26}{:<22}{:>5}{:>16.0f}{:>14.2f}{:>10.2f}\n", s->name, s->segment, s->bits,
                       s->instructions, cost(*s) / s->instructions, ideal(*s) / s->instructions);
    }
    if (left_out > 0) {
        fmt::format_to(out, "  ({} more with fewer {}; json lists all)\n", left_out, unit);
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
