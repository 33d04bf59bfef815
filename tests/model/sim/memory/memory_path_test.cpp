// The memory path alone, on round numbers: instructions in, times of their results out.
#include "model/sim/memory/memory_path.h"

#include <catch2/catch.hpp>

#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;
using gpumodel::sim::MemoryPath;
using gpumodel::sim::OpKind;

namespace {

// 32 B/clk from L2 after 200 cycles, DRAM alike after 500; L1 hits take 30 cycles.
sim::MemorySetup round_numbers() {
    sim::MemorySetup setup;
    setup.costs.l1.latency = 30;
    setup.costs.shared.latency.fill(20);
    setup.costs.shared.conflict_cycles.fill(3);
    auto& behind = setup.rates.behind;
    behind.read_bytes_per_cycle = behind.write_bytes_per_cycle = behind.dram_bytes_per_cycle = 32;
    behind.l2_latency = 200;
    behind.dram_latency = 500;
    setup.l1_bytes = 4 * sim::line_bytes;
    return setup;
}

// One warp whose instructions are all there once.
struct Bench {
    Bench(std::vector<Instruction> code, std::vector<AccessSite> sites, sim::MemorySetup of = round_numbers())
        : program(straight(std::move(code), 1, std::move(sites))),
          machine(sim::make_machine(spec)),
          decoded(sim::decode(program, spec, machine)),
          table(program, decoded, spec),
          setup(std::move(of)) {
        setup.dram_shares = {{std::vector<sim::DramShare>(decoded.bodies[0].streams[0].accesses.size())}};
    }
    // Instruction `index` issues at `now`; when its result is there.
    std::int64_t result(std::size_t index, std::int64_t now) {
        start();
        const auto& op = decoded.bodies[0].streams[0].ops[index];
        REQUIRE(path->send(op, {}, {}, now));
        MemoryPath::Done done;
        REQUIRE(path->advance(sim::never, done));
        return done.ready;
    }
    void start() {
        if (!path) {
            path = std::make_unique<MemoryPath>(setup, 1, decoded, table, 1);
            path->start_block(0, {0, 0, 0}, 0);
        }
    }
    SimCounters counters() const {
        SimCounters counters;
        path->add_to(counters);
        return counters;
    }

    ArchSpec spec = arch("h200_sxm");
    KernelProgram program;
    sim::Machine machine;
    sim::DecodedProgram decoded;
    sim::AccessTable table;
    sim::MemorySetup setup;
    std::unique_ptr<MemoryPath> path;
};

AccessSite line_of_words(AccessKind kind, std::int64_t from = 0) {
    return site(MemorySpace::global, kind, 1, [from](const Coord& at) { return from + 4 * at.thread; });
}

}  // namespace

// Latencies count from the issue. A line of 128 bytes at 32 B/clk: the last of four sectors comes three
// cycles after the first.
TEST_CASE("memory path: a load comes from L2, then from L1", "[sim][unit]") {
    Bench bench({load(MemorySpace::global, 1, 0, 1)}, {line_of_words(AccessKind::load)});
    CHECK(bench.result(0, 0) == 203);
    CHECK(bench.result(0, 10) == 203);   // the line is under way: no second request
    CHECK(bench.result(0, 300) == 330);  // it is there
    CHECK(bench.counters().l1_load_sectors == 12);
    CHECK(bench.counters().l1_load_sector_hits == 8);
    CHECK(bench.counters().l2_read_bytes == 128);
}

TEST_CASE("memory path: what goes past L1 leaves no line there", "[sim][unit]") {
    auto past = line_of_words(AccessKind::load);
    past.past_l1 = true;
    Bench bench({load(MemorySpace::global, 1, 0, 1)}, {past});
    CHECK(bench.result(0, 0) == 203);
    CHECK(bench.result(0, 300) == 503);  // asked for anew
    CHECK(bench.counters().l1_load_sector_hits == 0);
    CHECK(bench.counters().l2_read_bytes == 256);
}

