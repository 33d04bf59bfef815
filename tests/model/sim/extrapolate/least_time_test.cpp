#include "model/sim/extrapolate/least_time.h"

#include <catch2/catch.hpp>

#include "model/sim/extrapolate/policy.h"

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

// Windows of 20,000 instructions, more than the smallest that counts.
constexpr double of_window = 20000;

// What is left of the fastest pace after so many windows.
double part(std::size_t windows) {
    return 1 - policy::faster_later(static_cast<double>(windows) * of_window);
}

class PaperRun {
public:
    PaperRun(double windows, double most_cycles) : least_(windows * of_window, most_cycles) {}

    bool window(Cycle cycles) {
        now_ += cycles;
        counters_.instructions += of_window;
        return least_.exceeded({now_, counters_, stalls_, {}}, left_out);
    }

    LeftOut left_out;

private:
    LeastTime least_;
    Cycle now_ = 0;
    SimCounters counters_;
    std::vector<StallCycles> stalls_;
};

}  // namespace

TEST_CASE("least time: what is left runs like the fastest stretch, and a little faster", "[sim][unit]") {
    // 100 windows of 1000 cycles, the first slower: at least 1500 + 7 x 1000 and 92 x 1000 less what may be
    // faster
    const double least = 1500 + 7000 + 92000 * part(8);
    const auto last_of = [](double most_cycles) {
        PaperRun run(100, most_cycles);
        bool exceeded = run.window(1500);
        for (std::size_t i = 1; i < policy::windows_for_least_time; ++i) {
            CHECK_FALSE(exceeded);  // too few windows to say
            exceeded = run.window(1000);
        }
        return exceeded;
    };
    CHECK(last_of(least - 1));
    CHECK_FALSE(last_of(least + 1));
}

TEST_CASE("least time: one fast window is no stretch", "[sim][unit]") {
    // every sixth of 96 windows takes 400 cycles, the others 1000: 900 on average
    const auto stops = [](double most_cycles) {
        PaperRun run(96, most_cycles);
        bool exceeded = false;
        for (std::size_t i = 1; i <= 12; ++i) {
            exceeded = run.window(i % 6 == 0 ? 400 : 1000) || exceeded;
        }
        return exceeded;
    };
    CHECK(stops(12 * 900 + 84 * 900 * part(12) - 1));
    CHECK_FALSE(stops(96 * 900));
}

TEST_CASE("least time: about how long a run takes", "[sim][unit]") {
    LeastTime least(100 * of_window, 1e9);
    const std::vector<StallCycles> stalls;
    SimCounters counters;
    for (std::size_t i = 1; i <= policy::windows_for_least_time; ++i) {
        CHECK_FALSE(least.known());
        counters.instructions += of_window;
        CHECK_FALSE(least.exceeded({static_cast<Cycle>(1000 * i), counters, stalls, {}}, {}));
    }
    CHECK(least.known());
    CHECK(least.expected() == Approx(100000));
    CHECK(least.least() == Approx(8000 + 92000 * part(8)));
}

TEST_CASE("least time: what is left out has taken its time", "[sim][unit]") {
    PaperRun run(100, 100000);
    for (std::size_t i = 1; i < policy::windows_for_least_time; ++i) {
        CHECK_FALSE(run.window(1000));
    }
    // half of the run at 1200 cycles per window: 8000 + 60,000 and at least 90 % of 42,000 more
    run.left_out.cycles = 60000;
    run.left_out.counters.instructions = 50 * of_window;
    CHECK(run.window(1000));
}

TEST_CASE("least time: short stretches are no windows", "[sim][unit]") {
    // one warp alone for a while must not count as a rate
    LeastTime least(1e6, 1);
    SimCounters counters;
    const std::vector<StallCycles> stalls;
    for (int i = 1; i < 100; ++i) {
        counters.instructions = 160 * i;
        CHECK_FALSE(least.exceeded({1000 * i, counters, stalls, {}}, {}));
    }
}
