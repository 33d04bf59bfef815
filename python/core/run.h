// One piece of gpumodel's work inside this process, on a thread of its own: what it prints goes to a file (a
// pipe), what it says of faults is kept. One run at a time: the command has one set of arguments, one output
// and one way to be stopped.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/process.h"

namespace gpumodel::python {

class Run {
public:
    // `work` returns an exit code, prints to cli::out() and cli::err(), and throws nothing but Stopped.
    // Begins at once; null if another run has not ended within `patience_seconds`. Only where usable().
    // `output` and the host's input are closed when the run needs them no more; of a run that does not begin
    // they stay the caller's.
    [[nodiscard]] static std::shared_ptr<Run> start(std::function<int()> work, HostProcess host, int output,
                                                    double patience_seconds);
    // Asks the run to end and does not wait; it may be over.
    void stop();
    // True once it has ended, false after `seconds`.
    [[nodiscard]] bool wait(double seconds);
    // Of a run that has ended.
    [[nodiscard]] int exit_code() const { return exit_code_; }
    [[nodiscard]] const std::string& messages() const { return messages_; }

private:
    void run(const std::function<int()>& work, std::unique_ptr<HostedRun> hosted, int output);

    bool done_ = false;
    int exit_code_ = 0;
    std::string messages_;
};

// False in a process that was forked from the one that loaded this: its threads are not there.
[[nodiscard]] bool usable();

// Stops what runs and waits for its end, so that the process may end: no longer than `seconds`.
void end_all(double seconds);
// Called without the interpreter's lock, before taking it again: after end_all(), other threads than its
// caller stay here for ever, as the interpreter may be gone.
void stay_if_ended();

}  // namespace gpumodel::python
