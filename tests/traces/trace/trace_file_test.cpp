// The native trace file: what is written comes back, and what is damaged is refused.
#include "traces/trace/trace_file.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iterator>
#include <sstream>

#include "arch_specs/loader.h"
#include "base/diagnostics.h"
#include "model/analytic/predict.h"
#include "tests/traces/trace/same_program.h"
#include "traces/codegen/make_program.h"
#include "traces/trace/native/documents.h"
#include "traces/trace/native/program_reader.h"

using namespace gpumodel;

namespace {

std::string written(const TraceFile& trace) {
    std::ostringstream out;
    write_trace(out, trace, "test");
    return out.str();
}

TraceFile read_back(const std::string& bytes) {
    std::istringstream in(bytes);
    return read_trace(in, "t.gpt");
}

std::string fault_of(const std::string& bytes) {
    try {
        static_cast<void>(read_back(bytes));
    } catch (const InputError& error) {
        REQUIRE(error.kind() == InputErrorKind::invalid_input);
        return to_string(error.diagnostics().at(0));
    }
    return "";
}

// The documents without their packing, and what read_program says to some.
std::string documents_of(const TraceFile& trace) {
    std::istringstream in(written(trace));
    const auto documents = unpack_documents(in, "t");
    return {std::istreambuf_iterator<char>(documents.get()), {}};
}

std::string fault_in(const std::string& documents) {
    std::stringbuf bytes(documents);
    try {
        static_cast<void>(read_program(bytes, "t"));
    } catch (const InputError& error) {
        REQUIRE(error.kind() == InputErrorKind::invalid_input);
        return to_string(error.diagnostics().at(0));
    }
    return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

KernelProgram family_program(const Family& family, const ProblemShape& shape, const ArchSpec& arch) {
    auto result = make_program(family, resolve_params(family, {}), shape, target_of(arch));
    INFO(family.name << ": " << result.infeasible_reason);
    REQUIRE(result.program);
    return std::move(*result.program);
}

// Four instructions, one site, grid 3x2, and a loop of 5 trips.
KernelProgram small_program() {
    KernelProgram program;
    program.kernel = "small";
    program.grid = {3, 2, 1};
    program.block = {48, 1, 1};
    program.resources.threads = 48;
    program.arrays = {{"in", 1 << 20, true, false}};
    Segment segment;
    segment.name = "load";
    segment.thread_end = 48;
    segment.ops[static_cast<std::size_t>(OpClass::global_load)] = 1;
    segment.ops[static_cast<std::size_t>(OpClass::branch)] = 1;
    AccessSite site;
    site.name = "LDG.E @0x0010";
    site.array = "in";
    site.role = SiteRole::none;
    site.address = [](const Coord& at, int) {
        return 4 * (at.thread ^ 5) + 256 * at.block_x + 1024 * at.block_y + 4096 * at.loop[0];
    };
    site.active = [](const Coord& at) { return at.loop[0] < 4 || at.thread < 40; };
    segment.sites.push_back(site);
    Instruction load;
    load.op = OpClass::global_load;
    load.mnemonic = program.mnemonics.intern("LDG.E");
    load.result_count = 1;
    load.results[0] = {RegisterKind::vector, 1, 4};
    load.source_count = 1;
    load.sources[0] = {RegisterKind::vector, 2, 2};
    load.guard = {RegisterKind::predicate, 1, 0};
    load.guard_negated = true;
    load.control = {true, 4, true, 2, -1, 5, false, false};
    load.access_bytes = 4;
    load.site = 0;
    load.address = 0x10;
    Instruction branch;
    branch.op = OpClass::branch;
    branch.mnemonic = program.mnemonics.intern("BRA");
    branch.address = 0x20;
    auto waits = branch;
    waits.copies_first = 3;
    waits.copies_step = 2;
    waits.copies_ahead = 5;
    waits.arrivals_known = true;
    waits.arrivals_from = 4;
    waits.arrivals_first = 7;
    waits.arrivals_step = 1;
    waits.arrivals_lag = 2;
    waits.arrivals_warps = 0xf00000f0;
    waits.others_first = 9;
    waits.others_warps = 1;
    auto arrives = branch;
    arrives.arrives = true;
    segment.code = {load, waits, arrives, branch};
    Interval interval;
    interval.segments.push_back(segment);
    program.body.emplace_back(Loop{"k", 5, 1, {interval}});
    return program;
}

}  // namespace

TEST_CASE("trace file: a small program comes back", "[trace]") {
    const TraceFile trace{"sm_70", "a test", small_program()};
    const auto back = read_back(written(trace));
    CHECK(back.arch == "sm_70");
    CHECK(back.source == "a test");
    CHECK(difference(trace.program, back.program, 1).empty());
    CHECK(written(back) == written(trace));
    // the comparison sees differences
    auto other = small_program();
    std::get<Interval>(std::get<Loop>(other.body[0]).body[0]).segments[0].code.edit()[0].control.stall = 5;
    CHECK(difference(other, back.program, 1) == "segment load");
}

TEST_CASE("trace file: every family comes back and predicts the same", "[trace]") {
    const auto arch = load_arch("sm_80");
    // 200 and 136 are no multiples of a tile: edges need lane and word predicates
    const ProblemShape ragged{200, 136, 104};
    int edges = 0;
    for (const auto& family : generated_families()) {
        for (const auto& shape : {family.default_shape, ragged}) {
            auto result = make_program(family, resolve_params(family, {}), shape, target_of(arch));
            if (!result.program) {
                continue;
            }
            edges += shape.m == ragged.m ? 1 : 0;
            const TraceFile trace{"sm_80", family.name, std::move(*result.program)};
            const auto back = read_back(written(trace));
            INFO(family.name << " M=" << shape.m);
            CHECK(difference(trace.program, back.program, 7) == "");
            CHECK(predict_analytic(back.program, arch).time_seconds ==
                  predict_analytic(trace.program, arch).time_seconds);
        }
    }
    CHECK(edges >= 3);  // the families without tiles run on any shape
}

TEST_CASE("trace file: generated code comes back", "[trace][slow]") {
    for (const auto* name : {"sm_35", "sm_90"}) {
        const auto arch = load_arch(name);
        for (const auto& family : generated_families()) {
            auto result = make_program(family, resolve_params(family, {}), {256, 256, 64}, target_of(arch));
            if (!result.program) {
                continue;
            }
            const TraceFile trace{name, family.name, std::move(*result.program)};
            const auto back = read_back(written(trace));
            INFO(name << " " << family.name);
            CHECK(difference(trace.program, back.program, 5) == "");
            CHECK(predict_analytic(back.program, arch).time_seconds ==
                  predict_analytic(trace.program, arch).time_seconds);
        }
    }
}

TEST_CASE("trace file: variants come back", "[trace]") {
    auto program = small_program();
    auto wide = program.body;
    std::get<Loop>(wide[0]).trips = 7;
    program.variants = {{{{0, 0, 0}, {2, 2, 1}}, program.body}, {{{2, 0, 0}, {3, 2, 1}}, wide}};
    const auto back = read_back(written({"", "", program}));
    CHECK(difference(program, back.program, 3) == "");
    REQUIRE(back.program.variants.size() == 2);
    CHECK(std::get<Loop>(back.program.body[0]).trips == 5);
    // boxes that leave a block out are no partition
    program.variants[1].blocks.end.y = 1;
    CHECK(fault_of(written({"", "", program})).find("do not partition the grid") != std::string::npos);
}

TEST_CASE("trace file: what is not affine is refused", "[trace]") {
    auto program = small_program();
    std::get<Loop>(program.body[0]).trips = 20;  // more than two rounds of any period
    auto& site = std::get<Interval>(std::get<Loop>(program.body[0]).body[0]).segments[0].sites[0];
    site.address = [](const Coord& at, int) { return 4 * at.thread + at.loop[0] * at.loop[0]; };
    CHECK_THROWS_AS(written({"", "", program}), InputError);
    site.address = [](const Coord& at, int) { return 4 * at.thread + at.block_x * at.block_y; };
    CHECK_THROWS_AS(written({"", "", program}), InputError);
    // where no lane is active it does not matter
    site.active = [](const Coord& at) { return at.block_x == 0; };
    CHECK_NOTHROW(written({"", "", program}));
}

TEST_CASE("trace file: an irregular loop predicate comes back", "[trace]") {
    auto program = small_program();
    auto& loop = std::get<Loop>(program.body[0]);
    loop.trips = 1000;
    std::get<Interval>(loop.body[0]).segments[0].sites[0].active = [](const Coord& at) {
        return at.loop[0] != 0 && at.loop[0] < 997 && at.thread != at.block_x;
    };
    const auto back = read_back(written({"", "", program}));
    CHECK(difference(program, back.program, 11) == "");
}

TEST_CASE("trace file: truncated and damaged files name the byte", "[trace]") {
    const auto bytes = written({"sm_70", "a test", small_program()});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto fault = fault_of(bytes.substr(0, size));
        INFO(size);
        REQUIRE(fault == fmt::format("t.gpt: byte {}: the file ends in the middle", size));
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        auto damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        INFO(at);
        REQUIRE(fault_of(damaged).rfind("t.gpt: byte ", 0) == 0);
    }
    CHECK(fault_of(bytes + "x") ==
          fmt::format("t.gpt: byte {}: bytes after the last document", bytes.size()));
    CHECK(fault_of("GPT").find("byte 3") != std::string::npos);
}

