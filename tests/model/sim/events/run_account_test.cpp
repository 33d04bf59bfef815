#include "model/sim/events/run_account.h"

#include <catch2/catch.hpp>

namespace run_account_test {

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

struct Heard : SimListener {
    std::vector<WarpSpan> spans;
    std::vector<WarpIssue> issues;
    void spent(const WarpSpan& span) override { spans.push_back(span); }
    void issued(const WarpIssue& issue) override { issues.push_back(issue); }
};

}  // namespace

TEST_CASE("the account has every cycle under its line and reason, and tells the listener", "[sim][unit]") {
    const Segment segment;
    const std::vector<CodePlace> code{{&segment, 4}, {&segment, 5}};
    Heard heard;
    RunAccount account(code, &heard);
    const WarpName warp{17, 2, 3, 1};
    DecodedOp op;
    op.op = OpClass::iadd;
    op.code = 1;
    account.spent(warp, op, 10, 16, StallReason::wait);
    account.spent(warp, op, 16, 17, StallReason::selected);
    account.issued(warp, op, 16);
    account.lived(7);

    CHECK(account.stalls()[0] == StallCycles{});
    CHECK(account.stalls()[1][static_cast<std::size_t>(StallReason::wait)] == 6);
    CHECK(account.stalls()[1][static_cast<std::size_t>(StallReason::selected)] == 1);
    CHECK(account.accounted_warp_cycles() == 7);
    CHECK(account.resident_warp_cycles() == 7);
    CHECK(account.counters().instructions == 1);
    CHECK(account.counters().issued_by_class[static_cast<std::size_t>(OpClass::iadd)] == 1);
    REQUIRE(heard.spans.size() == 2);
    CHECK(heard.spans[0].from == 10);
    CHECK(heard.spans[0].until == 16);
    CHECK(heard.spans[0].warp.block == 17);
    CHECK(heard.spans[0].code.segment == &segment);
    CHECK(heard.spans[0].code.index == 5);
    REQUIRE(heard.issues.size() == 1);
    CHECK(heard.issues[0].cycle == 16);
    CHECK(heard.issues[0].op == OpClass::iadd);
}

}  // namespace run_account_test
