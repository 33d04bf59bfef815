// What holds for generated code by itself: registers, order, flags, Kepler's pairs.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/traces/codegen/generated.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

template <class Visit>
void for_each_source(const Instruction& i, const Visit& visit) {
    for (std::size_t k = 0; k < i.source_count; ++k) {
        for (int w = 0; w < i.sources.at(k).width; ++w) {
            visit(i.sources.at(k), i.sources.at(k).index + w);
        }
    }
}

template <class Visit>
void for_each_result(const Instruction& i, const Visit& visit) {
    for (std::size_t k = 0; k < i.result_count; ++k) {
        for (int w = 0; w < i.results.at(k).width; ++w) {
            visit(i.results.at(k), i.results.at(k).index + w);
        }
    }
}

bool is_product(const Segment& segment, const Instruction& i) {
    return segment.product.r > 0 && i.op == OpClass::ffma;
}

// Which word of the segment's fragments a register holds after its loads.
struct Word {
    int site = -1, word = 0;
    friend bool operator==(const Word&, const Word&) = default;
};

// Fragment index of a word, as ProductStep counts them.
int fragment_index(const Segment& segment, const Word& at) {
    int before = 0;
    const auto& own = segment.sites.at(static_cast<std::size_t>(at.site));
    for (int s = 0; s < at.site; ++s) {
        const auto& site = segment.sites.at(static_cast<std::size_t>(s));
        before += site.role == own.role ? site.words : 0;
    }
    return own.fragment_index ? own.fragment_index(at.word) : before + at.word;
}

}  // namespace

TEST_CASE("codegen: registers are real ones", "[codegen]") {
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const KernelProgram program = generated(c);
        for_each_segment(program.body, [&](const Segment& segment) {
            for (const Instruction& i : segment.code) {
                const auto check = [](const RegisterUse& use, int reg) {
                    const int last = use.kind == RegisterKind::vector      ? 254
                                     : use.kind == RegisterKind::predicate ? 6
                                                                           : 62;
                    if (use.kind == RegisterKind::none || reg < 0 || reg > last) {
                        FAIL_CHECK("register " << reg);
                    }
                };
                for_each_source(i, check);
                for_each_result(i, check);
            }
        });
    }
}

TEST_CASE("codegen: tiled kernels stay near their registers per thread", "[codegen]") {
    for (const Case& c : all_cases()) {
        const KernelProgram program = generated(c);
        if (program.accumulators < 16 || c.overflows) {
            continue;
        }
        std::set<int> used;
        for_each_segment(program.body, [&](const Segment& segment) {
            for (const Instruction& i : segment.code) {
                for_each_result(i, [&](const RegisterUse& use, int reg) {
                    if (use.kind == RegisterKind::vector) {
                        used.insert(reg);
                    }
                });
            }
        });
        INFO(c.text() << ": " << program.resources.registers_per_thread << " registers");
        CHECK(static_cast<int>(used.size()) <= program.resources.registers_per_thread + 16);
    }
}

TEST_CASE("codegen: every product reads its own words and accumulator", "[codegen]") {
    for (const Case& c : all_cases()) {
        if (c.overflows) {
            continue;
        }
        INFO(c.text());
        const KernelProgram program = generated(c);
        for_each_segment(program.body, [&](const Segment& segment) {
            const ProductStep& p = segment.product;
            if (p.r == 0) {
                return;
            }
            std::map<int, Word> held;
            std::map<std::pair<int, int>, int> register_of;  // of acc(i,j)
            std::set<std::array<int, 3>> done;
            bool right = true;
            for (const Instruction& i : segment.code) {
                if (i.access_kind == AccessKind::load && i.access_bytes > 0) {
                    for (int w = 0; w < i.results[0].width; ++w) {
                        held[i.results[0].index + w] = {i.site, i.word + w};
                    }
                }
                if (!is_product(segment, i)) {
                    continue;
                }
                std::array<int, 2> fragment{-1, -1};
                for (std::size_t k = 0; k < 2; ++k) {
                    const auto found = held.find(i.sources.at(k).index);
                    if (found == held.end()) {
                        continue;
                    }
                    const auto role = segment.sites.at(static_cast<std::size_t>(found->second.site)).role;
                    fragment.at(role == SiteRole::fragment_a ? 0 : 1) =
                        fragment_index(segment, found->second);
                }
                const int step = fragment[1] / p.s;
                const int j = fragment[1] % p.s;
                const int row = p.a_along_k ? fragment[0] / p.steps : fragment[0] % p.r;
                const int a_step = p.a_along_k ? fragment[0] % p.steps : fragment[0] / p.r;
                const int acc = i.sources[2].index;
                right = right && fragment[0] >= 0 && fragment[1] >= 0 && step == a_step &&
                        acc == i.results[0].index && done.insert({step, row, j}).second &&
                        register_of.try_emplace({row, j}, acc).first->second == acc;
            }
            CHECK(right);
            CHECK(static_cast<int>(done.size()) == p.r * p.s * p.steps);
            std::set<int> accumulators;
            for (const auto& [place, reg] : register_of) {
                accumulators.insert(reg);
            }
            CHECK(accumulators.size() == register_of.size());
        });
    }
}

