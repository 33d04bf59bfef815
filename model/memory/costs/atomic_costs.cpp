#include "model/memory/costs/atomic_costs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/memory/costs/measured_steps.h"

namespace gpumodel {
namespace {

constexpr std::int64_t sector_bytes = 32;

// Calls visit(address, lanes) for every word that active lanes name, in ascending order.
template <class Visit>
void for_each_word(const WarpAccess& access, Visit visit) {
    std::array<std::int64_t, 32> named{};
    std::size_t count = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (access.is_active(lane)) {
            named[count++] = access.address[static_cast<std::size_t>(lane)];
        }
    }
    std::sort(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && named[end] == named[first]) {
            ++end;
        }
        visit(named[first], static_cast<int>(end - first));
    }
}

int most_lanes_of_a_word(const WarpAccess& access) {
    int most = 0;
    for_each_word(access, [&most](std::int64_t, int lanes) { most = std::max(most, lanes); });
    return most;
}

}  // namespace

AtomicForm atomic_form(const AccessSite& site) {
    if (site.kind != AccessKind::atomic) {
        return AtomicForm::none;
    }
    const std::string_view name = site.name;
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return has(".CAST.SPIN") || has(".POPC") ? AtomicForm::one_pass
           : has(".CAS")                     ? AtomicForm::compare
           : has(".F64")                     ? AtomicForm::fp64
           : has(".F32") || has("F16")       ? AtomicForm::floating
                                             : AtomicForm::integer;
}

double AtomicCosts::sector_cycles(AtomicForm form, int lanes, int words) const {
    const double wide = form == AtomicForm::fp64                   ? words * fp64_word
                        : form == AtomicForm::compare && words > 1 ? compare_pass
                                                                   : 0;
    return lanes * std::max({pass, wide, lanes > 1 ? same_word : 0});
}

double AtomicCosts::request_cycles(AtomicForm form, const std::vector<AtomicSector>& sectors) const {
    double cycles = 0;
    for (const auto& part : by_line(form, sectors)) {
        cycles += part.cycles;
    }
    return cycles;
}

std::vector<AtomicCosts::OfLine> AtomicCosts::by_line(AtomicForm form,
                                                      const std::vector<AtomicSector>& sectors) const {
    constexpr std::int64_t sectors_per_line = 4;
    std::vector<OfLine> lines;
    for (const auto& sector : sectors) {
        const auto number = sector.sector / sectors_per_line;
        if (lines.empty() || lines.back().line != number) {
            lines.push_back({.line = number, .cycles = line});
        }
        auto& part = lines.back();
        part.cycles += sector_cycles(form, sector.lanes, sector.words);
        ++part.sectors;
        part.passes += sector.lanes;
        part.most_passes = std::max(part.most_passes, sector.lanes);
        part.several = part.several || sector.words > 1;
    }
    return lines;
}

double AtomicCosts::OfLine::sent_bytes(std::int64_t access_size) const {
    const auto bytes = sectors * sector_bytes;
    return static_cast<double>(most_passes * (several ? std::max(bytes, access_size) : bytes));
}

double AtomicCosts::behind_another(AtomicForm form) const {
    return std::max(0.0, one_after_another(form) - pass - line);
}

double AtomicCosts::one_after_another(AtomicForm form) const {
    return form == AtomicForm::floating || form == AtomicForm::fp64 ? same_word_float : 0;
}

double AtomicCosts::slices_at_work(double lines) {
    constexpr auto measured = std::to_array<std::pair<double, double>>({{1, 1},
                                                                        {4, 1.7},
                                                                        {8, 2.2},
                                                                        {32, 7.2},
                                                                        {64, 11.7},
                                                                        {128, 27},
                                                                        {256, 36},
                                                                        {512, 55},
                                                                        {2048, 62},
                                                                        {131072, 77}});
    return between_measured(measured, lines);
}

std::vector<AtomicSector> atomic_sectors(const WarpAccess& access) {
    std::vector<AtomicSector> list;
    for_each_word(access, [&list](std::int64_t address, int lanes) {
        const auto sector = address / sector_bytes;
        if (list.empty() || list.back().sector != sector) {
            list.push_back({sector, lanes, 1});
        } else {
            list.back().lanes = std::max(list.back().lanes, lanes);
            ++list.back().words;
        }
    });
    return list;
}

int atomic_wavefronts(AtomicForm form, const WarpAccess& access, int wavefronts) {
    if (form == AtomicForm::none || form == AtomicForm::one_pass) {
        return wavefronts;
    }
    return (form == AtomicForm::compare ? 2 : 1) * std::max(wavefronts, most_lanes_of_a_word(access));
}

}  // namespace gpumodel
