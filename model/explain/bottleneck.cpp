#include "model/explain/bottleneck.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <string_view>

#include "model/analytic/bounds.h"
#include "model/analytic/demand.h"
#include "model/explain/limiters.h"
#include "model/sim/sim_progress.h"

namespace gpumodel {
namespace {

constexpr double least_busy = 0.1;     // of the time, for a run to be made
constexpr double least_saved_pct = 3;  // for a bottleneck
constexpr double tie_points = 2;

const Bound* bound_of(const Prediction& p, std::string_view name) {
    const auto found =
        std::find_if(p.bounds.begin(), p.bounds.end(), [&](const Bound& b) { return b.name == name; });
    return found == p.bounds.end() ? nullptr : &*found;
}

bool is_arithmetic(std::string_view name) {
    const auto* row = unit_named(name);
    return row != nullptr && row->arithmetic;
}

// The busiest of the units that do work, which waits do not.
const Bound* busiest_unit(const Prediction& p) {
    const auto works = [](const Bound& b) { return unit_named(b.name) != nullptr; };
    const auto found = std::find_if(p.bounds.begin(), p.bounds.end(), works);  // bounds descend
    return found == p.bounds.end() ? nullptr : &*found;
}

std::string name_of(const Limiter& limiter, const Prediction& p) {
    if (limiter.unit == to_string(Resource::shared) && bound_of(p, l1_data_pipe) != nullptr) {
        return std::string(l1_data_pipe);
    }
    if (!is_arithmetic(limiter.unit)) {
        return limiter.unit;
    }
    const auto found =
        std::find_if(p.bounds.begin(), p.bounds.end(), [](const Bound& b) { return is_arithmetic(b.name); });
    return found == p.bounds.end() ? limiter.unit : found->name;
}

// Waits have no bound that says how long they are; units have.
bool may_save(const Limiter& limiter, const std::string& unit, const ProgramTraits& traits,
              const Prediction& p, const ArchSpec& arch) {
    if ((limiter.absent != nullptr && limiter.absent(traits)) ||
        (limiter.missing != nullptr && !limiter.missing(arch).empty())) {
        return false;
    }
    const bool works = unit_named(unit) != nullptr;
    const auto* bound = bound_of(p, unit);
    return !works || (bound != nullptr && bound->cycles > least_busy * p.cycles);
}

std::string share_text(const std::vector<UnitGain>& gains, std::size_t first) {
    return first < gains.size()
               ? fmt::format("; next: {}, {:.0f} %", gains[first].name, gains[first].saved_pct)
               : "";
}

std::string words_of(const Prediction& p) {
    std::string words;
    const auto& gains = *p.unit_gains;
    if (p.bottlenecks.empty()) {
        words = gains.empty()
                    ? "unknown: lifting the limit of any one unit saves nothing"
                    : fmt::format("unknown: lifting the limit of any one unit saves at most {:.0f} % ({})",
                                  gains.front().saved_pct, gains.front().name);
    } else {
        words = fmt::format(
            "{}: without {} the launch would take {:.0f} % less", fmt::join(p.bottlenecks, " and "),
            p.bottlenecks.size() == 1 ? "its limit" : "one of their limits", gains.front().saved_pct);
        words += share_text(gains, p.bottlenecks.size());
    }
    if (const auto* busy = busiest_unit(p)) {
        words += fmt::format("; busiest unit: {}, {:.0f} % of the time", busy->name,
                             std::min(100.0, 100 * busy->cycles / std::max(1.0, p.cycles)));
    }
    return words;
}

// Per cent of the time saved if the L2 took no time for atomics.
double without_atomics(const KernelProgram& program, const ArchSpec& arch, SimOptions options,
                       const Prediction& p, double atomics) {
    if (atomics < p.cycles) {
        return 0;
    }
    options.listener = nullptr;
    const auto run = simulate(program, arch, options);
    return run.status == SimStatus::ok ? 100 * (1 - run.time_seconds / p.time_seconds) : 0;
}

}  // namespace

int most_unit_gain_runs() {
    const auto& list = limiters();
    return static_cast<int>(std::count_if(list.begin(), list.end(),
                                          [](const Limiter& limiter) { return limiter.unit != nullptr; }));
}

std::vector<UnitGain> unit_gains(const KernelProgram& program, const ArchSpec& arch,
                                 const SimOptions& options, const Prediction& p) {
    const auto traits = traits_of(program, arch);
    const auto& list = limiters();
    std::vector<const Limiter*> lifted;
    for (const auto& limiter : list) {
        if (limiter.unit != nullptr && may_save(limiter, name_of(limiter, p), traits, p, arch)) {
            lifted.push_back(&limiter);
        }
    }
    if (options.progress != nullptr) {
        options.progress->expect(static_cast<int>(lifted.size()) - most_unit_gain_runs());
    }
    std::vector<UnitGain> gains(lifted.size());
    oneapi::tbb::parallel_for(std::size_t{0}, lifted.size(), [&](std::size_t i) {
        SimOptions changed = options;
        changed.listener = nullptr;
        lifted[i]->lift(changed.relax);
        const auto run = simulate(program, arch, changed);
        if (run.status == SimStatus::ok) {
            gains[i] = {name_of(*lifted[i], p), 100 * (1 - run.time_seconds / p.time_seconds)};
        }
    });
    const double atomics = atomics_of(p.bounds);
    if (atomics > 0) {
        // the launch cannot end before the L2's atomics have; without them it takes what the SM takes
        const double saved_pct =
            100 * (1 - (atomics / p.sm_hz + arch.launch.overhead_seconds) / p.time_seconds);
        for (auto& gain : gains) {
            gain.saved_pct = std::min(gain.saved_pct, saved_pct);
        }
        gains.push_back({std::string(atomics_at_l2), without_atomics(program, arch, options, p, atomics)});
    }
    gains.push_back({"launch", 100 * arch.launch.overhead_seconds / p.time_seconds});
    std::erase_if(gains, [](const UnitGain& g) { return g.saved_pct <= 0; });
    std::stable_sort(gains.begin(), gains.end(),
                     [](const UnitGain& a, const UnitGain& b) { return a.saved_pct > b.saved_pct; });
    return gains;
}

void name_bottleneck(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                     Prediction& p) {
    p.unit_gains = unit_gains(program, arch, options, p);
    p.bottlenecks.clear();
    for (const auto& gain : *p.unit_gains) {
        const double most = p.unit_gains->front().saved_pct;
        if (most >= least_saved_pct && gain.saved_pct >= most - tie_points) {
            p.bottlenecks.push_back(gain.name);
        }
    }
    p.bottleneck_words = words_of(p);
}

}  // namespace gpumodel
