// Issue, pipes and register ports. Expected cycles: H200 microbenchmarks for sm_90; for the others the
// latencies and rates of the cited publications in their specs, worked out by hand.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

// An FFMA that reads one register of each of two banks, whatever issued before it.
Instruction easy_ffma(int chain) {
    const int accumulator = 33 + 2 * chain;
    return ffma(accumulator, 0, 0, accumulator);
}

std::vector<Instruction> independent_ffmas(int count) {
    std::vector<Instruction> code;
    for (int i = 0; i < count; ++i) {
        code.push_back(easy_ffma(i));
    }
    return code;
}

// Issues per warp of scheduler 0 in the first 400 cycles, when four warps are always ready.
std::array<int, 4> shares(const ArchSpec& spec) {
    std::vector<Instruction> code;
    for (int i = 0; i < 512; ++i) {
        code.push_back(with_stall(easy_ffma(i % 8), 1));
    }
    std::array<int, 4> issued{};
    for (const auto& event : run(straight(code, 16), spec).issues) {
        if (event.warp.scheduler == 0 && event.cycle < 400) {
            ++issued[static_cast<std::size_t>(event.warp.warp / 4)];
        }
    }
    return issued;
}

}  // namespace

TEST_CASE("a dependent FFMA issues at the latency, not a cycle before", "[sim][micro]") {
    struct Row {
        const char* arch;
        int latency;
    };
    for (const auto& row : {Row{"sm_35", 9}, Row{"sm_70", 4}, Row{"sm_90", 4}}) {
        INFO(row.arch);
        const auto spec = arch(row.arch);
        const auto program = straight({ffma(8, 0, 1, 8), ffma(8, 0, 1, 8), ffma(8, 0, 1, 8)});
        CHECK(issued_at(program, spec, 0) == 0);
        CHECK(issued_at(program, spec, 1) == row.latency);
        CHECK(issued_at(program, spec, 2) == 2 * row.latency);
        CHECK(cycles(program, spec) == 2 * row.latency + 1);
    }
}

TEST_CASE("k independent FFMA chains of w warps per scheduler: latency or pipe, whichever is longer",
          "[sim][micro]") {
    struct Row {
        const char* arch;
        double latency;
        double interval;  // cycles per FFMA and scheduler
    };
    for (const auto& row : {Row{"sm_35", 9, 1}, Row{"sm_70", 4, 2}, Row{"sm_90", 4, 1}}) {
        const auto spec = arch(row.arch);
        for (const int chains : {1, 2, 3, 4, 6, 8}) {
            for (const int warps_per_scheduler : {1, 2, 4}) {
                INFO(row.arch << " chains " << chains << " warps " << warps_per_scheduler);
                const double expected = std::max(
                    {row.latency / chains, row.interval * warps_per_scheduler, 1.0 * warps_per_scheduler});
                const double got =
                    cycles_per_instruction(independent_ffmas(chains), 4 * warps_per_scheduler, spec);
                CHECK(got == Approx(expected).epsilon(0.02));
            }
        }
    }
}

TEST_CASE("cycles per instruction of the pipes of an H200 scheduler", "[sim][micro]") {
    const auto spec = arch("sm_90");
    const auto rate = [&spec](OpClass op) {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(arithmetic(op, 32 + i, {0, 1}));
        }
        return cycles_per_instruction(body, 4, spec);
    };
    CHECK(rate(OpClass::ffma) == Approx(1).epsilon(0.02));
    CHECK(rate(OpClass::iadd) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::logic) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::compare) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::mov) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::imad) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::imad_wide) == Approx(4).epsilon(0.02));
    CHECK(rate(OpClass::uniform) == Approx(2).epsilon(0.02));
}

TEST_CASE("pipes of an H200 run side by side: FFMA alternating with a 2-cycle op costs one cycle each",
          "[sim][micro]") {
    const auto spec = arch("sm_90");
    for (const auto op : {OpClass::iadd, OpClass::imad, OpClass::mov}) {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(easy_ffma(i));
            body.push_back(arithmetic(op, 64 + i, {}));
        }
        CHECK(cycles_per_instruction(body, 4, spec) == Approx(1).epsilon(0.02));
    }
}

// CUDA C++ programming guide, arithmetic throughput: 2 results per clock and SM where FP64 runs at 1/64.
TEST_CASE("two FP64 lanes serve four schedulers", "[sim][micro]") {
    for (const auto* name : {"sm_75", "sm_86"}) {
        INFO(name);
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(arithmetic(OpClass::dfma, 32 + 2 * i, {0, 2}));
        }
        CHECK(cycles_per_instruction(body, 4, arch(name)) == Approx(64).epsilon(0.02));
    }
}

