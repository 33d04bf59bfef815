#include "tools/cli/progress_line.h"

#include <unistd.h>

#include <iostream>

namespace gpumodel::cli {

ProgressLine::ProgressLine() : shown_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::ProgressLine(const OutputOptions& output)
    : shown_(isatty(STDERR_FILENO) != 0 && (isatty(STDOUT_FILENO) == 0 || !output.out.empty())) {}

bool ProgressLine::due() {
    const auto now = Clock::now();
    if (!shown_ || now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) {
        return false;
    }
    last_ = now;
    return true;
}

double ProgressLine::seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void ProgressLine::draw(const std::string& text) {
    std::cerr << "\r\033[K" << text << std::flush;
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) {
        std::cerr << "\r\033[K" << std::flush;
        drawn_ = false;
    }
}

}  // namespace gpumodel::cli
