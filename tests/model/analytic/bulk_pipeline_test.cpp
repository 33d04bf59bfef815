// Loops whose tiles come by bulk copies several trips ahead, in the analytic model.
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"

namespace bulk_pipeline_test {

using namespace gpumodel;

namespace {

constexpr std::int64_t trips = 64;

double& ops_of(Segment& segment, OpClass op) {
    return segment.ops[static_cast<std::size_t>(op)];
}

AccessSite side(MemorySpace space, int words) {
    AccessSite site;
    site.name = "UTMALDG";
    site.array = space == MemorySpace::shared ? "shared" : "A";
    site.space = space;
    site.kind = AccessKind::async_copy;
    site.role = SiteRole::none;
    site.words = words;
    site.vector_words = 4;
    site.copies = CopyUnit::tensor;
    site.past_l1 = true;
    site.words_fixed = true;
    site.address = [=](const Coord& at, int word) {
        const std::int64_t in_tile = at.thread % 32 * 16 + word / 4 * 512 + word % 4 * 4;
        return space == MemorySpace::shared ? in_tile : in_tile + at.loop[0] * words * 128;
    };
    return site;
}

// Each trip: so many products of every warp, a barrier of the block, and one warp's copy of so many bytes,
// which the trip so many trips later waits for.
KernelProgram pipeline(double products, int bytes, double ahead) {
    KernelProgram program;
    program.kernel = "pipeline";
    program.block = {128, 1, 1};
    program.resources.threads = 128;
    program.resources.registers_per_thread = 64;
    program.resources.static_shared_bytes = 40000;
    program.arrays = {{"A", trips * bytes, true, false}};
    Segment work;
    work.name = "products";
    work.thread_end = 128;
    ops_of(work, OpClass::ffma) = products;
    work.dependency.ilp = 8;
    Interval first;
    first.segments = {work};
    first.barrier_after = true;
    ops_of(first.segments[0], OpClass::barrier) = 1;
    Segment copy;
    copy.name = "copy";
    copy.thread_end = 32;
    ops_of(copy, OpClass::async_copy) = 1;
    copy.sites = {side(MemorySpace::global, bytes / 128), side(MemorySpace::shared, bytes / 128)};
    copy.dependency.prefetched_global_loads = 1;
    copy.dependency.trips_ahead = ahead;
    Interval second;
    second.segments = {copy};
    Loop loop;
    loop.name = "tiles";
    loop.trips = trips;
    loop.body = {first, second};
    program.body = {loop};
    return program;
}

double per_trip(double products, int bytes, double ahead) {
    const auto arch = load_arch("h200_sxm");
    const auto p = predict_analytic(pipeline(products, bytes, ahead), arch);
    REQUIRE(is_predicted(p.status));
    return p.terms.block_alone_cycles / trips;
}

}  // namespace

TEST_CASE("copies that a later trip waits for run beside the products, across a barrier", "[analytic]") {
    // 4000 products of a warp per trip: a sub-partition takes one a cycle
    const double busy = per_trip(4000, 512, 4);
    CHECK(busy > 3900);
    for (const int bytes : {8192, 32768, 65536}) {
        INFO(bytes);
        CHECK(per_trip(4000, bytes, 4) == Approx(busy).epsilon(0.01));
    }
}

TEST_CASE("a trip takes no less than its copies: bytes at the engine's rate, latency over the trips ahead",
          "[analytic]") {
    const auto arch = load_arch("h200_sxm");
    const double rate = arch.sm.copy_engine.tensor_bytes_per_cycle.value();
    constexpr int tile = 32768;
    CHECK(per_trip(1, tile, 4) >= tile / rate);
    CHECK(per_trip(1, 2 * tile, 4) - per_trip(1, tile, 4) >= 0.99 * tile / rate);
    // what is not the bytes' time falls as one over the trips: half of it is saved by two, a quarter by four
    const double once = per_trip(1, 4096, 1), twice = per_trip(1, 4096, 2), four = per_trip(1, 4096, 4);
    CHECK(once - twice > 100);
    CHECK(twice - four == Approx((once - twice) / 2).epsilon(0.01));
}

}  // namespace bulk_pipeline_test