TEST_CASE("Kepler: shifts take 2 cycles and integer multiplies 4, beside the FFMAs", "[sim][micro]") {
    const auto spec = arch("sm_35");
    const auto rate = [&spec](OpClass op) {
        std::vector<Instruction> body;
        for (int i = 0; i < 12; ++i) {
            body.push_back(arithmetic(op, 32 + i, {0, 1}));
        }
        return cycles_per_instruction(body, 4, spec);
    };
    CHECK(rate(OpClass::shift) == Approx(2).epsilon(0.02));
    CHECK(rate(OpClass::imad) == Approx(4).epsilon(0.02));
    CHECK(rate(OpClass::iadd) == Approx(1).epsilon(0.02));
}

TEST_CASE("H200 register ports: cycles per FFMA by bank conflict", "[sim][micro]") {
    const auto spec = arch("sm_90");
    // results spread over eight accumulators, two passes of conflicts as measured
    const auto rate = [&spec](const std::vector<Instruction>& body) {
        return cycles_per_instruction(body, 4, spec);
    };
    SECTION("two reads in one bank and one in the other, banks alternating: 1.5") {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            const int bank = i % 2;
            body.push_back(ffma(32 + i, 2 + bank, 4 + bank, 32 + 2 * (i / 2) + 1 - bank));
            body.back().results[0].index = static_cast<std::int16_t>(64 + i);
        }
        CHECK(rate(body) == Approx(1.5).epsilon(0.02));
    }
    SECTION("always the same bank double: 2") {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(ffma(64 + i, 2, 4, 33 + 2 * i));
        }
        CHECK(rate(body) == Approx(2).epsilon(0.02));
    }
    SECTION("three in one bank: 3") {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(ffma(64 + i, 2, 4, 32 + 2 * i));
        }
        CHECK(rate(body) == Approx(3).epsilon(0.02));
    }
    SECTION("A and B reused: 1") {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(ffma(64 + i, 2, 4, 32 + 2 * i, 3));
        }
        CHECK(rate(body) == Approx(1).epsilon(0.02));
    }
    SECTION("the same register twice is read once: two reads in two banks") {
        std::vector<Instruction> body;
        for (int i = 0; i < 8; ++i) {
            body.push_back(ffma(64 + i, 2, 2, 33 + 2 * i));
        }
        CHECK(rate(body) == Approx(1).epsilon(0.02));
    }
}

TEST_CASE("Volta: two cycles per FFMA hide conflicts up to two reads per bank; three cost 3",
          "[sim][micro]") {
    const auto spec = arch("sm_70");
    std::vector<Instruction> two_way;
    std::vector<Instruction> three_way;
    for (int i = 0; i < 8; ++i) {
        two_way.push_back(ffma(64 + i, 2, 4, 33 + 2 * i));
        three_way.push_back(ffma(64 + i, 2, 4, 32 + 2 * i));
    }
    CHECK(cycles_per_instruction(two_way, 4, spec) == Approx(2).epsilon(0.02));
    CHECK(cycles_per_instruction(three_way, 4, spec) == Approx(3).epsilon(0.02));
}

TEST_CASE("Kepler: two reads per bank and cycle; two-way conflicts are free, three-way take 1.5",
          "[sim][micro]") {
    // bank = 2 * (r / 4 mod 2) + r mod 2: registers 0, 2, 8, 10 share bank 0
    const auto spec = arch("sm_35");
    std::vector<Instruction> two_way;
    std::vector<Instruction> three_way;
    for (int i = 0; i < 12; ++i) {
        two_way.push_back(ffma(128 + i, 0, 2, 33 + 8 * (i % 8)));
        three_way.push_back(ffma(128 + i, 0, 2, 32 + 8 * (i % 8)));
    }
    CHECK(cycles_per_instruction(two_way, 4, spec) == Approx(1).epsilon(0.02));
    CHECK(cycles_per_instruction(three_way, 4, spec) == Approx(1.5).epsilon(0.02));
}

TEST_CASE("Kepler: FFMA lanes per cycle, single issue 128, pairs 1-2-2-1 up to 192", "[sim][micro]") {
    const auto spec = arch("sm_35");
    std::vector<Instruction> single;
    std::vector<Instruction> pairs;
    for (int i = 0; i < 12; ++i) {
        const auto in = ffma(128 + i, 0, 1, 36 + i % 4);
        single.push_back(with_stall(in, 1));
        // 1-2-2-1 of six: instructions 1 and 3 go together with their successors
        pairs.push_back(i % 6 == 1 || i % 6 == 3 ? dual(in) : with_stall(in, 1));
    }
    const auto lanes = [&](const std::vector<Instruction>& body) {
        return 4 * 32 / cycles_per_instruction(body, 4, spec);
    };
    CHECK(lanes(single) == Approx(128).epsilon(0.02));
    CHECK(lanes(pairs) == Approx(192).epsilon(0.02));
}

