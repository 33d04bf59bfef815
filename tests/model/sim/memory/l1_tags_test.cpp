#include "model/sim/memory/l1_tags.h"

#include <catch2/catch.hpp>
#include <deque>
#include <random>

using gpumodel::sim::L1Tags;

TEST_CASE("L1 tags: without capacity nothing stays", "[sim][unit]") {
    L1Tags tags(0);
    CHECK(tags.insert(5) == nullptr);
    CHECK(tags.find(5) == nullptr);
}

TEST_CASE("L1 tags hold the lines that came last, as a queue does", "[sim][property]") {
    constexpr std::size_t capacity = 24;
    L1Tags tags(128 * capacity);
    std::deque<std::int64_t> queue;
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const auto line = static_cast<std::int64_t>(random() % 64);
        const bool there = std::find(queue.begin(), queue.end(), line) != queue.end();
        auto* found = tags.find(line);
        REQUIRE((found != nullptr) == there);
        if (there) {
            REQUIRE(found->number == line);
            continue;
        }
        REQUIRE(tags.insert(line) != nullptr);
        queue.push_back(line);
        if (queue.size() > capacity) {
            queue.pop_front();
        }
    }
}
