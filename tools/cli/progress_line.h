// One line on standard error that says how far a command is: nothing in the first second, then five times a
// second at most.
#pragma once

#include <chrono>
#include <string>

#include "tools/cli/command.h"

namespace gpumodel::cli {

class ProgressLine {
public:
    // Standard error is a terminal, and the results do not go to one.
    explicit ProgressLine(const OutputOptions& output);
    // Standard error is a terminal; for results that come at the end.
    ProgressLine();

    // True when the line should be drawn again; the next one is due after a while.
    [[nodiscard]] bool due();
    [[nodiscard]] double seconds() const;  // since the start
    void draw(const std::string& text);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    bool shown_ = false;
    bool drawn_ = false;
};

}  // namespace gpumodel::cli
