// The estimate of registers per thread; its accuracy against ptxas is judged in tests/validate/fit.
#include "traces/kernel/compiler/registers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace gpumodel;

namespace {

Target sm(int cc, int max_registers = 255) {
    return {.cc = {.major = cc / 10, .minor = cc % 10}, .max_registers_per_thread = max_registers};
}

FamilyResult lowered(const std::string& family, const ParamValues& params, const Target& target) {
    const Family& found = *find_family(family);
    const std::int64_t depth = found.depth == ProblemDepth::fixed ? found.default_shape.k : 1024;
    FamilyResult result = lower_tiles(found, resolve_params(found, params), {1024, 1024, depth}, target);
    REQUIRE(result.program);
    return result;
}

int estimate(const std::string& family, const ParamValues& params, const Target& target) {
    return estimate_registers(lowered(family, params, sm(90)).code, target);
}

bool has_local_accesses(const std::vector<Node>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            return has_local_accesses(loop->body);
        }
        const auto& segments = std::get<Interval>(node).segments;
        return std::any_of(segments.begin(), segments.end(), [](const Segment& segment) {
            return std::any_of(segment.sites.begin(), segment.sites.end(),
                               [](const AccessSite& site) { return site.thread_private; });
        });
    });
}

}  // namespace

TEST_CASE("what the estimate asks of a code", "[unit]") {
    const KernelCode warp = lowered("warptile", {}, sm(70)).code;
    CHECK(warp.shape == CodeShape::warp_tile);
    CHECK(warp.accumulators == 128);  // 64x64 results of a warp over 32 lanes
    CHECK(warp.row_words == 8);       // WMITER = 64*64/(32*8*4*4) = 1
    CHECK(warp.column_words == 16);
    CHECK(warp.staged_words == 32);  // (128 + 128)*16 words by 128 threads
    CHECK(warp.threads == 128);
    CHECK(warp.depth == 16);

    const KernelCode sub =
        lowered("autotuned", {{"BM", 128}, {"BN", 256}, {"TM", 4}, {"TN", 8}, {"UNROLL", 4}}, sm(70)).code;
    CHECK(sub.accumulators == 128);
    CHECK(sub.outer_tiles == 4);
    CHECK(sub.row_words + sub.column_words == 12);
    CHECK(sub.staged_words == 24);
    CHECK(sub.unrolled_steps == 4);
    CHECK(sub.pinned_steps == 4);

    const KernelCode column = lowered("blocktile1d", {}, sm(70)).code;
    CHECK(column.accumulators == 8);
    CHECK(column.threads == 512);
    CHECK(column.staged_words == 2);

    const KernelCode vendor = lowered("cublas_sgemm", {{"BM", 128}, {"BN", 64}}, sm(70)).code;
    CHECK(vendor.threads == 128);
    CHECK(vendor.accumulators == 64);
    // 64 results, twice 8 + 8 words, (128 + 64)*8 words by 128 threads, 18
    CHECK(estimate_registers(vendor, sm(70)) == 64 + 32 + 12 + 18);
}

TEST_CASE("every shape has register weights for the generations that can run it", "[unit]") {
    for (std::size_t i = 0; i < code_shape_count; ++i) {
        const auto shape = static_cast<CodeShape>(i);
        std::vector<int> generations;
        for (const auto& row : compiler_tables().registers.at(i)) {
            generations.push_back(row.cc);
        }
        INFO(to_string(shape));
        CHECK(generations == (shape == CodeShape::library ? std::vector<int>{}
                              : shape == CodeShape::async ? std::vector{80, 86, 90, 100, 120}
                                                          : std::vector{35, 70, 75, 80, 86, 90, 100, 120}));
    }
}

TEST_CASE("the estimate keeps the target's limits", "[unit]") {
    for (const int cc : {10, 20, 30, 35, 52, 61, 70, 75, 80, 86, 89, 90, 120}) {
        for (const Family& family : generated_families()) {
            const int limit = cc <= 30 ? 63 : 255;
            const int registers = estimate(family.name, {}, sm(cc, limit));
            CHECK(registers >= 6);  // the fewest of ptxas_registers.csv
            CHECK(registers <= limit);
        }
    }
    // 512 threads with a launch bound of one block: 65536/512.
    const ParamValues bound{{"BM", 256}, {"BN", 256}, {"TN", 16}, {"UNROLL", 8}};
    CHECK(estimate("blocktile2d", bound, sm(70)) <= 65536 / 512);
}

TEST_CASE("generations without data take the nearest with data", "[unit]") {
    const auto warptile = [](int cc) { return estimate("warptile", {}, sm(cc)); };
    CHECK(warptile(30) == warptile(35));
    CHECK(warptile(61) == warptile(70));
    CHECK(warptile(72) == warptile(70));
    CHECK(warptile(89) == warptile(86));
    CHECK(warptile(120) == warptile(90));
}

// Registers used to be estimated for accumulators in local memory where the program kept them in registers.
TEST_CASE("registers and accesses agree on accumulators in local memory", "[unit]") {
    const ParamValues one_row{{"BM", 64}, {"BN", 512}, {"BK", 16}, {"TM", 4}, {"TN", 4}};
    for (const int cc : {35, 70, 75, 80, 86, 90}) {
        INFO("sm_" << cc);
        const FamilyResult result = lowered("autotuned", one_row, sm(cc));
        CHECK(result.code.local_accumulators == has_local_accesses(result.program->body));
        const auto& rows = compiler_tables().registers.at(static_cast<std::size_t>(CodeShape::sub_tiles));
        const auto row = std::find_if(rows.begin(), rows.end(), [cc](const auto& r) { return r.cc == cc; });
        REQUIRE(row != rows.end());
        const int registers = result.program->resources.registers_per_thread;
        CHECK((registers == row->local_registers) == result.code.local_accumulators);
    }
    // Sub-tile loops one beside the other: ptxas gives the relatives with 64x256 and 128x256 tiles a stack
    // frame on sm_90 only (ptxas_registers.csv).
    CHECK(lowered("autotuned", one_row, sm(90)).code.local_accumulators);
    CHECK_FALSE(lowered("autotuned", one_row, sm(70)).code.local_accumulators);
    CHECK_FALSE(lowered("autotuned", one_row, sm(35)).code.local_accumulators);
}
