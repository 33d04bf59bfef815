#include "tests/traces/provide/product_check.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "arch_specs/loader.h"
#include "tests/traces/data/given_bytes.h"
#include "traces/emulate/operations/half.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/program_provider.h"
#include "traces/provide/shipped_programs.h"

namespace gpumodel::product_tests {

using data_tests::Bytes;
using data_tests::GivenBytes;

namespace {

// Whole numbers from -2 to 2: every sum below 2048 is exact in f16, in any order. All there are of int8,
// whose sums are exact, and up to 100 of tf32: sums of a hundred products stay below 2^24.
std::vector<int> numbers(std::int64_t count, unsigned seed, std::int64_t type) {
    const int most = type == int8 ? 127 : type == tf32 ? 100 : 2;
    std::mt19937 engine(seed);
    std::vector<int> values(static_cast<std::size_t>(count));
    for (auto& value : values) {
        value = static_cast<int>(engine() % (2 * static_cast<unsigned>(most) + 1)) - most;
    }
    return values;
}

std::uint16_t element_of(int value, std::int64_t type) {
    if (type == bf16) {
        const auto single = static_cast<float>(value);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &single, sizeof bits);
        return static_cast<std::uint16_t>(bits >> 16);
    }
    return static_cast<std::uint16_t>(emulate::to_half(static_cast<float>(value)));
}

template <class Element>
Bytes bytes_of(const std::vector<int>& values) {
    const std::vector<Element> elements(values.begin(), values.end());
    Bytes bytes(sizeof(Element) * values.size());
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

Bytes elements(const std::vector<int>& values, std::int64_t type) {
    if (type == tf32 || type == int8) {
        return type == tf32 ? bytes_of<float>(values) : bytes_of<std::int8_t>(values);
    }
    Bytes bytes(2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto element = element_of(values[i], type);
        std::memcpy(&bytes[2 * i], &element, sizeof element);
    }
    return bytes;
}

// B of these types is column-major.
std::vector<int> transposed(const std::vector<int>& rows, std::int64_t columns) {
    std::vector<int> values;
    for (std::size_t column = 0; column < static_cast<std::size_t>(columns); ++column) {
        for (std::size_t at = column; at < rows.size(); at += static_cast<std::size_t>(columns)) {
            values.push_back(rows[at]);
        }
    }
    return values;
}

// As C holds it: an f32, an s32, or the bits of an f16.
bool holds(const std::vector<std::uint8_t>& bytes, std::size_t at, int expected, std::int64_t acc) {
    if (acc == f16_sums) {
        std::uint16_t got = 0;
        std::memcpy(&got, &bytes[2 * at], sizeof got);
        return got == element_of(expected, 0) || (expected == 0 && got == 0x8000);
    }
    if (acc == s32_sums) {
        std::int32_t got = 0;
        std::memcpy(&got, &bytes[4 * at], sizeof got);
        return got == expected;
    }
    float got = 0;
    std::memcpy(&got, &bytes[4 * at], sizeof got);
    return got == static_cast<float>(expected);
}

}  // namespace

void check_product(const std::string& arch, const std::string& name, const ParamValues& given,
                   std::int64_t tiles, std::int64_t down) {
    const auto& family = *find_family(name);
    const auto params = resolve_params(family, given);
    INFO(arch << ' ' << name << ' ' << canonical_params(family, params));
    const auto type = params.at("TYPE");
    const std::int64_t depth = params.contains("BK") ? params.at("BK") : type == int8 ? 32 : 16;
    // those of the warp groups follow from TYPE
    const std::int64_t acc = params.contains("ACC") ? params.at("ACC") : type == int8 ? s32_sums : 0;
    const bool persistent = params.contains("PERSISTENT") && params.at("PERSISTENT") == 1;
    const ProblemShape p{down * params.at("BM"), params.at("BN"), tiles * depth};
    const auto spec = load_arch(arch);
    const auto lowered = lower_tiles(family, params, p, target_of(spec));
    REQUIRE(lowered.program);
    const auto kernel = ShippedPrograms().find({family, params, spec.generation});
    REQUIRE(kernel);
    auto launch = listing_launch({name, params}, *lowered.program);
    launch.dynamic_shared_bytes = lowered.program->resources.dynamic_shared_bytes;
    if (persistent) {
        launch.grid = {std::max<std::int64_t>(2, launch.cluster.x), 1, 1};
    }
    const auto a = numbers(p.m * p.k, 1, type), b = numbers(p.k * p.n, 2, type);
    const auto b_in_memory = type == tf32 || type == int8 ? transposed(b, p.n) : b;
    launch.arguments.list[3].data = std::make_shared<GivenBytes>(elements(a, type));
    launch.arguments.list[4].data = std::make_shared<GivenBytes>(elements(b_in_memory, type));
    const auto c = execute_grid(kernel->function, launch).back();
    REQUIRE(c.unknown_bytes == 0);
    std::int64_t wrong = 0;
    for (std::int64_t row = 0; row < p.m; ++row) {
        for (std::int64_t column = 0; column < p.n; ++column) {
            int expected = 0;
            for (std::int64_t k = 0; k < p.k; ++k) {
                expected += a[static_cast<std::size_t>(row * p.k + k)] *
                            b[static_cast<std::size_t>(k * p.n + column)];
            }
            wrong += holds(c.bytes, static_cast<std::size_t>(row * p.n + column), expected, acc) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

ParamValues with(ParamValues params, const std::string& name, std::int64_t value) {
    params[name] = value;
    return params;
}

std::string reason(const std::string& arch, const std::string& name, const ParamValues& given,
                   std::vector<std::shared_ptr<const CodeSource>> sources) {
    const auto& family = *find_family(name);
    const auto made =
        ProgramProvider(std::move(sources))
            .make(family, resolve_params(family, given), {1024, 1024, 1024}, target_of(load_arch(arch)));
    CHECK(!made.program);
    return made.infeasible_reason;
}

}  // namespace gpumodel::product_tests
