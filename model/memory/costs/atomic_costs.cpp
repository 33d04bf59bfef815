#include "model/memory/costs/atomic_costs.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace gpumodel {
namespace {

constexpr std::int64_t sector_bytes = 32;

int most_lanes_of_a_word(const WarpAccess& access) {
    std::map<std::int64_t, int> lanes;
    int most = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (access.is_active(lane)) {
            most = std::max(most, ++lanes[access.address[static_cast<std::size_t>(lane)]]);
        }
    }
    return most;
}

}  // namespace

AtomicForm atomic_form(const AccessSite& site) {
    if (site.kind != AccessKind::atomic) {
        return AtomicForm::none;
    }
    const std::string_view name = site.name;
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return has(".CAS")                 ? AtomicForm::compare
           : has(".POPC")              ? AtomicForm::count
           : has(".F64")               ? AtomicForm::fp64
           : has(".F32") || has("F16") ? AtomicForm::floating
                                       : AtomicForm::integer;
}

double AtomicCosts::sector_cycles(AtomicForm form, int lanes) const {
    const bool wide = form == AtomicForm::compare || form == AtomicForm::fp64;
    const bool adds = form == AtomicForm::floating || form == AtomicForm::fp64;
    const double again = lanes > 1 ? (adds ? same_word_float : same_word) : 0;
    return lanes * std::max(wide && lanes < 32 ? compare_pass : pass, again);
}

int AtomicCosts::slice_of(std::int64_t address) const {
    const auto span = static_cast<std::uint64_t>(address) / static_cast<std::uint64_t>(slice_span_bytes);
    const auto count = static_cast<std::uint64_t>(slices);
    return static_cast<int>((span ^ (span / count) ^ (span / count / count)) % count);
}

double AtomicCosts::share(double sms, bool same_for_all_blocks) const {
    return same_for_all_blocks ? sms : std::max(1.0, sms / slices);
}

std::vector<AtomicSector> atomic_sectors(const WarpAccess& access) {
    std::map<std::int64_t, std::map<std::int64_t, int>> words;  // by sector
    for (int lane = 0; lane < 32; ++lane) {
        if (access.is_active(lane)) {
            const auto at = access.address[static_cast<std::size_t>(lane)];
            ++words[at / sector_bytes][at];
        }
    }
    std::vector<AtomicSector> list;
    for (const auto& [sector, lanes] : words) {
        const auto most = std::max_element(lanes.begin(), lanes.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        list.push_back({sector, most->second});
    }
    return list;
}

int atomic_wavefronts(AtomicForm form, const WarpAccess& access, int wavefronts) {
    if (form == AtomicForm::none || form == AtomicForm::count) {
        return wavefronts;
    }
    return std::max(wavefronts, (form == AtomicForm::compare ? 2 : 1) * most_lanes_of_a_word(access));
}

}  // namespace gpumodel
