// What-ifs against programs in which the lifted limiter is not there, and against closed forms.
#include "model/explain/explain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "model/explain/limiters.h"
#include "tests/support/micro.h"

namespace explain_test {

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

// All SMs alike, so that the simulated one runs exactly its share of the blocks.
ArchSpec even(const std::string& name) {
    auto spec = arch(name);
    spec.launch.sm_drift = 0;
    return spec;
}

const ExplainRow& row(const std::vector<ExplainRow>& rows, const std::string& name) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&name](const ExplainRow& r) { return r.name == name; });
    INFO(name);
    REQUIRE(found != rows.end());
    return *found;
}

SimOptions exact() {
    SimOptions options;
    options.exact = true;
    return options;
}

std::vector<ExplainRow> explained(const KernelProgram& program, const ArchSpec& spec,
                                  const SimOptions& options = exact()) {
    const auto base = simulate(program, spec, options);
    REQUIRE(base.status == SimStatus::ok);
    return explain(program, spec, options, {base.cycles, base.time_seconds});
}

// Tiles through shared memory: the row pitch decides how many lanes of a load and of a store meet in a bank.
KernelProgram tiled(std::int64_t pitch_bytes, std::int64_t blocks) {
    const int warps = 4;
    const auto column = [pitch_bytes](const Coord& at) { return at.thread % 32 * pitch_bytes; };
    Segment fill;
    fill.name = "fill";
    fill.thread_end = 32 * warps;
    fill.code = {load(MemorySpace::global, 8, 0, 1, 0), store(MemorySpace::shared, 8, 1, 1, 1), barrier()};
    fill.sites = {site(MemorySpace::global, AccessKind::load, 1,
                       [](const Coord& at) {
                           return at.thread * 4 + at.loop[0] * 4096 + at.block_x * std::int64_t{1 << 18};
                       }),
                  site(MemorySpace::shared, AccessKind::store, 1, column)};
    Segment use = fill;
    use.name = "use";
    use.sites = {site(MemorySpace::shared, AccessKind::load, 1, column)};
    use.code = {};
    for (int k = 0; k < 8; ++k) {
        use.code.push_back(load(MemorySpace::shared, 16 + k, 2, 1));
        use.code.push_back(ffma(32 + k, 16 + k, 21, 32 + k));
    }
    use.code.push_back(barrier());
    Segment close = use;
    close.name = "close";
    close.sites.clear();
    close.code = {arithmetic(OpClass::iadd, 3, {3}), branch()};
    const auto interval = [](const Segment& segment, bool ends) {
        Interval i;
        i.segments = {segment};
        i.barrier_after = ends;
        return i;
    };
    Loop loop;
    loop.name = "tiles";
    loop.trips = 24;
    loop.body = {interval(fill, true), interval(use, true), interval(close, false)};
    auto program = straight({}, warps);
    program.body = {loop};
    program.grid.x = blocks;
    program.arrays = {{"in", std::int64_t{1} << 26, true, false}};
    return program;
}

}  // namespace

TEST_CASE("what the launch needs outside the SM is not lifted with the SM's limits", "[explain]") {
    const auto spec = even("h200_sxm");
    const auto program = tiled(33 * 4, 264);
    const auto run = simulate(program, spec, exact());
    REQUIRE(run.status == SimStatus::ok);
    const double queue = 10 * run.cycles;
    const double seconds = queue / spec.clock.sm_hz + spec.launch.overhead_seconds;
    const auto rows = explain(program, spec, exact(), {queue, seconds, queue});
    for (const auto& r : rows) {
        INFO(r.name);
        if (r.name == "atomics at L2") {
            CHECK(r.cycles == run.cycles);
        } else if (r.name == "launch overhead") {
            CHECK(r.saved_seconds == Approx(spec.launch.overhead_seconds));
        } else {
            CHECK(r.saved_seconds <= 0);
        }
    }
    CHECK(rows.front().name == "atomics at L2");
}

