// Studies of launches whose answer is known: one resource sets the time, or a key cannot matter.
#include "model/sensitivity/sensitivity.h"

#include <catch2/catch.hpp>

#include "model/sensitivity/dependence.h"
#include "model/sensitivity/parameters.h"
#include "tests/support/micro.h"
#include "traces/codegen/make_program.h"

using namespace gpumodel;

namespace {

// Nothing but the launch's own work; ports that deliver all operands at once.
const std::vector<Override> free_launch{{"sm.register_file.reads_per_bank", "8 reads/clk"},
                                        {"launch.overhead", "0 us"},
                                        {"launch.block_turnover", "0 cycles"},
                                        {"launch.sm_drift", "0"}};

VariableSpec variable(const char* name, const std::vector<Override>& overrides = free_launch) {
    return {load_arch(name, overrides), overrides};
}

StudiedLaunch family_launch(const char* name, std::int64_t size, const ArchSpec& arch,
                            const ParamValues& params = {}) {
    FamilyLaunch from;
    from.family = find_family(name);
    from.params = resolve_params(*from.family, params);
    from.shape = {size, size, size};
    StudiedLaunch launch;
    launch.program = *make_program(*from.family, from.params, from.shape, target_of(arch)).program;
    launch.family = from;
    return launch;
}

// One block of 32 warps per SM that does nothing but independent FFMAs: the FMA pipe sets the time.
StudiedLaunch ffma_launch(const ArchSpec& arch) {
    constexpr int length = 512;  // so long that the loop's own branch is nothing
    std::vector<Instruction> code;
    for (int i = 0; i < length; ++i) {
        code.push_back(micro::ffma(8 + i % 16, 1, 2, 3));
    }
    code.push_back(micro::branch());
    StudiedLaunch launch;
    launch.program = micro::with_grid(micro::looped(code, 125, 32), arch.sm_count);
    auto& loop = std::get<Loop>(launch.program.body.front());
    auto& segment = std::get<Interval>(loop.body.front()).segments.front();
    segment.ops[static_cast<std::size_t>(OpClass::ffma)] = length;
    segment.ops[static_cast<std::size_t>(OpClass::branch)] = 1;
    segment.dependency.ilp = 16;
    return launch;
}

StudyOptions options(bool simulate, double step = 0.1) {
    StudyOptions o;
    o.simulate = simulate;
    o.step = step;
    return o;
}

SensitivityRow row_of(const StudiedLaunch& launch, const VariableSpec& spec, const char* key,
                      const StudyOptions& how) {
    const auto study = study_sensitivity(launch, spec, {find_field(key)}, how);
    REQUIRE(study.keys.size() == 1);
    return study.keys[0];
}

}  // namespace

TEST_CASE("a launch of FFMAs alone follows the FMA pipe and the clock", "[sensitivity]") {
    const auto spec = variable("v100_sxm2");
    const auto launch = ffma_launch(spec.arch());
    const bool simulate = GENERATE(false, true);
    const auto how = options(simulate);
    INFO((simulate ? "simulate" : "analytic"));
    const auto clock = row_of(launch, spec, "clock.sm", how);
    CHECK(clock.elasticity.value.value() == Approx(-1).margin(1e-9));
    // the pipe's rate cannot rise above its lanes
    const auto rate = row_of(launch, spec, "sm.ops.ffma.throughput", how);
    CHECK_FALSE(rate.high.value);
    if (!simulate) {  // the simulator issues in whole cycles
        CHECK(rate.elasticity.value.value() == Approx(-1).margin(0.01));
    }
    for (const auto* key : {"dram.bandwidth", "l2.size", "sm.shared_memory.latency_32", "sm.ops.dfma.latency",
                            "declared.fp32", "l1.bandwidth"}) {
        INFO(key);
        CHECK(row_of(launch, spec, key, how).elasticity.value.value() == 0);
    }
}

TEST_CASE("a launch much longer than its overhead still pays it", "[sensitivity]") {
    // time = cycles / clock + overhead: e(overhead) = overhead / time, exactly for any step in the limit
    const std::vector<Override> overrides{{"launch.overhead", "5 us"}};
    const auto spec = variable("v100_sxm2", overrides);
    const auto launch = family_launch("warptile", 256, spec.arch());
    const auto row = row_of(launch, spec, "launch.overhead", options(false, 0.01));
    const auto base = base_time(launch, spec, options(false)).analytic_seconds.value();
    CHECK(row.elasticity.value.value() == Approx(5e-6 / base).epsilon(1e-3));
}

TEST_CASE("keys that are left out change nothing in either model", "[sensitivity][slow]") {
    const char* arch = GENERATE("v100_sxm2", "h200_sxm", "k40");
    const auto spec = variable(arch, {});
    const auto launch = family_launch("warptile", 256, spec.arch());
    const auto base = base_time(launch, spec, options(true));
    REQUIRE(base.simulated_seconds);
    int checked = 0;
    for (const auto& field : schema()) {
        if (field.kind != FieldKind::number || !spec.value(field)) {
            continue;
        }
        const bool left_out = !can_matter(field, launch.program, spec.arch());
        const auto variant = spec_neighbour(spec, field, 0.1, Direction::down).arch;
        if (!variant || !(left_out || (acts_by_occupancy(field) &&
                                       same_occupancy(launch.program, spec.arch(), *variant)))) {
            continue;
        }
        INFO(arch << " " << field.key);
        const auto time = time_launch(launch.program, *variant, {});
        CHECK(time.analytic_seconds == base.analytic_seconds);
        CHECK(time.simulated_seconds == base.simulated_seconds);
        ++checked;
    }
    CHECK(checked > 10);
}

