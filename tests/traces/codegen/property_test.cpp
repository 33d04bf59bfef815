// Random kernels of all families on all generations: nothing is lost or made twice.
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <random>

#include "tests/support/program_checks.h"
#include "tests/traces/codegen/generated.h"
#include "traces/codegen/unroll_loops.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// Some program that its family accepts, or empty.
std::optional<KernelProgram> random_program(std::mt19937& random, Target& target) {
    constexpr std::array<int, 9> generations{35, 52, 61, 70, 75, 80, 86, 90, 100};
    const Family& family = generated_families()[random() % generated_families().size()];
    target = target_sm(generations.at(random() % generations.size()));
    ParamValues params;
    for (const ParamSpec& spec : family.params) {
        const auto value = std::int64_t{1} << (random() % 9);
        if (random() % 2 == 0 && !spec.fixed && value >= spec.min && value <= spec.max) {
            params[spec.name] = value;
        }
    }
    if (family.min_compute_capability > target.cc.number()) {
        return std::nullopt;
    }
    ProblemShape shape{1024, 1024, family.default_shape.k};
    return lower_tiles(family, resolve_params(family, params), shape, target).program;
}

OpCounts sum_of_counts(const std::vector<Node>& nodes) {
    OpCounts sum{};
    for_each_segment(nodes, [&](const Segment& segment) {
        for (std::size_t i = 0; i < op_class_count; ++i) {
            sum[i] += segment.ops[i];
        }
    });
    return sum;
}

// True if the code accesses every word of every site once, in whole accesses.
bool covers_sites(const Segment& segment) {
    std::map<std::pair<int, int>, int> accesses;
    for (const Instruction& i : segment.code) {
        if (i.access_bytes > 0) {
            ++accesses[{i.site, i.word}];
        }
    }
    std::size_t wanted = 0;
    for (std::size_t s = 0; s < segment.sites.size(); ++s) {
        const AccessSite& site = segment.sites[s];
        if (site.kind == AccessKind::async_copy && site.space == MemorySpace::shared) {
            continue;
        }
        for (int word = 0; word < site.words; word += site.vector_words, ++wanted) {
            const auto found = accesses.find({static_cast<int>(s), word});
            if (found == accesses.end() || found->second != 1) {
                return false;
            }
        }
    }
    return accesses.size() == wanted;
}

}  // namespace

TEST_CASE("codegen: random kernels keep their counts and accesses", "[codegen][property]") {
    constexpr int wanted = 400;
    std::mt19937 random(20240611);
    for (int made = 0; made < wanted;) {
        Target target;
        const auto program = random_program(random, target);
        if (!program) {
            continue;
        }
        ++made;
        INFO(program->kernel << " " << program->params << " sm_" << target.cc.number());
        const KernelProgram after = generate_code(*program, target);
        CHECK(sum_of_counts(after.body) == sum_of_counts(unroll_loops(program->body)));
        for_each_segment(after.body, [&](const Segment& segment) { CHECK(covers_sites(segment)); });
    }
}
