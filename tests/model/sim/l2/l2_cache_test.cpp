// The L2 against closed forms.
#include "model/sim/l2/l2_cache.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace l2_cache_test {

using gpumodel::sim::L2Cache;

namespace {

constexpr std::uint32_t whole_line = 0xffffffff;
constexpr std::int64_t line_bytes = 128;

std::int64_t read_all(L2Cache& cache, std::int64_t first, std::int64_t lines) {
    std::int64_t fetched = 0;
    for (auto line = first; line < first + lines; ++line) {
        fetched += cache.read(line, whole_line);
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
    CHECK(cache.read(7, 0x1) == 1);
    CHECK(cache.read(7, 0x80) == 0);
    CHECK(cache.read(7, 0x101) == 1);
    CHECK(cache.read(7, whole_line) == 2);
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
        REQUIRE((cache.read(line, whole_line) == 0) == known);
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
                fetched += cache.read(line, whole_line);
                read += 4;
            }
        }
        return 1 - fetched / read;
    };
    CHECK(hit_rate(16) == Approx(hit_rate(1)).margin(0.02));
}

}  // namespace l2_cache_test
