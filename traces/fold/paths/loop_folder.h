// Folds one warp's path into loops while it is executed; memory stays flat in the trip count.
//
// A loop is a backward jump: from its end to its head. Its first iteration begins where the path arrives at
// the head from above, every further one with the jump. Loops of one head nest, the one that ends last
// outermost. Iterations fold when they have the same pieces, the same active lanes and addresses that move by
// one constant per access and period; a period is one iteration or, for rotating buffers, up to four. What
// does not fold stays in the path as it was executed. Iterations before or after the regular ones (a peeled
// first or last iteration) stay beside the loop.
//
// Three periods in a row prove one. Within a rotation of buffers a few iterations may look like a period of
// one: a run that breaks off early is taken back, and more are asked for. Short runs that are left over, and
// a loop of just two iterations, are folded when the loop is left. The path after a loop's last backward jump
// is the last iteration followed by what comes after the loop: it is cut where the iteration's pieces end.
#pragma once

#include <optional>
#include <vector>

#include "traces/fold/paths/cut_points.h"
#include "traces/fold/paths/path.h"

namespace gpumodel {

class LoopLevel {
public:
    explicit LoopLevel(BackwardJump loop) : loop_(loop) {}

    [[nodiscard]] const BackwardJump& loop() const { return loop_; }
    [[nodiscard]] Path& current() { return current_; }
    void end_iteration();
    // Appends all that was executed since the level was opened.
    void close(Path& into);

private:
    struct Run {
        std::vector<Path> base;  // one period at iteration 0
        std::vector<std::vector<std::int64_t>> steps;
        std::int64_t trips = 0;
        std::vector<Path> open_period;  // iterations of a period that is not complete yet
    };

    bool extend_run(const Path& iteration);
    void break_run();
    void end_run();
    bool start_run();
    bool try_period(std::size_t period, std::size_t periods);
    bool take_tail_iteration();
    void fold_leftovers();

    BackwardJump loop_;
    Path done_;                  // folded or given up
    std::vector<Path> history_;  // iterations that may yet fold
    std::optional<Run> run_;
    bool distrusted_ = false;  // a run has broken off early
    Path current_;
};

class LoopFolder {
public:
    LoopFolder() { levels_.emplace_back(BackwardJump{}); }

    // The path arrives at the head of `loops`, outermost first: from above, or by the jump of one of them.
    void arrive(const std::vector<BackwardJump>& loops, const BackwardJump* by);
    [[nodiscard]] Path& current() { return levels_.back().current(); }
    [[nodiscard]] Path finish();

private:
    void close_down_to(std::size_t levels);
    std::vector<LoopLevel> levels_;  // the first is the whole path
};

}  // namespace gpumodel
