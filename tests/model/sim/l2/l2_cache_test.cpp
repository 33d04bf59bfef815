// The L2 against closed forms.
#include "model/sim/l2/l2_cache.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <list>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "model/sim/l2/sector_count.h"

namespace l2_cache_test {

using gpumodel::sim::L2Cache;

namespace {

constexpr std::uint32_t whole_line = 0xffffffff;
constexpr std::int64_t line_bytes = 128;

// The sectors that came from DRAM.
int sectors_read(L2Cache& cache, std::int64_t line, std::uint32_t words) {
    double unused = 0;
    return gpumodel::sim::sector_count(cache.fetch(line, words, 1, unused));
}

std::int64_t read_all(L2Cache& cache, std::int64_t first, std::int64_t lines) {
    std::int64_t fetched = 0;
    for (auto line = first; line < first + lines; ++line) {
        fetched += sectors_read(cache, line, whole_line);
    }
    return fetched;
}

void write_all(L2Cache& cache, std::int64_t lines, std::uint32_t words) {
    for (std::int64_t line = 0; line < lines; ++line) {
        cache.write(line, words);
    }
}

}  // namespace

TEST_CASE("a cold read brings every sector once, a second one none", "[l2]") {
    L2Cache cache(1 << 20, 16, 1);
    CHECK(read_all(cache, 0, 4096) == 4096 * 4);
    CHECK(cache.counts().fetched_sectors == 4096 * 4);
    L2Cache large(1 << 24, 16, 1);
    CHECK(read_all(large, 0, 4096) == 4096 * 4);
    CHECK(read_all(large, 0, 4096) == 0);
    CHECK(large.counts().fetched_sectors == 4096 * 4);
}

TEST_CASE("a set read again and again stays if it fits, and leaves nothing if it is twice the size", "[l2]") {
    constexpr std::int64_t capacity = 1 << 20;
    L2Cache cache(capacity, 16, 1);
    read_all(cache, 0, capacity / line_bytes / 2);
    CHECK(read_all(cache, 0, capacity / line_bytes / 2) == 0);
    read_all(cache, 0, 2 * capacity / line_bytes);
    const auto again = read_all(cache, 0, 2 * capacity / line_bytes);
    CHECK(static_cast<double>(again) > 0.99 * 4 * 2 * capacity / line_bytes);
}

TEST_CASE("only sectors that are touched are fetched", "[l2]") {
    L2Cache cache(1 << 20, 16, 1);
    CHECK(sectors_read(cache, 7, 0x1) == 1);
    CHECK(sectors_read(cache, 7, 0x80) == 0);
    CHECK(sectors_read(cache, 7, 0x101) == 1);
    CHECK(sectors_read(cache, 7, whole_line) == 2);
}

TEST_CASE("written lines come back from L2 and go to DRAM when they leave", "[l2]") {
    constexpr std::int64_t capacity = 1 << 20;
    constexpr std::int64_t lines = capacity / line_bytes;
    L2Cache cache(capacity, 16, 1);
    write_all(cache, lines / 2, whole_line);
    CHECK(cache.counts().written_back_sectors == 0);
    CHECK(read_all(cache, 0, lines / 2) == 0);
    read_all(cache, lines, 4 * lines);  // drives everything out
    CHECK(cache.counts().written_back_sectors == lines / 2 * 4);
    CHECK(cache.counts().fetched_sectors == 4 * lines * 4);
}

TEST_CASE("a sector written in part is fetched when its line leaves, a whole one is not", "[l2]") {
    constexpr std::int64_t lines = 64;
    for (const std::uint32_t words : {0x55555555U, 0xffffffffU}) {
        L2Cache cache(1 << 20, 16, 1);
        write_all(cache, lines, words);
        read_all(cache, 1 << 20, 1 << 16);
        const auto partial = cache.counts().fetched_sectors - 4 * (1 << 16);
        CHECK(cache.counts().written_back_sectors == lines * 4);
        CHECK(partial == (words == 0xffffffffU ? 0 : lines * 4));
    }
    // two stores that complete each other
    L2Cache cache(1 << 20, 16, 1);
    write_all(cache, lines, 0x55555555U);
    write_all(cache, lines, 0xaaaaaaaaU);
    CHECK(read_all(cache, 0, lines) == 0);
}

TEST_CASE("one set is LRU", "[l2]") {
    // a cache of one set, against a list in order of use
    constexpr int ways = 16;
    L2Cache cache(ways * line_bytes, ways, 1);
    std::list<std::int64_t> recent;
    std::uint32_t random = 12345;
    for (int i = 0; i < 20000; ++i) {
        random = random * 1664525U + 1013904223U;
        const auto line = static_cast<std::int64_t>((random >> 16U) % 24);
        bool known = false;
        for (auto at = recent.begin(); at != recent.end(); ++at) {
            if (*at == line) {
                recent.erase(at);
                known = true;
                break;
            }
        }
        recent.push_front(line);
        if (recent.size() > ways) {
            recent.pop_back();
        }
        REQUIRE((sectors_read(cache, line, whole_line) == 0) == known);
    }
}

TEST_CASE("a sample of the lines stands for all of them", "[l2]") {
    // reads of twice the capacity in random order: the hit rate of the sampled cache is the full one's
    constexpr std::int64_t capacity = 1 << 22;
    constexpr std::int64_t lines = 2 * capacity / line_bytes;
    const auto hit_rate = [](int one_in) {
        L2Cache cache(capacity, 16, one_in);
        double read = 0, fetched = 0;
        std::uint64_t random = 99;
        for (int i = 0; i < 400000; ++i) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            const auto line = static_cast<std::int64_t>((random >> 33U) % lines);
            if (cache.samples(line)) {
                fetched += sectors_read(cache, line, whole_line);
                read += 4;
            }
        }
        return 1 - fetched / read;
    };
    CHECK(hit_rate(16) == Approx(hit_rate(1)).margin(0.02));
}