TEST_CASE("without bank conflicts a kernel takes as long as its padded twin", "[explain]") {
    for (const auto* name : {"h200_sxm", "v100_sxm2", "rtx_a6000"}) {
        INFO(name);
        const auto spec = even(name);
        constexpr std::int64_t word = 4;
        const auto padded = simulate(tiled(33 * word, 264), spec, exact());
        for (const std::int64_t words : {2, 8, 32}) {
            INFO(words << "-way");
            const auto program = tiled(words * word, 264);
            const auto base = simulate(program, spec, exact());
            CHECK(base.counters.shared_conflicts > 0);
            CHECK(base.cycles > padded.cycles);
            const auto free =
                row(explain(program, spec, exact(), {base.cycles, base.time_seconds}), "bank conflicts");
            CHECK(free.cycles == padded.cycles);
            CHECK(free.saved_seconds == Approx(base.time_seconds - padded.time_seconds));
        }
        CHECK(row(explained(tiled(33 * word, 264), spec), "bank conflicts").saved_seconds == 0);
    }
}

TEST_CASE("coalesced accesses of the same bytes cost what the ideal row says", "[explain]") {
    const auto spec = even("h200_sxm");
    const auto copy = [](std::int64_t stride) {
        return with_grid(straight({load(MemorySpace::global, 8, 0, 1), ffma(9, 8, 8, 9)}, 8,
                                  {site(MemorySpace::global, AccessKind::load, 1,
                                        [stride](const Coord& at) {
                                            return at.block_x * (1 << 16) + at.thread / 32 * 4096 +
                                                   at.thread % 32 * stride;
                                        })}),
                         1);
    };
    const auto good = simulate(copy(4), spec, exact());
    const auto scattered = explained(copy(128), spec);
    CHECK(row(scattered, "uncoalesced accesses").saved_seconds > 0);
    CHECK(row(scattered, "uncoalesced accesses").cycles == good.cycles);
    CHECK(row(explained(copy(4), spec), "uncoalesced accesses").saved_seconds == 0);
}

TEST_CASE("a chain of dependent products takes one cycle each without arithmetic latency", "[explain]") {
    auto spec = even("h200_sxm");
    spec.launch.blocks_per_cycle = 0;  // no limit
    constexpr int n = 100;
    // a block for each SM: nothing is lost to quantisation
    const auto program = with_grid(straight(std::vector<Instruction>(n, ffma(9, 0, 0, 9))), spec.sm_count);
    const auto rows = explained(program, spec);
    const double latency = spec.op(OpClass::ffma)->latency_cycles;
    const auto& free = row(rows, "arithmetic latency");
    CHECK(free.cycles == n);
    CHECK(free.saved_seconds * spec.clock.sm_hz == Approx((n - 1) * (latency - 1)));
    CHECK(rows[0].name == "launch overhead");  // 0.3 us of products in a launch of microseconds
    CHECK(rows[1].name == "arithmetic latency");
    for (const auto* absent : {"bank conflicts", "uncoalesced accesses", "barriers", "memory queue",
                               "L2 bandwidth", "DRAM bandwidth", "DRAM accesses", "memory latency",
                               "taken branches", "shared-memory and L1 bandwidth"}) {
        INFO(absent);
        CHECK(row(rows, absent).saved_seconds == 0);
    }
}

TEST_CASE("unlimited pipes and issue slots: independent products of w warps", "[explain]") {
    const auto spec = arch("v100_sxm2", {"sm.register_file.reads_per_bank=8 reads/clk"});
    constexpr int n = 64;
    constexpr int warps = 8;  // two per scheduler
    std::vector<Instruction> code;
    for (int i = 0; i < n; ++i) {
        code.push_back(ffma(8 + i, 0, 1, 2));
    }
    const auto rows = explained(straight(code, warps), spec);
    const auto base = simulate(straight(code, warps), spec, exact());
    CHECK(base.cycles ==
          Approx(4 * n).margin(4));  // an FFMA takes its pipe for two cycles, two warps share it
    CHECK(row(rows, "math pipes").cycles == Approx(2 * n).margin(4));  // then the issue slot is shared
    CHECK(row(rows, "issue slots").cycles == Approx(4 * n).margin(4));
    CHECK(row(rows, "issue slots and math pipes").cycles == Approx(n).margin(4));
}

