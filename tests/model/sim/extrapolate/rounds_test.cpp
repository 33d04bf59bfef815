#include "model/sim/extrapolate/rounds.h"

#include <catch2/catch.hpp>

namespace rounds_test {

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

constexpr double of_block = 50;  // instructions

// A block of the only body ends so many cycles after the one before; what is skipped of `waiting` ones.
class PaperRun {
public:
    explicit PaperRun(int resident) : rounds_({of_block}, resident, left_out) {}

    BlockSkip block(Cycle cycles, std::size_t waiting) {
        now_ += cycles;
        counters_.instructions += of_block;
        stalls_[0][2] += 7;
        const std::vector<PlannedBlock> blocks(waiting);
        return rounds_.block_ended() ? rounds_.after_round({now_, counters_, stalls_, {}}, blocks)
                                     : BlockSkip{};
    }

    LeftOut left_out;

private:
    RoundExtrapolator rounds_;
    Cycle now_ = 0;
    SimCounters counters_;
    std::vector<StallCycles> stalls_ = std::vector<StallCycles>(1);
};

}  // namespace

TEST_CASE("rounds: four that agree behind the first skip all but the last block", "[sim][unit]") {
    PaperRun run(1);
    CHECK(run.block(170, 100).blocks == 0);  // the first one is warm-up
    for (int i = 0; i < 3; ++i) {
        CHECK(run.block(100, 100).blocks == 0);
    }
    const auto skip = run.block(100, 12);
    CHECK(skip.blocks == 11);
    CHECK(skip.cycles == 1100);
    CHECK(run.left_out.blocks == 11);
    CHECK(run.left_out.counters.instructions == Approx(11 * of_block));
    CHECK(run.left_out.stalls[0][2] == 11 * 7);
}

TEST_CASE("rounds: with several resident blocks a round is a multiple of them", "[sim][unit]") {
    PaperRun run(3);  // rounds of six
    for (int i = 0; i < 5 * 6 - 1; ++i) {
        CHECK(run.block(100, 100).blocks == 0);
    }
    // of 20 waiting, a whole number of threes and a last round of three
    const auto skip = run.block(100, 20);
    CHECK(skip.blocks == 15);
    CHECK(skip.cycles == 1500);
}

TEST_CASE("rounds: too few blocks wait", "[sim][unit]") {
    PaperRun run(1);
    for (int i = 0; i < 20; ++i) {
        CHECK(run.block(100, 1).blocks == 0);
    }
}

TEST_CASE("rounds: a drift is simulated", "[sim][unit]") {
    PaperRun run(1);
    for (int i = 0; i < 12; ++i) {
        CHECK(run.block(100 + 2 * i, 100).blocks == 0);
    }
    CHECK(run.left_out.cycles == 0);
}

}  // namespace rounds_test
