#include "model/sim/extrapolate/stream_profile.h"

#include <catch2/catch.hpp>

#include "tests/support/hand_made.h"

using namespace gpumodel;

TEST_CASE("instructions of a stream count nested loops", "[sim][unit]") {
    sim::WarpStream stream;
    stream.ops.resize(10);
    // ops 1-8 x 5 around ops 2-4 x 3 around ops 3-3 x 2
    stream.loops = {{3, 3, -1, 2, 0, 2}, {2, 4, -1, 1, 0, 3}, {1, 8, -1, 0, 0, 5}};
    stream.ops[3].loop = 0;
    stream.ops[4].loop = 1;
    stream.ops[8].loop = 2;
    const auto profile = sim::profile_of(stream);
    // a trip of the outer one: ops 1, 5-8, three times (2, 4 and twice 3)
    CHECK(profile.loops[2].instructions_per_trip == 5 + 3 * 4);
    CHECK(profile.instructions == 2 + 5 * 17);
    CHECK(profile.top_loop_of_op == std::vector<std::int32_t>{-1, 2, 2, 2, 2, 2, 2, 2, 2, -1});
}

TEST_CASE("windows are of 256 to 512 instructions of a warp, in steps of four trips", "[sim][unit]") {
    using namespace sim::hand_made;
    const auto trips = [](int ops, int warps) {
        const auto stream = looped(std::vector<sim::DecodedOp>(static_cast<std::size_t>(ops)), 100);
        return sim::profile_of(stream, warps).loops[0].window_trips;
    };
    CHECK(trips(10, 1) == 52);    // 512 / 10
    CHECK(trips(10, 64) == 28);   // 16384 / 64 = 256, by 10
    CHECK(trips(10, 48) == 36);   // 341.3 / 10
    CHECK(trips(200, 64) == 2);   // 1.28
    CHECK(trips(100, 64) == 4);   // 2.56
    CHECK(trips(1000, 64) == 2);  // at least
}

TEST_CASE("the longest loop is the one with the most instructions", "[sim][unit]") {
    using namespace sim::hand_made;
    auto decoded = program(looped(std::vector<sim::DecodedOp>(10), 7), 2);
    decoded.bodies[0].streams.push_back(looped(std::vector<sim::DecodedOp>(3), 20));
    CHECK(sim::longest_loop_trips(decoded) == 7);
    decoded.bodies[0].streams.push_back(looped(std::vector<sim::DecodedOp>(3), 24));
    CHECK(sim::longest_loop_trips(decoded) == 24);
    // a block of two warps that run the first stream
    CHECK(sim::block_instructions(decoded, sim::profiles_of(decoded, 1)) == std::vector<double>{140});
}
