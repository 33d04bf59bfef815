#include "tools/cli/interrupt.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/process.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {
namespace {

volatile std::sig_atomic_t asked = 0;
volatile std::sig_atomic_t finish_first = 0;

// Only what a signal handler may do.
extern "C" void take_interrupt(int /*signal*/) {
    if (finish_first == 0 || asked != 0) {
        std::_Exit(exit_interrupted);
    }
    asked = 1;
}

void handle(void (*handler)(int)) {
    struct sigaction action {};
    if (sigaction(SIGINT, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
        action = {};
        action.sa_handler = handler;  // without SA_RESTART: a read that waits for input ends
        sigaction(SIGINT, &action, nullptr);
    }
}

}  // namespace

InterruptGuard::InterruptGuard(OnInterrupt reaction) {
    asked = 0;
    finish_first = reaction == OnInterrupt::finish ? 1 : 0;
    if (!is_hosted()) {  // a host has its own
        handle(take_interrupt);
    }
}

InterruptGuard::~InterruptGuard() {
    if (!is_hosted()) {
        handle(SIG_DFL);
    }
}

bool interrupted() {
    return asked != 0 || asked_to_stop();
}

InterruptibleInput::int_type InterruptibleInput::underflow() {
    constexpr int wait_ms = 100;
    pollfd input{standard_input_file(), POLLIN, 0};
    while (!interrupted()) {
        const int ready = poll(&input, 1, wait_ms);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;  // reading now would wait without looking at interrupted()
        }
        const auto got = read(standard_input_file(), buffer_.data(), buffer_.size());
        if (got > 0) {
            setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
            return traits_type::to_int_type(*gptr());
        }
        if (got == 0 || errno != EINTR) {
            break;
        }
    }
    return traits_type::eof();
}

}  // namespace gpumodel::cli
