#include "model/sim/blocks/block_queue.h"

#include <catch2/catch.hpp>

using namespace gpumodel::sim;

namespace {

BlockPlan plan(std::size_t share, std::size_t beyond = 0) {
    BlockPlan made;
    made.even_blocks = share;
    made.sms = 10;
    made.launch_blocks = static_cast<std::int64_t>(share) * made.sms;
    for (std::size_t i = 0; i < share + beyond; ++i) {
        made.blocks.push_back({{}, static_cast<std::int64_t>(10 * i), 0, static_cast<Cycle>(100 * i)});
    }
    return made;
}

}  // namespace

TEST_CASE("an SM takes its even share and no more", "[sim][unit]") {
    const auto blocks = plan(3);
    BlockQueue queue(blocks);
    CHECK(queue.waiting().size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        REQUIRE(queue.has_block(1000, 1));
        CHECK(queue.earliest_start() == static_cast<Cycle>(100 * i));
        CHECK(queue.take(1000) == i);
    }
    CHECK_FALSE(queue.has_block(1000, 1));
    CHECK(queue.waiting().empty());
    CHECK(queue.taken() == 3);
}

TEST_CASE("what is skipped or left out counts as taken, and as time that passed", "[sim][unit]") {
    const auto blocks = plan(5);
    BlockQueue queue(blocks);
    CHECK(queue.take(0) == 0);
    queue.skip({2, 150});
    CHECK(queue.waiting().size() == 2);
    CHECK(queue.waiting().front().index == 30);
    CHECK(queue.earliest_start() == 300 - 150);
    queue.leave_out(50);
    CHECK(queue.earliest_start() == 300 - 200);
    CHECK(queue.take(1) == 3);
    CHECK(queue.taken() == 4);
}

// Two blocks each for ten SMs: this SM has its share done. Whether another one is left depends on how many of
// the others' second blocks have been taken: with ends spread by 5 cycles per root of a cycle and this SM,
// the first of ten, 1.2816 deviations ahead (the normal distribution's ninth decile), that is the
// distribution's value at (now - when) / (5 root(now)) - 1.2816, for each block's time of taking.
TEST_CASE("a fast SM takes blocks that slower ones have not taken yet", "[sim][unit]") {
    auto blocks = plan(2, 1);
    blocks.sm_drift = 5;
    BlockQueue near(blocks);
    near.deal();
    near.take(990'000);
    // 1 + Phi(2 - 1.2816) = 1.764: 17.6 of twenty are taken
    CHECK(near.has_block(1'000'000, 1));
    near.take(1'000'000);
    CHECK_FALSE(near.has_block(1'000'000, 1));  // the plan has no more
    BlockQueue far(blocks);
    far.deal();
    far.take(985'000);
    // Phi(3 - 1.2816) = 0.957: 19.6 are taken, less than one is left
    CHECK_FALSE(far.has_block(1'000'000, 1));
    // the same distance is 0.75 deviations where the run is sixteen times as long, 1 + Phi(-0.5316) = 1.298,
    // and three again where its busiest unit idles a sixteenth of the time
    BlockQueue later(blocks);
    later.deal();
    later.take(15'985'000);
    CHECK(later.has_block(16'000'000, 1));
    CHECK_FALSE(later.has_block(16'000'000, 1.0 / 16));
    // early on SMs are 2 % apart, not 5: Phi(3.5 - 1.2816) = 0.987
    BlockQueue early(blocks);
    early.deal();
    early.take(9300);
    CHECK_FALSE(early.has_block(10'000, 1));
    blocks.sm_drift = 0;
    BlockQueue alike(blocks);
    alike.deal();
    alike.take(15'985'000);
    CHECK_FALSE(alike.has_block(16'000'000, 1));
}