TEST_CASE("codegen: stores write what the paired loads brought", "[codegen]") {
    for (const Case& c : all_cases()) {
        if (c.overflows) {
            continue;
        }
        INFO(c.text());
        const KernelProgram program = generated(c);
        std::map<int, std::pair<int, int>> held;  // register -> stage, word
        for_each_pass(program.body, [&](const Segment& segment, const Coord&) {
            for (const Instruction& i : segment.code) {
                const AccessSite* site =
                    i.access_bytes > 0 ? &segment.sites.at(static_cast<std::size_t>(i.site)) : nullptr;
                if (site != nullptr && i.access_kind == AccessKind::store &&
                    site->role == SiteRole::stage_store) {
                    int word = i.word;
                    for (std::size_t k = 1; k < i.source_count; ++k) {
                        for (int w = 0; w < i.sources.at(k).width; ++w) {
                            const std::pair<int, int> wanted{site->stage_id, word++};
                            REQUIRE(held[i.sources.at(k).index + w] == wanted);
                        }
                    }
                    REQUIRE(word == i.word + site->vector_words);
                }
                int word = i.word;
                for_each_result(i, [&](const RegisterUse& use, int reg) {
                    if (use.kind == RegisterKind::vector) {
                        held[reg] = {
                            site != nullptr && site->role == SiteRole::stage_load ? site->stage_id : -1,
                            word++};
                    }
                });
            }
        });
    }
}

TEST_CASE("codegen: barriers and branches stand where the program says", "[codegen]") {
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const std::function<void(const std::vector<Node>&, bool)> check = [&](const std::vector<Node>& nodes,
                                                                              bool in_loop) {
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                if (const auto* loop = std::get_if<Loop>(&nodes[n])) {
                    CHECK(loop->unroll == 1);
                    check(loop->body, true);
                    continue;
                }
                const auto& interval = std::get<Interval>(nodes[n]);
                for (const Segment& segment : interval.segments) {
                    const auto barriers =
                        std::count_if(segment.code.begin(), segment.code.end(),
                                      [](const Instruction& i) { return i.op == OpClass::barrier; });
                    if (interval.barrier_after && barriers > 0) {
                        CHECK(segment.code.back().op == OpClass::barrier);
                    }
                    if (in_loop && n + 1 == nodes.size()) {
                        CHECK(segment.code.back().op == OpClass::branch);
                        CHECK(segment.code.back().guard.kind == RegisterKind::predicate);
                    }
                }
            }
        };
        const KernelProgram program = generated(c);
        check(program.body, false);
        const auto& last = std::get<Interval>(program.body.back()).segments.back().code.back();
        CHECK(program.mnemonics.name(last.mnemonic) == "EXIT");
    }
}

TEST_CASE("codegen: reuse flags only where reuse caches exist, and never without a later reader",
          "[codegen]") {
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const KernelProgram program = generated(c);
        int flags = 0;
        for_each_segment(program.body, [&](const Segment& segment) {
            std::map<std::pair<int, int>, int> entry;  // slot, bank -> register that a flag keeps
            for (const Instruction& i : segment.code) {
                for (std::size_t k = 0; i.op == OpClass::ffma && k < i.source_count; ++k) {
                    const RegisterUse& use = i.sources.at(k);
                    const std::pair<int, int> place{use.slot, use.index % 2};
                    if (const auto kept = entry.find(place); kept != entry.end()) {
                        REQUIRE(kept->second == use.index);
                        entry.erase(kept);
                    }
                    if (use.reuse) {
                        entry[place] = use.index;
                        ++flags;
                    }
                }
            }
            CHECK(entry.empty());
        });
        CHECK((c.cc >= 50 || flags == 0));
    }
}

TEST_CASE("codegen: Kepler's pairs", "[codegen]") {
    int ffmas = 0;
    int paired = 0;
    for (const Case& c : all_cases()) {
        INFO(c.text());
        const KernelProgram program = generated(c);
        for_each_segment(program.body, [&](const Segment& segment) {
            for (std::size_t n = 0; n < segment.code.size(); ++n) {
                const Instruction& i = segment.code[n];
                REQUIRE(i.control.known == (c.cc < 50 || c.cc >= 70));  // Maxwell and Pascal: none
                if (is_product(segment, i) && c.cc < 50 && segment.product.r * segment.product.s >= 16) {
                    ++ffmas;
                    paired += i.control.dual_issue ? 1 : 0;
                }
                if (!i.control.dual_issue) {
                    continue;
                }
                REQUIRE(n % 7 != 6);
                REQUIRE(i.control.stall == 0);
                REQUIRE((n == 0 || !segment.code[n - 1].control.dual_issue));
                std::set<int> written;
                for_each_result(i, [&](const RegisterUse&, int reg) { written.insert(reg); });
                for_each_source(segment.code[n + 1],
                                [&](const RegisterUse&, int reg) { REQUIRE(!written.contains(reg)); });
            }
        });
    }
    // compiled bodies: 15 % with another FFMA, a few more with a load
    CHECK(paired > 0.10 * ffmas);
    CHECK(paired < 0.25 * ffmas);
}
