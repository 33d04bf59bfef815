// The closed forms against the simulator on the micro-programs that the benchmarks run.
#include <catch2/catch.hpp>

#include "synthetic.h"
#include "tests/support/micro.h"

using namespace gpumodel;
using synthetic::predicted;
using synthetic::row;

namespace {

std::string text(int number) {
    return std::to_string(number);
}

// Addresses of the shared-memory benchmarks.
AccessSite banked(AccessKind kind, int words, int degree) {
    return micro::site(MemorySpace::shared, kind, words, [=](const Coord& at) -> std::int64_t {
        if (degree == 0) {
            return 0;
        }
        const int lane = static_cast<int>(at.thread % 32);
        const int phase = 32 / words;
        const int rank = lane % phase;
        return 4 * ((lane / phase * degree + rank % degree) * 32 + rank / degree * words);
    });
}

double simulated_latency(const ArchSpec& spec, int words, int degree) {
    const auto program =
        micro::straight({micro::load(MemorySpace::shared, 8, 0, words), micro::ffma(20, 8, 8, 21)}, 1,
                        {banked(AccessKind::load, words, degree)});
    return static_cast<double>(micro::issued_at(program, spec, 1) - micro::issued_at(program, spec, 0));
}

double simulated_throughput(const ArchSpec& spec, bool load, int words, int degree, int warps) {
    std::vector<Instruction> body;
    for (int i = 0; i < 32; ++i) {
        body.push_back(load ? micro::load(MemorySpace::shared, 16 + 4 * i, 0, words)
                            : micro::store(MemorySpace::shared, 16 + 4 * i, 0, words));
    }
    const auto kind = load ? AccessKind::load : AccessKind::store;
    return micro::cycles_per_instruction(body, warps, spec, {banked(kind, words, degree)}) / warps;
}

// Cycles per barrier of `warps` warps that do nothing else.
double simulated_barrier(const ArchSpec& spec, int warps) {
    const auto program = [&](int barriers) {
        auto p = micro::straight({micro::barrier()}, warps);
        const auto interval = p.body.front();
        p.body.assign(static_cast<std::size_t>(barriers), interval);
        return p;
    };
    return (micro::cycles(program(32), spec) - micro::cycles(program(16), spec)) / 16;
}

}  // namespace

TEST_CASE("shared_latency: closed form and simulator agree to the cycle", "[calibrate][sim]") {
    for (const auto* name : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        for (const auto* latency : {"2", "3"}) {
            const auto spec =
                micro::arch(name, {std::string("sm.shared_memory.conflict_latency=") + latency + " cycles"});
            for (const int words : {1, 2, 4}) {
                for (const int degree : {0, 1, 2, 4, 8}) {
                    INFO(name << " words " << words << " degree " << degree);
                    const double form = predicted(
                        row("shared_latency", {{"BITS", text(32 * words)}, {"DEGREE", text(degree)}}), spec);
                    // the simulator rounds up
                    CHECK(simulated_latency(spec, words, degree) == Approx(form).margin(1.01));
                }
            }
        }
    }
}

TEST_CASE("shared_throughput: closed form and simulator agree", "[calibrate][sim]") {
    for (const auto* name : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        const auto spec = micro::arch(name);
        for (const int words : {1, 4}) {
            for (const int degree : {0, 1, 4}) {
                for (const bool load : {true, false}) {
                    const auto r = row("shared_throughput", {{"OP", load ? "ld" : "st"},
                                                             {"BITS", text(32 * words)},
                                                             {"DEGREE", text(degree)},
                                                             {"WARPS", "8"}});
                    INFO(name << " " << r.text());
                    CHECK(simulated_throughput(spec, load, words, degree, 8) ==
                          Approx(predicted(r, spec)).epsilon(0.02));
                }
            }
        }
    }
}

TEST_CASE("shared_throughput of one storing warp shows the sub-partition's interval", "[calibrate][sim]") {
    for (const auto* interval : {"2", "3", "4"}) {
        const auto spec = micro::arch(
            "sm_90", {std::string("sm.shared_memory.sub_partition_interval=") + interval + " cycles"});
        for (const int degree : {1, 2, 8}) {
            const auto r = row("shared_throughput",
                               {{"OP", "st"}, {"BITS", "32"}, {"DEGREE", text(degree)}, {"WARPS", "1"}});
            CHECK(predicted(r, spec) == degree * std::stod(interval));
            CHECK(simulated_throughput(spec, false, 1, degree, 1) == Approx(predicted(r, spec)).epsilon(0.1));
        }
    }
}

