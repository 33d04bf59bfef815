// Every rule of the warp groups' families rejects, and says which with which values; the launches of
// clusters.
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "traces/kernel/family.h"

using namespace gpumodel;

namespace wgmma_rules_test {
namespace {

constexpr std::int64_t tf32 = 2, int8 = 3;  // values of TYPE
const ProblemShape cube{1024, 1024, 1024};

const std::string specialized = "wgmma_warp_specialized";

FamilyResult lowered(const std::string& name, const ParamValues& given, const ProblemShape& shape = cube) {
    const Family& family = *find_family(name);
    return lower_tiles(family, resolve_params(family, given), shape, target_of(load_arch("h200_sxm")));
}

std::string rejection(const ParamValues& given, const ProblemShape& shape = cube) {
    const auto result = lowered(specialized, given, shape);
    CHECK_FALSE(result.program);
    return result.infeasible_reason;
}

Dim3 grid(const ParamValues& given, const ProblemShape& shape = cube) {
    const auto result = lowered(specialized, given, shape);
    INFO(result.infeasible_reason);
    REQUIRE(result.program);
    return result.program->grid;
}

std::string resolved(const std::string& name, const ParamValues& given) {
    const Family& family = *find_family(name);
    return canonical_params(family, resolve_params(family, given));
}

std::string arguments(const ParamValues& given, const ProblemShape& shape) {
    const Family& family = *find_family(specialized);
    const auto result = lowered(specialized, given, shape);
    REQUIRE(result.program);
    return family.arguments(*result.program, resolve_params(family, given));
}

}  // namespace

TEST_CASE("warp groups: rules follow the type", "[unit][families]") {
    CHECK(rejection({{"TYPE", tf32}, {"BK", 48}}) ==
          "BK = 48 must be a multiple of the columns of a swizzled box of 128 bytes = 32");
    CHECK(rejection({{"TYPE", int8}, {"BK", 64}}) ==
          "BK = 64 must be a multiple of the columns of a swizzled box of 128 bytes = 128");
    CHECK(rejection({{"BK", 32}}) ==
          "BK = 32 must be a multiple of the columns of a swizzled box of 128 bytes = 64");
    CHECK(rejection({{"TYPE", int8}, {"BN", 96}}) == "BN = 96 must be a multiple of 64");
    CHECK(
        rejection({{"TYPE", tf32}, {"STAGES", 5}}) ==
        "shared memory per block = STAGES*(4*(BM + BN)*BK + 16) = 245840 must be at most what a block of the "
        "architecture may have = 232448");
    CHECK(rejection({{"TYPE", int8}, {"STAGES", 5}}) ==
          "shared memory per block = STAGES*((BM + BN)*BK + 16) = 245840 must be at most what a block of the "
          "architecture may have = 232448");
    CHECK(rejection({{"TYPE", int8}}, {1024, 1024, 1088}) == "K = 1088 must be a multiple of BK = 128");
    CHECK(rejection({{"TYPE", int8}, {"BM", 256}})
              .starts_with("sums per thread = BM*BN/(128*CONSUMERS) = 256"));
}

TEST_CASE("warp groups: 128 bytes of k by default", "[unit][families]") {
    CHECK(resolved("wgmma_tma", {{"TYPE", tf32}}) == "BM=128;BN=128;BK=32;STAGES=4;TYPE=tf32");
    CHECK(resolved("wgmma_tma", {{"TYPE", int8}}) == "BM=128;BN=128;BK=128;STAGES=4;TYPE=int8");
    CHECK(resolved("wgmma_tma", {{"TYPE", int8}, {"BK", 256}}) == "BM=128;BN=128;BK=256;STAGES=4;TYPE=int8");
    CHECK(resolved("wgmma_tma", {}) == "BM=128;BN=128;BK=64;STAGES=4;TYPE=f16");
}

TEST_CASE("warp groups: rules of clusters", "[unit][families]") {
    CHECK(rejection({{"CLUSTER", 3}}) == "CLUSTER = 3 must be 1, 2 or 4");
    CHECK(rejection({{"CLUSTER", 2}, {"RASTER", 1}}) == "RASTER = 1 must be a multiple of CLUSTER = 2");
    CHECK(rejection({{"CLUSTER", 4}, {"RASTER", 6}}) == "RASTER = 6 must be a multiple of CLUSTER = 4");
    CHECK(rejection({{"CLUSTER", 2}}, {384, 1024, 1024}) == "M = 384 must be a multiple of CLUSTER*BM = 256");
    CHECK(rejection({{"CLUSTER", 4}}, {768, 1024, 1024}) == "M = 768 must be a multiple of CLUSTER*BM = 512");
    CHECK(rejection({{"CLUSTER", 4}, {"PERSISTENT", 1}})
              .starts_with("PERSISTENT=1 needs CLUSTER=1 or 2, not 4: "));
    CHECK(rejection({{"CLUSTER", 2}}, {1024, 1024, 1000}) == "K = 1000 must be a multiple of BK = 64");
    CHECK(resolved(specialized, {{"CLUSTER", 4}}) ==
          "BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=f16;CLUSTER=4");
    CHECK(resolved(specialized, {{"CLUSTER", 2}}) ==
          "BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=1;RASTER=8;TYPE=f16;CLUSTER=2");
}

TEST_CASE("warp groups: grids are whole clusters", "[unit][families]") {
    const ProblemShape large{4096, 4096, 4096};
    CHECK(grid({}, large) == Dim3{132, 1, 1});  // a block per SM
    CHECK(grid({{"CLUSTER", 2}}, large) == Dim3{132, 1, 1});
    CHECK(grid({{"CLUSTER", 2}}) == Dim3{32, 1, 1});
    CHECK(grid({{"CLUSTER", 4}}, large) == Dim3{512, 1, 1});
    const Family& family = *find_family(specialized);
    auto target = target_of(load_arch("h200_sxm"));
    target.sm_count = 131;
    const auto odd = lower_tiles(family, resolve_params(family, {{"CLUSTER", 2}}), large, target);
    REQUIRE(odd.program);
    CHECK(odd.program->grid == Dim3{130, 1, 1});
    CHECK(family.cluster(resolve_params(family, {{"CLUSTER", 4}})) == 4);
    CHECK(family.cluster(resolve_params(family, {})) == 1);
}

// A: rows of K; B: rows of N, or columns of K one behind the other. A block asks for its part of B's rows.
TEST_CASE("warp groups: tensor maps follow type and cluster", "[unit][families]") {
    const ProblemShape shape{512, 256, 768};
    const std::string sizes = "512,256,768,", c = ",ptr:524288B";
    CHECK(arguments({}, shape) == sizes + "tmap(ptr:786432B,f16,768x512,1536,64x128,128)," +
                                      "tmap(ptr:393216B,f16,256x768,512,64x64,128)" + c);
    CHECK(arguments({{"CLUSTER", 2}}, shape) == sizes + "tmap(ptr:786432B,f16,768x512,1536,64x128,128)," +
                                                    "tmap(ptr:393216B,f16,256x768,512,64x32,128)" + c);
    CHECK(arguments({{"TYPE", tf32}}, shape) == sizes + "tmap(ptr:1572864B,f32,768x512,3072,32x128,128)," +
                                                    "tmap(ptr:786432B,f32,768x256,3072,32x256,128)" + c);
    CHECK(arguments({{"TYPE", int8}, {"CLUSTER", 4}}, shape) ==
          sizes + "tmap(ptr:393216B,u8,768x512,768,128x128,128)," +
              "tmap(ptr:196608B,u8,768x256,768,128x64,128)" + c);
}

}  // namespace wgmma_rules_test
