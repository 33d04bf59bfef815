// The matrix products of examples/tensor, executed whole, against the same product on the host.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <random>

#include "tests/traces/data/given_bytes.h"
#include "traces/emulate/operations/half.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

struct Problem {
    std::int64_t m, n, k;
};

// Small whole numbers: every order of summation gives the same.
std::vector<int> numbers(std::int64_t count) {
    static std::mt19937 engine(3);
    std::vector<int> values(static_cast<std::size_t>(count));
    for (auto& value : values) {
        value = static_cast<int>(engine() % 9) - 4;
    }
    return values;
}

Bytes halves(const std::vector<int>& values) {
    Bytes bytes(2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto half = static_cast<std::uint16_t>(emulate::to_half(static_cast<float>(values[i])));
        std::memcpy(&bytes[2 * i], &half, sizeof half);
    }
    return bytes;
}

void check(const SassFunction& function, const Problem& p, std::int64_t threads, std::int64_t tile) {
    const auto a = numbers(p.m * p.k), b = numbers(p.k * p.n);
    SassLaunch launch;
    launch.grid = {p.n / tile, p.m / tile, 1};
    launch.block = {threads, 1, 1};
    launch.arguments =
        parse_arguments(std::to_string(p.m) + "," + std::to_string(p.n) + "," + std::to_string(p.k) +
                        ",ptr:" + std::to_string(2 * p.m * p.k) + "B,ptr:" + std::to_string(2 * p.k * p.n) +
                        "B,ptr:" + std::to_string(4 * p.m * p.n) + "B");
    launch.arguments.list[3].data = std::make_shared<GivenBytes>(halves(a));
    launch.arguments.list[4].data = std::make_shared<GivenBytes>(halves(b));
    const auto c = execute_grid(function, launch).back();
    REQUIRE(c.unknown_bytes == 0);
    std::int64_t wrong = 0;
    for (std::int64_t row = 0; row < p.m; ++row) {
        for (std::int64_t column = 0; column < p.n; ++column) {
            int expected = 0;
            for (std::int64_t k = 0; k < p.k; ++k) {
                expected += a[static_cast<std::size_t>(row * p.k + k)] *
                            b[static_cast<std::size_t>(k * p.n + column)];
            }
            float got = 0;
            std::memcpy(&got, &c.bytes[static_cast<std::size_t>(4 * (row * p.n + column))], sizeof got);
            wrong += got == static_cast<float>(expected) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tensor: the examples' kernels multiply matrices") {
    for (const auto* arch : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}) {
        INFO(arch);
        const auto module =
            read_sass_file(std::string(GPUMODEL_SOURCE_DIR "/examples/tensor/") + arch + ".sass.gz");
        const auto* naive = module.find("wmma_naive");
        REQUIRE(naive != nullptr);
        check(*naive, {64, 96, 48}, 128, 32);
        if (const auto* shared = module.find("mma_shared")) {
            check(*shared, {128, 256, 96}, 256, 128);
        }
        if (const auto* async = module.find("mma_async")) {
            check(*async, {128, 128, 160}, 256, 128);
        }
    }
}