TEST_CASE("register ports slower than their slack do not stop a launch", "[sensitivity]") {
    const auto spec = variable("v100_sxm2", {});
    const auto launch = family_launch("smem", 128, spec.arch());
    auto how = options(true);
    how.simulation.max_cycles = 10000000;
    const auto base = base_time(launch, spec, how).simulated_seconds.value();
    for (const auto* key : {"sm.register_file.reads_per_bank", "sm.register_file.operand_slack"}) {
        INFO(key);
        const auto row = row_of(launch, spec, key, how);
        REQUIRE(row.low.time.simulated_seconds);
        CHECK(*row.low.time.simulated_seconds >= 0.99 * base);
    }
}

TEST_CASE("parameters take the next halves and doubles", "[sensitivity]") {
    const ParamSpec spec{"BK", 16, 1, 64, "", false};
    using Values = std::vector<std::int64_t>;
    CHECK(neighbour_parameters(spec, 16, Direction::up) == Values{32, 64});
    CHECK(neighbour_parameters(spec, 16, Direction::down) == Values{8, 4, 2});
    CHECK(neighbour_parameters(spec, 12, Direction::up) == Values{13, 14, 15});
    CHECK(neighbour_parameters(spec, 1, Direction::down).empty());
    CHECK(neighbour_parameters(spec, 0, Direction::up).empty());
    CHECK(neighbour_parameters({"BK", 16, 1, 64, "", true}, 16, Direction::up).empty());
}

TEST_CASE("a study times neighbouring parameters or says the rule", "[sensitivity]") {
    const auto spec = variable("v100_sxm2");
    const auto launch = family_launch("smem", 256, spec.arch());
    const auto study = study_sensitivity(launch, spec, {}, options(false));
    REQUIRE(study.parameters.size() == launch.family->family->params.size() + 1);
    const auto& tile = study.parameters[0];
    CHECK(tile.name == "BS");
    CHECK(tile.low.value.value() == 16);
    CHECK(tile.low.time.analytic_seconds.value() > 0);
    CHECK_FALSE(tile.high.time.analytic_seconds);  // 64 x 64 threads
    CHECK_FALSE(tile.high.reason.empty());
    const auto& registers = study.parameters.back();
    CHECK(registers.high.value.value() == launch.program.resources.registers_per_thread + 8);
}

TEST_CASE("rows are ranked by what they change, estimates by what is at stake", "[sensitivity]") {
    std::vector<SensitivityRow> rows(4);
    const std::vector<double> elasticities{0.1, -0.9, 0.5, 0.2};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].name = std::string(1, static_cast<char>('a' + i));
        rows[i].elasticity.value = elasticities[i];
        rows[i].estimated = i != 1;
    }
    rows[0].uncertainty = 0.5;   // at stake: 5 %
    rows[3].uncertainty = 0.01;  // 0.2 %
    rows.emplace_back();         // not varied
    CHECK(by_elasticity(rows)[0]->name == "b");
    CHECK_FALSE(by_elasticity(rows).back()->varied());
    const auto inputs = uncertain_inputs(rows);
    REQUIRE(inputs.size() == 3);
    CHECK(inputs[0]->name == "a");
    CHECK(inputs[1]->name == "d");
    CHECK(inputs[2]->name == "c");
}

TEST_CASE("what-ifs move keys alone and together", "[sensitivity]") {
    const auto spec = variable("v100_sxm2");
    const auto launch = ffma_launch(spec.arch());
    const auto* clock = find_field("clock.sm");
    const auto* rate = find_field("sm.ops.ffma.throughput");
    const auto* lanes = find_field("sm.pipes.fma.lanes");
    const auto cases =
        what_if(launch, spec, {{clock, 2 * 1.53e9}, {rate, 128}, {lanes, 128}}, options(false));
    REQUIRE(cases.size() == 4);
    const auto base = base_time(launch, spec, options(false)).analytic_seconds.value();
    CHECK(cases[0].time.analytic_seconds.value() == Approx(base / 2));
    CHECK_FALSE(cases[1].time.analytic_seconds);  // lanes forbid it
    CHECK_FALSE(cases[1].reason.empty());
    CHECK(cases[3].time.analytic_seconds.value() < base / 2);
}

TEST_CASE("a study is the same on any number of threads", "[sensitivity]") {
    const auto spec = variable("v100_sxm2");
    const auto launch = family_launch("smem", 256, spec.arch());
    auto backwards = options(true);
    backwards.for_each = [](std::size_t count, const std::function<void(std::size_t)>& work) {
        for (std::size_t i = count; i-- > 0;) {
            work(i);
        }
    };
    const std::vector<const Field*> keys{find_field("clock.sm"), find_field("l1.latency")};
    const auto a = study_sensitivity(launch, spec, keys, options(true));
    const auto b = study_sensitivity(launch, spec, keys, backwards);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        CHECK(a.keys[i].elasticity.value == b.keys[i].elasticity.value);
        CHECK(a.keys[i].name == b.keys[i].name);
    }
    CHECK(a.parameters[0].low.time.simulated_seconds == b.parameters[0].low.time.simulated_seconds);
}
