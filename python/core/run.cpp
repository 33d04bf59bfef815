#include "python/core/run.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <thread>
#include <utility>

#include "tools/cli/command.h"
#include "tools/cli/streams.h"

namespace gpumodel::python {
namespace {

// Written by whoever holds `mutex`; `current` is null when nothing runs.
struct Turn {
    std::mutex mutex;
    std::condition_variable changed;
    std::shared_ptr<Run> current;
    std::optional<std::thread::id> ended_by;
};

Turn& turn() {
    static auto* const forever = new Turn;  // outlives a run that is still there when the process ends
    return *forever;
}

const pid_t loaded_by = getpid();

std::chrono::duration<double> duration(double seconds) {
    return std::chrono::duration<double>(seconds);
}

// Bytes to a file; a reader that has gone away leaves the stream bad, as a closed standard output does.
class FileBuffer : public std::streambuf {
public:
    explicit FileBuffer(int file) : file_(file) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
    FileBuffer(const FileBuffer&) = delete;
    FileBuffer& operator=(const FileBuffer&) = delete;
    ~FileBuffer() override {
        if (file_ >= 0) {
            close(file_);
        }
    }

protected:
    int_type overflow(int_type c) override {
        if (sync() != 0) {
            return traits_type::eof();
        }
        if (!traits_type::eq_int_type(c, traits_type::eof())) {
            *pptr() = traits_type::to_char_type(c);
            pbump(1);
        }
        return traits_type::not_eof(c);
    }
    int sync() override {
        for (const char* at = pbase(); at < pptr();) {
            const auto written = write(file_, at, static_cast<std::size_t>(pptr() - at));
            if (written < 0) {
                return -1;
            }
            at += written;
        }
        setp(bytes_.data(), bytes_.data() + bytes_.size());
        return 0;
    }

private:
    int file_;
    std::array<char, 1 << 16> bytes_{};
};

// Signals are for the interpreter's threads; those that this thread starts inherit the mask. A thread that
// writes to a pipe nobody reads gets EPIPE instead of SIGPIPE.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

std::shared_ptr<Run> Run::start(std::function<int()> work, HostProcess host, int output,
                                double patience_seconds) {
    auto run = std::make_shared<Run>();
    std::unique_lock lock(turn().mutex);
    const auto free = [] { return turn().current == nullptr; };
    if (!turn().changed.wait_for(lock, duration(patience_seconds), free)) {
        return nullptr;
    }
    const SignalsBlocked blocked;
    // made here, so that a stop() right behind is not lost
    auto hosted = std::make_unique<HostedRun>(std::move(host));
    std::thread([run, work = std::move(work), hosted = std::move(hosted), output]() mutable {
        run->run(work, std::move(hosted), output);
    }).detach();
    turn().current = run;
    return run;
}

void Run::run(const std::function<int()>& work, std::unique_ptr<HostedRun> hosted, int output) {
    std::ostringstream messages;
    int code = cli::exit_interrupted;
    {
        FileBuffer buffer(output);
        std::ostream out(&buffer);
        const cli::StreamsInPlace streams(out, messages);
        try {
            code = work();
            out.flush();
        } catch (const Stopped&) {  // nobody waits for its results
        }
    }
    close(standard_input_file());
    hosted.reset();
    const std::lock_guard lock(turn().mutex);
    exit_code_ = code;
    messages_ = std::move(messages).str();
    done_ = true;
    turn().current.reset();
    turn().changed.notify_all();
}

void Run::stop() {
    const std::lock_guard lock(turn().mutex);
    if (turn().current.get() == this) {
        ask_to_stop();
    }
}

bool Run::wait(double seconds) {
    std::unique_lock lock(turn().mutex);
    return turn().changed.wait_for(lock, duration(seconds), [this] { return done_; });
}

bool usable() {
    return getpid() == loaded_by;
}

void end_all(double seconds) {
    if (!usable()) {
        return;
    }
    std::unique_lock lock(turn().mutex);
    turn().ended_by = std::this_thread::get_id();
    if (turn().current) {
        ask_to_stop();
        turn().changed.wait_for(lock, duration(seconds), [] { return turn().current == nullptr; });
    }
}

void stay_if_ended() {
    std::unique_lock lock(turn().mutex);
    const bool stays = turn().ended_by && *turn().ended_by != std::this_thread::get_id();
    lock.unlock();
    while (stays) {
        pause();
    }
}

}  // namespace gpumodel::python
