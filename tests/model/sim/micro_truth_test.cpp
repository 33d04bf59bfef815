// Ready at t, not at t - 1, on one architecture of each kind: every row names the closed form of its cycle;
// the same program on a machine whose figure is one larger issues one later.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/micro.h"

namespace micro_truth_test {

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr auto shared = MemorySpace::shared;
constexpr auto global = MemorySpace::global;

AccessSite lanes(MemorySpace space, AccessKind kind, int words, std::int64_t stride) {
    return site(space, kind, words, [stride](const Coord& at) { return at.thread % 32 * stride; });
}

// Issue cycle of the last of `code`, alone on the SM.
std::int64_t last_issue(const std::vector<Instruction>& code, const ArchSpec& spec,
                        const std::vector<AccessSite>& sites = {}) {
    return issued_at(straight(code, 1, sites), spec, static_cast<int>(code.size()) - 1);
}

// `key` is `value` `unit` in the spec; one more moves the issue by `step`.
void ready_at(const std::string& name, const std::string& key, int value, const std::string& unit,
              const std::vector<Instruction>& code, std::int64_t expected, std::int64_t step = 1,
              const std::vector<AccessSite>& sites = {}) {
    INFO(name << " " << key << " " << value);
    CHECK(last_issue(code, arch(name, {fmt::format("{}={}{}", key, value, unit)}), sites) == expected);
    CHECK(last_issue(code, arch(name, {fmt::format("{}={}{}", key, value + 1, unit)}), sites) ==
          expected + step);
}

struct Generation {
    const char* name;
    int ffma, integer, branch, shared_load, ffma_interval;
};
// FFMA: Zhang et al. 2017 (Kepler 9), Jia et al. 2018 (Volta 4), H200 microbenchmarks (4).
constexpr Generation generations[] = {
    {"sm_35", 9, 9, 10, 26, 1}, {"sm_70", 4, 4, 12, 22, 2}, {"sm_90", 4, 4, 12, 22, 1}};

}  // namespace

TEST_CASE("ready at t, not at t - 1: results of arithmetic", "[sim][micro][truth]") {
    for (const auto& g : generations) {
        ready_at(g.name, "sm.ops.ffma.latency", g.ffma, " cycles", {ffma(8, 0, 1, 2), ffma(9, 0, 1, 8)},
                 g.ffma);
        ready_at(g.name, "sm.ops.iadd.latency", g.integer, " cycles",
                 {arithmetic(OpClass::iadd, 8, {0}), arithmetic(OpClass::iadd, 9, {8})}, g.integer);
        ready_at(g.name, "sm.ops.ffma.latency", g.ffma, " cycles",
                 {ffma(8, 0, 1, 2), arithmetic(OpClass::iadd, 9, {8})}, g.ffma);
        // a chain of three: twice the latency
        ready_at(g.name, "sm.ops.ffma.latency", g.ffma, " cycles",
                 {ffma(8, 0, 1, 2), ffma(9, 0, 1, 8), ffma(10, 0, 1, 9)}, 2 * g.ffma, 2);
        // write after write waits as well
        ready_at(g.name, "sm.ops.ffma.latency", g.ffma, " cycles",
                 {ffma(8, 0, 1, 2), arithmetic(OpClass::iadd, 8, {})}, g.ffma);
    }
}

TEST_CASE("ready at t, not at t - 1: shared loads, by width and by ways of conflict", "[sim][micro][truth]") {
    for (const auto& g : generations) {
        ready_at(g.name, "sm.shared_memory.latency_32", g.shared_load, " cycles",
                 {load(shared, 8, 0, 1), ffma(9, 0, 1, 8)}, g.shared_load, 1,
                 {lanes(shared, AccessKind::load, 1, 4)});
    }
    // H200: 22 + 2 (wavefronts - 1) + {1/3 per conflict of 32 bits, 1, 1 to 3}: measured for four wavefronts
    struct Row {
        int words;
        std::int64_t stride, cycles;
    };
    for (const auto& row : {Row{1, 4, 22}, Row{1, 16, 29}, Row{2, 16, 30}, Row{4, 16, 32}, Row{4, 0, 25}}) {
        INFO(row.words << " words, stride " << row.stride);
        CHECK(last_issue({load(shared, 8, 0, row.words), ffma(20, 0, 1, 8)}, arch("sm_90"),
                         {lanes(shared, AccessKind::load, row.words, row.stride)}) == row.cycles);
    }
}

