// Published answers: NVIDIA's guides and slides, the Modern GPU page, the matmul worklog, Volkov's talk
// (rows P1 to P26) and runs of NVIDIA's header recorded there (2.2, H1 to H46).
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/launch/occupancy.h"
#include "tests/model/launch/documented_limits.h"

namespace occupancy_examples_test {

using namespace gpumodel;
using gpumodel::test::arch_of;

namespace {

// Limiter letters in the tables: W warps, R registers, S shared memory, B block slots.
std::string letters(const Occupancy& occupancy) {
    std::string text;
    for (const auto limiter : occupancy.limiters) {
        text += "WRSB"[static_cast<std::size_t>(limiter)];
    }
    return text;
}

struct Published {
    const char* row;
    int cc, threads, registers;
    std::int64_t shared;
    int blocks, warps;
    double percent;       // as printed, so to one unit of its last digit
    const char* limiter;  // the limits that the publication names
};

// P13 and P14 hold for the block sizes that fill whole warps of the register limit.
const std::vector<Published> published{
    {"P1", 10, 256, 10, 0, 3, 24, 100, "WR"},     {"P2", 10, 256, 11, 0, 2, 16, 66, "R"},
    {"P3", 10, 128, 11, 0, 5, 20, 83, "R"},       {"P4", 10, 192, 20, 68, 2, 12, 50, "R"},
    {"P5", 20, 256, 63, 0, 2, 16, 33, "R"},       {"P6 sm_30", 30, 256, 63, 0, 4, 32, 50, "R"},
    {"P6 sm_35", 35, 256, 63, 0, 4, 32, 50, "R"}, {"P7", 37, 256, 63, 0, 8, 64, 100, "WR"},
    {"P8", 20, 128, 63, 11264, 4, 16, 33, "RS"},  {"P9", 35, 128, 80, 11264, 4, 16, 25, "S"},
    {"P10", 20, 128, 48, 6144, 5, 20, 42, "R"},   {"P11", 35, 128, 48, 6144, 8, 32, 50, "S"},
    {"P12", 20, 128, 36, 6144, 7, 28, 58, "R"},   {"P13", 30, 128, 63, 0, 8, 32, 50, "R"},
    {"P13", 30, 512, 63, 0, 2, 32, 50, "R"},      {"P13", 30, 1024, 63, 0, 1, 32, 50, "R"},
    {"P14", 35, 64, 255, 0, 4, 8, 12.5, "R"},     {"P14", 35, 128, 255, 0, 2, 8, 12.5, "R"},
    {"P15", 35, 256, 236, 0, 1, 8, 12.5, "R"},    {"P16", 70, 512, 64, 0, 2, 32, 50, "R"},
    {"P16", 80, 512, 64, 0, 2, 32, 50, "R"},      {"P17", 70, 512, 65, 0, 1, 16, 25, "R"},
    {"P17", 80, 512, 65, 0, 1, 16, 25, "R"},      {"P18", 70, 128, 37, 0, 12, 48, 75, "R"},
    {"P19", 70, 320, 37, 0, 4, 40, 63, "R"},      {"P20", 86, 1024, 37, 8192, 1, 32, 66.7, "WR"},
    {"P21", 20, 1024, 21, 8192, 1, 32, 67, "WR"}, {"P22", 20, 512, 28, 8192, 2, 32, 67, "R"},
    {"P23", 20, 256, 41, 8192, 3, 24, 50, "R"},   {"P24", 20, 128, 63, 8192, 4, 16, 33, "R"},
    {"P25", 90, 768, 40, 0, 2, 48, 75, "W"},      {"P26", 90, 32, 64, 0, 32, 32, 50, "B"},
};

constexpr int unused = -1;

struct Recorded {
    const char* row;
    int cc, threads, registers;
    std::int64_t shared;
    int hint;  // per cent, or unused
    int blocks, warps;
    int limit_warps, limit_registers, limit_shared, limit_blocks;  // unused: printed as -
    const char* limiter;
};

const std::vector<Recorded> recorded{
    {"H1", 30, 128, 63, 12288, unused, 4, 16, 16, 8, 4, 16, "S"},
    {"H2", 35, 64, 32, 0, unused, 16, 32, 32, 32, unused, 16, "B"},
    {"H3", 35, 128, 32, 0, unused, 16, 64, 16, 16, unused, 16, "WRB"},
    {"H4", 35, 256, 33, 0, unused, 6, 48, 8, 6, unused, 16, "R"},
    {"H5", 35, 256, 32, 8192, unused, 6, 48, 8, 8, 6, 16, "S"},
    {"H6", 35, 256, 64, 16384, unused, 3, 24, 8, 4, 3, 16, "S"},
    {"H7", 35, 256, 65, 0, unused, 3, 24, 8, 3, unused, 16, "R"},
    {"H8", 35, 96, 40, 0, unused, 16, 48, 21, 16, unused, 16, "RB"},
    {"H9", 35, 160, 48, 0, unused, 8, 40, 12, 8, unused, 16, "R"},
    {"H10", 35, 544, 40, 0, unused, 2, 34, 3, 2, unused, 16, "R"},
    {"H11", 35, 257, 32, 0, unused, 7, 63, 7, 7, unused, 16, "WR"},
    {"H12", 35, 1024, 33, 0, unused, 1, 32, 2, 1, unused, 16, "R"},
    {"H13", 35, 1024, 65, 0, unused, 0, 0, 2, 0, unused, 16, "R"},
    {"H14", 35, 512, 128, 0, unused, 1, 16, 4, 1, unused, 16, "R"},
    {"H15", 35, 128, 32, 3073, unused, 14, 56, 16, 16, 14, 16, "S"},
    {"H16", 37, 256, 128, 16384, unused, 4, 32, 8, 4, 7, 16, "R"},
    {"H17", 37, 512, 64, 32768, unused, 3, 48, 4, 4, 3, 16, "S"},
    {"H18", 37, 1024, 65, 0, unused, 0, 0, 2, 0, unused, 16, "R"},
    {"H19", 37, 416, 96, 0, unused, 3, 39, 4, 3, unused, 16, "R"},
    {"H20", 70, 256, 32, 0, unused, 8, 64, 8, 8, unused, 32, "WR"},
    {"H21", 70, 256, 128, 32768, unused, 2, 16, 8, 2, 3, 32, "R"},
    {"H22", 70, 128, 168, 0, unused, 3, 12, 16, 3, unused, 32, "R"},
    {"H23", 70, 1024, 32, 98304, unused, 1, 32, 2, 2, 1, 32, "S"},
    {"H24", 70, 256, 64, 16384, 50, 4, 32, 8, 4, 4, 32, "RS"},
    {"H25", 70, 256, 64, 40960, 25, 1, 8, 8, 4, 1, 32, "S"},
    {"H26", 70, 96, 72, 0, unused, 9, 27, 21, 9, unused, 32, "R"},
    {"H27", 70, 32, 32, 0, unused, 32, 32, 64, 64, unused, 32, "B"},
    {"H28", 75, 1024, 64, 0, unused, 1, 32, 1, 1, unused, 16, "WR"},
    {"H29", 75, 256, 64, 16384, unused, 4, 32, 4, 4, 4, 16, "WRS"},
    {"H30", 75, 128, 255, 0, unused, 2, 8, 8, 2, unused, 16, "R"},
    {"H31", 80, 256, 128, 32768, unused, 2, 16, 8, 2, 4, 32, "R"},
    {"H32", 80, 512, 64, 81920, unused, 2, 32, 4, 2, 2, 32, "RS"},
    {"H33", 80, 256, 32, 166912, unused, 1, 8, 8, 8, 1, 32, "S"},
    {"H34", 80, 32, 32, 4096, unused, 32, 32, 64, 64, 32, 32, "SB"},
    {"H35", 80, 256, 64, 16384, 50, 4, 32, 8, 4, 5, 32, "R"},
    {"H36", 86, 256, 128, 8192, unused, 2, 16, 6, 2, 11, 16, "R"},
    {"H37", 86, 256, 128, 49152, unused, 2, 16, 6, 2, 2, 16, "RS"},
    {"H38", 86, 128, 168, 33792, unused, 2, 8, 12, 3, 2, 16, "S"},
    {"H39", 86, 64, 32, 0, unused, 16, 32, 24, 32, 100, 16, "B"},
    {"H40", 86, 320, 37, 0, unused, 4, 40, 4, 4, 100, 16, "WR"},
    {"H41", 89, 64, 32, 0, unused, 24, 48, 24, 32, 100, 24, "WB"},
    {"H42", 89, 256, 128, 16384, unused, 2, 16, 6, 2, 5, 24, "R"},
    {"H43", 90, 384, 168, 200704, unused, 1, 12, 5, 1, 1, 32, "RS"},
    {"H44", 90, 128, 168, 57344, unused, 3, 12, 16, 3, 4, 32, "R"},
    {"H45", 90, 256, 255, 65536, unused, 1, 8, 8, 1, 3, 32, "R"},
    {"H46", 90, 128, 128, 32768, unused, 4, 16, 16, 4, 6, 32, "R"},
};

OccupancyRequest request_of(int threads, int registers, std::int64_t shared) {
    OccupancyRequest request;
    request.threads_per_block = threads;
    request.registers_per_thread = registers;
    request.shared_bytes_per_block = shared;
    return request;
}

}  // namespace

TEST_CASE("published occupancy examples", "[unit][occupancy]") {
    for (const auto& p : published) {
        INFO(p.row);
        const auto ours = compute_occupancy(arch_of(p.cc), request_of(p.threads, p.registers, p.shared));
        CHECK(ours.blocks_per_sm == p.blocks);
        CHECK(ours.active_warps == p.warps);
        CHECK(100 * ours.occupancy == Approx(p.percent).margin(0.7));
        for (const char limit : std::string(p.limiter)) {
            CHECK_THAT(letters(ours), Catch::Contains(std::string(1, limit)));
        }
    }
}

TEST_CASE("recorded answers of NVIDIA's header", "[unit][occupancy]") {
    const auto limit = [](int value) { return value == unused ? std::nullopt : std::optional(value); };
    for (const auto& h : recorded) {
        INFO(h.row);
        auto request = request_of(h.threads, h.registers, h.shared);
        request.carveout_percent = limit(h.hint);
        const auto ours = compute_occupancy(arch_of(h.cc), request);
        CHECK(ours.blocks_per_sm == h.blocks);
        CHECK(ours.active_warps == h.warps);
        CHECK(ours.limit_warps == h.limit_warps);
        CHECK(ours.limit_registers == limit(h.limit_registers));
        CHECK(ours.limit_shared_memory == limit(h.limit_shared));
        CHECK(ours.limit_blocks == h.limit_blocks);
        CHECK(letters(ours) == h.limiter);
        CHECK(ours.infeasible_reason.empty() == (h.blocks > 0));
    }
}

TEST_CASE("G80 calculator page: limits and allocation", "[unit][occupancy]") {
    const auto& g80 = arch_of(10);
    const auto page = compute_occupancy(g80, request_of(192, 20, 68));
    CHECK(page.warps_per_block == 6);
    CHECK(page.registers_allocated_per_block == 3840);
    CHECK(page.shared_allocated_bytes == 512);
    CHECK(page.limit_warps == 4);
    CHECK(page.limit_registers == 2);
    CHECK(page.limit_shared_memory == 32);
    // Its charts: blocks of 400 threads do not fit, 24 registers leave 6 warps, so do 8384 bytes.
    CHECK(compute_occupancy(g80, request_of(400, 20, 68)).blocks_per_sm == 0);
    CHECK(compute_occupancy(g80, request_of(192, 24, 68)).active_warps == 6);
    CHECK(compute_occupancy(g80, request_of(192, 20, 8192)).active_warps == 12);
    CHECK(compute_occupancy(g80, request_of(192, 20, 8384)).active_warps == 6);
}

TEST_CASE("Fermi allocates some register counts in twice the unit", "[unit][occupancy]") {
    // cuda_occupancy.h of CUDA 7.0: 128 registers instead of 64 for 21, 22, 29, 30, 37, 38, 45 and 46.
    const std::vector<std::pair<int, int>> per_warp{
        {20, 640},  {21, 768},  {22, 768},  {23, 768},  {28, 896},  {29, 1024}, {30, 1024},
        {36, 1152}, {37, 1280}, {38, 1280}, {44, 1408}, {45, 1536}, {46, 1536}, {63, 2048}};
    for (const auto& [registers, allocated] : per_warp) {
        INFO(registers << " registers per thread");
        CHECK(compute_occupancy(arch_of(20), request_of(32, registers, 0)).registers_allocated_per_warp ==
              allocated);
    }
    // 128 threads, 22 registers: 16384 / 768 = 21 warps per half, 42 in all, 10 blocks;
    CHECK(compute_occupancy(arch_of(20), request_of(128, 22, 0)).limit_registers == 10);
}

TEST_CASE("Modern GPU page: registers and shared memory that its blocks take", "[unit][occupancy]") {
    const auto five = compute_occupancy(arch_of(20), request_of(128, 48, 6144));
    CHECK(five.blocks_per_sm * five.registers_allocated_per_block == 30720);
    const auto seven = compute_occupancy(arch_of(20), request_of(128, 36, 6144));
    CHECK(seven.blocks_per_sm * seven.registers_allocated_per_block == 32256);
    const auto eight = compute_occupancy(arch_of(35), request_of(128, 48, 6144));
    CHECK(eight.blocks_per_sm * eight.shared_allocated_bytes == 49152);
}

TEST_CASE("carve-outs and rounding that the header reports", "[unit][occupancy]") {
    auto request = request_of(256, 64, 16384);
    request.carveout_percent = 50;
    CHECK(compute_occupancy(arch_of(70), request).carveout_bytes == 64 * 1024);
    CHECK(compute_occupancy(arch_of(80), request).carveout_bytes == 100 * 1024);
    request = request_of(256, 64, 40960);
    request.carveout_percent = 25;
    CHECK(compute_occupancy(arch_of(70), request).carveout_bytes == 64 * 1024);
    CHECK(compute_occupancy(arch_of(35), request_of(128, 32, 3073)).shared_allocated_bytes == 3328);
    CHECK(compute_occupancy(arch_of(80), request_of(256, 128, 32768)).shared_allocated_bytes == 33792);
}

}  // namespace occupancy_examples_test
