// The rule of atomic operations against what an H200 took: cycles of one warp's request where the L2's slice
// is busy all the time, in validate/data/h200_sxm_atomics.csv (2^18 threads, launch taken off, 1980 MHz).
#include "model/memory/costs/atomic_costs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/memory/atomic_bound.h"
#include "model/memory/hot_slice.h"

using namespace gpumodel;

namespace {

// Lane l on word l % words, as the suite's kernels with shift 0 and stride 1.
WarpAccess lanes_on(int words, int bytes) {
    WarpAccess access;
    access.active = 0xffffffffU;
    access.bytes_per_lane = bytes;
    for (int lane = 0; lane < 32; ++lane) {
        access.address[static_cast<std::size_t>(lane)] = 4096 + lane % words * bytes;
    }
    return access;
}

double slice_cycles(AtomicForm form, const WarpAccess& access) {
    return AtomicCosts{}.request_cycles(form, atomic_sectors(access));
}

// A reduction of 64 warps of each of so many blocks.
struct OneSite {
    Segment segment;
    AnalysedSite site;
    OneSite(const std::string& name, std::int64_t blocks,
            std::function<std::int64_t(const Coord&, int)> address) {
        AccessSite operation;
        operation.name = name;
        operation.kind = AccessKind::atomic;
        operation.space = MemorySpace::global;
        operation.array = "words";
        operation.address = std::move(address);
        segment.thread_end = 64 * 32;
        segment.sites.push_back(std::move(operation));
        site.segment = &segment;
        site.site = &segment.sites.front();
        site.box = {{0, 0, 0}, {blocks, 1, 1}};
        site.blocks = static_cast<double>(blocks);
        site.statistics.trips = 1;
    }
    OneSite(const OneSite&) = delete;
    OneSite& operator=(const OneSite&) = delete;
};

AtomicForm form_of(const std::string& name) {
    AccessSite site;
    site.kind = AccessKind::atomic;
    site.name = name;
    return atomic_form(site);
}

}  // namespace

TEST_CASE("a slice's time for a warp's atomics is what was measured", "[unit]") {
    struct Case {
        AtomicForm form;
        int words, bytes;
        double measured;
    };
    for (const Case c : {Case{AtomicForm::integer, 1, 4, 46.4},
                         {AtomicForm::integer, 2, 4, 23.2},
                         {AtomicForm::integer, 4, 4, 11.6},
                         {AtomicForm::integer, 32, 4, 4.96},
                         {AtomicForm::integer, 32, 8, 9.2},
                         {AtomicForm::floating, 32, 4, 4.96},
                         {AtomicForm::fp64, 32, 8, 18.5},
                         {AtomicForm::compare, 1, 4, 46.4},
                         {AtomicForm::compare, 4, 4, 18.8},
                         {AtomicForm::compare, 32, 4, 10.0}}) {
        INFO(static_cast<int>(c.form) << " on " << c.words << " words of " << c.bytes);
        CHECK(slice_cycles(c.form, lanes_on(c.words, c.bytes)) == Approx(c.measured).epsilon(0.08));
    }
}

TEST_CASE("one word of a sector is compared as fast as it is added to", "[unit]") {
    // H200, 1024 blocks of 256 threads, 4 each, on 64 words of a line each (h200_sxm_atomics.csv,
    // "0,63,32,4"): 80.3 us for atom_add_i32 and for atom_cas_i32, 70.1 for red_add_f64 and 68.8 for
    // red_add_u64
    const AtomicCosts costs;
    CHECK(costs.sector_cycles(AtomicForm::compare, 1, 1) == costs.sector_cycles(AtomicForm::integer, 1, 1));
    CHECK(costs.sector_cycles(AtomicForm::fp64, 1, 1) == costs.sector_cycles(AtomicForm::integer, 1, 1));
}

TEST_CASE("slices at work: what was measured, and in order between", "[unit]") {
    CHECK(AtomicCosts::slices_at_work(0) == Approx(1));
    CHECK(AtomicCosts::slices_at_work(1) == Approx(1));
    CHECK(AtomicCosts::slices_at_work(32) == Approx(7.2));
    CHECK(AtomicCosts::slices_at_work(2048) == Approx(62));
    CHECK(AtomicCosts::slices_at_work(1e9) == Approx(77));
    CHECK(AtomicCosts::slices_at_work(16) == Approx(std::sqrt(2.2 * 7.2)));  // halfway from 8 to 32
}

