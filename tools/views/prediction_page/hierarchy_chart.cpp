#include "tools/views/prediction_page/hierarchy_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/chart/bars.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli::page {
namespace {

using chart::Svg;

constexpr double box_height = 40;
constexpr double gap_height = 62;

std::optional<double> counter(const Prediction& p, std::string_view name) {
    const auto found =
        std::find_if(p.counters.begin(), p.counters.end(), [&](const Counter& c) { return c.name == name; });
    return found == p.counters.end() ? std::nullopt : std::optional(found->value);
}

std::optional<double> known(double rate) {
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

MemoryEdge shared_edge(const Prediction& p, const ArchSpec& arch) {
    const auto& widths = arch.sm.shared_memory.bank_widths_bytes;
    const int widest = widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
    const double bytes = arch.sm.shared_memory.banks * widest;
    return {"shared", "warps and shared memory",
            bytes * counter(p, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum").value_or(0),
            bytes * counter(p, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum").value_or(0),
            known(arch.peak_shared_bytes_per_second)};
}

MemoryEdge l1_edge(const Prediction& p, const ArchSpec& arch) {
    const bool limits = arch.l1.unified_bytes > 0 && arch.l1.caches_global_loads;
    const double sector = arch.l1.sector_bytes;
    return {"l1", "warps and L1",
            sector * counter(p, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value_or(0),
            sector * counter(p, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum").value_or(0),
            known(limits ? arch.l1.bandwidth_bytes_per_cycle * arch.sm_count * arch.clock.sm_hz : 0)};
}

struct Column {
    double left = 0, width = 0;
};

void draw_box(Svg& svg, const Column& column, double top, const std::string& name, const std::string& note) {
    svg.rect({column.left, top}, column.width, box_height, "box");
    svg.text({column.left + column.width / 2, top + (note.empty() ? 25 : 17)}, name, "bold",
             chart::Anchor::middle);
    if (!note.empty()) {
        svg.text({column.left + column.width / 2, top + 32}, note, "dim", chart::Anchor::middle);
    }
}

// From `from` to `to`, as thick as its share of the most bytes.
void draw_arrow(Svg& svg, double x, double from, double to, double share, const char* classes,
                const std::string& tip) {
    const double half = 1 + 4 * share;
    const double head = half + 4;
    const double neck = to > from ? to - head - 2 : to + head + 2;
    svg.rect({x - half, std::min(from, neck)}, 2 * half, std::abs(neck - from), classes, tip);
    svg.area({{x - head, neck}, {x + head, neck}, {x, to}}, classes, tip);
}

void draw_edge(Svg& svg, const Column& column, double top, const MemoryEdge& edge, double most) {
    const double bottom = top + gap_height;
    const auto direction = [&](double x, double bytes, bool up, const char* words) {
        const auto text = human_bytes(bytes);
        if (bytes > 0) {
            draw_arrow(svg, x, up ? bottom - 2 : top + 2, up ? top + 2 : bottom - 2, bytes / most,
                       up ? "c1" : "c2", fmt::format("{}, {}: {}", edge.name, words, text));
        } else {
            svg.line({x, top + 2}, {x, bottom - 2}, "grid dash");
        }
        svg.text({x + 13, top + 28}, text, "ink");
        svg.text({x + 13, top + 43}, words, "dim");
    };
    direction(column.left + 14, edge.read_bytes, true, "read");
    direction(column.left + column.width / 2 + 14, edge.write_bytes, false, "written");
}

std::string hit_words(const std::optional<double>& hit_pct) {
    return hit_pct ? fmt::format("{:.1f} % hits", *hit_pct) : "";
}

std::string busy_words(const MemoryEdge& edge, double seconds) {
    return edge.peak_bytes_per_second
               ? fmt::format("{:.1f} % of {}", 100 * edge.bytes() / seconds / *edge.peak_bytes_per_second,
                             human_si(*edge.peak_bytes_per_second, "B/s"))
               : "";
}

}  // namespace

const MemoryEdge* MemoryHierarchy::edge(std::string_view id) const {
    const auto found =
        std::find_if(edges.begin(), edges.end(), [&](const MemoryEdge& e) { return e.id == id; });
    return found == edges.end() ? nullptr : &*found;
}

MemoryHierarchy memory_hierarchy(const Prediction& p, const ArchSpec& arch) {
    MemoryHierarchy h;
    const auto& t = p.traffic;
    h.edges = {shared_edge(p, arch), l1_edge(p, arch)};
    if (arch.l2.size_bytes > 0) {
        // as L2 counts them: without the pieces of sectors that join on the way
        h.edges.push_back({"l2", "SMs and L2", t.l2_read_bytes, t.l2_write_bytes - t.l2_joined_write_bytes,
                           known(arch.peak_l2_bytes_per_second)});
    }
    h.edges.push_back({"dram", arch.l2.size_bytes > 0 ? "L2 and DRAM" : "SMs and DRAM", t.dram_read_bytes,
                       t.dram_write_bytes, known(arch.dram.bandwidth_bytes_per_second)});
    h.l1_hit_pct = counter(p, "l1tex__t_sector_hit_rate.pct");
    h.l2_hit_pct = counter(p, "lts__t_sector_hit_rate.pct");
    return h;
}

std::string hierarchy_chart(const MemoryHierarchy& h, double seconds) {
    constexpr Column all{0, chart::chart_width};
    constexpr Column left{0, 196};
    constexpr Column right{224, 196};
    constexpr double step = box_height + gap_height;
    double most = 1;
    std::string description;
    for (const auto& edge : h.edges) {
        most = std::max({most, edge.read_bytes, edge.write_bytes});
        description += fmt::format("{}{}: {} read, {} written", description.empty() ? "" : "; ", edge.name,
                                   human_bytes(edge.read_bytes), human_bytes(edge.write_bytes));
    }
    const auto levels = static_cast<double>(h.edges.size());
    Svg svg(chart::chart_width, step * (levels - 1) + box_height + 2, "Bytes between the memories",
            description);
    draw_box(svg, all, 1, "Warps", "");
    double top = 1;
    for (const auto& edge : h.edges) {
        const bool shared = edge.id == "shared";
        const auto& column = shared ? left : right;
        top += edge.id == "shared" || edge.id == "l1" ? 0 : step;
        draw_edge(svg, column, top + box_height, edge, most);
        const double box = top + step;
        const auto busy = busy_words(edge, seconds);
        if (shared) {
            draw_box(svg, column, box, "Shared memory", busy);
        } else {
            const auto hits = hit_words(edge.id == "l1"   ? h.l1_hit_pct
                                        : edge.id == "l2" ? h.l2_hit_pct
                                                          : std::nullopt);
            const auto name = edge.id == "l1" ? "L1" : edge.id == "l2" ? "L2" : "DRAM";
            draw_box(svg, column, box, hits.empty() ? name : fmt::format("{}: {}", name, hits), busy);
        }
    }
    return svg.str();
}

}  // namespace gpumodel::cli::page
