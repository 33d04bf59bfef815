// Programs at instruction level: variants, counters by instruction, dual issue and ports by the code.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"

using namespace gpumodel;

namespace {

Instruction ffma(int accumulator, int a, int b) {
    const auto reg = [](int number, int slot) {
        RegisterUse use;
        use.kind = RegisterKind::vector;
        use.index = static_cast<std::int16_t>(number);
        use.slot = static_cast<std::int8_t>(slot);
        return use;
    };
    Instruction i;
    i.op = OpClass::ffma;
    i.result_count = 1;
    i.results[0] = reg(accumulator, -1);
    i.source_count = 3;
    i.sources = {reg(a, 0), reg(b, 1), reg(accumulator, 2)};
    return i;
}

// Adds an instruction with its site.
void add_access(Segment& segment, OpClass op, MemorySpace space, AccessKind kind, bool turned_off = false) {
    Instruction i;
    i.op = op;
    i.space = space;
    i.access_kind = kind;
    i.access_bytes = 4;
    i.site = static_cast<std::int32_t>(segment.sites.size());
    AccessSite site;
    site.name = "site";
    site.array = space == MemorySpace::global ? "data" : "other";
    site.space = space;
    site.kind = kind;
    site.role = SiteRole::none;
    site.address = [](const Coord& at, int) { return 4 * at.thread; };
    if (turned_off) {
        site.active = [](const Coord&) { return false; };
        site.lanes_fixed = true;
    }
    segment.sites.push_back(std::move(site));
    segment.code.push_back(i);
}

KernelProgram program_of(Segment segment, std::int64_t trips, const Dim3& grid, int threads) {
    for (const auto& i : segment.code) {
        ++segment.ops[static_cast<std::size_t>(i.op)];
    }
    segment.thread_end = threads;
    KernelProgram program;
    program.kernel = "hand-made";
    program.grid = grid;
    program.block = {threads, 1, 1};
    program.resources.threads = threads;
    program.resources.registers_per_thread = 32;
    program.arrays.push_back({"data", 1 << 20, true, true});
    Interval interval;
    interval.segments.push_back(std::move(segment));
    Loop loop;
    loop.trips = trips;
    loop.body.emplace_back(std::move(interval));
    program.body.emplace_back(std::move(loop));
    return program;
}

Segment some_work() {
    Segment segment;
    add_access(segment, OpClass::global_load, MemorySpace::global, AccessKind::load);
    segment.dependency.serial_global_loads = 1;
    for (int n = 0; n < 40; ++n) {
        segment.code.push_back(ffma(40 + n % 20, 2 * n % 30, 1 + 2 * n % 30));
    }
    segment.dependency.ilp = 20;
    return segment;
}

std::map<std::string, double> counters_of(const Prediction& prediction) {
    std::map<std::string, double> values;
    for (const auto& counter : prediction.counters) {
        values[std::string(counter.name)] = counter.value;
    }
    return values;
}

double bound_of(const Prediction& prediction, const std::string& name) {
    for (const auto& bound : prediction.bounds) {
        if (bound.name == name) {
            return bound.cycles;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("equal variants are as good as one body", "[property]") {
    const auto arch = load_arch("v100_sxm2");
    auto one = program_of(some_work(), 50, {40, 30, 2}, 128);
    auto many = one;
    many.variants.push_back({{{0, 0, 0}, {39, 30, 2}}, one.body});
    many.variants.push_back({{{39, 0, 0}, {40, 7, 2}}, one.body});
    many.variants.push_back({{{39, 7, 0}, {40, 30, 2}}, one.body});
    const auto a = predict_analytic(one, arch);
    const auto b = predict_analytic(many, arch);
    REQUIRE(a.status == Status::ok);
    CHECK(b.time_seconds == Approx(a.time_seconds).epsilon(1e-9));
    const auto expected = counters_of(a);
    for (const auto& [name, value] : counters_of(b)) {
        INFO(name);
        CHECK(value == Approx(expected.at(name)));
    }
}

TEST_CASE("a variant with fewer trips takes its share of the time", "[property]") {
    const auto arch = load_arch("v100_sxm2");
    const Dim3 grid{200, 40, 1};
    auto mixed = program_of(some_work(), 50, grid, 128);
    const auto long_body = mixed.body;
    const auto short_body = program_of(some_work(), 10, grid, 128).body;
    const double whole = predict_analytic(mixed, arch).cycles;
    double last = whole;
    for (const std::int64_t cut : {150, 100, 50}) {
        mixed.variants = {{{{0, 0, 0}, {cut, 40, 1}}, long_body}, {{{cut, 0, 0}, {200, 40, 1}}, short_body}};
        const auto p = predict_analytic(mixed, arch);
        CHECK(p.cycles < last);
        last = p.cycles;
        const double trips = 50.0 * static_cast<double>(cut) + 10.0 * static_cast<double>(200 - cut);
        CHECK(counters_of(p).at("smsp__inst_executed.sum") == trips * 40 * 4 * 41);
    }
    CHECK(last > whole / 5);
}

TEST_CASE("memory instructions are counted by kind, with those that a predicate turns off", "[unit]") {
    const auto arch = load_arch("v100_sxm2");
    Segment segment;
    add_access(segment, OpClass::global_load, MemorySpace::global, AccessKind::load);
    add_access(segment, OpClass::global_load, MemorySpace::global, AccessKind::load, true);
    add_access(segment, OpClass::global_load, MemorySpace::global, AccessKind::atomic);
    add_access(segment, OpClass::global_store, MemorySpace::global, AccessKind::atomic);
    add_access(segment, OpClass::global_store, MemorySpace::global, AccessKind::store);
    add_access(segment, OpClass::global_load, MemorySpace::local, AccessKind::load);
    add_access(segment, OpClass::shared_load, MemorySpace::shared, AccessKind::load);
    add_access(segment, OpClass::shared_load, MemorySpace::shared, AccessKind::atomic);
    add_access(segment, OpClass::shared_store, MemorySpace::shared, AccessKind::store, true);
    const auto p = predict_analytic(program_of(segment, 3, {5, 1, 1}, 64), arch);
    const auto counters = counters_of(p);
    const double each = 3 * 5 * 2;
    CHECK(counters.at("smsp__inst_executed.sum") == 9 * each);
    CHECK(counters.at("smsp__inst_executed_op_global_ld.sum") == 2 * each);
    CHECK(counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") == each);
    CHECK(counters.at("smsp__inst_executed_op_global_st.sum") == each);
    CHECK(counters.at("smsp__inst_executed_op_shared_ld.sum") == each);
    CHECK(counters.at("smsp__inst_executed_op_shared_st.sum") == each);
    CHECK(std::count(p.estimates.begin(), p.estimates.end(), "cost of atomics") == 1);
}

TEST_CASE("pairs marked in the code save issue slots", "[unit]") {
    const auto arch = load_arch("k40");
    auto segment = some_work();
    for (auto& i : segment.code.edit()) {
        i.control.known = true;
    }
    const auto single = predict_analytic(program_of(segment, 100, {60, 1, 1}, 256), arch);
    for (std::size_t n = 1; n + 1 < segment.code.size(); n += 2) {
        segment.code.edit()[n].control.dual_issue = true;
    }
    const auto paired = predict_analytic(program_of(segment, 100, {60, 1, 1}, 256), arch);
    // 20 of the 41 instructions go with the one before them
    CHECK(bound_of(paired, "issue slots") == Approx(bound_of(single, "issue slots") * 21 / 41));
}

TEST_CASE("reuse flags in the code relieve the register ports", "[unit]") {
    const auto arch = load_arch("h200_sxm");
    // all operands in one bank of two: three reads of one port per instruction
    Segment segment;
    for (int n = 0; n < 64; ++n) {
        segment.code.push_back(ffma(100 + 2 * n, 2, 4));
    }
    segment.dependency.ilp = 64;
    const auto program = [&] { return program_of(segment, 100, {132, 1, 1}, 128); };
    const auto without = bound_of(predict_analytic(program(), arch), "register ports");
    for (auto& i : segment.code.edit()) {
        i.sources[0].reuse = true;
        i.sources[1].reuse = true;
    }
    const auto with = bound_of(predict_analytic(program(), arch), "register ports");
    CHECK(without == Approx(64.0 * 3 * 100).epsilon(0.02));
    CHECK(with == Approx(64.0 * 1 * 100).epsilon(0.02));
}

TEST_CASE("instruction level: classes that the GPU's spec does not have are named", "[analytic]") {
    auto segment = some_work();
    segment.code.edit().emplace_back().op = OpClass::uniform;  // sm_75 and later
    const auto program = program_of(segment, 10, {100, 1, 1}, 128);
    const auto names_it = [&program](const char* arch) {
        const auto p = predict_analytic(program, load_arch(arch));
        REQUIRE(p.status == Status::ok);
        return std::count_if(p.gaps.begin(), p.gaps.end(), [](const std::string& gap) {
            return gap.starts_with("uniform instructions: not in the spec");
        });
    };
    CHECK(names_it("sm_70") == 1);
    CHECK(names_it("sm_90") == 0);
}