TEST_CASE("a launch's atomics take their cycles over the slices of their lines, the longest array counts",
          "[unit]") {
    AccessSite operation;
    operation.kind = AccessKind::atomic;
    operation.space = MemorySpace::global;
    operation.array = "counter";
    AnalysedSite counter;
    counter.site = &operation;
    counter.box = {{0, 0, 0}, {100, 1, 1}};
    counter.blocks = 100;
    counter.statistics.trips = 2;
    counter.statistics.slice_cycles = 46.4;
    counter.footprint.first_trip = Spans{{0, 4}};
    CHECK(atomic_bound_cycles({counter}) == Approx(100 * 2 * 46.4));  // all on one line: no two at once
    CHECK(atomic_bound_cycles({counter, counter}) == Approx(2 * 100 * 2 * 46.4));

    AccessSite elsewhere = operation;
    elsewhere.array = "bins";
    AnalysedSite bins = counter;
    bins.site = &elsewhere;
    bins.footprint.first_trip = Spans{{0, 2048 * 128}};
    CHECK(atomic_bound_cycles({bins}) == Approx(100 * 2 * 46.4 / 62));
    // and the line's slice has its part of the others' work
    CHECK(atomic_bound_cycles({counter, bins}) == Approx(100 * 2 * 46.4 * (1 + 1 / 77.0)));
    CHECK(atomic_bound_cycles({counter}, false, 500) == Approx(100 * 2 * 46.4 + 500));

    operation.kind = AccessKind::store;
    CHECK(atomic_bound_cycles({counter}) == 0);
}

TEST_CASE("floating-point additions on one word wait for one another", "[unit]") {
    // H200, requests of 32 lanes on one word: 111.2 cycles each for f32 and f64, 46.4 for integers; of lanes
    // on several words no more than their slice has to do (h200_sxm_atomics.csv, h200_sxm_slice_work.csv)
    for (const auto& [name, measured] :
         {std::pair{"RED.E.ADD", 46.4}, {"RED.E.ADD.F32", 111.2}, {"RED.E.ADD.F64", 111.2}}) {
        OneSite one(name, 100, [](const Coord&, int) { return std::int64_t{0}; });
        one.site.statistics.slice_cycles = 64 * slice_cycles(form_of(name), lanes_on(1, 4));
        one.site.footprint.first_trip = Spans{{0, 4}};
        CHECK(atomic_bound_cycles({one.site}) / 6400 == Approx(measured).epsilon(0.05));
    }
}

TEST_CASE("the slice that most atomics go to", "[unit]") {
    OneSite one("RED.E.ADD", 1,
                [](const Coord& at, int) {  // every other lane on line 19, the others on one each
                    return at.thread % 2 == 0 ? std::int64_t{19 * 128} : 4096 + 128 * std::int64_t{at.thread};
                });
    one.site.statistics.slice_cycles = 64 * 16 * 3.0;
    const auto found = find_hot_slice({one.site}, true);
    REQUIRE(found);
    CHECK(found->lines == std::vector<HotSlice::Line>{{"words", 19}});
    one.segment.sites.front().address = [](const Coord& at, int) { return 128 * std::int64_t{at.thread}; };
    CHECK_FALSE(find_hot_slice({one.site}, true));  // none is named more than others
    CHECK_FALSE(find_hot_slice({}, true));
}

TEST_CASE("what atomics take on their way: what stores do where words share a sector", "[unit]") {
    const AtomicCosts costs;
    const auto sent = [&](int words, int bytes) {
        double sum = 0;
        for (const auto& part : costs.by_line(AtomicForm::integer, atomic_sectors(lanes_on(words, bytes)))) {
            sum += part.sent_bytes(64);
        }
        return sum;
    };
    CHECK(sent(1, 4) == 32 * 32);   // one word: 32 of its lanes, one after another
    CHECK(sent(8, 4) == 4 * 64);    // a sector: four of each word, each as a store of one
    CHECK(sent(32, 4) == 128);      // a line
    CHECK(sent(32, 8) == 2 * 128);  // two
}

