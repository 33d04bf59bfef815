// Producers and consumers that wait for each other's arrivals at barriers in shared memory: when waits are
// over, against the schedule that a ring of stages has.
#include <catch2/catch.hpp>

#include "tests/support/micro.h"

namespace micro_arrivals_test {

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr std::int64_t trips = 20;
constexpr int producer = 0;

// A wait that needs nothing the first `free` times, then one arrival more of each of `warps` per time.
Instruction wait(int free, std::uint32_t warps) {
    auto in = arithmetic(OpClass::barrier, 40, {});
    in.arrivals_known = true;
    in.arrivals_from = static_cast<std::int8_t>(free);
    in.arrivals_first = 1;
    in.arrivals_step = 1;
    in.arrivals_warps = warps;
    in.address = 0x100;
    return in;
}

Instruction arrival() {
    auto in = arithmetic(OpClass::barrier, 41, {});
    in.result_count = 0;
    in.arrives = true;
    return in;
}

Node loop_of(int first_warp, int warps, std::vector<Instruction> code) {
    Segment segment;
    segment.name = "warps from " + std::to_string(first_warp);
    segment.thread_begin = 32 * first_warp;
    segment.thread_end = 32 * (first_warp + warps);
    code.push_back(branch());
    for (const auto& in : code) {
        ++segment.ops[static_cast<std::size_t>(in.op)];
    }
    segment.code = std::move(code);
    Interval interval;
    interval.segments = {segment};
    Loop loop;
    loop.name = segment.name;
    loop.trips = trips;
    loop.body = {interval};
    return loop;
}

std::vector<Instruction> chain(int length) {
    return std::vector<Instruction>(static_cast<std::size_t>(length), ffma(20, 20, 21, 20));
}

// Warp 0 fills stages, for which it waits until consumers 1 ... n are done with them; these wait until it has
// filled them. What they do takes `fill` and `use` dependent products.
KernelProgram ring(int stages, int consumers, int fill, int use) {
    auto program = straight({}, 1 + consumers);
    const std::uint32_t all = ((1U << static_cast<unsigned>(consumers)) - 1) << 1U;
    auto produce = chain(fill);
    produce.insert(produce.begin(), wait(stages, all));
    produce.push_back(arrival());
    auto consume = chain(use);
    consume.insert(consume.begin(), wait(0, 1));
    consume.push_back(arrival());
    program.body = {loop_of(0, 1, produce), loop_of(1, consumers, consume)};
    return program;
}

// Issue cycles of a warp's instruction `index` (of its segment), trip after trip.
std::vector<std::int64_t> issues_of(const Run& run, int warp, int index) {
    std::vector<std::int64_t> list;
    for (const auto& issue : run.issues) {
        if (issue.warp.warp == warp && issue.code.index == index) {
            list.push_back(issue.cycle);
        }
    }
    return list;
}

}  // namespace

TEST_CASE("a producer goes on when the consumers are done with its stage, and no sooner", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    const int stages = GENERATE(1, 2, 4);
    const int consumers = GENERATE(1, 3, 8);
    const int fill = GENERATE(2, 40);
    constexpr int use = 20;
    INFO(stages << " stages, " << consumers << " consumers, " << fill << " to fill one");
    const auto done = run(ring(stages, consumers, fill, use), spec);
    const auto asked = issues_of(done, producer, 0);
    const auto filled = issues_of(done, producer, fill + 1);
    REQUIRE(asked.size() == trips);
    REQUIRE(filled.size() == trips);
    bool producer_waited = false;
    for (int warp = 1; warp <= consumers; ++warp) {
        const auto taken = issues_of(done, warp, 0);
        const auto freed = issues_of(done, warp, use + 1);
        REQUIRE(taken.size() == trips);
        REQUIRE(freed.size() == trips);
        for (std::size_t n = 0; n < trips; ++n) {
            CHECK(taken[n] > filled[n]);
            if (n >= static_cast<std::size_t>(stages)) {
                CHECK(asked[n] > freed[n - static_cast<std::size_t>(stages)]);
                // it does not wait for the trip after
                const auto next = n + 1 - static_cast<std::size_t>(stages);
                producer_waited = producer_waited || asked[n] < freed[next];
            }
        }
    }
    CHECK((fill > use || producer_waited));
    CHECK(asked[static_cast<std::size_t>(stages) - 1] < 200 * stages);
}

