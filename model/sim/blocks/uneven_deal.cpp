#include "model/sim/blocks/uneven_deal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace gpumodel::sim {
namespace {

constexpr double together = 1.0 / 256;  // cycles, for sums that round

class Sm {
public:
    void take(std::int64_t number, const BlockWork& work) {
        const double fastest = work.instructions / (work.longest_warp * cycles_of_a_warp_alone);
        resident_.push_back({work.instructions, fastest});
        blocks_.push_back(number);
    }
    // Until one of its blocks has ended; when that is.
    [[nodiscard]] double next_end(int schedulers) const {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& block : resident_) {
            least = std::min(least, block.left / rate(block, schedulers));
        }
        return now_ + least;
    }
    // Its first block to end does, at next_end().
    void end_one(double at, int schedulers) {
        auto first = resident_.begin();
        double least = std::numeric_limits<double>::infinity();
        for (auto block = resident_.begin(); block != resident_.end(); ++block) {
            const double speed = rate(*block, schedulers);
            if (block->left / speed < least) {
                least = block->left / speed;
                first = block;
            }
            block->left -= (at - now_) * speed;
        }
        now_ = at;
        resident_.erase(first);
    }
    [[nodiscard]] bool idle() const { return resident_.empty(); }
    [[nodiscard]] std::vector<std::int64_t>& blocks() { return blocks_; }

private:
    struct Resident {
        double left = 0;     // instructions
        double fastest = 0;  // per cycle, alone
    };
    [[nodiscard]] double rate(const Resident& block, int schedulers) const {
        return std::min(static_cast<double>(schedulers) / static_cast<double>(resident_.size()),
                        block.fastest);
    }
    std::vector<Resident> resident_;
    std::vector<std::int64_t> blocks_;
    double now_ = 0;
};

}  // namespace

std::vector<std::int64_t> blocks_of_last_sm(const DealtLaunch& launch) {
    std::vector<Sm> sms(static_cast<std::size_t>(launch.sms));
    std::int64_t next = 0;
    const auto take = [&](std::size_t sm) {
        sms[sm].take(next, launch.work(next));
        ++next;
    };
    for (int round = 0; round < launch.resident; ++round) {
        for (std::size_t sm = 0; sm < sms.size() && next < launch.blocks; ++sm) {
            take(sm);
        }
    }
    // SMs of which blocks end together take turns, as equal blocks would all go to the first of them.
    struct Event {
        double end = 0;  // of a block
        std::size_t taken = 0, sm = 0;
        [[nodiscard]] bool operator>(const Event& other) const {
            const auto key = [](const Event& e) {
                return std::tuple(std::round(e.end / together), e.taken, e.end, e.sm);
            };
            return key(*this) > key(other);
        }
    };
    std::priority_queue<Event, std::vector<Event>, std::greater<>> ends;
    const auto wait_for = [&](std::size_t sm) {
        if (!sms[sm].idle()) {
            ends.push({sms[sm].next_end(launch.schedulers), sms[sm].blocks().size(), sm});
        }
    };
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
        wait_for(sm);
    }
    std::size_t last = 0;
    while (!ends.empty()) {
        const auto [at, taken, sm] = ends.top();
        ends.pop();
        sms[sm].end_one(at, launch.schedulers);
        if (next < launch.blocks) {
            take(sm);
        }
        wait_for(sm);
        last = sm;
    }
    return std::move(sms[last].blocks());
}

}  // namespace gpumodel::sim