TEST_CASE("words that data name more often than others keep their own slices at work", "[unit]") {
    // half of the lanes of 64 warps name one line, the others one line each
    OneSite one("RED.E.ADD @0x0100", 10, [](const Coord& at, int) {
        return at.thread % 2 == 0 ? std::int64_t{0} : 4096 + 128 * std::int64_t{at.thread};
    });
    auto& bins = one.site;
    const AtomicCosts costs;
    const double hot = costs.sector_cycles(AtomicForm::integer, 16, 1) + costs.line;
    const double others = 16 * (costs.pass + costs.line);
    bins.statistics.slice_cycles = 64 * (hot + others);
    bins.footprint.first_trip = Spans{{0, 4}, {4096, 4096 + 128 * 2048}};
    // the line in its slice, and that slice's part of the others
    CHECK(atomic_bound_cycles({bins}, true) ==
          Approx(10 * 64 * (hot + others / AtomicCosts::slices_at_work(1e9))).epsilon(0.02));
    CHECK(atomic_bound_cycles({bins}, false) == Approx(atomic_bound_cycles({bins}, true)));  // in every block
    bins.strides.block_x = 128;  // another line in every block
    CHECK(atomic_bound_cycles({bins}, false) < 10 * 64 * hot / 2);
}

TEST_CASE("words that warps name one by one", "[unit]") {
    // H200, 65536 requests of one lane each on one of so many words, so far apart (h200_sxm_hot_words.csv),
    // launch taken off, 1980 MHz
    struct Case {
        const char* name;
        int words, stride;
        double measured;  // cycles of a request
    };
    for (const Case c : {Case{"RED.E.ADD", 1, 1, 1.52},
                         {"RED.E.ADD", 8, 1, 1.51},
                         {"RED.E.ADD", 4, 8, 1.43},
                         {"RED.E.ADD.F32", 1, 1, 3.54},
                         {"RED.E.ADD.F32", 8, 1, 3.53},
                         {"RED.E.ADD.F32", 2, 8, 2.56},
                         {"RED.E.ADD.F32", 8, 8, 1.64},
                         {"RED.E.ADD.F64", 1, 1, 3.53},
                         {"RED.E.ADD.F64", 2, 8, 2.57}}) {
        INFO(c.name << " on " << c.words << " words, " << c.stride << " apart");
        OneSite one(c.name, 1024, [c](const Coord& at, int) {
            return std::int64_t{4} * c.stride * (at.thread / 32 % c.words);
        });
        one.segment.sites.front().active = [](const Coord& at) { return at.thread % 32 == 0; };
        auto& site = one.site;
        const AtomicCosts costs;
        site.statistics.slice_cycles = 64 * (costs.pass + costs.line);
        site.footprint.first_trip = Spans{{0, 4 * c.stride * c.words}};
        CHECK(atomic_bound_cycles({site}) / 65536 == Approx(c.measured).epsilon(0.1));
    }
}

TEST_CASE("atomics in shared memory: a wavefront per lane of a word, two to compare, one to count",
          "[unit]") {
    // measured: 31.7, 15.8, 63.9 and 1 cycles per warp
    CHECK(atomic_wavefronts(AtomicForm::integer, lanes_on(1, 4), 1) == 32);
    CHECK(atomic_wavefronts(AtomicForm::integer, lanes_on(2, 4), 1) == 16);
    CHECK(atomic_wavefronts(AtomicForm::compare, lanes_on(1, 4), 1) == 64);
    CHECK(atomic_wavefronts(AtomicForm::one_pass, lanes_on(1, 4), 1) == 1);
    CHECK(atomic_wavefronts(AtomicForm::integer, lanes_on(32, 4), 3) == 3);  // the banks' own
    // measured: 63.9 cycles with 32 words of a bank, too
    CHECK(atomic_wavefronts(AtomicForm::compare, lanes_on(32, 128), 32) == 64);
}

TEST_CASE("an instruction's name says which atomic operation it is", "[unit]") {
    CHECK(form_of("REDG.E.ADD.STRONG.GPU @0x0100") == AtomicForm::integer);
    CHECK(form_of("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU @0x0100") == AtomicForm::floating);
    CHECK(form_of("REDG.E.ADD.F16x2.RN.STRONG.GPU @0x0100") == AtomicForm::floating);
    CHECK(form_of("ATOM.E.ADD.F64.RN.STRONG.GPU @0x0100") == AtomicForm::fp64);
    CHECK(form_of("ATOMG.E.CAS.STRONG.GPU @0x0100") == AtomicForm::compare);
    CHECK(form_of("ATOMS.POPC.INC.32 @0x0100") == AtomicForm::one_pass);
    CHECK(form_of("ATOMS.CAST.SPIN.64 @0x0100") == AtomicForm::one_pass);
    CHECK(form_of("ATOMS.CAS.64 @0x0100") == AtomicForm::compare);
    CHECK(atomic_form(AccessSite{}) == AtomicForm::none);
}