TEST_CASE("barrier: one warp after the other arrives", "[calibrate]") {
    // sm_90 measured: 14 cycles with one warp, 2 more with each further one
    const auto spec = micro::arch("sm_90", {"sm.barrier.latency=14 cycles"});
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
        CHECK(predicted(row("barrier", {{"WARPS", text(warps)}}), spec) == 14 + 2 * (warps - 1));
        CHECK(simulated_barrier(spec, warps) == Approx(14 + 2 * (warps - 1)));
    }
}

TEST_CASE("pipes and register banks: closed form and simulator agree", "[calibrate][sim]") {
    for (const auto* name : {"sm_70", "sm_90"}) {
        const auto spec = micro::arch(name);
        for (const auto op : {OpClass::ffma, OpClass::iadd, OpClass::sfu}) {
            std::vector<Instruction> body;
            for (int i = 0; i < 8; ++i) {
                body.push_back(micro::arithmetic(op, 33 + 2 * i, {0, 33 + 2 * i}));
            }
            const auto r = row("pipe_throughput", {{"OP", std::string(to_string(op))}, {"WARPS", "16"}});
            INFO(name << " " << r.text());
            CHECK(32 * 16 / micro::cycles_per_instruction(body, 16, spec) ==
                  Approx(predicted(r, spec)).epsilon(0.02));
        }
        std::vector<Instruction> three;
        for (int i = 0; i < 8; ++i) {
            three.push_back(micro::ffma(64 + i, 2, 4, 32 + 2 * i));
        }
        CHECK(micro::cycles_per_instruction(three, 1, spec) ==
              Approx(predicted(row("register_banks", {{"READS", "3"}, {"SAME_BANK", "3"}}), spec))
                  .epsilon(0.02));
    }
}

TEST_CASE("rows in which another limit may show determine nothing", "[calibrate]") {
    const auto spec = micro::arch("h200_sxm");
    const auto keys = [&spec](const MicrobenchmarkRow& r) {
        return find_benchmark(r.benchmark)->model({r, spec, std::span(&r, 1)}).keys;
    };
    using Keys = std::vector<std::string>;
    CHECK(keys(row("pipe_throughput", {{"OP", "ffma"}, {"WARPS", "4"}})).empty());
    CHECK(keys(row("pipe_latency", {{"OP", "tensor"}})).empty());
    CHECK(keys(row("register_banks", {{"READS", "2"}, {"SAME_BANK", "1"}})).empty());
    CHECK(keys(row("clock", {{"LOAD", "idle"}})).empty());
    CHECK(keys(row("dram_bandwidth", {{"MODE", "write"}, {"BYTES_IN_FLIGHT", "1"}})).empty());
    CHECK(keys(row("launch_overhead", {{"GRID", "133"}})).empty());
    CHECK(keys(row("shared_latency", {{"BITS", "48"}, {"DEGREE", "1"}})).empty());
    CHECK(keys(row("global_latency", {{"BYTES", "65536"}})) == Keys{"l1.latency"});
    CHECK(keys(row("global_latency", {{"BYTES", "16777216"}})) == Keys{"l2.latency"});
    CHECK(keys(row("global_latency", {{"BYTES", "67108864"}})).empty());
    CHECK(keys(row("global_latency", {{"BYTES", "1073741824"}})) == Keys{"dram.latency"});
}

TEST_CASE("a bandwidth counts where more bytes in flight no longer raise it", "[calibrate]") {
    const auto spec = micro::arch("h200_sxm");
    const auto read = [](const char* in_flight, double rate) {
        return row("dram_bandwidth", {{"MODE", "read"}, {"BYTES_IN_FLIGHT", in_flight}}, rate);
    };
    const auto used = [&spec](const std::vector<MicrobenchmarkRow>& rows) {
        std::size_t count = 0;
        for (const auto& r : rows) {
            count += find_benchmark(r.benchmark)->model({r, spec, rows}).keys.size();
        }
        return count;
    };
    CHECK(used({read("1", 1e12), read("2", 2e12), read("4", 3.9e12), read("8", 4e12)}) == 2);
    CHECK(used({read("1", 1e12), read("2", 2e12), read("4", 3e12), read("8", 4e12)}) == 0);
}
