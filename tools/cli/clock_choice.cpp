#include "tools/cli/clock_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "base/units.h"
#include "model/power/launch_power.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw InputError(InputErrorKind::usage, {{"", 0, 0, "--clock", what}});
}

// No matrix product takes from it.
ArchSpec at_boost(const ArchSpec& spec, const std::string& arch, std::vector<Override> overrides) {
    if (std::any_of(overrides.begin(), overrides.end(),
                    [](const Override& item) { return item.key == "clock.sm"; })) {
        refuse("boost and --set clock.sm contradict each other");
    }
    const auto text = fmt::format("{} Hz", spec.clock.boost_hz.value_or(spec.clock.sm_hz));
    overrides.push_back({"clock.sm", text});
    const auto replace = [&](const std::string& key, const std::string& value) {
        std::erase_if(overrides, [&](const Override& item) { return item.key == key; });
        overrides.push_back({key, value});
    };
    if (spec.clock.tensor_hz) {
        replace("clock.tensor", text);
    }
    const auto& group = spec.sm.group_products;
    const std::pair<const char*, std::optional<double>> droops[] = {
        {"clock_droop", group.clock_droop},
        {"clock_droop_bf16", group.clock_droop_bf16},
        {"clock_droop_tf32", group.clock_droop_tf32},
        {"clock_droop_int8", group.clock_droop_int8}};
    for (const auto& [key, droop] : droops) {
        if (droop) {
            replace(fmt::format("sm.group_products.{}", key), "0");
        }
    }
    return load_arch(arch, overrides);
}

ArchSpec locked(const std::string& text, ArchSpec spec) {
    constexpr double lowest = 1e6;
    const auto parsed = parse_quantity(text, Dimension::frequency);
    if (!parsed.value) {
        refuse(fmt::format("'{}' is none of burst, boost, sustained, nor a clock as in '1410 MHz' ({})", text,
                           parsed.fault));
    }
    const auto words = [](double hz) { return print_quantity(hz, Dimension::frequency); };
    if (*parsed.value < lowest) {
        refuse(fmt::format("{} is below 1 MHz", words(*parsed.value)));
    }
    if (*parsed.value > spec.clock.sm_hz) {
        refuse(fmt::format("{} is above the {} of {} (clock.sm); a faster chip is --set clock.sm='{}'",
                           words(*parsed.value), words(spec.clock.sm_hz), spec.name, words(*parsed.value)));
    }
    spec.clock.most_hz = *parsed.value;
    return spec;
}

}  // namespace

void add_clock_option(Command& command, ArchOptions& options) {
    command
        .add_option(
            "--clock", options.clock,
            "burst (default: a few launches after a rest), boost (whatever the launch does), sustained "
            "(at the board's power limit) or a locked clock, '1410 MHz'")
        .shown_as("burst|boost|sustained|CLOCK");
}

ArchSpec at_chosen_clock(const std::string& choice, ArchSpec spec, const std::string& arch,
                         std::vector<Override> overrides) {
    if (choice == "burst") {
        return spec;
    }
    if (choice == "boost") {
        return at_boost(spec, arch, std::move(overrides));
    }
    if (choice != "sustained") {
        return locked(choice, std::move(spec));
    }
    if (!knows_power(spec)) {
        refuse(
            fmt::format("sustained: what {} draws was not measured (power.limit, power.idle, power.energy); "
                        "allowed burst, boost, a clock as in '1410 MHz'",
                        spec.name));
    }
    spec.clock.sustained = true;
    return spec;
}

}  // namespace gpumodel::cli
