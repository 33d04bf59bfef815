#include "validate/accuracy/choice_regret.h"

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace gpumodel;

TEST_CASE("choice regrets are read by generation, source and ranking", "[unit][validate]") {
    const TemporaryFile file(
        "generation,source,ranked_by,sweeps,mean_pct,worst_pct,mean_of_eight_pct,from\n"
        "sm_70,generated,both,12,2.5,10.5,0.25,\"tune -p a,b\"\n");
    const auto regrets = read_choice_regrets(file.path());
    REQUIRE(regrets.size() == 1);
    const auto& r = regrets.at({"sm_70", "generated", "both"});
    CHECK(r.sweeps == 12);
    CHECK(r.mean_pct == 2.5);
    CHECK(r.worst_pct == 10.5);
    CHECK(r.mean_of_eight_pct == 0.25);
    CHECK(r.from == "tune -p a,b");
}

TEST_CASE("faults of choice regrets are reported all at once", "[unit][validate]") {
    const TemporaryFile file(
        "generation,source,ranked_by,sweeps,mean_pct,worst_pct,mean_of_eight_pct,from\n"
        "sm_70,guessed,both,12,2.5,10.5,0.25,x\n"
        "sm_70,compiled,nobody,-1,2.5,10.5,0.25,x\n"
        "sm_80,compiled,both,1,1,1,1,x\n"
        "sm_80,compiled,both,1,1,1,1,x\n");
    try {
        (void)read_choice_regrets(file.path());
        FAIL("no fault found");
    } catch (const InputError& error) {
        CHECK(error.diagnostics().size() == 4);
    }
}
