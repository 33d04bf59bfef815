// At which clock a launch is described: what its products leave, what the board's power leaves.
#include <algorithm>
#include <utility>

#include "base/note.h"
#include "model/analytic/bounds.h"
#include "model/analytic/describe_at.h"
#include "model/launch/matrix_products.h"
#include "model/power/launch_power.h"

namespace gpumodel {
namespace {

// What comes into all SMs: tiles that a block has sent to its cluster go to each of its blocks.
double bytes_into_sms(const DescribedLaunch& launch) {
    const auto others = static_cast<double>(launch.program.cluster_blocks - 1);
    double bytes = launch.common.traffic.l2_read_bytes;
    for (const auto& site : launch.sites) {
        const bool to_all = site.site->name.find(".MULTICAST") != std::string::npos;
        bytes += to_all ? others * site.blocks * site.l2_bytes_per_block : 0;
    }
    return bytes;
}

// Of all SMs, by the analytic time.
// (Products on 1 to 66 of 132 SMs leave the clock as it is: ../../validate/data/h200_sxm_tensor_micro.csv.)
ProductLoad product_load(const DescribedLaunch& launch) {
    const auto& w = launch.common.waves;
    const auto rounds = launch_cycles(launch.block, launch.arch, launch.common);
    const double cycles = rounds.steady + rounds.tail;
    const double busy = w.even_blocks() * launch.block.demand[static_cast<std::size_t>(Resource::tensor)];
    return {cycles > 0 ? busy / cycles : 0, bytes_into_sms(launch) / (w.sm_count + w.sms_left_over), cycles};
}

ArchSpec at_clock(const ArchSpec& arch, double hz) {
    ArchSpec slowed = arch;
    slowed.clock.most_hz = hz;
    slowed.clock.sustained = false;
    slowed.sm.group_products.clock_droop.reset();
    slowed.sm.group_products.clock_droop_bf16.reset();
    slowed.sm.group_products.clock_droop_tf32.reset();
    slowed.sm.group_products.clock_droop_int8.reset();
    return slowed;
}

}  // namespace

DescribedLaunch describe_launch_at(const KernelProgram& program, const ArchSpec& arch, double hz, L2State l2,
                                   Detail detail) {
    auto slowed = std::make_shared<const ArchSpec>(at_clock(arch, hz));
    auto launch = describe_at(program, *slowed, l2, detail);
    launch.slowed = std::move(slowed);
    return launch;
}

namespace {

double watts_of(const DescribedLaunch& launch) {
    const auto& p = launch.common;
    const double seconds =
        launch_cycles(launch.block, launch.arch, p).total / p.sm_hz + launch.arch.launch.overhead_seconds;
    return average_watts(launch.arch, *p.energy, p.sm_hz, seconds);
}

// At the clock at which it draws what the board may, by the analytic time; as it is where it draws less.
DescribedLaunch within_power(const KernelProgram& program, const ArchSpec& arch, DescribedLaunch launch,
                             L2State l2, Detail detail) {
    constexpr double lowest = 0.15;  // of the clock: no board goes below
    constexpr int halvings = 9;      // to 0.2 % of it
    const double limit = *arch.power.limit_watts;
    if (watts_of(launch) <= limit) {
        return launch;
    }
    double high = launch.common.sm_hz, low = lowest * high;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        const bool draws_more =
            watts_of(describe_launch_at(program, arch, middle, l2, Detail::figures)) > limit;
        (draws_more ? high : low) = middle;
    }
    return describe_launch_at(program, arch, low, l2, detail);
}

}  // namespace

LaunchCycles launch_cycles(const BlockTime& block, const ArchSpec& arch, const Prediction& p) {
    const auto& w = p.waves;
    LaunchCycles cycles;
    cycles.steady = static_cast<double>(w.full_rounds) * round_cycles(block, w.blocks_per_sm);
    cycles.tail = round_cycles(block, w.tail_blocks);
    const double dispatch =
        arch.launch.blocks_per_cycle > 0 ? static_cast<double>(w.blocks) / arch.launch.blocks_per_cycle : 0;
    cycles.total = std::max({cycles.steady + cycles.tail, dispatch, atomics_of(p.bounds)});
    return cycles;
}

ArchSpec at_clock_of(const Prediction& p, const ArchSpec& arch) {
    return p.sm_hz < arch.clock.sm_hz || arch.clock.sustained ? at_clock(arch, p.sm_hz) : arch;
}

DescribedLaunch describe_launch(const KernelProgram& program, const ArchSpec& arch, L2State l2,
                                Detail detail) {
    auto launch = describe_at(program, arch, l2, detail);
    if (!is_predicted(launch.common.status)) {
        return launch;
    }
    constexpr double worth_it = 0.998;
    const auto load = product_load(launch);
    const double hz = load.fill > 0 ? drooping_clock(arch, program, load) : launch.common.sm_hz;
    const bool droops = hz <= worth_it * launch.common.sm_hz;
    if (arch.clock.sustained && !launch.common.energy) {
        launch.common.gaps.push_back(
            noted(NoteId::no_power,
                  "power: the spec has no energy for some of these instructions; the clock is a burst's"));
    }
    if (!arch.clock.sustained || !launch.common.energy) {
        return droops ? describe_launch_at(program, arch, hz, l2, detail) : launch;
    }
    return droops ? within_power(program, arch, describe_launch_at(program, arch, hz, l2, detail), l2, detail)
                  : within_power(program, arch, std::move(launch), l2, detail);
}

}  // namespace gpumodel
