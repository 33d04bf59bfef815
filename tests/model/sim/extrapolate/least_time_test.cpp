#include "model/sim/extrapolate/least_time.h"

#include <catch2/catch.hpp>

#include "model/sim/extrapolate/policy.h"

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

// Windows of 20,000 instructions, more than the smallest that counts.
constexpr double of_window = 20000;

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

TEST_CASE("least time: what is left runs like the fastest window, and a little faster", "[sim][unit]") {
    // 100 windows of 1000 cycles, the first slower: at least 1500 + 7 x 1000 + 92 x 1000 x (1 - faster_later)
    const double least = 1500 + 7000 + 92000 * (1 - policy::faster_later);
    const auto last_of = [](double most_cycles) {
        PaperRun run(100, most_cycles);
        bool exceeded = run.window(1500);
        for (int i = 1; i < policy::windows_for_least_time; ++i) {
            CHECK_FALSE(exceeded);  // too few windows to say
            exceeded = run.window(1000);
        }
        return exceeded;
    };
    CHECK(last_of(least - 1));
    CHECK_FALSE(last_of(least + 1));
}

TEST_CASE("least time: what is left out has taken its time", "[sim][unit]") {
    PaperRun run(100, 100000);
    for (int i = 1; i < policy::windows_for_least_time; ++i) {
        CHECK_FALSE(run.window(1000));
    }
    // half of the run at 1100 cycles per window: 7000 + 55,000 and at least 98 % of 43,000 more
    run.left_out.cycles = 55000;
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