TEST_CASE("with two stages the slower side sets the pace, with one both do", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    const auto pace = [&](int stages, int fill, int use) {
        const auto done = run(ring(stages, 4, fill, use), spec);
        const auto asked = issues_of(done, producer, 0);
        return static_cast<double>(asked[18] - asked[8]) / 10;
    };
    const double quick = pace(2, 5, 5);
    // a product waits four cycles for the one before: 100 of them
    CHECK(pace(2, 105, 5) - quick == Approx(400).epsilon(0.1));
    CHECK(pace(2, 5, 105) - quick == Approx(400).epsilon(0.1));
    CHECK(pace(2, 105, 105) - quick == Approx(400).epsilon(0.1));
    CHECK(pace(1, 105, 105) - pace(1, 5, 5) == Approx(800).epsilon(0.1));
}

TEST_CASE("what nobody brings any more is not waited for", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    auto program = ring(2, 2, 3, 3);
    // the consumers make half of the trips; the producer goes on by itself then
    std::get<Loop>(program.body[1]).trips = trips / 2;
    const auto done = run(program, spec);
    CHECK(issues_of(done, producer, 0).size() == trips);
    CHECK(issues_of(done, 1, 0).size() == trips / 2);
}

TEST_CASE("a consumer between two tiles gives more: the producer waits for it", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    constexpr int stages = 2, tiles = 3, fill = 3, use = 20, between = 300;
    auto program = ring(stages, 1, fill, use);
    // its last arrival of a tile lies behind it in the code when it does something long
    auto steps = std::get<Loop>(program.body[1]);
    auto tail = loop_of(1, 1, chain(between));
    std::get<Loop>(tail).trips = 1;
    Loop of_tiles;
    of_tiles.name = "tiles";
    of_tiles.trips = tiles;
    of_tiles.body = {steps, tail};
    std::get<Loop>(program.body[0]).trips = tiles * trips;
    program.body[1] = of_tiles;
    const auto done = run(program, spec);
    const auto asked = issues_of(done, producer, 0);
    std::vector<std::int64_t> freed;
    for (const auto& issue : done.issues) {
        if (issue.warp.warp == 1 && issue.code.index == use + 1 &&
            issue.code.segment->code[static_cast<std::size_t>(issue.code.index)].arrives) {
            freed.push_back(issue.cycle);
        }
    }
    REQUIRE(asked.size() == static_cast<std::size_t>(tiles * trips));
    REQUIRE(freed.size() == asked.size());
    for (std::size_t n = stages; n < asked.size(); ++n) {
        INFO("stage " << n);
        CHECK(asked[n] > freed[n - stages]);
    }
}

TEST_CASE("a wait needs the arrivals of either group", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    auto both = wait(0, 1U << 1U);
    // warp 2 has arrived twice before its loop, so that its numbers are two ahead
    both.others_warps = 1U << 2U;
    both.others_first = 3;
    const int slow = GENERATE(1, 2);
    auto quick_code = chain(5), slow_code = chain(60);
    quick_code.push_back(arrival());
    slow_code.push_back(arrival());
    auto program = straight({}, 3);
    auto before = loop_of(2, 1, {arrival()});
    std::get<Loop>(before).trips = 2;
    program.body = {before, loop_of(0, 1, {both}), loop_of(1, 1, slow == 1 ? slow_code : quick_code),
                    loop_of(2, 1, slow == 2 ? slow_code : quick_code)};
    const auto done = run(program, spec);
    const auto passed = issues_of(done, 0, 0);
    const auto arrived = issues_of(done, slow, 60);
    REQUIRE(passed.size() == trips);
    REQUIRE(arrived.size() == trips);
    for (std::size_t n = 0; n < trips; ++n) {
        CHECK(passed[n] > arrived[n]);
        CHECK((n + 1 == trips || passed[n] < arrived[n + 1]));
    }
}

}  // namespace micro_arrivals_test
