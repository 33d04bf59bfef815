#include "traces/fold/paths/loop_folder.h"

#include <algorithm>
#include <utility>

namespace gpumodel {
namespace {

constexpr std::size_t longest_period = 4;
constexpr std::size_t proof = 3;  // periods in a row; two have a step of their own in any case

// The first iteration of `path` as `like` has it, and what follows.
bool cut_after(const Path& path, const Path& like, Path& first, Path& rest) {
    if (path.tokens.size() < like.tokens.size() || path.accesses.size() < like.accesses.size() ||
        !std::equal(like.tokens.begin(), like.tokens.end(), path.tokens.begin())) {
        return false;
    }
    const auto accesses = static_cast<std::ptrdiff_t>(like.accesses.size());
    first.tokens = like.tokens;
    first.accesses.assign(path.accesses.begin(), path.accesses.begin() + accesses);
    first.addresses.assign(path.addresses.begin(), path.addresses.begin() + accesses);
    rest.clear();
    rest.append(path, like.tokens.size(), like.accesses.size());
    return true;
}

Path moved(const Path& path, const std::vector<std::int64_t>& steps, std::int64_t times) {
    Path result = path;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (auto& address : result.addresses[i]) {
            address += times * steps[i];
        }
    }
    return result;
}

}  // namespace

void LoopLevel::end_iteration() {
    if (run_ && !extend_run(current_)) {
        break_run();
    }
    if (!run_) {
        history_.push_back(current_);
        if (!start_run() && history_.size() > proof * longest_period) {
            done_.append(history_.front());
            history_.erase(history_.begin());
        }
    }
    current_.clear();
}

bool LoopLevel::extend_run(const Path& iteration) {
    auto& run = *run_;
    const auto phase = run.open_period.size();
    if (!follows(run.base[phase], run.steps[phase], run.trips, iteration, true)) {
        return false;
    }
    if (phase + 1 == run.base.size()) {
        ++run.trips;
        run.open_period.clear();
    } else {
        run.open_period.push_back(iteration);
    }
    return true;
}

// Up to four iterations with equal steps may have been part of a rotation.
void LoopLevel::break_run() {
    if (run_->base.size() > 1 || run_->trips > static_cast<std::int64_t>(longest_period)) {
        end_run();
        return;
    }
    distrusted_ = true;
    for (std::int64_t trip = 0; trip < run_->trips; ++trip) {
        history_.push_back(moved(run_->base.front(), run_->steps.front(), trip));
    }
    run_.reset();
}

void LoopLevel::end_run() {
    append_loop(done_, run_->base, run_->steps, run_->trips);
    history_ = std::move(run_->open_period);
    run_.reset();
}

bool LoopLevel::start_run() {
    for (std::size_t period = longest_period; period > 1; --period) {
        if (try_period(period, proof)) {
            return true;
        }
    }
    return try_period(1, distrusted_ ? longest_period + 1 : proof);
}

// The last `periods` periods of the history become a run if each moves on from the one before alike.
bool LoopLevel::try_period(std::size_t period, std::size_t periods) {
    if (history_.size() < period * periods) {
        return false;
    }
    const auto first = history_.size() - period * periods;
    Run run;
    for (std::size_t phase = 0; phase < period; ++phase) {
        const auto& base = history_[first + phase];
        std::vector<std::int64_t> steps;
        if (base.loop_depth() >= max_loop_depth ||
            !uniform_steps(base, history_[first + phase + period], steps)) {
            return false;
        }
        for (std::size_t trip = 2; trip < periods; ++trip) {
            if (!follows(base, steps, static_cast<std::int64_t>(trip),
                         history_[first + phase + trip * period], true)) {
                return false;
            }
        }
        run.base.push_back(base);
        run.steps.push_back(std::move(steps));
    }
    run.trips = static_cast<std::int64_t>(periods);
    for (std::size_t i = 0; i < first; ++i) {
        done_.append(history_[i]);
    }
    history_.clear();
    run_ = std::move(run);
    return true;
}

// Ends the iteration in progress after its last piece; what follows it stays in `current`.
bool LoopLevel::take_tail_iteration() {
    Path iteration;
    Path rest;
    if (run_) {
        const auto phase = run_->open_period.size();
        if (!cut_after(current_, run_->base[phase], iteration, rest) || !extend_run(iteration)) {
            return false;
        }
        current_ = std::move(rest);
        return true;
    }
    for (std::size_t back = 1; back <= std::min(longest_period, history_.size()); ++back) {
        if (!cut_after(current_, history_[history_.size() - back], iteration, rest)) {
            continue;
        }
        history_.push_back(iteration);
        if (start_run() || (history_.size() == 2 && done_.empty())) {
            current_ = std::move(rest);
            return true;
        }
        history_.pop_back();
    }
    return false;
}

// Iterations that no run has taken: three or more with equal steps still make a loop, and two if they are
// all.
void LoopLevel::fold_leftovers() {
    const std::size_t least = history_.size() == 2 && done_.empty() ? 2 : 3;
    std::size_t first = 0;
    while (first < history_.size()) {
        std::vector<std::int64_t> steps;
        std::size_t count = 1;
        if (first + 1 < history_.size() && history_[first].loop_depth() < max_loop_depth &&
            uniform_steps(history_[first], history_[first + 1], steps)) {
            for (count = 2; first + count < history_.size() &&
                            follows(history_[first], steps, static_cast<std::int64_t>(count),
                                    history_[first + count], true);) {
                ++count;
            }
        }
        if (count >= least) {
            append_loop(done_, {&history_[first], 1}, {&steps, 1}, static_cast<std::int64_t>(count));
            first += count;
        } else {
            done_.append(history_[first++]);
        }
    }
    history_.clear();
}

void LoopLevel::close(Path& into) {
    take_tail_iteration();
    if (run_) {
        end_run();
    }
    fold_leftovers();
    into.append(done_);
    into.append(current_);
}

void LoopFolder::arrive(const std::vector<BackwardJump>& loops, const BackwardJump* by) {
    const auto is_open = [this](const BackwardJump& loop) {
        return std::find_if(levels_.begin() + 1, levels_.end(),
                            [&loop](const LoopLevel& level) { return level.loop() == loop; });
    };
    auto inner = loops.begin();
    const auto jumped = by != nullptr ? is_open(*by) : levels_.end();
    if (jumped != levels_.end()) {
        close_down_to(static_cast<std::size_t>(jumped - levels_.begin()) + 1);
        levels_.back().end_iteration();
        inner = std::find(loops.begin(), loops.end(), *by) + 1;
    } else if (const auto left = is_open(loops.front()); left != levels_.end()) {
        close_down_to(static_cast<std::size_t>(left - levels_.begin()));
    }
    for (; inner != loops.end(); ++inner) {
        levels_.emplace_back(*inner);
    }
}

void LoopFolder::close_down_to(std::size_t levels) {
    while (levels_.size() > levels) {
        auto level = std::move(levels_.back());
        levels_.pop_back();
        level.close(levels_.back().current());
    }
}

Path LoopFolder::finish() {
    close_down_to(1);
    return std::move(levels_.back().current());
}

}  // namespace gpumodel
