// Which launch is compared with which.
#include "model/compare/match.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

namespace {

LaunchRecord launch(const std::string& arch, const std::string& kernel, const std::string& params,
                    std::int64_t size, const std::string& model = "simulate") {
    LaunchRecord r;
    r.arch = arch;
    r.kernel = kernel;
    r.params = params;
    r.m = r.n = r.k = size;
    r.model = model;
    return r;
}

std::vector<std::pair<std::size_t, std::size_t>> indices(const Matching& matching) {
    std::vector<std::pair<std::size_t, std::size_t>> list;
    for (const auto& pair : matching.pairs) {
        list.emplace_back(pair.a, pair.b);
    }
    return list;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

}  // namespace

TEST_CASE("launches match whatever the order of rows and of parameters", "[unit]") {
    const std::vector<LaunchRecord> a{launch("k40", "warptile", "BM=64;BN=128", 512),
                                      launch("k40", "warptile", "BM=128;BN=128", 512),
                                      launch("k40", "naive", "", 512)};
    const std::vector<LaunchRecord> b{
        launch("k40", "naive", "", 512), launch("k40", "warptile", "BN=128;BM=128", 512),
        launch("k40", "smem", "", 512), launch("k40", "warptile", "BN=128;BM=64", 512)};
    const auto matching = match_launches(a, b);
    CHECK(indices(matching) == Pairs{{0, 3}, {1, 1}, {2, 0}});
    CHECK(matching.only_a.empty());
    CHECK(matching.only_b == std::vector<std::size_t>{2});
}

TEST_CASE("what is one on each side does not keep launches apart", "[unit]") {
    std::vector<LaunchRecord> a, b;
    for (const std::int64_t size : {512, 1024, 2048}) {
        a.push_back(launch("k40", "warptile", "BM=64", size));
        b.insert(b.begin(), launch("h200_sxm", "naive", "", size));
    }
    CHECK(indices(match_launches(a, b)) == Pairs{{0, 2}, {1, 1}, {2, 0}});
    CHECK(indices(match_launches({a[0]}, {b[0]})) == Pairs{{0, 0}});
    // two architectures on one side: both are told apart
    b.push_back(launch("k40", "naive", "", 512));
    const auto mixed = match_launches(a, b);
    CHECK(indices(mixed) == Pairs{{0, 3}});
    CHECK(mixed.only_a == std::vector<std::size_t>{1, 2});
    CHECK(mixed.only_b == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("models are never mixed, and the simulator's pair knows the analytic one", "[unit]") {
    const std::vector<LaunchRecord> a{launch("k40", "warptile", "", 512, "simulate"),
                                      launch("k40", "warptile", "", 512, "analytic"),
                                      launch("k40", "naive", "", 512, "analytic")};
    const std::vector<LaunchRecord> b{a[2], a[1], a[0]};
    const auto matching = match_launches(a, b);
    CHECK(indices(matching) == Pairs{{0, 2}, {1, 1}, {2, 0}});
    REQUIRE(matching.pairs[0].analytic);
    CHECK(*matching.pairs[0].analytic == 1);
    CHECK_FALSE(matching.pairs[2].analytic);
    CHECK(predicted_pairs(matching) == std::vector<std::size_t>{0, 2});
    CHECK(match_launches({a[0]}, {b[1]}).pairs.empty());
}

TEST_CASE("launches that agree in everything match in their order", "[unit]") {
    const auto same = launch("k40", "warptile", "", 512);
    const auto other = launch("k40", "naive", "", 512);
    const auto matching = match_launches({same, other, same}, {same, same, same});
    CHECK(indices(matching) == Pairs{{0, 0}, {2, 1}});
    CHECK(matching.only_a == std::vector<std::size_t>{1});
    CHECK(matching.only_b == std::vector<std::size_t>{2});
    CHECK(match_launches({}, {same}).only_b.size() == 1);
}

TEST_CASE("what a sweep varied besides tells launches apart", "[unit]") {
    auto narrow = launch("k40", "warptile", "", 512);
    auto wide = narrow;
    narrow.variant = "sm.shared_memory.banks=16;";
    wide.variant = "sm.shared_memory.banks=32;";
    CHECK(indices(match_launches({narrow, wide}, {wide, narrow})) == Pairs{{0, 1}, {1, 0}});
}
