// FNV-1a against the test vectors of its reference (isthe.com/chongo/src/fnv/test_fnv.c).
#include "base/hash.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

TEST_CASE("FNV-1a gives its reference's values", "[unit]") {
    CHECK(fnv1a<std::uint32_t>("") == 0x811c9dc5U);
    CHECK(fnv1a<std::uint32_t>("a") == 0xe40c292cU);
    CHECK(fnv1a<std::uint32_t>("foobar") == 0xbf9cf968U);
    CHECK(fnv1a<std::uint64_t>("") == 0xcbf29ce484222325U);
    CHECK(fnv1a<std::uint64_t>("a") == 0xaf63dc4c8601ec8cU);
    CHECK(fnv1a<std::uint64_t>("foobar") == 0x85944171f73967e8U);
    CHECK(fnv1a("bar", fnv1a<std::uint64_t>("foo")) == fnv1a<std::uint64_t>("foobar"));
}

TEST_CASE("a hash of values tells their number, order, sign and kind apart", "[unit]") {
    const auto of = [](auto... numbers) {
        ValueHash hash;
        hash.add(numbers...);
        return hash.value();
    };
    CHECK(of(1, 2, 3) == of(1, 2, 3));
    CHECK(of(1, 2, 3) != of(1, 3, 2));
    CHECK(of(1, 2) != of(1, 2, 0));
    CHECK(of() != of(0));
    CHECK(of(1) != of(-1));
    CHECK(of(1) != of(1.0));
    CHECK(of(0.1) != of(0.1F));  // other values
}
