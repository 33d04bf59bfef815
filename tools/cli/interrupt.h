// Ctrl-C (SIGINT) of commands that run long: exit code 130, and nothing lost that was finished.
#pragma once

#include <array>
#include <streambuf>

namespace gpumodel::cli {

enum class OnInterrupt {
    exit,    // at once
    finish,  // the first one asks (interrupted()), the second exits at once
};

// While it lives. A process that was started with SIGINT ignored (in the background) keeps ignoring it.
class InterruptGuard {
public:
    explicit InterruptGuard(OnInterrupt reaction);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
};

[[nodiscard]] bool interrupted();

// Standard input that ends when interrupted() does, whichever thread waits for it.
class InterruptibleInput : public std::streambuf {
protected:
    int_type underflow() override;

private:
    std::array<char, 4096> buffer_{};
};

}  // namespace gpumodel::cli
