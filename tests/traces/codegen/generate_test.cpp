// Generated code does what its tile-level program does: same counts, same addresses, same results.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <tuple>

#include "tests/support/program_checks.h"
#include "tests/traces/codegen/generated.h"
#include "traces/codegen/unroll_loops.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// Array, kind, bytes per lane, byte address (-1: turned off).
using OneAccess = std::tuple<std::string, int, int, std::int64_t>;
using Accesses = std::map<OneAccess, int>;

Coord thread_of(const KernelProgram& program, Coord at, int thread) {
    at.thread = thread;
    at.block_x = program.grid.x - 1;
    at.block_y = program.grid.y - 1;
    return at;
}

void add_access(Accesses& to, const AccessSite& site, const Coord& at, int word) {
    const std::int64_t address = site.is_active(at, word) ? site.address(at, word) : -1;
    ++to[{site.array, static_cast<int>(site.kind), site.bytes_per_lane(), address}];
}

Accesses tile_level_accesses(const KernelProgram& program, int thread) {
    Accesses all;
    for_each_pass(program.body, [&](const Segment& segment, const Coord& pass) {
        if (thread < segment.thread_begin || thread >= segment.thread_end) {
            return;
        }
        const Coord at = thread_of(program, pass, thread);
        for (const AccessSite& site : segment.sites) {
            for (int word = 0; word < site.words; word += site.vector_words) {
                add_access(all, site, at, word);
            }
        }
    });
    return all;
}

Accesses generated_accesses(const KernelProgram& program, int thread) {
    Accesses all;
    for_each_pass(program.body, [&](const Segment& segment, const Coord& pass) {
        if (thread < segment.thread_begin || thread >= segment.thread_end) {
            return;
        }
        const Coord at = thread_of(program, pass, thread);
        for (const Instruction& i : segment.code) {
            if (i.access_bytes == 0) {
                continue;
            }
            const AccessSite& site = segment.sites.at(static_cast<std::size_t>(i.site));
            REQUIRE(site.bytes_per_lane() == i.access_bytes);
            REQUIRE(site.kind == i.access_kind);
            REQUIRE((i.space == MemorySpace::local) == site.thread_private);
            add_access(all, site, at, i.word);
            if (i.access_kind == AccessKind::async_copy) {
                const AccessSite& shared = segment.sites.at(static_cast<std::size_t>(i.site) + 1);
                REQUIRE(shared.space == MemorySpace::shared);
                REQUIRE(shared.stage_id == site.stage_id);
                add_access(all, shared, at, i.word);
            }
        }
    });
    return all;
}

OpCounts pass_totals(const std::vector<Node>& nodes) {
    OpCounts totals{};
    for_each_pass(nodes, [&](const Segment& segment, const Coord&) {
        for (std::size_t i = 0; i < op_class_count; ++i) {
            totals[i] += segment.ops[i];
        }
    });
    return totals;
}

OpCounts code_totals(const std::vector<Node>& nodes) {
    OpCounts totals{};
    for_each_pass(nodes, [&](const Segment& segment, const Coord&) {
        for (const Instruction& i : segment.code) {
            totals[static_cast<std::size_t>(i.op)] += 1;
        }
    });
    return totals;
}

// Passes through segments: how often a count can have been rounded.
double passes(const std::vector<Node>& nodes) {
    double all = 0;
    for_each_pass(nodes, [&](const Segment&, const Coord&) { all += 1; });
    return all;
}

}  // namespace

TEST_CASE("codegen: every thread accesses the addresses of the tile-level program", "[codegen]") {
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const KernelProgram before = tile_level(c);
        const KernelProgram after = generated(c);
        const auto threads = static_cast<int>(before.block.count());
        for (const int thread : {0, 1, 37, threads / 2 + 5, threads - 1}) {
            if (tile_level_accesses(before, thread) != generated_accesses(after, thread)) {
                FAIL_CHECK("thread " << thread);
            }
        }
    }
}

TEST_CASE("codegen: counts by class are the tile-level counts", "[codegen]") {
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const KernelProgram before = tile_level(c);
        const KernelProgram after = generated(c);
        const OpCounts wanted = pass_totals(unroll_loops(before.body));
        const OpCounts got = code_totals(after.body);
        const OpCounts raw = pass_totals(before.body);
        for (std::size_t i = 0; i < op_class_count; ++i) {
            INFO(op_class_names[i]);
            CHECK(got[i] == wanted[i]);
            CHECK(std::abs(got[i] - raw[i]) <= 0.5 * passes(after.body));
        }
        for (const OpClass exact :
             {OpClass::ffma, OpClass::shared_load, OpClass::shared_store, OpClass::global_load,
              OpClass::global_store, OpClass::async_copy, OpClass::barrier}) {
            INFO(to_string(exact));
            CHECK(got[static_cast<std::size_t>(exact)] == raw[static_cast<std::size_t>(exact)]);
        }
        CHECK(code_totals(after.body) == pass_totals(after.body));
    }
}

TEST_CASE("codegen: the unrolled program still computes C", "[codegen]") {
    for (const Case& c : all_cases()) {
        if (c.cc == 80) {
            continue;  // as sm_86
        }
        INFO(c.text());
        const auto* family = find_family(c.family);
        const auto wrongs = wrongs_of(generated(c), resolve_params(*family, c.params));
        INFO((wrongs.empty() ? "" : wrongs.front()));
        CHECK(wrongs.empty());
    }
}

TEST_CASE("codegen: same input, same code", "[codegen]") {
    const auto text = [](const KernelProgram& program) {
        std::string all;
        for_each_segment(program.body, [&](const Segment& segment) {
            for (const Instruction& i : segment.code) {
                all += program.mnemonics.name(i.mnemonic) + fmt::format(" {} {}", i.site, i.word);
                for (std::size_t k = 0; k < i.source_count; ++k) {
                    all += fmt::format(" {}{}", i.sources.at(k).index, i.sources.at(k).reuse ? "*" : "");
                }
                all += fmt::format(" -> {}\n", i.results[0].index);
            }
        });
        return all;
    };
    for (const Case& c : all_cases()) {
        const KernelProgram first = generated(c);
        REQUIRE(text(first) == text(generated(c)));
    }
}

TEST_CASE("codegen: variants get code of their own", "[codegen]") {
    const Case c{"warptile", {}, {256, 256, 64}, 70};
    KernelProgram program = tile_level(c);
    BlockBox left;
    left.end = {1, 2, 1};
    BlockBox right;
    right.begin = {1, 0, 0};
    right.end = {2, 2, 1};
    program.variants = {{left, program.body}, {right, program.body}};
    const KernelProgram after = generate_code(program, target_sm(70));
    for (const BlockVariant& variant : after.variants) {
        CHECK(code_totals(variant.body) == code_totals(after.body));
    }
}