// What a row of DRAM that is opened for half a line costs, in sectors.
TEST_CASE("half a line that is read alone costs more than its bytes, with the other half it does not",
          "[l2]") {
    constexpr std::uint32_t low_half = 0xffff, high_half = 0xffff0000;
    L2Cache cache(1 << 20, 16, 1, {2, 3.4, 4.5});
    double alone = 0, first = 0, second = 0, whole = 0, in_a_row = 0;
    CHECK(cache.fetch(0, low_half, 1, alone) == 0b0011);
    CHECK(cache.fetch(64, low_half, 1, first) == 0b0011);
    CHECK(cache.fetch(64, high_half, 1, second) == 0b1100);
    CHECK(cache.fetch(128, whole_line, 1, whole) == 0b1111);
    CHECK(cache.fetch(192, low_half, 7, in_a_row) == 0b0011);
    cache.next_step();
    CHECK(alone == Approx(3.4));
    CHECK(first + second == Approx(4));
    CHECK(whole == Approx(4));
    CHECK(in_a_row == Approx(2.2));
    double late = 0;  // the other half, when the row is closed again
    CHECK(cache.fetch(0, high_half, 1, late) == 0b1100);
    cache.next_step();
    CHECK(alone + late == Approx(6.8));
}

TEST_CASE("half a line that is written back costs more than its bytes", "[l2]") {
    for (const auto& [words, cost] :
         std::vector<std::pair<std::uint32_t, double>>{{whole_line, 4}, {0xff, 4.5}, {0xffffff, 3}}) {
        L2Cache cache(16 * line_bytes, 16, 1, {2, 3.4, 4.5});
        cache.write(0, words);
        read_all(cache, 16, 16);
        CHECK(cache.counts().write_back_cost == Approx(cost));
    }
}

TEST_CASE("a part of a sector is fetched as well, alone or with its row", "[l2]") {
    constexpr int row = 16;
    for (const auto& [words, of_row, cost] : {std::tuple{0x1U, 1, 4.5 + 3.4},
                                              {0x1U, row / 2, (2 + 2.5 / 2) + (2 + 1.4 / 2)},
                                              {0x1U, row, 4 + 3.9 / 4},
                                              {0x10001U, row, 4 + 3.9 / 4},
                                              {0x1010101U, row, 8.0}}) {
        L2Cache cache(16 * line_bytes, 16, 1, {2, 3.4, 4.5});
        cache.write(0, words, of_row);
        read_all(cache, 16, 16);
        CHECK(cache.counts().write_back_cost == Approx(cost));
    }
}

}  // namespace l2_cache_test
