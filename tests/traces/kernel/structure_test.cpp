// What holds for every program whatever its tiles: instruction totals, arithmetic of the publications, and
// addresses affine in block and loop counters.
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/program_checks.h"
#include "tests/traces/kernel/program_counts.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// A site with the trip counts of its enclosing loops.
struct PlacedSite {
    const Segment* segment;
    const AccessSite* site;
    std::vector<std::int64_t> trips;
};

void collect(const std::vector<Node>& nodes, std::vector<std::int64_t>& trips,
             std::vector<PlacedSite>& sites) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            trips.push_back(loop->trips);
            collect(loop->body, trips, sites);
            trips.pop_back();
            continue;
        }
        for (const Segment& segment : std::get<Interval>(node).segments) {
            for (const AccessSite& site : segment.sites) {
                sites.push_back({&segment, &site, trips});
            }
        }
    }
}

std::vector<PlacedSite> sites_of(const KernelProgram& program) {
    std::vector<std::int64_t> trips;
    std::vector<PlacedSite> sites;
    collect(program.body, trips, sites);
    return sites;
}

ProblemShape shape_of(const Family& family) {
    return family.default_shape.k == 32 ? ProblemShape{1024, 1024, 32} : ProblemShape{1024, 512, 768};
}

KernelProgram default_program(const Family& family) {
    ProblemShape shape = shape_of(family);
    if (family.name.rfind("aat", 0) == 0) {
        shape.n = shape.m;
    }
    return program_of(family.name, {}, shape, 80);
}

// Even draws below a limit.
auto picks(std::mt19937& generator) {
    return [&generator](std::int64_t limit) {
        return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(generator);
    };
}

// address(base + t*step) must be address(base) + t*(address(base + step) - address(base)).
void check_affine_in(const AccessSite& site, const Coord& base, int word, std::int64_t Coord::*counter,
                     std::int64_t far) {
    Coord one = base;
    one.*counter += 1;
    Coord many = base;
    many.*counter += far;
    const std::int64_t start = site.address(base, word);
    CHECK(site.address(many, word) - start == far * (site.address(one, word) - start));
}

}  // namespace

TEST_CASE("global addresses are affine in block and loop counters", "[property][families]") {
    std::mt19937 generator(7);
    const auto pick = picks(generator);
    for (const Family& family : generated_families()) {
        const KernelProgram program = default_program(family);
        INFO(family.name);
        for (const PlacedSite& placed : sites_of(program)) {
            if (placed.site->space != MemorySpace::global) {
                continue;
            }
            INFO(placed.site->name);
            REQUIRE(placed.trips.size() <= static_cast<std::size_t>(max_loop_depth));
            for (int sample = 0; sample < 20; ++sample) {
                Coord base;
                base.thread =
                    static_cast<int>(pick(placed.segment->thread_end - placed.segment->thread_begin)) +
                    placed.segment->thread_begin;
                const int word = static_cast<int>(pick(placed.site->words));
                check_affine_in(*placed.site, base, word, &Coord::block_x, 1 + pick(program.grid.x));
                check_affine_in(*placed.site, base, word, &Coord::block_y, 1 + pick(program.grid.y));
                for (std::size_t depth = 0; depth < placed.trips.size(); ++depth) {
                    Coord one = base;
                    one.loop[depth] = 1;
                    Coord many = base;
                    many.loop[depth] = pick(placed.trips[depth]);
                    const std::int64_t start = placed.site->address(base, word);
                    CHECK(placed.site->address(many, word) - start ==
                          many.loop[depth] * (placed.site->address(one, word) - start));
                }
            }
        }
    }
}

TEST_CASE("fixed words lie equally far from word 0 at every thread and trip", "[property][families]") {
    std::mt19937 generator(11);
    const auto pick = picks(generator);
    for (const Family& family : generated_families()) {
        const KernelProgram program = default_program(family);
        INFO(family.name);
        for (const PlacedSite& placed : sites_of(program)) {
            const auto& site = *placed.site;
            if (!site.words_fixed) {
                continue;
            }
            INFO(site.name);
            Coord origin;
            origin.thread = placed.segment->thread_begin;
            for (int sample = 0; sample < 50; ++sample) {
                Coord at;
                at.thread =
                    origin.thread + static_cast<int>(pick(placed.segment->thread_end - origin.thread));
                at.block_x = pick(program.grid.x);
                at.block_y = pick(program.grid.y);
                for (std::size_t depth = 0; depth < placed.trips.size(); ++depth) {
                    at.loop[depth] = pick(placed.trips[depth]);
                }
                const int word = static_cast<int>(pick(site.words));
                CHECK(site.address(at, word) - site.address(at, 0) ==
                      site.address(origin, word) - site.address(origin, 0));
            }
        }
    }
}