TEST_CASE("a marked pair issues in one cycle where the pipes allow, else one after the other",
          "[sim][micro]") {
    const auto spec = arch("sm_35");
    const auto paired =
        straight({dual(ffma(8, 0, 1, 4)), with_stall(arithmetic(OpClass::shift, 9, {2, 3}), 1)});
    CHECK(issued_at(paired, spec, 0) == 0);
    CHECK(issued_at(paired, spec, 1) == 0);
    const auto clash = straight(
        {dual(arithmetic(OpClass::shift, 8, {0, 1})), with_stall(arithmetic(OpClass::shift, 9, {2, 3}), 1)});
    CHECK(issued_at(clash, spec, 1) == 2);  // one shift unit, busy for 2 cycles
}

TEST_CASE("stall counts of control words hold the next instruction back", "[sim][micro]") {
    for (const auto* name : {"sm_35", "sm_70", "sm_90"}) {
        const auto spec = arch(name);
        const auto program = straight({with_stall(ffma(8, 0, 1, 2), 7), with_stall(ffma(9, 0, 1, 3), 1)});
        CHECK(issued_at(program, spec, 1) == 7);
    }
}

TEST_CASE("a taken branch costs its latency, the last trip's does not", "[sim][micro]") {
    struct Row {
        const char* arch;
        int latency;
    };
    for (const auto& row : {Row{"sm_35", 10}, Row{"sm_70", 30}, Row{"sm_90", 12}}) {
        const auto spec = arch(row.arch);
        const auto program = looped({ffma(8, 0, 1, 2), branch()}, 5);
        CHECK(issued_at(program, spec, 0, 0, 1) == 1 + row.latency);
        if (!spec.sm.branch_run_ahead) {  // four taken branches, then the last pair
            CHECK(cycles(program, spec) == 4 * (1 + row.latency) + 2);
        }
    }
}

// On the H200 10 cycles from the branch's issue in chain_ffma_rolled, 13.6 in chain_xorshift, and 29 in dense
// loops written into a cubin (issue_loops), whose latency this is.
TEST_CASE("a branch that was decoded long before it issues costs less", "[sim][micro]") {
    const auto spec = arch("sm_90", {"sm.branch_latency=30 cycles"});
    const auto per_trip = [&](const std::vector<Instruction>& code) {
        return (cycles(looped(code, 40), spec) - cycles(looped(code, 20), spec)) / 20;
    };
    const auto mov = [](int to, int stall) { return with_stall(arithmetic(OpClass::mov, to, {}), stall); };
    CHECK(per_trip({mov(8, 1), mov(9, 5), mov(10, 13), branch()}) == Approx(29).margin(1));
    std::vector<Instruction> slow;
    for (int i = 0; i < 8; ++i) {
        slow.push_back(mov(8 + i, i == 7 ? 1 : 5));
    }
    slow.push_back(branch());
    CHECK(per_trip(slow) == Approx(36 + 13).margin(1));
}

TEST_CASE("always-ready warps of an H200 scheduler: the highest slot goes on until it waits",
          "[sim][micro]") {
    const auto issued = shares(arch("sm_90"));
    CHECK(issued[3] == 400);
    CHECK(issued[0] + issued[1] + issued[2] == 0);
}

TEST_CASE("two_way_chain: always-ready warps get 1/2, 1/4, 1/8, 1/8 of the slots", "[sim][micro]") {
    const auto issued = shares(arch("sm_90", {"sm.scheduler_policy=two_way_chain"}));
    CHECK(issued[0] == Approx(200).margin(4));
    CHECK(issued[1] == Approx(100).margin(4));
    CHECK(issued[2] == Approx(50).margin(4));
    CHECK(issued[3] == Approx(50).margin(4));
}

TEST_CASE("other policies: round robin shares evenly, greedy_then_youngest serves one warp", "[sim][micro]") {
    for (const int count : shares(arch("sm_90", {"sm.scheduler_policy=loose_round_robin"}))) {
        CHECK(count == Approx(100).margin(2));
    }
    const auto greedy = shares(arch("sm_90", {"sm.scheduler_policy=greedy_then_youngest"}));
    CHECK(greedy == std::array<int, 4>{0, 0, 0, 400});
}