TEST_CASE("memory path: lines beyond L1's capacity are asked for again", "[sim][unit]") {
    std::vector<Instruction> code;
    std::vector<AccessSite> sites;
    for (int i = 0; i < 5; ++i) {  // five lines, room for four: first in, first out
        code.push_back(load(MemorySpace::global, i + 1, 0, 1, i));
        sites.push_back(line_of_words(AccessKind::load, i * sim::line_bytes));
    }
    Bench bench(code, sites);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(bench.result(i, static_cast<std::int64_t>(1000 * i)) ==
              static_cast<std::int64_t>(1000 * i) + 203);
    }
    CHECK(bench.result(4, 6000) == 6030);
    CHECK(bench.result(0, 7000) == 7203);
}

TEST_CASE("memory path: bandwidth beyond the latency, and what waits for DRAM", "[sim][unit]") {
    std::vector<Instruction> code{load(MemorySpace::global, 1, 0, 1, 0),
                                  load(MemorySpace::global, 2, 0, 1, 1)};
    const std::vector<AccessSite> sites{line_of_words(AccessKind::load),
                                        line_of_words(AccessKind::load, 1024)};
    Bench two(code, sites);
    CHECK(two.result(0, 0) == 203);
    CHECK(two.result(1, 1) == 203 + 4);  // its four sectors queue behind the first line's

    Bench cold(code, sites);
    cold.setup.dram_shares[0][0][1] = {1, 1};  // every byte, every time
    CHECK(cold.result(0, 0) == 203);
    CHECK(cold.result(1, 1000) == 1500);  // a line is less than a burst
}

// A port that lets one line through every 8 cycles.
TEST_CASE("memory path: a load of many lines passes the request port line by line", "[sim][unit]") {
    auto setup = round_numbers();
    setup.costs.l1.miss_line_cycles = 8;
    const auto column = site(MemorySpace::global, AccessKind::load, 1,
                             [](const Coord& at) { return std::int64_t{sim::line_bytes} * at.thread; });
    Bench bench({load(MemorySpace::global, 1, 0, 1)}, {column}, setup);
    // all lanes in one bank: L1 is asked with the last of 32 wavefronts
    CHECK(bench.result(0, 0) == 31 + 31 * 8 + 200);
    CHECK(bench.counters().l2_read_bytes == 32 * 32);
}

TEST_CASE("memory path: shared loads by their wavefronts", "[sim][unit]") {
    const auto strided = [](int words) {
        return site(MemorySpace::shared, AccessKind::load, 1,
                    [words](const Coord& at) { return std::int64_t{4} * words * at.thread; });
    };
    Bench bench({load(MemorySpace::shared, 1, 0, 1, 0), load(MemorySpace::shared, 2, 0, 1, 1)},
                {strided(1), strided(4)});
    CHECK(bench.result(0, 0) == 20);
    // four words apart: four lanes to a bank, three wavefronts more at 3 cycles each
    CHECK(bench.result(1, 100) == 100 + 20 + 3 * 3);
    CHECK(bench.counters().shared_wavefronts == 1 + 4);
    CHECK(bench.counters().shared_conflicts == 3);
}

TEST_CASE("memory path: stores have no result, and reach L2 at its rate", "[sim][unit]") {
    Bench bench({store(MemorySpace::global, 1, 0, 1)}, {line_of_words(AccessKind::store)});
    CHECK(bench.result(0, 9) == 0);
    CHECK(bench.path->drained() ==
          10 + 4);  // in the pipe a cycle after its issue, then 128 bytes at 32 B/clk
    CHECK(bench.counters().l2_write_bytes == 128);
}

TEST_CASE("memory path: an instruction without an active lane takes a wavefront and reads nothing",
          "[sim][unit]") {
    auto nobody = line_of_words(AccessKind::load);
    nobody.active = [](const Coord& /*at*/) { return false; };
    auto guarded = load(MemorySpace::global, 1, 0, 1);
    Bench never_done({guarded}, {nobody});  // @!PT
    never_done.start();
    CHECK_FALSE(never_done.path->send(never_done.decoded.bodies[0].streams[0].ops[0], {}, {}, 0));
    guarded.guard = {RegisterKind::predicate, 1, 0};
    Bench bench({guarded}, {nobody});
    bench.start();
    CHECK(bench.path->send(bench.decoded.bodies[0].streams[0].ops[0], {}, {}, 0));
    MemoryPath::Done done;
    REQUIRE(bench.path->advance(sim::never, done));
    CHECK(done.served.request.slots == 1);
    CHECK(done.ready > 0);
    CHECK(bench.counters().l2_read_bytes == 0);
    CHECK(bench.counters().l1_load_sectors == 0);
}
