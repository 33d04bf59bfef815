// The issue core alone: a memory that answers when the test says so, and no dealer.
#include "model/sim/core/issue_core.h"

#include <catch2/catch.hpp>

#include "tests/support/hand_made.h"

namespace issue_core_test {

using namespace gpumodel;
using namespace gpumodel::sim;
using namespace gpumodel::sim::hand_made;

namespace {

struct Heard final : CoreNeighbours {
    bool takes_part = true;
    std::vector<std::pair<int, Cycle>> sent, arrivals, exits, ends;  // warp or slot, cycle
    int trips = 0;

    bool send(const Warp& warp, const DecodedOp& /*op*/, Cycle now) override {
        sent.emplace_back(warp.number, now);
        return takes_part;
    }
    void arrived(int slot, Cycle now) override { arrivals.emplace_back(slot, now); }
    void warp_exited(int slot, Cycle now) override { exits.emplace_back(slot, now); }
    void warp_ended(int slot, Cycle now) override { ends.emplace_back(slot, now); }
    void trip_started(const Warp& /*warp*/, std::int32_t /*loop*/) override { ++trips; }
};

struct Issues : SimListener {
    std::vector<std::pair<int, Cycle>> issues;  // warp of the block, cycle
    void issued(const WarpIssue& issue) override { issues.emplace_back(issue.warp.warp, issue.cycle); }
};

// One block, started at cycle 0.
struct Bench {
    explicit Bench(WarpStream stream, int warps = 1, Machine of = machine(), ArchSpec spec = {})
        : arch(std::move(spec)),
          sm(std::move(of)),
          decoded(program(std::move(stream), warps)),
          account(decoded.code, &issues),
          core(arch, sm, decoded, 1, account, heard) {
        core.start_block(0, {});
    }
    // Until nothing is left to look at.
    void run() {
        while (core.next() < never) {
            core.step(core.next());
        }
    }
    [[nodiscard]] Cycle cycles(StallReason reason) const {
        Cycle sum = 0;
        for (const auto& line : account.stalls()) {
            sum += line[static_cast<std::size_t>(reason)];
        }
        return sum;
    }

    ArchSpec arch;
    Machine sm;
    DecodedProgram decoded;
    Heard heard;
    Issues issues;
    RunAccount account;
    IssueCore core;
};
using IssueList = std::vector<std::pair<int, Cycle>>;

}  // namespace

TEST_CASE("core: a dependent instruction issues at its source's latency", "[sim][unit]") {
    Bench bench(straight({arithmetic(1, 0, 4), arithmetic(2, 1, 4), arithmetic(3, 0, 4)}));
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 4}, {0, 5}});
    CHECK(bench.heard.ends == IssueList{{0, 5}});
    CHECK(bench.cycles(StallReason::selected) == 3);
    CHECK(bench.cycles(StallReason::wait) == 3);
    CHECK(bench.account.resident_warp_cycles() == 6);
    CHECK(bench.account.accounted_warp_cycles() == 6);
}

TEST_CASE("core: one issue per scheduler and cycle; the warp passed over was not selected", "[sim][unit]") {
    Bench bench(straight({arithmetic(1, 0)}), 3);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {1, 1}, {2, 2}});
    CHECK(bench.cycles(StallReason::not_selected) == 1 + 2);
}

TEST_CASE("core: what a load brings is waited for until it is delivered", "[sim][unit]") {
    Bench bench(straight({memory(OpKind::global_load, 1, 0), arithmetic(2, 1), arithmetic(3, 0)}));
    bench.run();
    CHECK(bench.heard.sent == IssueList{{0, 0}});
    REQUIRE(bench.issues.issues.size() == 1);
    bench.core.deliver(bench.decoded.bodies[0].streams[0].ops[0], 0, 0, 0, 2, 40);
    CHECK(bench.core.next() == 40);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 40}, {0, 41}});
    CHECK(bench.cycles(StallReason::long_scoreboard) == 39);  // cycles 1 to 39
}

TEST_CASE("core: a result for a block that has gone is dropped", "[sim][unit]") {
    Bench bench(straight({arithmetic(3, 0), memory(OpKind::global_load, 1, 0)}));
    bench.run();
    REQUIRE(bench.heard.ends.size() == 1);
    bench.core.start_block(0, {100, 7, 1, 0});
    bench.core.deliver(bench.decoded.bodies[0].streams[0].ops[1], 0, 0, 0, 2, 500);
    bench.run();  // the second block's load may write its register at once
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 1}, {0, 100}, {0, 101}});
}

TEST_CASE("core: a warp ends when its last store has left the memory queue", "[sim][unit]") {
    const auto store = memory(OpKind::global_store, -1, 0);
    auto sm = machine();
    sm.waits_for_stores = true;
    Bench bench(straight({arithmetic(1, 0), store, store}), 1, sm);
    bench.run();
    REQUIRE(bench.heard.exits.size() == 1);
    const Cycle exit = bench.heard.exits.front().second;
    CHECK(bench.heard.ends.empty());
    bench.core.deliver(bench.decoded.bodies[0].streams[0].ops[1], 0, 0, 0, exit + 40, 0);
    CHECK(bench.heard.ends.empty());
    bench.core.deliver(bench.decoded.bodies[0].streams[0].ops[2], 0, 0, 0, exit + 90, 0);
    CHECK(bench.heard.ends == std::vector<std::pair<int, Cycle>>{{0, exit + 89}});
    CHECK(bench.cycles(StallReason::drain) == 89);
    CHECK(bench.account.resident_warp_cycles() == bench.account.accounted_warp_cycles());
}

