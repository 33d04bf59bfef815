// One line on standard error that says how far a command is: only on a terminal, nothing in the first second,
// then five times a second at most.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "model/sim/sim_progress.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

class Progress {
public:
    // `all` of `what` ("points") are to be done; 0 = nobody knows. For results that come at the end.
    Progress(std::string what, std::int64_t all);
    // For results that come one by one: not shown where they go to a terminal themselves.
    Progress(std::string what, std::int64_t all, const OutputOptions& output);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // So many more are done; `part` of all, where their number is not known (0 = that neither). From any
    // thread.
    void add(std::int64_t count, double part = 0);
    void clear();
    [[nodiscard]] std::int64_t done() const { return done_; }

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::int64_t all_;
    std::int64_t done_ = 0;
    std::mutex mutex_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    bool shown_ = false;
    bool drawn_ = false;
};

// The same for work that nobody counts: what it is and for how long, while this lives, and of simulations
// that tell it the part that is done and about how long the rest will take.
class Waiting {
public:
    explicit Waiting(std::string what, const SimProgress* progress = nullptr);  // "simulating"
    ~Waiting() = default;  // ends the thread, which clears its line
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    void show(const std::stop_token& end);

    std::string what_;
    const SimProgress* progress_;
    std::mutex mutex_;
    std::condition_variable_any woken_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace gpumodel::cli
