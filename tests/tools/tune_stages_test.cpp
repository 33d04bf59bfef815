// What a stage of tune changes in the order of the one before.
#include <catch2/catch.hpp>

#include "tools/tune/stages.h"

using namespace gpumodel::cli::tuning;

TEST_CASE("a stage that keeps the order moves nothing", "[unit][tune]") {
    SearchStage stage;
    compare_orders({1, 2, 5, 9}, stage);  // of a longer order
    CHECK(stage.moved == 0);
    CHECK(stage.first_was == 1);
}

TEST_CASE("a stage counts what is at another rank among its own", "[unit][tune]") {
    SearchStage stage;
    compare_orders({4, 2, 1, 9}, stage);  // 4 and 1 have changed places
    CHECK(stage.moved == 2);
    CHECK(stage.first_was == 4);
    compare_orders({0, 1, 3}, stage);  // the first was not in the stage before
    CHECK(stage.moved == 0);
    CHECK(stage.first_was == 0);
}

TEST_CASE("compiled code is ranked by the simulator alone", "[unit][tune]") {
    CHECK(ranking_of(RankedBy::both, true) == RankedBy::simulate);
    CHECK(ranking_of(RankedBy::analytic, true) == RankedBy::analytic);
    CHECK(ranking_of(RankedBy::both, false) == RankedBy::both);
}
