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
        REQUIRE(queue.has_block(1000));
        CHECK(queue.earliest_start() == static_cast<Cycle>(100 * i));
        CHECK(queue.take(1000) == i);
    }
    CHECK_FALSE(queue.has_block(1000));
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
// the others' second blocks have been taken: with times spread by 10 %, this SM 1.28 deviations ahead, that
// is the normal distribution's value at (now - when) / (0.1 now) - 1.28, for each block's time of taking.
TEST_CASE("a fast SM takes blocks that slower ones have not taken yet", "[sim][unit]") {
    auto blocks = plan(2, 1);
    blocks.sm_time_spread = 0.1;
    BlockQueue queue(blocks);
    queue.take(0);
    queue.take(1000);
    // at 1000: Phi(10 - 1.28) + Phi(0 - 1.28) = 1 + 0.1: eleven of twenty are taken
    CHECK(queue.has_block(1000));
    // at 2000: 1 + Phi(1000 / 200 - 1.28) = 1.9999: 19.999 of 20 are taken
    CHECK(queue.has_block(2000));
    queue.take(2000);
    CHECK_FALSE(queue.has_block(2000));  // the plan has no more
    BlockQueue late(blocks);
    late.take(0);
    late.take(0);
    // long after, all twenty are gone: 2 Phi(10 - 1.28) x 10 = 20
    CHECK_FALSE(late.has_block(1'000'000));
}
