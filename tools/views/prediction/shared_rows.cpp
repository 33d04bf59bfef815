#include "tools/views/prediction/shared_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace gpumodel {
namespace {

double cost(const SiteReport& s) {
    return s.space == MemorySpace::shared ? s.wavefronts : s.sectors;
}

double ideal(const SiteReport& s) {
    return s.space == MemorySpace::shared ? s.ideal_wavefronts : s.ideal_sectors;
}

}  // namespace

const Prediction& main_prediction(const std::vector<Prediction>& models) {
    const auto found = std::find_if(models.begin(), models.end(),
                                    [](const Prediction& p) { return is_predicted(p.status); });
    return found == models.end() ? models.front() : *found;
}

std::string bottleneck_names(const Prediction& p, const char* between) {
    return p.bottlenecks.empty() ? "unknown" : fmt::format("{}", fmt::join(p.bottlenecks, between));
}

bool is_bottleneck(const Prediction& p, const Bound& bound) {
    return std::find(p.bottlenecks.begin(), p.bottlenecks.end(), bound.name) != p.bottlenecks.end();
}

std::string limiter_names(const Occupancy& occupancy, const char* between) {
    std::vector<std::string_view> names;
    for (const auto limiter : occupancy.limiters) {
        names.push_back(to_string(limiter));
    }
    return fmt::format("{}", fmt::join(names, between));
}

std::string program_words(const Prediction& p) {
    const auto detail = p.program_detail.empty() ? "" : ", " + p.program_detail;
    switch (p.program_source.value_or(ProgramSource::given)) {
        case ProgramSource::given:
            return "given" + detail;
        case ProgramSource::compiled:
            return "compiled here" + detail;
        case ProgramSource::shipped:
            return "shipped compiled code" + detail;
        case ProgramSource::generated:
            return "generated: our imitation of the compiler" + detail;
        case ProgramSource::library:
            break;
    }
    return "library tile, schedule kept by hand" + detail;
}

std::string unknown_data_words(const Prediction& p, std::size_t most) {
    std::set<std::uint32_t> accesses, loops, branches;
    std::vector<std::string> named;
    for (const auto& mark : p.unknown_data) {
        auto& places = mark.what == UnknownData::What::trips    ? loops
                       : mark.what == UnknownData::What::branch ? branches
                                                                : accesses;
        places.insert(mark.address);
        if (named.size() < most) {
            named.push_back(
                fmt::format("{:#06x} {} ({})", mark.address, mark.instruction, to_string(mark.what)));
        }
    }
    std::vector<std::string> counts;
    const auto count = [&counts](std::size_t n, const char* one, const char* many) {
        if (n > 0) {
            counts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
        }
    };
    count(accesses.size(), "access", "accesses");
    count(loops.size(), "loop", "loops");
    count(branches.size(), "branch", "branches");
    return counts.empty() ? ""
                          : fmt::format("{}: {}{}", fmt::join(counts, ", "), fmt::join(named, ", "),
                                        p.unknown_data.size() > named.size() ? ", ..." : "");
}

std::string out_of_bounds_words(const Prediction& p) {
    std::vector<std::string> texts;
    for (const auto& note : read_notes(p.gaps)) {
        if (note.id == NoteId::out_of_bounds) {
            texts.push_back(note.text);
        }
    }
    return texts.empty() ? ""
                         : fmt::format("{} instruction{}: {}{}", texts.size(), texts.size() == 1 ? "" : "s",
                                       texts.front(), texts.size() > 1 ? ", ..." : "");
}

std::string size_text(std::int64_t m, std::int64_t n, std::int64_t k) {
    return m > 0 ? fmt::format("M={} N={} K={}", m, n, k) : "";
}

std::string grid_text(const Dim3& grid, const char* times) {
    return fmt::format("{}{}{}{}", grid.x, times, grid.y,
                       grid.z > 1 ? fmt::format("{}{}", times, grid.z) : "");
}

SiteCosts costliest_sites(const Prediction& p, const std::function<bool(MemorySpace)>& in) {
    SiteCosts sites;
    for (const auto& s : p.sites) {
        if (in(s.space) && s.instructions > 0) {
            sites.rows.push_back({&s, cost(s) / s.instructions, ideal(s) / s.instructions});
        }
    }
    if (sites.rows.size() > most_sites) {
        sites.left_out = sites.rows.size() - most_sites;
        std::stable_sort(sites.rows.begin(), sites.rows.end(),
                         [](const SiteCost& a, const SiteCost& b) { return cost(*a.site) > cost(*b.site); });
        sites.rows.resize(most_sites);
        std::sort(sites.rows.begin(), sites.rows.end(), [](const SiteCost& a, const SiteCost& b) {
            return std::less<>()(a.site, b.site);  // as they stand in p.sites
        });
    }
    return sites;
}

std::string place_of(const InstructionReport& line) {
    if (line.address > 0) {
        return fmt::format("{:#06x}", line.address);
    }
    return line.index < 0 ? line.segment : fmt::format("{} +{}", line.segment, line.index);
}

std::vector<HotInstruction> hot_instructions(const SimulationReport& run, std::size_t most) {
    std::vector<HotInstruction> rows;
    for (std::size_t i = 0; i < std::min(most, run.instructions_by_stall.size()); ++i) {
        const auto& line = run.instructions_by_stall[i];
        const double cycles = std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0);
        rows.push_back({&line, cycles / run.warp_cycles, main_stall(line)});
    }
    return rows;
}

std::string simulated_part(const SimulationReport& run) {
    std::string parts;
    if (run.simulated_blocks < run.blocks) {
        parts += fmt::format("{} of {} blocks of the SM, ", run.simulated_blocks, run.blocks);
    }
    if (run.simulated_trips < run.trips) {
        parts += fmt::format("{} of {} trips of the longest loop, ", run.simulated_trips, run.trips);
    }
    return fmt::format("{}{} warp instructions{}", parts.empty() ? "the busiest SM's whole launch, " : parts,
                       run.simulated_instructions, parts.empty() ? "" : "; the rest is extrapolated");
}

}  // namespace gpumodel
