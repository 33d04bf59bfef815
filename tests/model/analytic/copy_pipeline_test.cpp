// Bulk copies ahead of products, by hand.
#include "model/analytic/copy_pipeline.h"

#include <catch2/catch.hpp>

namespace copy_pipeline_test {

using namespace gpumodel;

namespace {

Copies copies_of(double latency, double transfer, double ahead, double times) {
    Copies copies;
    copies.add({latency, transfer, ahead}, times);
    return copies;
}

}  // namespace

TEST_CASE("a trip's copies take their bytes' time, or latency and bytes over the trips ahead", "[unit]") {
    CHECK(copies_of(600, 300, 1, 32).period(0) == 900);
    CHECK(copies_of(600, 300, 2, 32).period(0) == 450);
    CHECK(copies_of(600, 300, 4, 32).period(0) == 300);
    // who frees their places has to find room for its products first
    CHECK(copies_of(600, 300, 1, 32).period(500) == 1400);
}

TEST_CASE("copies of an unrolled trip are under way together", "[unit]") {
    auto copies = copies_of(600, 100, 1, 1);
    for (int i = 0; i < 3; ++i) {
        copies.add({600, 100, 1}, 1);
    }
    CHECK(copies.trip(0) == 700);
    CHECK(Copies{}.trip(0) == 0);
}

TEST_CASE("warps that multiply take the slower of products and copies, then store", "[unit]") {
    const SectionPart products{32, 1000, true, 0}, store{1, 5000, false, 0};
    CHECK(pipeline_cycles({products, store}, copies_of(600, 300, 3, 32)) == 900 + 32000 + 5000);
    CHECK(pipeline_cycles({products, store}, copies_of(600, 2000, 3, 32)) == 2600 + 64000 + 5000);
    CHECK(pipeline_cycles({store}, copies_of(600, 300, 3, 32)) == 0);
    CHECK(pipeline_cycles({products, store}, Copies{}) == 0);
}

TEST_CASE("of several tiles copies fill the ring while results are stored, not behind the last", "[unit]") {
    const SectionPart products{96, 1000, true, 0}, store{3, 5000, false, 0};
    // 96 trips of 2000; two times 5000 of them go on beside stores, which a ring of four trips has room for
    CHECK(pipeline_cycles({products, store}, copies_of(600, 2000, 3, 96)) == 2600 + 192000 - 10000 + 15000);
    // of two trips: 4000
    CHECK(pipeline_cycles({products, store}, copies_of(0, 2000, 1, 96)) == 2000 + 192000 - 8000 + 15000);
}

}  // namespace copy_pipeline_test
