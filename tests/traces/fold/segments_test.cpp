// Segments of folded programs: kinds of accesses, dependency shapes.
#include <catch2/catch.hpp>

#include "tests/traces/fold/expand.h"
#include "tests/traces/fold/scripted_source.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

namespace {

constexpr auto global = MemorySpace::global;
constexpr auto shared = MemorySpace::shared;

}  // namespace

TEST_CASE("copies, atomics, sub-word and local accesses keep their kind", "[unit][fold]") {
    CodeWriter c;
    c.access(AccessKind::async_copy, global, 16);
    c.access(AccessKind::atomic, global, 4);
    c.access(AccessKind::atomic, shared, 4);
    c.load(global, 1);
    c.load(MemorySpace::local, 8);
    const int end = c.branch() + 1;
    ScriptedSource source(c.code, 2, [&](const Dim3& block, int warp, WarpScript& s) {
        for (std::int64_t t = 0; t < 6; ++t) {
            s.run(0, end,
                  [&](int n, int lane) { return 16 * lane + 64 * t + 512 * warp + n * 4096 + 16 * block.x; });
        }
    });
    const auto launch = launch_of({3, 1, 1}, 64, 1);
    const auto program = fold_program(source, launch);
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    const auto& loop = std::get<Loop>(program.body.front());
    const auto& sites = std::get<Interval>(loop.body.front()).segments.front().sites;
    REQUIRE(sites.size() == 6);
    CHECK(sites[0].kind == AccessKind::async_copy);
    CHECK(sites[0].space == global);
    CHECK(sites[1].space == shared);
    CHECK(sites[0].stage_id == sites[1].stage_id);
    CHECK(sites[2].kind == AccessKind::atomic);
    CHECK(sites[4].bytes_per_lane() == 1);
    CHECK(sites[5].space == MemorySpace::local);
    CHECK(program.arrays[0].read);
    CHECK(program.arrays[0].written);
}

TEST_CASE("waits are counted from the order of the instructions", "[unit][fold]") {
    // two loads in flight together, used in the same trip: one round trip
    CodeWriter batch;
    batch.load(global, 4, 10);
    batch.load(global, 4, 11);
    batch.ffma(0, 10, 11);
    batch.ffma(1, 10, 11);
    const int end = batch.branch() + 1;
    const auto run = [](const CodeWriter& c, int last) {
        ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
            for (std::int64_t t = 0; t < 10; ++t) {
                s.run(0, last, [&](int, int lane) { return 4 * lane + 128 * t; });
            }
        });
        const auto program = fold_program(source, launch_of({1, 1, 1}, 32, 1));
        const auto& loop = std::get<Loop>(program.body.front());
        return std::get<Interval>(loop.body.front()).segments.front().dependency;
    };
    auto shape = run(batch, end);
    CHECK(shape.serial_global_loads == 1);
    CHECK(shape.prefetched_global_loads == 0);
    CHECK(shape.ilp == 2);
    // used before it is loaded anew: a prefetch for the next trip
    CodeWriter prefetch;
    prefetch.ffma(0, 10, 10);
    prefetch.load(global, 4, 10);
    const int prefetch_end = prefetch.branch() + 1;
    shape = run(prefetch, prefetch_end);
    CHECK(shape.serial_global_loads == 0);
    CHECK(shape.prefetched_global_loads == 1);
    CHECK(shape.ilp == 1);
    // a chain of two loads
    CodeWriter chain;
    chain.load(global, 4, 10);
    chain.ffma(0, 10, 10);
    chain.load(shared, 4, 11);
    chain.ffma(0, 11, 11);
    chain.load(global, 4, 12);
    chain.ffma(0, 12, 12);
    const int chain_end = chain.branch() + 1;
    shape = run(chain, chain_end);
    CHECK(shape.serial_global_loads == 2);
    CHECK(shape.serial_shared_loads == 1);
    CHECK(shape.ilp == 1);
}