TEST_CASE("products add up to M*N*K and memory counts to the sites", "[unit][families]") {
    for (const Family& family : generated_families()) {
        const KernelProgram program = default_program(family);
        INFO(family.name);
        const Counts counts = count_nodes(program.body, program.resources.threads);
        const double warps = static_cast<double>(program.grid.count()) * program.resources.threads / 32.0;
        const auto cells = static_cast<double>(program.m * program.n);
        const auto k = static_cast<double>(program.k);
        if (program.flops == 0) {
            CHECK(counts.product_ffma == 0);
            continue;
        }
        CHECK(counts.product_ffma * warps == cells * k / 32);
        // The epilogue scales with one FMUL and one FFMA per result where C is read.
        const double scaling = program.c_is_read ? cells / 32 : 0;
        CHECK(counts.of(OpClass::ffma) * warps == cells * k / 32 + scaling);
        CHECK(counts.of(OpClass::fmul) * warps == scaling);
        CHECK(program.flops == 2 * cells * k);
        double shared_loads = 0;
        for (const double loads : counts.shared_loads) {
            shared_loads += loads;
        }
        CHECK(counts.of(OpClass::shared_load) == shared_loads);
    }
}

TEST_CASE("tile traffic is that of the tile arithmetic", "[unit][families]") {
    // Words of A and B that all blocks load: every tile row reads all of B, every tile column all of A.
    const ProblemShape shape{1024, 512, 768};
    const auto loaded_bytes = [&shape](const std::string& family) {
        const KernelProgram program = program_of(family, {}, shape, 80);
        double bytes = 0;
        for (const PlacedSite& placed : sites_of(program)) {
            if (placed.site->role == SiteRole::stage_load) {
                double executions = 1;
                for (const std::int64_t trips : placed.trips) {
                    executions *= static_cast<double>(trips);
                }
                bytes += executions * 4 * placed.site->words *
                         (placed.segment->thread_end - placed.segment->thread_begin);
            }
        }
        return bytes * static_cast<double>(program.grid.count());
    };
    const auto expected = [&shape](double bm, double bn) {
        const auto m = static_cast<double>(shape.m);
        const auto n = static_cast<double>(shape.n);
        const auto k = static_cast<double>(shape.k);
        return 4 * (m * k * n / bn + k * n * m / bm);
    };
    CHECK(loaded_bytes("smem") == expected(32, 32));
    CHECK(loaded_bytes("blocktile1d") == expected(64, 64));
    for (const char* family : {"blocktile2d", "vectorized", "bank_linearize", "bank_extracol", "autotuned",
                               "warptile", "doublebuffer", "doublebuffer_async", "cublas_sgemm"}) {
        INFO(family);
        CHECK(loaded_bytes(family) == expected(128, 128));
    }
    CHECK(loaded_bytes("doublebuffer_split") == expected(64, 128));
}

TEST_CASE("the published ladder's arithmetic for 4092", "[unit][families]") {
    const KernelProgram program = program_of("naive", {}, {4092, 4092, 4092});
    // 137 GFLOP, 268 MB (three arrays read, one written), 4.5 ms at 30 TFLOP/s, 0.34 ms at 768 GB/s; the
    // publication rounds 0.349 down.
    CHECK(program.flops * 1e-9 == Approx(137).margin(0.5));
    CHECK(program.effective_bytes * 1e-6 == Approx(268).margin(0.5));
    CHECK(program.flops / 30e12 * 1e3 == Approx(4.5).margin(0.1));
    CHECK(program.effective_bytes / 768e9 * 1e3 == Approx(0.34).margin(0.01));
    CHECK(program.grid == Dim3{128, 128, 1});
}

TEST_CASE("effective bytes of the guides are one read of each input and one write", "[unit][families]") {
    const ProblemShape shape{1024, 2048, 32};
    CHECK(program_of("ab_simple", {}, shape).effective_bytes == 4.0 * (1024 * 32 + 32 * 2048 + 1024 * 2048));
    CHECK(program_of("aat_padded", {}, {1024, 1024, 32}).effective_bytes == 4.0 * (1024 * 32 + 1024 * 1024));
    CHECK(program_of("transpose_naive", {}, shape).effective_bytes == 8.0 * 1024 * 2048);
    CHECK(program_of("stride_copy", {{"STRIDE", 4}}, shape).effective_bytes == 8.0 * 1024 * 2048);
}

TEST_CASE("barriers per tile", "[unit][families]") {
    const auto barriers = [](const std::string& family) {
        const KernelProgram program = program_of(family, {}, {256, 256, 256}, 80);
        return count_nodes(first_loop(program)->body, program.resources.threads).of(OpClass::barrier);
    };
    CHECK(barriers("smem") == 2);
    CHECK(barriers("warptile") == 2);
    CHECK(barriers("doublebuffer") == 1);
    CHECK(barriers("cublas_sgemm") == 1);
    CHECK(barriers("doublebuffer_split") == 3);  // per round of two tiles
    CHECK(barriers("doublebuffer_async") == 1);  // the arrive/wait is no BAR instruction
}