TEST_CASE("core: without a lane nothing is sent and nothing is waited for", "[sim][unit]") {
    auto sm = machine();
    sm.memory_queue_depth = 1;
    Bench bench(
        straight({memory(OpKind::global_load, 1, 0), memory(OpKind::global_load, 2, 0), arithmetic(3, 1)}), 1,
        sm);
    bench.heard.takes_part = false;
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 1}, {0, 2}});
}

TEST_CASE("core: a full memory queue holds a memory instruction, not the others", "[sim][unit]") {
    auto sm = machine();
    sm.memory_queue_depth = 1;
    Bench bench(straight({memory(OpKind::global_load, 1, 0), memory(OpKind::global_load, 2, 0)}), 1, sm);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}});
    bench.core.deliver(bench.decoded.bodies[0].streams[0].ops[0], 0, 0, 0, 12, 40);
    CHECK(bench.core.next() == 12);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 12}});
    CHECK(bench.cycles(StallReason::lg_throttle) == 11);  // cycles 1 to 11
    CHECK(bench.cycles(StallReason::mio_throttle) == 0);
}

TEST_CASE(
    "core: a full queue is mio_throttle for shared memory; once it has room, one of those that wait goes",
    "[sim][unit]") {
    auto sm = machine();
    sm.memory_queue_depth = 1;
    Bench bench(straight({memory(OpKind::shared_load, 1, 0)}), 3, sm);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}});
    const auto& op = bench.decoded.bodies[0].streams[0].ops[0];
    bench.core.deliver(op, 0, 0, 0, 12, 40);
    bench.run();
    bench.core.deliver(op, 1, 0, 0, 20, 60);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {1, 12}, {2, 20}});
    CHECK(bench.cycles(StallReason::not_selected) == 2 + 1);          // at 0 and at 12
    CHECK(bench.cycles(StallReason::mio_throttle) == 11 + (11 + 7));  // 1 to 11; 1 to 11 and 13 to 19
}

TEST_CASE("core: while one warp waits for its register ports, all that could go are held", "[sim][unit]") {
    ArchSpec arch;
    auto& file = arch.sm.register_file;
    file.bank_map = RegisterBankMap::modulo;
    file.banks = 2;
    file.reads_per_bank_per_cycle = 1;
    file.operand_slack_cycles = file.third_operand_slack_cycles = 2;
    auto sm = machine();
    sm.conflicts_hold_scheduler = true;
    auto product = arithmetic(1, 0);  // two registers of one bank: it is busy for two cycles
    product.reads[0] = {0, 0, 2, false};
    product.reads[1] = {0, 1, 4, false};
    product.read_count = 2;
    Bench bench(straight({product}), 3, sm, arch);
    bench.run();
    REQUIRE(bench.issues.issues.size() == 3);
    CHECK(bench.issues.issues[1].second == 2);
    CHECK(bench.issues.issues[2].second == 4);
    CHECK(bench.cycles(StallReason::dispatch_stall) == 2 + 1);  // two warps at 1, one at 3
    CHECK(bench.cycles(StallReason::not_selected) == 2 + 1);    // at 0 and at 2
}

TEST_CASE("core: a warp stays at a barrier until its block is released", "[sim][unit]") {
    Bench bench(straight({barrier(), arithmetic(1, 0)}), 2);
    bench.run();
    CHECK(bench.heard.arrivals == IssueList{{0, 0}, {0, 1}});
    bench.core.release(0, 30);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {1, 1}, {0, 30}, {1, 31}});
    CHECK(bench.cycles(StallReason::barrier) == 29 + 28);
}

TEST_CASE("core: a barrier at a warp's end is not waited for", "[sim][unit]") {
    Bench bench(straight({barrier()}));
    bench.run();
    CHECK(bench.heard.arrivals.empty());
    CHECK(bench.heard.ends == IssueList{{0, 0}});
}

TEST_CASE("core: a loop makes its trips, less those that are cut", "[sim][unit]") {
    constexpr int trips = 5;
    Bench whole(looped({arithmetic(1, 0), arithmetic(2, 0)}, trips));
    whole.run();
    CHECK(whole.issues.issues.size() == 2 * trips);
    CHECK(whole.heard.trips == trips - 1);

    Bench cut(looped({arithmetic(1, 0), arithmetic(2, 0)}, trips));
    cut.core.step(0);
    cut.core.cut_trips(0, 3);
    cut.run();
    CHECK(cut.issues.issues.size() == 2 * (trips - 3));
    // the next block makes all of them again
    cut.core.start_block(0, {100, 1, 1, 0});
    cut.run();
    CHECK(cut.issues.issues.size() == 2 * (trips - 3) + 2 * trips);
}

TEST_CASE("core: a taken branch costs its latency", "[sim][unit]") {
    auto sm = machine();
    sm.branch_latency = 7;
    auto back = arithmetic(-1, -1);
    back.kind = OpKind::branch;
    Bench bench(looped({arithmetic(1, 0), back}, 2), 1, sm);
    bench.run();
    CHECK(bench.issues.issues == IssueList{{0, 0}, {0, 1}, {0, 8}, {0, 9}});
    // as the profiler counts: 3 of 6 behind the stall count, the others until the target is there
    CHECK(bench.cycles(StallReason::branch_resolving) == 3);
    CHECK(bench.cycles(StallReason::no_instruction) == 3);
}

}  // namespace issue_core_test
