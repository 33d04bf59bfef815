// A launch that does not fit is a result: 0 blocks, the limits at fault, what was asked and allowed.
#include <catch2/catch.hpp>
#include <string>

#include "model/launch/occupancy.h"
#include "tests/model/launch/documented_limits.h"

using namespace gpumodel;
using gpumodel::test::arch_of;

namespace {

struct Case {
    int cc, threads, registers;
    std::int64_t shared;
    const char* reason;
};

OccupancyRequest request_of(const Case& c) {
    OccupancyRequest request;
    request.threads_per_block = c.threads;
    request.registers_per_thread = c.registers;
    request.shared_bytes_per_block = c.shared;
    return request;
}

}  // namespace

TEST_CASE("reasons name the limit, what was asked and what is allowed", "[unit][occupancy]") {
    // 1024 threads of 65 registers: 65 * 32 = 2080 rounds to 2304 per warp, 32 warps ask for 73728.
    const Case cases[]{
        {70, 1056, 32, 0, "1056 threads per block asked, 1024 allowed"},
        {10, 513, 8, 0, "513 threads per block asked, 512 allowed"},
        {35, 256, 256, 0, "256 registers per thread asked, 255 allowed"},
        {30, 128, 64, 0, "64 registers per thread asked, 63 allowed"},
        {35, 1024, 65, 0, "73728 registers per block asked (65 per thread, rounded), 65536 allowed"},
        {70, 256, 32, 98305, "98305 bytes of shared memory per block asked, 98304 allowed"},
        {90, 256, 32, 232449, "232449 bytes of shared memory per block asked, 232448 allowed"},
        {35, 2000, 300, 50000,
         "2000 threads per block asked, 1024 allowed; 300 registers per thread asked, 255 allowed; "
         "50000 bytes of shared memory per block asked, 49152 allowed"},
    };
    for (const auto& c : cases) {
        const auto ours = compute_occupancy(arch_of(c.cc), request_of(c));
        CHECK(ours.blocks_per_sm == 0);
        CHECK(ours.occupancy == 0.0);
        CHECK(ours.infeasible_reason == c.reason);
    }
}

TEST_CASE("shared memory above the static limit needs the opt-in", "[unit][occupancy]") {
    auto request = request_of({70, 256, 32, 65536, ""});
    CHECK(compute_occupancy(arch_of(70), request).blocks_per_sm == 1);
    request.allow_optin_shared = false;
    const auto refused = compute_occupancy(arch_of(70), request);
    CHECK(refused.blocks_per_sm == 0);
    CHECK(refused.infeasible_reason ==
          "65536 bytes of shared memory per block asked, 49152 allowed (98304 with opt-in)");
}

TEST_CASE("named barriers limit blocks where the SM has too few", "[unit][occupancy]") {
    // cc 9.0: 64 barriers per SM; 16 per block leave 4 blocks, 2 per block all 32.
    auto request = request_of({90, 64, 32, 0, ""});
    request.barriers_per_block = 16;
    const auto ours = compute_occupancy(arch_of(90), request);
    CHECK(ours.blocks_per_sm == 4);
    CHECK(ours.limiters == std::vector{OccupancyLimiter::barriers});
    request.barriers_per_block = 2;
    CHECK(compute_occupancy(arch_of(90), request).blocks_per_sm == 32);
    request.barriers_per_block = 65;
    CHECK(compute_occupancy(arch_of(90), request).infeasible_reason ==
          "65 barriers per block asked, 64 per SM available");
}

TEST_CASE("a request that no rule is defined for fails as a launch", "[unit][occupancy]") {
    auto request = request_of({70, 0, -1, -5, ""});
    request.carveout_percent = 101;
    const auto ours = compute_occupancy(arch_of(70), request);
    CHECK(ours.blocks_per_sm == 0);
    CHECK(ours.limiters == std::vector{OccupancyLimiter::launch_fails});
    CHECK(ours.infeasible_reason ==
          "0 threads per block asked, at least 1 needed; -1 registers per thread asked, at least 0 needed; "
          "-5 bytes of shared memory per block asked, at least 0 needed; "
          "carve-out hint of 101 % asked, 0 to 100 % allowed");
}
