#include "model/sim/memory/data_pipe.h"

#include <catch2/catch.hpp>

#include "model/sim/core/stream.h"

using namespace gpumodel::sim;

namespace {

PipeRequest request(int scheduler, double available, int wavefronts) {
    PipeRequest made;
    made.from.scheduler = scheduler;
    made.available = available;
    made.slots = wavefronts;
    return made;
}

using Sent = std::vector<std::pair<int, double>>;  // scheduler, start

// Everything that is queued, in order.
Sent drain(DataPipe& pipe) {
    std::vector<DataPipe::Sent> log;
    pipe.log_to(&log);
    DataPipe::Served served;
    while (pipe.advance(1e6, served)) {
    }
    Sent sent;
    for (const auto& wavefront : log) {
        sent.emplace_back(wavefront.from.scheduler, wavefront.start);
    }
    return sent;
}

}  // namespace

TEST_CASE("data pipe: one wavefront per cycle, one scheduler every `interval` cycles", "[sim][unit]") {
    DataPipe pipe(2, 2);
    pipe.push(request(0, 1, 3));
    pipe.push(request(1, 1, 2));
    CHECK(drain(pipe) == Sent{{0, 1}, {1, 2}, {0, 3}, {1, 4}, {0, 5}});
    CHECK(pipe.busy_cycles == 5);
}

TEST_CASE("data pipe: what has started goes first, then the oldest", "[sim][unit]") {
    DataPipe pipe(3, 1);
    pipe.push(request(2, 5, 2));
    pipe.push(request(0, 4, 2));
    pipe.push(request(1, 5, 1));
    CHECK(drain(pipe) == Sent{{0, 4}, {0, 5}, {2, 6}, {2, 7}, {1, 8}});
}

TEST_CASE("data pipe: at most two requests are under way", "[sim][unit]") {
    DataPipe pipe(3, 3);
    pipe.push(request(0, 0, 2));
    pipe.push(request(1, 0, 2));
    pipe.push(request(2, 0, 1));
    // the third could fill cycle 2, but waits until the first is done
    CHECK(drain(pipe) == Sent{{0, 0}, {1, 1}, {0, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("data pipe: nothing starts beyond the limit", "[sim][unit]") {
    DataPipe pipe(1, 1);
    pipe.push(request(0, 3, 2));
    DataPipe::Served served;
    CHECK_FALSE(pipe.advance(3, served));  // the first wavefront only
    CHECK(pipe.next_start() == 4);
    REQUIRE(pipe.advance(4, served));
    CHECK(served.last_start == 4);
    CHECK(pipe.next_start() == static_cast<double>(never));
}

TEST_CASE("data pipe: a fill goes ahead of wavefronts, and stores wait for their gate", "[sim][unit]") {
    DataPipe pipe(2, 1);
    pipe.push(request(0, 0, 3));
    pipe.fill(1, 2);
    CHECK(drain(pipe) == Sent{{0, 0}, {0, 3}, {0, 4}});
    CHECK(pipe.busy_cycles == 5);

    pipe.hold_stores_until(20);
    auto store = request(0, 6, 1);
    store.waits_for_store_buffer = true;
    pipe.push(store);
    pipe.push(request(1, 7, 1));
    CHECK(drain(pipe) == Sent{{1, 7}, {0, 20}});
}
