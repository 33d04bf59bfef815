#include "validate/recorder/preload/launch_timer.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "validate/recorder/preload/driver.h"

namespace gpumodel::recorder {

namespace {

struct Gate {
    std::atomic<bool> open = false, gave_up = false;
};

// Bounded, as some launches wait for the GPU before they return (code that is loaded late, a larger stack).
void wait_at(void* data) {
    constexpr auto longest = std::chrono::milliseconds(50);
    auto& gate = *static_cast<Gate*>(data);
    const auto begin = std::chrono::steady_clock::now();
    while (!gate.open.load(std::memory_order_acquire)) {
        if (std::chrono::steady_clock::now() - begin > longest) {
            gate.gave_up = true;
            return;
        }
        std::this_thread::yield();
    }
}

class Event {
public:
    Event() { made_ = call_driver("cuEventCreate", &event_, 0U) == success; }
    ~Event() {
        if (made_) {
            call_driver("cuEventDestroy_v2", event_);
        }
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    bool record(CUstream stream) const {
        return made_ && call_driver("cuEventRecord", event_, stream) == success;
    }
    [[nodiscard]] CUevent get() const { return event_; }

private:
    CUevent event_ = nullptr;
    bool made_ = false;
};

}  // namespace

LaunchTime timed_launch(const LaunchRequest& request, const std::function<void()>& prepare) {
    LaunchTime time;
    Gate gate;
    const Event before, after;
    const bool held =
        call_driver("cuLaunchHostFunc", request.stream, &wait_at, static_cast<void*>(&gate)) == success;
    if (prepare) {
        prepare();
    }
    bool recorded = before.record(request.stream);
    time.status = request.launch();
    recorded = after.record(request.stream) && recorded;
    gate.open.store(true, std::memory_order_release);
    // also where nothing was recorded: the gate must not go before it was passed
    const auto finished = call_driver("cuStreamSynchronize", request.stream);
    float milliseconds = 0;
    if (time.status == success && recorded && finished == success &&
        call_driver("cuEventElapsedTime", &milliseconds, before.get(), after.get()) == success) {
        time.microseconds = 1000.0 * static_cast<double>(milliseconds);
    }
    time.held = held && !gate.gave_up;
    return time;
}

}  // namespace gpumodel::recorder