TEST_CASE("one block more than SMs: quantisation costs nearly half", "[explain]") {
    const auto spec = even("h200_sxm");
    const auto chain = straight(std::vector<Instruction>(5000, ffma(9, 0, 0, 9)));
    auto program = with_grid(chain, spec.sm_count + 1);
    program.resources.static_shared_bytes = 48 << 10;  // several are resident
    const auto base = simulate(program, spec, exact());
    const auto alone = simulate(with_grid(chain, 1), spec, exact());
    const auto& fair = row(explained(program, spec), "wave quantisation");
    const double x = (spec.sm_count + 1.0) / spec.sm_count;
    CHECK(fair.cycles == Approx(alone.cycles + (x - 1) * (base.cycles - alone.cycles)).epsilon(1e-3));

    // whole rounds: nothing to gain
    const auto& even = row(explained(with_grid(chain, 2 * spec.sm_count), spec), "wave quantisation");
    CHECK(even.saved_seconds == Approx(0).margin(1e-12));
}

TEST_CASE("launch overhead is saved as it stands in the spec", "[explain]") {
    const auto spec = even("h200_sxm");
    const auto rows = explained(tiled(132, 132), spec);
    CHECK(row(rows, "launch overhead").saved_seconds == Approx(spec.launch.overhead_seconds));
}

TEST_CASE("what a spec does not limit is said, not guessed", "[explain]") {
    const auto spec = even("c2050");
    const auto rows = explained(straight({ffma(9, 0, 0, 9)}), spec);
    const auto& ports = row(rows, "register ports");
    CHECK(ports.status == ExplainStatus::not_modelled);
    CHECK_FALSE(ports.reason.empty());
    CHECK(rows.back().status != ExplainStatus::ok);
    CHECK(rows.size() == limiters().size() + 2);
}

// List scheduling has anomalies: a resource that comes free earlier can lengthen a schedule (Graham, SIAM J.
// Appl. Math. 17, 1969). Barriers realign the warps every trip, which keeps them small. Blocks that all start
// in the same cycle, without the dispatcher's stagger, meet at the same unit in every trip: that costs more.
TEST_CASE("lifting a limiter never costs more than scheduling jitter", "[explain][property]") {
    constexpr double jitter_pct = 2;
    constexpr double in_step_pct = 10;
    for (const auto* name : {"k40", "v100_sxm2", "h200_sxm", "rtx_a6000"}) {
        const auto spec = even(name);
        for (const std::int64_t pitch : {4, 8, 132}) {
            for (const auto& r : explained(tiled(pitch, 4 * spec.sm_count), spec)) {
                INFO(name << " pitch " << pitch << ": " << r.name << " " << r.saved_pct);
                CHECK(r.status != ExplainStatus::failed);
                const double most = r.name == "block launch" ? in_step_pct : jitter_pct;
                CHECK((r.status != ExplainStatus::ok || r.saved_pct >= -most));
            }
        }
    }
}

TEST_CASE("rows come largest saving first and the same twice", "[explain]") {
    const auto spec = even("v100_sxm2");
    const auto a = explained(tiled(64, 160), spec);
    const auto b = explained(tiled(64, 160), spec);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].name == b[i].name);
        CHECK(a[i].time_seconds == b[i].time_seconds);
        if (i > 0 && a[i].status == ExplainStatus::ok) {
            CHECK(a[i].saved_seconds <= a[i - 1].saved_seconds);
        }
    }
}

}  // namespace explain_test
