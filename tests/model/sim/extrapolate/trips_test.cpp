// The extrapolator over trips, fed by a run that exists on paper only: its warps make a trip of ten
// instructions every so many cycles.
#include "model/sim/extrapolate/trips.h"

#include <catch2/catch.hpp>

#include "tests/support/hand_made.h"

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

constexpr int ops = 10;
constexpr std::int64_t window = 52;  // trips: 512 instructions (stream_profile_test.cpp)

class PaperRun {
public:
    explicit PaperRun(std::int64_t trips, int warps = 1)
        : profiles_(profiles_of(
              hand_made::program(hand_made::looped(std::vector<DecodedOp>(ops), trips), warps), 1)),
          extrapolator_(profiles_, 1, left_out) {
        warps_.resize(static_cast<std::size_t>(warps));
        for (auto& warp : warps_) {
            warp.order = 0;
        }
        extrapolator_.warps_started(warps);
    }
    // Every warp makes a trip in so many cycles. What the extrapolator answers, if it asks.
    TripSkip trip(Cycle cycles) {
        now_ += cycles;
        for (auto& warp : warps_) {
            if (warp.order >= 0) {
                ++warp.trip;
                counters_.instructions += ops;
                stalls_[0][0] += 3;
                extrapolator_.trip_started(0, 0, 0);
            }
        }
        return ask();
    }
    TripSkip ask() {
        return extrapolator_.asks() ? extrapolator_.answer({now_, counters_, stalls_, warps_}) : TripSkip{};
    }
    // The first answer that skips, within so many trips; cycles(trip) = that trip's.
    template <class Cycles>
    TripSkip run(std::int64_t trips, Cycles cycles) {
        for (std::int64_t t = 0; t < trips; ++t) {
            auto skip = trip(cycles(t));
            if (!skip.trips.empty()) {
                return skip;
            }
        }
        return {};
    }
    void end_warp(std::size_t warp) {
        warps_[warp].order = -1;
        extrapolator_.warp_ended();
    }
    [[nodiscard]] WarpStanding& warp(std::size_t index) { return warps_[index]; }
    [[nodiscard]] std::int64_t trips_made() const { return warps_.front().trip; }

    LeftOut left_out;

private:
    StreamProfiles profiles_;
    TripExtrapolator extrapolator_;
    std::vector<WarpStanding> warps_;
    Cycle now_ = 0;
    SimCounters counters_;
    std::vector<StallCycles> stalls_ = std::vector<StallCycles>(1);
};

Cycle even(std::int64_t /*trip*/) {
    return 20;
}

}  // namespace

// Windows end with the first trip and every 52 from there. One of five is warm-up, four have to agree; as
// many are skipped as were seen.
TEST_CASE("trips: a steady loop skips as many windows as were seen", "[sim][unit]") {
    PaperRun run(1000);
    const auto skip = run.run(1000, even);
    CHECK(run.trips_made() == 1 + 5 * window);
    REQUIRE(skip.trips == std::vector<std::int64_t>{4 * window});
    CHECK(skip.cycles == 4 * window * 20);
    CHECK(run.left_out.cycles == skip.cycles);
    CHECK(run.left_out.counters.instructions == Approx(4 * window * ops));
    CHECK(run.left_out.stalls[0][0] == 4 * window * 3);
    CHECK(run.left_out.warp_trips == 4 * window);
    CHECK(run.left_out.error_cycles == 0);
}

TEST_CASE("trips: nobody is skipped to the loop's end", "[sim][unit]") {
    constexpr std::int64_t trips = 300;
    PaperRun run(trips);
    const auto skip = run.run(trips, even);
    REQUIRE(skip.trips.size() == 1);
    // the last trip has begun when trips - 1 are made; an eighth of a window is kept in front of that
    CHECK(skip.trips[0] == trips - 1 - run.trips_made() - window / 8);
}

TEST_CASE("trips: what was cut before does not count as left", "[sim][unit]") {
    PaperRun run(1000);
    run.warp(0).trips_cut = 700;  // as if the loop had 300
    const auto skip = run.run(300, even);
    REQUIRE(skip.trips.size() == 1);
    CHECK(skip.trips[0] == 299 - run.trips_made() - window / 8);
}

TEST_CASE("trips: a pace that drifts is not steady", "[sim][unit]") {
    PaperRun run(1000);
    CHECK(run.run(600, [](std::int64_t trip) { return 20 + trip / window; }).trips.empty());
    CHECK(run.left_out.cycles == 0);
}

TEST_CASE("trips: a warp outside the loops unsettles the rest", "[sim][unit]") {
    PaperRun run(1000, 2);
    run.warp(1).order = 1;
    for (std::int64_t t = 0; t < 4 * window; ++t) {
        CHECK(run.trip(20).trips.empty());
    }
    // the second warp's block is followed by another one: other windows than before
    run.warp(1) = {2, 0, 0, 0, 0, 0};
    for (std::int64_t t = 0; t < 4 * window; ++t) {
        CHECK(run.trip(20).trips.empty());
    }
    CHECK_FALSE(run.run(2 * window, even).trips.empty());
}

TEST_CASE("trips: where a crowd was steady, an end lets the others skip on", "[sim][unit]") {
    constexpr int warps = 33;  // to an eighth as 32
    PaperRun run(10'000, warps);
    auto skip = run.run(1000, even);
    REQUIRE(skip.trips.size() == warps);
    const auto before = run.left_out.cycles;
    run.end_warp(7);
    skip = run.ask();
    REQUIRE(skip.trips.size() == warps);
    CHECK(skip.trips[7] == 0);
    CHECK(skip.trips[6] == 4 * window);
    CHECK(run.left_out.cycles == before + skip.cycles);
    // asked once
    CHECK(run.ask().trips.empty());
    // far fewer warps are another crowd
    for (std::size_t w = 8; w < 20; ++w) {
        run.end_warp(w);
    }
    CHECK(run.ask().trips.empty());
}
