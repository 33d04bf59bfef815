#include "traces/emulate/run/side_by_side.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace gpumodel::emulate {
namespace {

constexpr double most_of_a_poll = 1000;  // cycles

struct Resident {
    std::shared_ptr<BlockRunner> block;
    std::vector<bool> waits;           // warps without a turn of their own
    std::vector<std::uint64_t> idle;   // by warp: see note_repetition()
    std::vector<SideBySideTime> time;  // by warp, up to its last turn
    std::vector<double> polled_at;     // by warp: its last poll
    std::size_t running = 0;
};

// Turns of equal times in the order in which they were asked for.
struct Turn {
    double at = 0;
    std::uint64_t number = 0;
    std::size_t place = 0, warp = 0;  // among the residents
    bool operator>(const Turn& other) const {
        return std::tie(at, number) > std::tie(other.at, other.number);
    }
};

class SideBySide {
public:
    SideBySide(const std::function<std::shared_ptr<BlockRunner>()>& start, const std::function<void()>& check,
               Pacer& pacer)
        : start_(start), check_(check), pacer_(pacer) {}

    SideBySideTime run(std::size_t most);

private:
    void begin_block(std::size_t place, const SideBySideTime& at);
    void ask(double at, std::size_t place, std::size_t warp) { turns_.push({at, next_++, place, warp}); }
    void take(const Turn& turn);
    void release(std::size_t place, const SideBySideTime& now);
    void note_repetition(bool repeats, const Turn& turn);

    const std::function<std::shared_ptr<BlockRunner>()>& start_;
    const std::function<void()>& check_;
    Pacer& pacer_;
    std::vector<Resident> residents_;
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
    std::uint64_t next_ = 0, changes_ = 0;
    // Since which nobody did anything but wait for memory to change, and how many have so waited.
    std::uint64_t still_ = 1;
    std::size_t waiting_ = 0;
    bool more_ = true;
    SideBySideTime last_;
};

SideBySideTime SideBySide::run(std::size_t most) {
    for (std::size_t place = 0; place < most && more_; ++place) {
        residents_.emplace_back();
        begin_block(place, {});
    }
    while (!turns_.empty()) {
        check_();
        const auto turn = turns_.top();
        turns_.pop();
        take(turn);
    }
    for (const auto& resident : residents_) {
        if (resident.running > 0) {
            resident.block->fail_deadlock();
        }
    }
    return last_;
}

void SideBySide::begin_block(std::size_t place, const SideBySideTime& at) {
    auto& resident = residents_[place];
    resident = {more_ ? start_() : nullptr, {}, {}, {}, {}, 0};
    more_ = resident.block != nullptr;
    if (more_) {
        resident.running = resident.block->warps();
        resident.waits.assign(resident.running, false);
        resident.idle.assign(resident.running, 0);
        resident.time.assign(resident.running, at);
        resident.polled_at.assign(resident.running, -most_of_a_poll);
        for (std::size_t warp = 0; warp < resident.running; ++warp) {
            ask(at.cycles + pacer_.pace().block_start, place, warp);
        }
    }
}

void SideBySide::take(const Turn& turn) {
    auto& resident = residents_[turn.place];
    constexpr std::size_t most_warps = 32;  // of a block
    pacer_.begin_turn(turn.at, turn.place, turn.place * most_warps + turn.warp);
    const auto result = resident.block->take_turn(turn.warp);
    const double ends = pacer_.end_turn();
    auto now = resident.time[turn.warp];
    now.cycles = ends;
    now.queued += pacer_.queued();
    if (pacer_.polls()) {
        const double since = ends - std::exchange(resident.polled_at[turn.warp], ends);
        now.polled += since < most_of_a_poll ? since : 0;
    }
    resident.time[turn.warp] = now;
    last_ = now.cycles >= last_.cycles ? now : last_;
    switch (result) {
        case BlockRunner::Turn::ends:
            --resident.running;
            break;
        case BlockRunner::Turn::waits:
            resident.waits[turn.warp] = true;
            break;
        case BlockRunner::Turn::yields:
        case BlockRunner::Turn::repeats:
            ask(now.cycles, turn.place, turn.warp);
            break;
    }
    note_repetition(result == BlockRunner::Turn::repeats, turn);
    if (resident.running == 0) {
        begin_block(turn.place, now);
    } else if (result == BlockRunner::Turn::ends || result == BlockRunner::Turn::waits) {
        release(turn.place, now);
    }
}

void SideBySide::release(std::size_t place, const SideBySideTime& now) {
    auto& resident = residents_[place];
    if (!resident.block->release_barriers()) {
        return;
    }
    for (std::size_t warp = 0; warp < resident.waits.size(); ++warp) {
        if (resident.waits[warp] && resident.block->can_go_on(warp)) {
            resident.waits[warp] = false;
            resident.time[warp] = now;
            ask(now.cycles + pacer_.pace().barrier, place, warp);
        }
    }
}

void SideBySide::note_repetition(bool repeats, const Turn& turn) {
    auto& resident = residents_[turn.place];
    const auto changes = resident.block->memory_changes();
    if (!repeats || changes != changes_) {
        changes_ = changes;
        waiting_ = 0;
        ++still_;
    } else if (std::exchange(resident.idle[turn.warp], still_) != still_ && ++waiting_ == turns_.size()) {
        resident.block->fail_endless();
    }
}

}  // namespace

SideBySideTime run_side_by_side(std::size_t most, const std::function<std::shared_ptr<BlockRunner>()>& start,
                                const std::function<void()>& check, Pacer& pacer) {
    return SideBySide(start, check, pacer).run(most);
}

}  // namespace gpumodel::emulate
