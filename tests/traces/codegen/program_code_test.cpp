// Code taken over from another size of the problem is the code that this size gets by itself.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "tests/support/program_checks.h"
#include "tests/traces/codegen/generated.h"
#include "traces/codegen/make_program.h"

namespace gpumodel::test {
namespace {

std::string text(const KernelProgram& program) {
    std::string all;
    const auto add = [&](const Segment& segment) {
        const auto& wait = segment.dependency;
        all += fmt::format("{} {} {} {} {}\n", segment.name, wait.serial_global_loads,
                           wait.serial_shared_loads, wait.ilp, wait.prefetched_global_loads);
        for (const Instruction& i : segment.code) {
            all += program.mnemonics.name(i.mnemonic) + fmt::format(" {} {}", i.site, i.word);
            for (std::size_t k = 0; k < i.source_count; ++k) {
                all += fmt::format(" {}{}", i.sources.at(k).index, i.sources.at(k).reuse ? "*" : "");
            }
            all += fmt::format(" -> {}\n", i.results[0].index);
        }
    };
    for_each_segment(program.body, add);
    for (const auto& variant : program.variants) {
        for_each_segment(variant.body, add);
    }
    return all;
}

// Sizes with the same and with other leftovers of unrolled loops than `shape`, and with edges.
std::vector<ProblemShape> other_shapes(const ProblemShape& shape) {
    return {{2 * shape.m, 2 * shape.n, 2 * shape.k},
            {4 * shape.m, shape.n, 3 * shape.k},
            {2 * shape.m, 3 * shape.n, shape.k},
            {shape.m, 2 * shape.n, shape.k + 8},
            {shape.m + 1, shape.n + 3, shape.k + 1}};
}

// 1 if the site is one whose functions the code fixes, of global ones together with a pitch that both have.
int check_fixed(const Segment& segment, const AccessSite& a, const AccessSite& b) {
    const bool shared = a.space == MemorySpace::shared;  // else edges of the problem may turn lanes off
    REQUIRE((!shared || a.fixed_by_code == b.fixed_by_code));
    REQUIRE(a.pitch.has_value() == b.pitch.has_value());
    if (!a.fixed_by_code || !b.fixed_by_code || a.pitch != b.pitch) {
        return 0;
    }
    REQUIRE(a.words == b.words);
    Coord at;
    at.thread = segment.thread_begin;
    const auto apart = b.address(at, 0) - a.address(at, 0);
    for (; at.thread < segment.thread_end; ++at.thread) {
        for (int word = 0; word < a.words; word += a.vector_words) {
            if (b.address(at, word) - a.address(at, word) != apart || !a.is_active(at, word) ||
                !b.is_active(at, word)) {
                FAIL(a.name << ", thread " << at.thread << ", word " << word);
            }
        }
    }
    return 1;
}

}  // namespace

TEST_CASE("codegen: code of the same tiles at another size is that size's own", "[codegen]") {
    int made = 0;
    for (const Case& c : all_cases()) {
        const auto& family = *find_family(c.family);
        const auto params = resolve_params(family, c.params);
        const auto target = target_sm(c.cc);
        (void)make_program(family, params, c.shape, target);
        for (const auto& shape : other_shapes(c.shape)) {
            const auto tiles = lower_tiles(family, params, shape, target);
            if (!tiles.program) {
                continue;
            }
            const auto remembered = make_program(family, params, shape, target);
            INFO(c.text() << " at " << shape.m << " x " << shape.n << " x " << shape.k);
            REQUIRE(text(*remembered.program) == text(generate_code(*tiles.program, target)));
            ++made;
        }
    }
    CHECK(made > 100);
}

TEST_CASE("codegen: sites fixed by the code are the same at every size that shares it", "[codegen]") {
    int shared = 0, global = 0;
    for (const Case& c : all_cases()) {
        const auto& family = *find_family(c.family);
        const auto params = resolve_params(family, c.params);
        const auto first = make_program(family, params, c.shape, target_sm(c.cc));
        std::map<std::uint64_t, const Segment*> known;
        const auto remember = [&known](const Segment& s) { known.emplace(s.code.identity(), &s); };
        for_each_segment(first.program->body, remember);
        for (const auto& shape : other_shapes(c.shape)) {
            const auto other = make_program(family, params, shape, target_sm(c.cc));
            if (!other.program) {
                continue;
            }
            INFO(c.text() << " at " << shape.m << " x " << shape.n << " x " << shape.k);
            for_each_segment(other.program->body, [&](const Segment& segment) {
                const auto same = known.find(segment.code.identity());
                if (same == known.end()) {
                    return;
                }
                REQUIRE(segment.thread_end == same->second->thread_end);
                REQUIRE(segment.sites.size() == same->second->sites.size());
                for (std::size_t i = 0; i < segment.sites.size(); ++i) {
                    const auto& site = segment.sites[i];
                    auto& compared = site.space == MemorySpace::shared ? shared : global;
                    compared += check_fixed(segment, site, same->second->sites[i]);
                }
            });
        }
    }
    CHECK(shared > 1000);
    CHECK(global > 200);
}

TEST_CASE("codegen: other registers are other code", "[codegen]") {
    const auto& family = *find_family("warptile");
    const auto params = resolve_params(family, {});
    const auto with = [&](int registers) {
        return *make_program(family, params, {256, 256, 64}, target_sm(70), [&](KernelProgram& program) {
                    program.resources.registers_per_thread = registers;
                }).program;
    };
    const auto few = with(100);
    const auto many = with(200);
    CHECK(few.resources.registers_per_thread == 100);
    CHECK(many.resources.registers_per_thread == 200);
    auto tiles = *lower_tiles(family, params, {256, 256, 64}, target_sm(70)).program;
    tiles.resources.registers_per_thread = 100;
    CHECK(text(few) == text(generate_code(tiles, target_sm(70))));
}

}  // namespace gpumodel::test
