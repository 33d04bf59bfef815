// Time and memory of generated programs at the default problem size.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "arch_specs/loader.h"
#include "tests/traces/codegen/generated.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// Bytes of a program's own storage, without what functions hold.
std::size_t bytes_of(const std::vector<Node>& nodes) {
    std::size_t bytes = nodes.capacity() * sizeof(Node);
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            bytes += bytes_of(loop->body);
            continue;
        }
        for (const Segment& segment : std::get<Interval>(node).segments) {
            bytes += sizeof(Segment) + segment.sites.capacity() * sizeof(AccessSite) +
                     segment.code.size() * sizeof(Instruction);
        }
    }
    return bytes;
}

double microseconds_per_program(const Family& family, const Target& target) {
    constexpr int repeats = 20;
    const ParamValues params = resolve_params(family, {});
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto lowered = lower_tiles(family, params, family.default_shape, target);
        const KernelProgram program = generate_code(*lowered.program, target);
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        REQUIRE_FALSE(program.body.empty());
        best = std::min(best, took.count());
    }
    return best;
}

}  // namespace

TEST_CASE("codegen: a 4096^3 warptile program takes little memory", "[codegen]") {
    for (const int cc : {35, 70, 86, 90}) {
        for (const std::int64_t unroll : {0, 16}) {
            const KernelProgram program =
                generated({"warptile", {{"UNROLL", unroll}}, {4096, 4096, 4096}, cc});
            // 2048 products of a tile stand in a row up to sm_86, and 128 of them on sm_90
            // (of 152 bytes each: 48 of them say what products of warp groups, tensor copies and waits for
            // these and for arrivals cost)
            CHECK(bytes_of(program.body) < (unroll == 0 ? 440'000U : 500'000U));
        }
    }
}

TEST_CASE("codegen: default programs are generated within a millisecond each", "[.time]") {
    for (const auto* arch : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        const Target target = target_of(load_arch(arch));
        double sum = 0;
        int count = 0;
        for (const Family& family : generated_families()) {
            if (family.min_compute_capability > target.cc.number()) {
                continue;
            }
            const double us = microseconds_per_program(family, target);
            fmt::print("{} {:20} {:7.1f} us\n", arch, family.name, us);
            CHECK(us < 1000);
            sum += us;
            ++count;
        }
        fmt::print("{} mean {:.1f} us\n", arch, sum / count);
    }
}
