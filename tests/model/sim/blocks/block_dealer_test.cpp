// The dealer alone: nobody runs the blocks, the test says when their warps end.
#include "model/sim/blocks/block_dealer.h"

#include <catch2/catch.hpp>

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

struct Started {
    int slot = 0;
    Cycle at = 0;
    std::int64_t block = 0, order = 0;
    friend bool operator==(const Started&, const Started&) = default;
};

struct Heard final : DealerNeighbours {
    std::vector<Started> started;
    std::vector<std::pair<int, Cycle>> released;
    std::vector<std::size_t> waiting;
    BlockSkip skip;

    void start_block(int slot, const BlockStart& start, const PlannedBlock& block) override {
        CHECK(block.index == start.block);
        started.push_back({slot, start.at, start.block, start.order});
    }
    void release(int slot, Cycle /*complete*/, Cycle at) override { released.emplace_back(slot, at); }
    [[nodiscard]] double idle(Cycle /*now*/) const override { return 1; }
    BlockSkip block_ended(Cycle /*end*/, std::span<const PlannedBlock> blocks) override {
        waiting.push_back(blocks.size());
        return std::exchange(skip, {});
    }
};

struct Bench {
    explicit Bench(int blocks, int warps = 1) {
        plan.even_blocks = static_cast<std::size_t>(blocks);
        plan.resident = 2;
        plan.turnover = 10;
        for (int i = 0; i < blocks; ++i) {
            plan.blocks.push_back({{}, 7 * i, 0, 3 * i});
        }
        machine.arrival_cycles = 2;
        machine.barrier_latency = 20;
        dealer = std::make_unique<BlockDealer>(plan, machine, warps, nullptr, heard);
        dealer->start();
    }
    void warp_over(int slot, Cycle last) {
        dealer->warp_exited(slot, last);
        dealer->warp_ended(slot, last);
    }
    BlockPlan plan;
    Machine machine;
    Heard heard;
    std::unique_ptr<BlockDealer> dealer;
};

}  // namespace

TEST_CASE("dealer: blocks start in order, the next one in the slot that frees first", "[sim][unit]") {
    Bench bench(4);
    CHECK(bench.heard.started == std::vector<Started>{{0, 0, 0, 0}, {1, 3, 7, 1}});
    bench.warp_over(1, 99);  // its last cycle: the block's end is 100
    bench.warp_over(0, 119);
    CHECK(bench.heard.started[2] == Started{1, 110, 14, 2});
    CHECK(bench.heard.started[3] == Started{0, 130, 21, 3});
    CHECK(bench.heard.waiting == std::vector<std::size_t>{2, 1});
    bench.warp_over(0, 199);
    CHECK(bench.dealer->any_runs());
    bench.warp_over(1, 149);
    CHECK_FALSE(bench.dealer->any_runs());
    CHECK(bench.dealer->end() == 200);
    CHECK(bench.dealer->blocks() == 4);
}

TEST_CASE("dealer: fewer blocks than slots leave slots empty", "[sim][unit]") {
    Bench bench(1);
    CHECK(bench.dealer->slots() == 1);
    CHECK(bench.heard.started.size() == 1);
}

TEST_CASE("dealer: a block is over with its last warp", "[sim][unit]") {
    Bench bench(3, 2);
    bench.warp_over(0, 50);
    CHECK(bench.heard.started.size() == 2);
    bench.warp_over(0, 60);
    REQUIRE(bench.heard.started.size() == 3);
    CHECK(bench.heard.started[2] == Started{0, 71, 14, 2});
}

TEST_CASE("dealer: skipped blocks are passed over and keep their numbers", "[sim][unit]") {
    Bench bench(6);
    bench.heard.skip = {3, 500};
    bench.warp_over(0, 99);
    CHECK(bench.heard.waiting == std::vector<std::size_t>{4});
    CHECK(bench.heard.started[2] == Started{0, 110, 35, 5});
    CHECK(bench.dealer->blocks() == 6);
}

TEST_CASE("dealer: arrivals are counted one after the other, then the barrier's latency passes",
          "[sim][unit]") {
    Bench bench(2, 3);
    bench.dealer->arrive(0, 5);
    bench.dealer->arrive(0, 5);
    CHECK(bench.heard.released.empty());
    bench.dealer->arrive(1, 6);  // another block's: counted in the same row
    bench.dealer->arrive(0, 6);
    // counted at 5, 7, (9,) 11
    CHECK(bench.heard.released == std::vector<std::pair<int, Cycle>>{{0, 11 + 20}});
}

TEST_CASE("dealer: a warp that has exited keeps its block's place until its stores have left",
          "[sim][unit]") {
    Bench bench(3, 2);
    bench.dealer->arrive(0, 5);
    bench.dealer->warp_exited(0, 40);
    CHECK(bench.heard.released == std::vector<std::pair<int, Cycle>>{{0, 40 + 20}});
    bench.warp_over(0, 70);
    CHECK(bench.heard.started.size() == 2);
    bench.dealer->warp_ended(0, 99);
    REQUIRE(bench.heard.started.size() == 3);
    CHECK(bench.heard.started[2] == Started{0, 110, 14, 2});
}

TEST_CASE("dealer: a warp that ends is not waited for at the barrier", "[sim][unit]") {
    Bench bench(1, 3);
    bench.dealer->arrive(0, 5);
    bench.dealer->arrive(0, 8);
    CHECK(bench.heard.released.empty());
    bench.warp_over(0, 40);
    CHECK(bench.heard.released == std::vector<std::pair<int, Cycle>>{{0, 40 + 20}});
}
