#include "tools/explore/explore_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/units.h"
#include "tools/sweep/options/axis_text.h"

namespace gpumodel::cli {
namespace {

// The value of one item of --clock for a GPU, as --set takes it; "" = the spec's own clock.
std::string clock_override(const std::string& text, const ArchSpec& spec, OptionFaults& faults) {
    constexpr NumberRange allowed_percent{10, 200};
    if (text.empty() || text.back() != '%') {
        return "clock.sm=" + text;
    }
    const auto percent = faults.whole_number(text.substr(0, text.size() - 1), "--clock", allowed_percent);
    if (!percent || *percent == 100) {
        return "";
    }
    constexpr double mega = 1e6;
    return fmt::format("clock.sm={} MHz",
                       std::llround(spec.clock.sm_hz / mega * static_cast<double>(*percent) / 100));
}

// False for text that is neither a share nor a frequency: said once, not for every GPU.
bool sound_clock(const std::string& text, OptionFaults& faults) {
    if (text.empty()) {
        faults.add("--clock", "a value is empty");
        return false;
    }
    if (text.back() == '%') {
        return true;
    }
    const auto parsed = parse_quantity(text, Dimension::frequency);
    if (!parsed.value) {
        faults.add("--clock", parsed.fault + "; or a share of the spec's clock, as in 80%");
    }
    return parsed.value.has_value();
}

std::vector<std::string> clock_list(const std::string& text, OptionFaults& faults) {
    std::vector<std::string> clocks;
    for (const auto& item : split_values(text.empty() ? default_clocks : text, ',')) {
        if (std::find(clocks.begin(), clocks.end(), item) != clocks.end()) {
            faults.add("--clock", fmt::format("{} stands twice", cite(item)));
        } else if (sound_clock(item, faults)) {
            clocks.push_back(item);
        }
    }
    return clocks;
}

// Faults of the override are those of --clock.
ArchSpec load_clocked(const ArchOptions& options, OptionFaults& faults) {
    try {
        return load(options);
    } catch (const InputError& error) {
        if (error.kind() != InputErrorKind::usage) {
            throw;
        }
        for (const auto& diagnostic : error.diagnostics()) {
            faults.add("--clock", diagnostic.message);
        }
        return {};
    }
}

ExploreGpu load_gpu(const std::string& name, const std::vector<std::string>& given_sets,
                    const std::vector<std::string>& clocks, OptionFaults& faults) {
    ExploreGpu gpu{name, {}};
    const auto base = faults.load_arch({name, given_sets});
    if (base.name.empty()) {
        return gpu;
    }
    std::set<double> seen;
    for (const auto& text : clocks) {
        ExploreClock clock{clock_override(text, base, faults), 0, base};
        if (!clock.set.empty()) {
            auto sets = given_sets;
            sets.push_back(clock.set);
            clock.spec = load_clocked({name, sets}, faults);
        }
        clock.sm_hz = clock.spec.clock.sm_hz;
        if (!clock.spec.name.empty() && !seen.insert(clock.sm_hz).second) {
            faults.add("--clock", fmt::format("{} is the clock of another item on {}", cite(text), name));
        }
        gpu.clocks.push_back(std::move(clock));
    }
    return gpu;
}

}  // namespace

void choose_gpus(const std::vector<std::string>& archs, const std::vector<std::string>& sets,
                 const std::string& clocks, ExplorePlan& plan, OptionFaults& faults) {
    plan.sets = sets;
    plan.clock_names = clock_list(clocks, faults);
    std::set<std::string> seen;
    for (const auto& list : archs.empty() ? std::vector<std::string>{default_archs} : archs) {
        for (const auto& name : split_values(list, ',')) {
            if (name.empty()) {
                faults.add("--arch", "a name is empty");
                continue;
            }
            auto gpu = load_gpu(name, sets, plan.clock_names, faults);
            const auto product = gpu.clocks.empty() ? name : gpu.spec().name;
            if (!seen.insert(product).second) {
                faults.add("--arch: " + name, "given twice");
            } else {
                plan.gpus.push_back(std::move(gpu));
            }
        }
    }
    for (const auto& item : sets) {
        if (item.starts_with("clock.sm=")) {
            faults.add("--set: clock.sm", "is varied: give --clock instead");
        }
    }
}

}  // namespace gpumodel::cli
