// Products of warp groups: shipped programs of every type, and in clusters; what is not shipped is refused.
#include <catch2/catch.hpp>

#include "tests/traces/provide/product_check.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/shipped_programs.h"

using namespace gpumodel;
using namespace gpumodel::product_tests;

namespace {

const std::string h200 = "h200_sxm", one = "wgmma_tma", specialized = "wgmma_warp_specialized";

}  // namespace

TEST_CASE("tensor-core families: warp groups multiply matrices", "[provide][tensor]") {
    const ParamValues small{{"BM", 64}, {"BN", 128}, {"STAGES", 6}, {"CONSUMERS", 1}};
    check_product(h200, one, {}, 9);                // twice round the ring
    check_product(h200, one, {{"TYPE", bf16}}, 3);  // fewer tiles than stages
    check_product(h200, one, {{"BK", 128}, {"STAGES", 2}}, 3);
    check_product(h200, one, {{"BM", 256}, {"BN", 64}}, 2);
    check_product(h200, one, {{"BN", 192}, {"STAGES", 3}}, 2);
    check_product(h200, specialized, {}, 5, 5);  // three tiles, and two
    check_product(h200, specialized, {{"TYPE", bf16}, {"PERSISTENT", 0}}, 6);
    check_product(h200, specialized, {{"BM", 256}, {"BN", 192}, {"STAGES", 3}}, 2, 3);
    check_product(h200, specialized, with(small, "PERSISTENT", 0), 4);
    check_product(h200, specialized, small, 7, 10);  // a group of 8 tiles, and of 2
}

TEST_CASE("tensor-core families: warp groups multiply TF32 and 8-bit integers", "[provide][tensor]") {
    for (const auto type : {tf32, int8}) {
        const std::int64_t box = type == tf32 ? 32 : 128;  // elements of 128 bytes
        const auto of = [type](ParamValues params) { return with(std::move(params), "TYPE", type); };
        check_product(h200, one, of({}), 9);  // twice round the ring
        check_product(h200, one, of({{"STAGES", 6}}), 3);
        check_product(h200, one, of({{"BK", 2 * box}, {"STAGES", 3}}), 4);  // two boxes of either
        check_product(h200, one, of({{"BM", 64}, {"BN", 256}}), 2);
        check_product(h200, specialized, of({}), 5, 5);  // three tiles, and two
        check_product(h200, specialized, of({{"PERSISTENT", 0}}), 6);
        check_product(h200, specialized, of({{"BM", 256}, {"BN", 128}}), 3);
        check_product(h200, specialized,
                      of({{"BM", 64}, {"BN", 128}, {"STAGES", 6}, {"CONSUMERS", 1}, {"PERSISTENT", 0}}), 7);
    }
}

TEST_CASE("tensor-core families: warp groups of a cluster share B's tile", "[provide][tensor]") {
    const auto pair = [](ParamValues params) { return with(std::move(params), "CLUSTER", 2); };
    const auto four = [](ParamValues params) { return with(std::move(params), "CLUSTER", 4); };
    const ParamValues small{{"BM", 64}, {"BN", 128}, {"STAGES", 6}, {"CONSUMERS", 1}, {"PERSISTENT", 0}};
    check_product(h200, specialized, pair({}), 9, 4);  // two tiles each, more than twice round the ring
    check_product(h200, specialized, pair({{"BM", 256}, {"BN", 128}}), 3);
    check_product(h200, specialized, pair({{"STAGES", 3}}), 2);  // fewer steps than stages
    check_product(h200, specialized, pair(small), 7, 10);        // a group of 8 tiles, and of 2
    check_product(h200, specialized, four(small), 7, 12);
    check_product(h200, specialized, four({}), 5, 4);
    check_product(h200, specialized, four({{"BM", 256}, {"BN", 128}}), 5, 4);
    for (const auto type : {bf16, tf32, int8}) {
        check_product(h200, specialized, pair({{"TYPE", type}}), 5);
    }
    for (const auto type : {tf32, int8}) {
        check_product(h200, specialized, four({{"TYPE", type}}), 5, 8);
    }
}

TEST_CASE("blocks without a cluster have the kernel without that argument", "[provide][tensor]") {
    const auto& family = *find_family(specialized);
    const auto key = [&](const ParamValues& given) {
        return instance_key(family, resolve_params(family, given));
    };
    CHECK(key({}) == "wgmma_warp_specialized<128,256,64,4,2,1,8,0>");
    CHECK(key({{"CLUSTER", 2}}) == "wgmma_warp_specialized<128,256,64,4,2,1,8,0,2>");
    const std::string name = "_ZN8gpumodel7kernels22wgmma_warp_specializedI";
    const auto entry = [&](const std::string& values) { return listing_entry(name + values + "EEviiiNS0_"); };
    const std::string tile = "Li128ELi256ELi64ELi4ELi2ELi0ELi8E";
    REQUIRE(entry(tile + "Li1E"));
    CHECK(entry(tile + "Li1E")->params.at("CLUSTER") == 1);
    REQUIRE(entry(tile + "Li0ELi4E"));
    CHECK(entry(tile + "Li0ELi4E")->params.at("CLUSTER") == 4);
    CHECK(entry(tile + "Li0ELi4E")->params.at("TYPE") == 0);
    CHECK_FALSE(entry(tile));
    CHECK_FALSE(entry(tile + "Li0ELi4ELi1E"));
}

TEST_CASE("tensor-core families: warp groups' rules and targets", "[provide][tensor]") {
    const auto shipped = std::make_shared<ShippedPrograms>();
    const auto on_h200 = [&](const ParamValues& given) {
        return reason("h200_sxm", "wgmma_warp_specialized", given, {shipped});
    };
    for (const auto* arch : {"a100_sxm4_40gb", "b200", "rtx_5090"}) {
        INFO(arch);
        CHECK(reason(arch, "wgmma_tma", {}, {shipped}).starts_with("wgmma_tma needs sm_90a: "));
    }
    CHECK(on_h200({{"BM", 64}}) == "BM = 64 must be a multiple of 64*CONSUMERS = 128");
    CHECK(on_h200({{"BN", 96}}).starts_with("BN = 96 must be a multiple of the columns of a swizzled box"));
    CHECK(
        on_h200({{"BM", 256}}).starts_with("sums per thread = BM*BN/(128*CONSUMERS) = 256 must be at most"));
    CHECK(
        on_h200({{"STAGES", 5}})
            .starts_with("shared memory per block = STAGES*(2*(BM + BN)*BK + 16) = 245840 must be at most"));
    CHECK(on_h200({{"BM", 128}, {"BN", 64}, {"STAGES", 7}}).find("neither compiled nor shipped for sm_90") !=
          std::string::npos);
}