TEST_CASE("trace file: other versions are refused by name", "[trace]") {
    auto bytes = written({"sm_70", "a test", small_program()});
    bytes[8] = 1;
    CHECK(fault_of(bytes) == "t.gpt: byte 8: version 1 of the trace format, this program reads version 2");
    bytes[9] = 1;
    CHECK(fault_of(bytes) == "t.gpt: byte 8: version 257 of the trace format, this program reads version 2");
}

TEST_CASE("trace file: documents name what is wrong in them", "[trace]") {
    const auto bytes = documents_of({"sm_70", "a test", small_program()});
    REQUIRE(fault_in(bytes).empty());
    // text of the same length in CBOR: nothing else changes
    CHECK(fault_in(replaced(bytes, "fbranch", "fbrunch")) ==
          "t: document 2, code.instructions[1].class: 'brunch' is not known here");
    CHECK(fault_in(replaced(bytes, "fvector", "fvektor")) ==
          "t: document 2, code.instructions[0].results[0].kind: 'vektor' is not known here");
    CHECK(fault_in(replaced(bytes, "dkindipredicate", "dlinkipredicate")) ==
          "t: document 2, code.instructions[0].guard.kind: is missing");
    CHECK(fault_in(replaced(bytes, "etrips", "etripz")).find("t: document 6, body.nodes[0].loop") == 0);
    // 48 threads (CBOR 18 30) in a block of 47
    CHECK(
        fault_in(replaced(bytes, "ax\x18\x30", "ax\x18\x2f")) ==
        "t: document 1, launch.block: 47 threads, at most 1024 and those of the resources (48) are allowed");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        INFO(size);
        REQUIRE(fault_in(bytes.substr(0, size)).find("t: document ") == 0);
    }
    CHECK(fault_in(bytes + bytes) == "t: document 7: is not the last one");
}

TEST_CASE("trace file: hostile sizes are refused", "[trace]") {
    CHECK(fault_in(std::string(100'000, '\x81')) == "t: document 1: nested too deeply");
    // a list, a map and a text of 2^62 elements
    for (const char kind : {'\x9b', '\xbb', '\x7b'}) {
        CHECK(fault_in(kind + std::string("\x40\0\0\0\0\0\0\0", 8)).find("t: document 1") == 0);
    }
}

TEST_CASE("trace file: a large launch stays small", "[trace]") {
    const auto arch = load_arch("sm_70");
    const auto* family = find_family("warptile");
    REQUIRE(family != nullptr);
    const auto bytes = written({"sm_70", "", family_program(*family, {4096, 4096, 4096}, arch)});
    CHECK(bytes.size() < 100'000);
}
