// Clusters of blocks in GPCs of unequal size, counted by hand.
#include "model/launch/cluster_room.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"

using namespace gpumodel;

namespace {

// 18 + 18 + 16 + 14 = 66 SMs
ArchSpec with_gpcs() {
    return load_arch("h200_sxm", {{"sm_count", "66"}, {"gpc.sms", "[18, 18, 16, 14]"}});
}

KernelProgram launch_of(std::int64_t blocks, std::int64_t cluster_blocks) {
    KernelProgram program;
    program.grid = {blocks, 1, 1};
    program.cluster_blocks = cluster_blocks;
    return program;
}

}  // namespace

TEST_CASE("clusters find room in single GPCs", "[unit][waves]") {
    const auto arch = with_gpcs();
    CHECK(clusters_at_once(arch, 2, 1) == 9 + 9 + 8 + 7);
    CHECK(clusters_at_once(arch, 4, 1) == 4 + 4 + 4 + 3);
    CHECK(clusters_at_once(arch, 4, 2) == 9 + 9 + 8 + 7);
    CHECK(clusters_at_once(arch, 8, 1) == 2 + 2 + 2 + 1);
    CHECK(clusters_at_once(arch, 16, 1) == 1 + 1 + 1 + 0);
    CHECK(clusters_at_once(arch, 8, 3) == 6 + 6 + 6 + 5);
}

TEST_CASE("no limit of clusters without clusters, or where GPCs are not known", "[unit][waves]") {
    CHECK_FALSE(clusters_at_once(with_gpcs(), 1, 1));
    auto arch = with_gpcs();
    arch.sm_count = 64;  // the list is of 66
    CHECK_FALSE(clusters_at_once(arch, 4, 1));
    arch.gpc.sms.clear();
    CHECK_FALSE(clusters_at_once(arch, 4, 1));
    const auto waves = deal_launch(launch_of(128, 4), arch, 1);
    CHECK(waves.sm_count == 64);
    CHECK(waves.sms_left_over == 0);
}

TEST_CASE("blocks of clusters are dealt to the SMs that clusters fill", "[unit][waves]") {
    // 15 clusters of four at once: 60 SMs; 16 clusters take two rounds, as do 30, and 31 three
    const auto arch = with_gpcs();
    for (const auto& [clusters, rounds] : {std::pair{15, 1}, {16, 2}, {30, 2}, {31, 3}}) {
        const auto waves = deal_launch(launch_of(4 * clusters, 4), arch, 1);
        INFO(clusters);
        CHECK(waves.sm_count == 60);
        CHECK(waves.sms_left_over == 6);
        CHECK(waves.clusters_at_once == 15);
        CHECK(waves.busiest_sm_blocks == rounds);
    }
    // two blocks per SM: 7 + 7 + 6 + 5 would be of clusters of five; 25 of them are 125 blocks, 62 SMs
    CHECK(clusters_at_once(arch, 5, 2) == 25);
    CHECK(deal_launch(launch_of(125, 5), arch, 2).sm_count == 62);
}

TEST_CASE("launches without clusters are dealt to all SMs", "[unit][waves]") {
    const auto arch = with_gpcs();
    const auto waves = deal_launch(launch_of(128, 1), arch, 2);
    CHECK(waves.sm_count == 66);
    CHECK(waves.sms_left_over == 0);
    CHECK(waves.clusters_at_once == 0);
    CHECK(waves.busiest_sm_blocks == 2);
    CHECK(cluster_limit_words(launch_of(128, 1), waves).empty());
}

TEST_CASE("clusters without room, and those that wait, are named", "[unit][waves]") {
    const auto arch = load_arch("h200_sxm", {{"sm_count", "30"}, {"gpc.sms", "[14, 10, 6]"}});
    CHECK(no_room_for_clusters(launch_of(16, 16), arch, 1).find("the largest has 14 SMs of 1 block") !=
          std::string::npos);
    CHECK(no_room_for_clusters(launch_of(16, 16), arch, 2).empty());
    CHECK(no_room_for_clusters(launch_of(16, 8), arch, 1).empty());
    // one cluster of eight in the first GPC, one in the second: 16 of 30 SMs
    const auto words = [&](std::int64_t blocks) {
        return cluster_limit_words(launch_of(blocks, 8), deal_launch(launch_of(blocks, 8), arch, 1));
    };
    CHECK(words(16).empty());
    CHECK(words(24).find("2 clusters of 8 blocks run at once and leave 14 of 30 SMs") != std::string::npos);
    CHECK(words(32).empty());  // 32 blocks are two rounds on 30 SMs, too
}
