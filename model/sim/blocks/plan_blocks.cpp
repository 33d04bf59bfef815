#include "model/sim/blocks/plan_blocks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/memory/read_merging.h"
#include "model/sim/blocks/uneven_deal.h"
#include "model/sim/extrapolate/stream_profile.h"
#include "traces/fold/grid/warp_length.h"

namespace gpumodel::sim {
namespace {

// The first SM stands for all that take about as long. `estimated`
constexpr double much_longer = 1.02;

std::vector<BlockWork> work_of_bodies(const DecodedProgram& decoded) {
    std::vector<BlockWork> list;
    for (const auto& body : decoded.bodies) {
        std::vector<StreamWork> of_stream;
        for (const auto& stream : body.streams) {
            of_stream.push_back(work_of(stream));
        }
        auto& work = list.emplace_back();
        for (const int stream : body.stream_of_warp) {
            const auto& [instructions, waits] = of_stream[static_cast<std::size_t>(stream)];
            work.instructions += instructions;
            work.longest_warp = std::max(work.longest_warp, instructions + instructions_of_a_wait * waits);
        }
    }
    return list;
}

// The block that stands for the one of this number. Where executed blocks stand for many that are not like
// them, neighbours would all give their SMs the same; any of the executed ones around does instead, the same
// in every run.
Dim3 standing_for(const LaunchedProgram& launch, std::int64_t index) {
    constexpr std::int64_t around = 3;  // boxes to each side. `estimated`
    const auto& program = launch.program;
    const auto own = linear_block(program.grid, index);
    if (!program.some_stand_for_all) {
        return own;
    }
    const auto variant_of = [&program](const Dim3& block) {
        return std::find_if(program.variants.begin(), program.variants.end(),
                            [&block](const BlockVariant& v) { return v.blocks.contains(block); });
    };
    const auto of = variant_of(own);
    if (of == program.variants.end() || of->blocks.count() == 1) {
        return own;
    }
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    auto mixed = static_cast<std::uint64_t>(index + 1) * golden;
    const auto drawn = [&mixed](std::int64_t at, std::int64_t extent, std::int64_t end) {
        mixed = (mixed ^ mixed >> 31U) * golden;
        const auto low = std::max<std::int64_t>(0, at - around * extent);
        const auto high = std::min(end, at + around * extent + 1);
        return low + static_cast<std::int64_t>((mixed >> 33U) % static_cast<std::uint64_t>(high - low));
    };
    const auto& [begin, end] = of->blocks;
    const Dim3 other{drawn(own.x, end.x - begin.x, program.grid.x),
                     drawn(own.y, end.y - begin.y, program.grid.y),
                     drawn(own.z, end.z - begin.z, program.grid.z)};
    const auto of_other = variant_of(other);
    const bool alone = of_other != program.variants.end() && of_other->blocks.count() == 1;
    return alone ? own : other;  // one by itself comes once
}

bool at_once(const Waves& waves) {
    return waves.blocks <= std::int64_t{waves.sm_count} * waves.blocks_per_sm;
}

// Blocks of the SM that the launch waits for where they are dealt to whoever has room.
// Empty where that need not be asked.
std::vector<std::int64_t> last_sm(const LaunchedProgram& launch, int schedulers) {
    const auto& waves = launch.waves;
    const bool asked = launch.program.some_stand_for_all || (launch.program.data_decides && !at_once(waves));
    if (!asked || launch.decoded.bodies.size() < 2) {
        return {};
    }
    const auto works = work_of_bodies(launch.decoded);
    const auto work = [&](std::int64_t index) {
        return works[static_cast<std::size_t>(launch.table.body_of(standing_for(launch, index)))];
    };
    return blocks_of_last_sm({waves.blocks, static_cast<int>(waves.sm_count),
                              static_cast<int>(waves.blocks_per_sm), schedulers, work});
}

// Index of the first block of the SM that the launch waits for.
std::int64_t slowest_sm(const LaunchedProgram& launch, int schedulers) {
    const auto& waves = launch.waves;
    if (!at_once(waves) || launch.decoded.bodies.size() < 2) {
        return 0;
    }
    const auto works = work_of_bodies(launch.decoded);
    std::int64_t slowest = 0;
    double longest = 0;
    for (std::int64_t sm = 0; sm < std::min<std::int64_t>(waves.sm_count, waves.blocks); ++sm) {
        BlockWork all;
        for (auto index = sm; index < waves.blocks; index += waves.sm_count) {
            const auto body = launch.table.body_of(linear_block(launch.program.grid, index));
            const auto& work = works[static_cast<std::size_t>(body)];
            all.instructions += work.instructions;
            all.longest_warp = std::max(all.longest_warp, work.longest_warp);
        }
        const double cycles =
            std::max(all.instructions / schedulers, all.longest_warp * cycles_of_a_warp_alone);
        if (cycles > longest * (sm > 0 ? much_longer : 1)) {
            longest = cycles;
            slowest = sm;
        }
    }
    return slowest;
}

}  // namespace

BlockPlan plan_blocks(const LaunchedProgram& launch, const ArchSpec& arch, bool uneven) {
    const auto& waves = launch.waves;
    BlockPlan plan;
    const auto fullest = last_sm(launch, arch.sm.schedulers);
    const auto first = fullest.empty() ? slowest_sm(launch, arch.sm.schedulers) : 0;
    const auto dealt_evenly = !fullest.empty() ? static_cast<std::int64_t>(fullest.size())
                              : first > 0      ? (waves.blocks - first - 1) / waves.sm_count + 1
                                               : waves.busiest_sm_blocks;
    plan.even_blocks = static_cast<std::size_t>(dealt_evenly);
    plan.resident = waves.blocks_per_sm;
    plan.launch_blocks = waves.blocks;
    plan.sms = waves.sm_count;
    // who ends first takes more only where more are left
    plan.sm_drift = uneven && !at_once(waves) ? arch.launch.sm_drift : 0;
    plan.turnover = static_cast<Cycle>(arch.launch.block_turnover_cycles);
    const double rate = arch.launch.blocks_per_cycle;
    const auto most =
        static_cast<std::int64_t>(plan.even_blocks) + (plan.sm_drift > 0 ? waves.blocks_per_sm : 0);
    for (std::int64_t i = 0; i < most; ++i) {
        const auto dealt =
            i < static_cast<std::int64_t>(fullest.size()) ? fullest[static_cast<std::size_t>(i)]
            : !fullest.empty()
                ? fullest.back() + (i + 1 - static_cast<std::int64_t>(fullest.size())) * waves.sm_count
                : first + i * waves.sm_count;
        const auto index = dealt % waves.blocks;
        const auto at = standing_for(launch, index);
        const auto before = static_cast<double>(std::min(dealt, waves.blocks));
        plan.blocks.push_back(
            {at, index, launch.table.body_of(at), rate > 0 ? static_cast<Cycle>(before / rate) : 0});
    }
    return plan;
}

}  // namespace gpumodel::sim
