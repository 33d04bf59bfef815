// The tensor-core families: their shipped programs multiply matrices, and what is not shipped is refused.
#include <catch2/catch.hpp>

#include "tests/traces/provide/product_check.h"
#include "traces/provide/shipped_programs.h"

using namespace gpumodel;
using namespace gpumodel::product_tests;

namespace {

ParamValues tile(std::int64_t bm, std::int64_t bn, std::int64_t bk, std::int64_t wm, std::int64_t wn) {
    return {{"BM", bm}, {"BN", bn}, {"BK", bk}, {"WM", wm}, {"WN", wn}};
}

}  // namespace

TEST_CASE("tensor-core families: defaults multiply matrices on every generation", "[provide][tensor]") {
    for (const auto* arch : {"sm_80", "sm_86", "sm_89", "sm_90"}) {
        for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled", "mma_async"}) {
            check_product(arch, family, {}, 5);
        }
    }
}

TEST_CASE("tensor-core families: types, layouts, depths and stages", "[provide][tensor]") {
    check_product("sm_80", "mma_direct", {{"TYPE", bf16}}, 3);
    check_product("sm_90", "mma_direct", {{"ACC", f16_sums}}, 3);
    check_product("sm_90", "mma_direct", {{"BM", 32}, {"BN", 32}, {"WM", 16}, {"WN", 16}}, 2);
    check_product("sm_80", "mma_shared", {{"PAD", 0}}, 3);
    check_product("sm_90", "mma_shared", {{"ACC", f16_sums}}, 2);
    check_product("sm_86", "mma_shared", with(tile(64, 64, 64, 32, 32), "PAD", 0), 2);
    check_product("sm_90", "mma_swizzled", tile(64, 64, 16, 32, 32), 4);
    check_product("sm_90", "mma_swizzled", tile(128, 256, 32, 64, 64), 2);
    check_product("sm_80", "mma_swizzled", with(tile(128, 128, 32, 64, 32), "TYPE", bf16), 2);
    check_product("sm_90", "mma_async", with(tile(64, 64, 64, 32, 32), "STAGES", 3),
                  1);  // fewer tiles than stages
    check_product("sm_80", "mma_async", with(tile(64, 64, 32, 32, 32), "STAGES", 2), 4);
    check_product("sm_90", "mma_async", with(tile(64, 64, 16, 32, 32), "STAGES", 5), 7);
    check_product("sm_89", "mma_async", with({{"ACC", f16_sums}}, "STAGES", 4), 3);
}

TEST_CASE("tensor-core families: TF32 and 8-bit integers", "[provide][tensor]") {
    for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled", "mma_async"}) {
        check_product("sm_90", family, {{"TYPE", tf32}}, 3);
        check_product("sm_80", family, {{"TYPE", int8}}, 3);
    }
    check_product("sm_86", "mma_async", {{"TYPE", tf32}}, 3);
    check_product("sm_89", "mma_async", {{"TYPE", int8}}, 3);
    const auto small = [](std::int64_t type) {
        return with(tile(64, 64, type == tf32 ? 32 : 128, 32, 32), "TYPE", type);  // rows of whole lines
    };
    check_product("sm_90", "mma_direct", {{"BM", 128}, {"BN", 128}, {"WM", 64}, {"TYPE", int8}}, 3);
    check_product("sm_90", "mma_shared", small(tf32), 2);
    check_product("sm_90", "mma_shared", {{"TYPE", int8}, {"PAD", 0}}, 2);
    check_product("sm_80", "mma_swizzled", small(tf32), 2);
    check_product("sm_90", "mma_swizzled", with(tile(128, 256, 64, 64, 64), "TYPE", int8), 2, 1);
    check_product("sm_90", "mma_async", small(int8), 5);
}

TEST_CASE("tensor-core families: quad pairs of Volta, and Turing's products", "[provide][tensor]") {
    for (const auto* arch : {"sm_70", "sm_75"}) {
        for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled"}) {
            check_product(arch, family, {}, 3);
            check_product(arch, family, {{"ACC", f16_sums}}, 2);
        }
        check_product(arch, "mma_shared", {{"WN", 64}}, 2);
        check_product(arch, "mma_shared", {{"PAD", 0}}, 2);
        check_product(arch, "mma_shared", tile(64, 64, 32, 32, 32), 2);
        check_product(arch, "mma_swizzled", tile(64, 64, 64, 32, 32), 2);
    }
    for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled"}) {
        check_product("sm_75", family, {{"TYPE", int8}}, 3);
    }
}

TEST_CASE("tensor-core families: two sets of fragments", "[provide][tensor]") {
    for (const auto* arch : {"sm_80", "sm_86", "sm_89", "sm_90"}) {
        check_product(arch, "mma_double", {}, 9);  // twice round the ring
    }
    check_product("sm_90", "mma_double", {}, 1);  // fewer tiles than stages
    check_product("sm_90", "mma_double", with(tile(128, 128, 64, 64, 64), "STAGES", 2), 3);
    check_product("sm_80", "mma_double", with(tile(64, 64, 64, 32, 32), "STAGES", 4), 5);
    check_product("sm_90", "mma_double", {{"TYPE", bf16}}, 4);
    check_product("sm_80", "mma_double", {{"ACC", f16_sums}}, 4);
    check_product("sm_90", "mma_double", {{"TYPE", tf32}}, 5);
    check_product("sm_80", "mma_double", {{"TYPE", int8}}, 5);
    check_product("sm_90", "mma_double", with(with({{"BK", 128}}, "TYPE", int8), "STAGES", 3), 4);
}

TEST_CASE("tensor-core families: a tile without code is refused with what there is", "[provide][tensor]") {
    const auto shipped = std::make_shared<ShippedPrograms>();
    const ParamValues odd{{"BM", 32}, {"BN", 64}, {"WM", 16}, {"WN", 16}, {"BK", 64}};
    const auto text = reason("a100_sxm4_40gb", "mma_async", odd, {shipped});
    CHECK(text.starts_with(
        "mma_async has no generated code, and this tile is neither compiled nor shipped for sm_80"));
    CHECK(text.find("--compile always") != std::string::npos);
    CHECK(text.find("BM=128;BN=128;") != std::string::npos);
    CHECK(text.find("kernels show mma_async --arch sm_80") != std::string::npos);
    CHECK(reason("t4", "mma_shared", {{"BK", 64}}, {shipped}).find("shipped for sm_75") != std::string::npos);
    CHECK(reason("a100_sxm4_40gb", "mma_async", {}, {}).ends_with("shipped are none"));
    // a rule comes first
    CHECK(reason("a100_sxm4_40gb", "mma_async", {{"WM", 24}}, {shipped}) ==
          "WM = 24 must be a multiple of 16");
}