TEST_CASE("ready at t, not at t - 1: barriers and branches", "[sim][micro][truth]") {
    for (const auto& g : generations) {
        for (const int latency : {19, 20, 40}) {
            const auto spec = arch(g.name, {fmt::format("sm.barrier.latency={} cycles", latency)});
            Interval before;
            before.barrier_after = true;
            Segment arrive;
            arrive.name = "arrive";
            arrive.thread_end = 32;
            arrive.code = {with_stall(barrier(), 1)};
            before.segments = {arrive};
            Interval after;
            Segment go = arrive;
            go.name = "go";
            go.code = {with_stall(arithmetic(OpClass::mov, 9, {}), 1)};
            after.segments = {go};
            auto program = straight({}, 1);
            program.body = {before, after};
            CHECK(run(program, spec).issues.back().cycle == latency);
        }
        for (const int latency : {g.branch, g.branch + 1}) {
            const auto spec = arch(g.name, {fmt::format("sm.branch_latency={} cycles", latency)});
            const auto program = looped({ffma(8, 0, 1, 2), branch()}, 3);
            CHECK(issued_at(program, spec, 0, 0, 1) == 1 + latency);
        }
    }
}

TEST_CASE("ready at t, not at t - 1: a stall count of n, for every n", "[sim][micro][truth]") {
    for (const auto& g : generations) {
        for (int stall = 1; stall <= 15; ++stall) {
            CHECK(last_issue({with_stall(ffma(33, 0, 0, 33), stall), with_stall(ffma(35, 0, 0, 35), 1)},
                             arch(g.name)) == std::max(stall, g.ffma_interval));
        }
    }
}

TEST_CASE("a chain of L2 loads: one cycle more of latency is one more per load", "[sim][micro][truth]") {
    // Kepler's plain loads pass L1 by
    const auto chain = [](int latency, int loads) {
        auto one = lanes(global, AccessKind::load, 1, 4);
        one.active = [](const Coord& at) { return at.thread == 0; };
        std::vector<Instruction> code(static_cast<std::size_t>(loads), load(global, 8, 8, 1));
        code.push_back(ffma(20, 0, 1, 8));
        const auto spec = arch("k40", {fmt::format("l2.latency={} cycles", latency)});
        return last_issue(code, spec, {one});
    };
    const auto one = chain(188, 1);
    CHECK(static_cast<double>(one) == Approx(188).epsilon(0.02));
    for (const int loads : {2, 4, 8}) {
        CHECK(chain(188, loads) == loads * one);
        CHECK(chain(189, loads) == loads * (one + 1));
    }
}

TEST_CASE("register banks: each further read of a bank is a cycle of the H200's port",
          "[sim][micro][truth]") {
    // on Volta an FFMA takes two cycles anyway
    const auto cycles_of = [](const std::vector<Instruction>& body, const char* name) {
        return cycles_per_instruction(body, 4, arch(name));
    };
    for (const int reads : {1, 2, 3}) {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            // operands in bank 0: distinct registers 2, 4, 32...; the rest the same register, read once
            const int a = 2;
            const int b = reads >= 2 ? 4 : 2;
            const int c = reads >= 3 ? 32 + 2 * i : 2;
            body.push_back(ffma(65 + 2 * i, a, b, c));
        }
        INFO(reads << " reads of one bank");
        CHECK(cycles_of(body, "sm_90") == Approx(reads).epsilon(0.02));
        CHECK(cycles_of(body, "sm_70") == Approx(reads < 2 ? 2 : reads).epsilon(0.02));
    }
}

}  // namespace micro_truth_test
