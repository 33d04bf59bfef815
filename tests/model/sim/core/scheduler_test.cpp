#include "model/sim/core/scheduler.h"

#include <catch2/catch.hpp>

#include "model/sim/core/pipes.h"
#include "tests/support/hand_made.h"

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

Scheduler with_places(int places) {
    Scheduler s(SchedulerPolicy::loose_round_robin, RegisterFile{});
    s.places = places;
    return s;
}

}  // namespace

TEST_CASE("a scheduler shows the warps that are ready and wakes for the next", "[sim][unit]") {
    auto s = with_places(4);
    s.set_ready(0, 5);
    s.set_ready(2, 3);
    s.set_ready(3, 9);
    CHECK(s.wake == 3);
    CHECK(s.ready(5, 1) == 0b0101);  // place 1 is never ready
    CHECK(s.wake == 9);
}

TEST_CASE("room in the memory queue goes to the warp that has waited longest", "[sim][unit]") {
    constexpr int depth = 1;
    auto s = with_places(3);
    s.queued = 1;
    s.wait_for_queue(2, 10);
    s.wait_for_queue(0, 11);
    s.wait_for_queue(2, 12);  // it waits since 10 all the same
    CHECK(s.ready(20, depth) == 0);
    CHECK(s.wake == never);
    s.leave_queue(25);
    CHECK(s.wake == 25);
    CHECK(s.ready(24, depth) == 0);  // its place can be taken in the next cycle
    CHECK(s.wake == 25);
    CHECK(s.ready(25, depth) == 0b100);
}

TEST_CASE("a warp of a block that started earlier goes first, however short it has waited", "[sim][unit]") {
    auto s = with_places(4);
    s.state.started(0, 7);
    s.state.started(1, 7);
    s.state.started(2, 3);
    s.state.started(3, 3);
    s.wait_for_queue(0, 10);
    s.wait_for_queue(3, 20);
    s.wait_for_queue(2, 30);
    CHECK(s.ready(40, 1) == 0b1000);  // of the two of block 3 the one that came first

    SchedulerState oldest(SchedulerPolicy::greedy_then_oldest);
    SchedulerState youngest(SchedulerPolicy::greedy_then_youngest);
    for (auto* state : {&oldest, &youngest}) {
        state->started(0, 7);
        state->started(1, 7);
        state->started(2, 3);
        state->started(3, 3);
    }
    CHECK(oldest.pick(0b1111) == 3);
    CHECK(oldest.pick(0b0111) == 2);
    CHECK(oldest.pick(0b0011) == 1);
    CHECK(youngest.pick(0b1111) == 1);
    oldest.issued(0);
    CHECK(oldest.pick(0b1111) == 0);  // it goes on while it is ready
}

TEST_CASE("a unit takes an instruction every `interval` cycles", "[sim][unit]") {
    auto machine = hand_made::machine(2);
    machine.pipes[0].interval = 2;
    Pipes pipes(machine);
    const auto op = hand_made::arithmetic(1, 2);
    Cycle retry = 0;
    REQUIRE(pipes.free_unit(op, 0, 7, retry) == 0);
    pipes.occupy(op, 0, 0, 7);
    CHECK(pipes.free_unit(op, 0, 8, retry) == -1);
    CHECK(retry == 9);
    CHECK(pipes.free_unit(op, 1, 8, retry) == 1);  // the other scheduler has its own
    CHECK(pipes.free_unit(op, 0, 9, retry) == 0);
}

// Kepler's 192 FP32 lanes: 6 units of 32 for 4 schedulers, the last two shared by two schedulers each.
TEST_CASE("neighbouring schedulers share the units beyond one each", "[sim][unit]") {
    auto machine = hand_made::machine(4);
    machine.pipes[0] = {1, 2};
    Pipes pipes(machine);
    const auto op = hand_made::arithmetic(1, 2);
    Cycle retry = 0;
    const auto issues = [&](int scheduler) {
        const int unit = pipes.free_unit(op, scheduler, 0, retry);
        if (unit >= 0) {
            pipes.occupy(op, unit, scheduler, 0);
        }
        return unit;
    };
    CHECK(issues(0) == 0);
    CHECK(issues(0) == 4);
    CHECK(issues(1) == 1);
    CHECK(issues(1) == -1);  // scheduler 0 has taken it
    CHECK(retry == 1);
    CHECK(issues(2) == 2);
    CHECK(issues(3) == 3);
    CHECK(issues(3) == 5);
    CHECK(issues(2) == -1);
}

TEST_CASE("a slow class keeps out its like, not the rest of the pipe", "[sim][unit]") {
    const auto machine = hand_made::machine();
    Pipes pipes(machine);
    const auto fast = hand_made::arithmetic(1, 2);
    auto slow = fast;
    slow.slow_interval = 2 * pipe_ticks;
    Cycle retry = 0;
    pipes.occupy(slow, 0, 0, 0);
    CHECK(pipes.free_unit(slow, 0, 1, retry) == -1);
    CHECK(retry == 2);
    CHECK(pipes.free_unit(fast, 0, 1, retry) == 0);
    pipes.occupy(fast, 0, 0, 1);
    CHECK(pipes.free_unit(slow, 0, 2, retry) == 0);
}
