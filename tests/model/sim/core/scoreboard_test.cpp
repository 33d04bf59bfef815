#include "model/sim/core/scoreboard.h"

#include <catch2/catch.hpp>

#include "tests/support/hand_made.h"

using namespace gpumodel;
using namespace gpumodel::sim;
using namespace gpumodel::sim::hand_made;

namespace {

Scoreboard fresh() {
    Scoreboard board;
    board.reset(16);
    return board;
}

DecodedOp copy(bool starts_batch) {
    auto op = memory(OpKind::async_copy, -1, 0);
    op.starts_batch = starts_batch;
    return op;
}

DecodedOp group_wait(int left) {
    auto op = arithmetic(-1, -1);
    op.kind = OpKind::async_wait;
    op.batches_left = static_cast<std::int8_t>(left);
    return op;
}

DecodedOp copy_wait() {
    auto op = arithmetic(-1, -1);
    op.kind = OpKind::async_wait;
    op.waits_for_copies = true;
    return op;
}

}  // namespace

TEST_CASE("an arithmetic result is ready `latency` after the issue, to read and to overwrite",
          "[sim][unit]") {
    auto board = fresh();
    board.issue(arithmetic(3, 1, 4), 10);
    auto reason = StallReason::barrier;
    CHECK(board.ready(arithmetic(5, 3), 11, reason) == 14);
    CHECK(reason == StallReason::wait);
    CHECK(board.ready(arithmetic(3, 1), 11, reason) == 14);
    reason = StallReason::barrier;
    CHECK(board.ready(arithmetic(5, 3), 14, reason) == 14);
    CHECK(reason == StallReason::barrier);  // it does not wait beyond 14
    CHECK(board.ready(arithmetic(5, 1), 11, reason) == 0);
}

TEST_CASE("special functions are waited for as a short scoreboard", "[sim][unit]") {
    auto board = fresh();
    auto op = arithmetic(3, 1, 20);
    op.op = OpClass::sfu;
    board.issue(op, 0);
    auto reason = StallReason::wait;
    CHECK(board.ready(arithmetic(5, 3), 1, reason) == 20);
    CHECK(reason == StallReason::short_scoreboard);
}

TEST_CASE("a load's result is never ready until it is delivered", "[sim][unit]") {
    for (const auto kind : {OpKind::global_load, OpKind::shared_load, OpKind::shuffle}) {
        auto board = fresh();
        const auto load = memory(kind, 3, 1);
        board.send(load);
        auto reason = StallReason::wait;
        CHECK(board.ready(arithmetic(5, 3), 1, reason) == never);
        CHECK(reason ==
              (kind == OpKind::global_load ? StallReason::long_scoreboard : StallReason::short_scoreboard));
        board.deliver(load, 0, 77);
        CHECK(board.ready(arithmetic(5, 3), 1, reason) == 77);
        CHECK(board.ready(arithmetic(3, 5), 1, reason) == 77);
    }
}

TEST_CASE("sources that are still read may be read again, not overwritten", "[sim][unit]") {
    auto board = fresh();
    const auto store = memory(OpKind::global_store, -1, 3);
    board.hold_sources(store, 9);
    board.hold_sources(store, 7);  // the longer one counts
    board.send(store);
    auto reason = StallReason::wait;
    CHECK(board.ready(arithmetic(5, 3), 1, reason) == 0);
    CHECK(board.ready(arithmetic(3, 5), 1, reason) == 9);
    CHECK(reason ==
          StallReason::long_scoreboard);  // as a profiler counts registers of global memory operations
}

TEST_CASE("a wait needs all copies but those of a batch that began after the last wait", "[sim][unit]") {
    auto board = fresh();
    auto reason = StallReason::wait;
    CHECK(board.ready(copy_wait(), 1, reason) == 0);

    // first batch: two copies, begun after no wait at all; it is new, so a wait passes it by
    CHECK(board.batch_of(copy(true)) == 1);
    board.send(copy(true));
    CHECK(board.batch_of(copy(false)) == 1);
    board.send(copy(false));
    CHECK(board.ready(copy_wait(), 1, reason) == 0);
    board.wait_for_copies();
    // a second wait needs both
    CHECK(board.ready(copy_wait(), 1, reason) == never);
    CHECK(reason == StallReason::long_scoreboard);

    // second batch under way: only the first is needed
    board.send(copy(true));
    board.deliver(copy(true), 1, 50);
    CHECK(board.ready(copy_wait(), 1, reason) == never);
    board.deliver(copy(false), 1, 40);
    CHECK(board.ready(copy_wait(), 1, reason) == 50);
    board.wait_for_copies();
    CHECK(board.ready(copy_wait(), 1, reason) == never);
    board.deliver(copy(true), 2, 90);
    CHECK(board.ready(copy_wait(), 1, reason) == 90);
}

TEST_CASE("a wait that leaves n groups of copies under way needs all older ones, and the open one never",
          "[sim][unit]") {
    auto board = fresh();
    constexpr int groups = 12;  // more than are told apart
    for (int g = 0; g < groups; ++g) {
        board.send(copy(false));
        board.send(copy(false));
        board.end_batch();
    }
    board.send(copy(false));  // its group has not ended
    auto reason = StallReason::selected;
    for (int left = 0; left < groups; ++left) {
        CHECK(board.ready(group_wait(left), 0, reason) == never);
    }
    CHECK(reason == StallReason::long_scoreboard);
    CHECK(board.ready(group_wait(groups), 0, reason) == never);  // told apart are eight: that much later
    for (int g = 0; g < groups; ++g) {
        board.deliver(copy(false), g, 100 + 10 * g);
        CHECK(board.ready(group_wait(groups - 1 - g), 0, reason) == never);  // one of its two is missing
        board.deliver(copy(false), g, 101 + 10 * g);
        const auto ready = board.ready(group_wait(groups - 1 - g), 0, reason);
        CHECK(ready == (g < 4 ? never : 101 + 10 * g));
    }
    CHECK(board.ready(group_wait(0), 0, reason) == 101 + 10 * (groups - 1));
}

TEST_CASE("groups without copies have come when they end", "[sim][unit]") {
    auto board = fresh();
    board.send(copy(false));
    board.end_batch();
    for (int empty = 0; empty < 2; ++empty) {
        board.end_batch();
    }
    auto reason = StallReason::selected;
    CHECK(board.ready(group_wait(3), 7, reason) == 0);
    CHECK(board.ready(group_wait(2), 7, reason) == never);
    board.deliver(copy(false), 0, 50);
    CHECK(board.ready(group_wait(0), 7, reason) == 50);
}
