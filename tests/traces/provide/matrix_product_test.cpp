// The tensor-core families: their shipped programs multiply matrices, and what is not shipped is refused.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "arch_specs/loader.h"
#include "tests/traces/data/given_bytes.h"
#include "traces/emulate/operations/half.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/program_provider.h"
#include "traces/provide/shipped_programs.h"

using namespace gpumodel;
using data_tests::Bytes;
using data_tests::GivenBytes;

namespace {

constexpr std::int64_t bf16 = 1, tf32 = 2, int8 = 3, f16_sums = 1, s32_sums = 2;  // words of TYPE and ACC

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

// `down` blocks' rows, one block's columns: rows of A and of B are told apart. Persistent blocks: two of
// them.
void check_product(const std::string& arch, const std::string& name, const ParamValues& given,
                   std::int64_t tiles, std::int64_t down = 2) {
    const auto& family = *find_family(name);
    const auto params = resolve_params(family, given);
    INFO(arch << ' ' << name << ' ' << canonical_params(family, params));
    const auto type = params.at("TYPE");
    const std::int64_t depth = params.contains("BK") ? params.at("BK") : type == int8 ? 32 : 16;
    const std::int64_t acc = params.contains("ACC") ? params.at("ACC") : 0;
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
        launch.grid = {2, 1, 1};
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

ParamValues tile(std::int64_t bm, std::int64_t bn, std::int64_t bk, std::int64_t wm, std::int64_t wn) {
    return {{"BM", bm}, {"BN", bn}, {"BK", bk}, {"WM", wm}, {"WN", wn}};
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

TEST_CASE("tensor-core families: warp groups multiply matrices", "[provide][tensor]") {
    const ParamValues small{{"BM", 64}, {"BN", 128}, {"STAGES", 6}, {"CONSUMERS", 1}};
    check_product("h200_sxm", "wgmma_tma", {}, 9);                // twice round the ring
    check_product("h200_sxm", "wgmma_tma", {{"TYPE", bf16}}, 3);  // fewer tiles than stages
    check_product("h200_sxm", "wgmma_tma", {{"BK", 128}, {"STAGES", 2}}, 3);
    check_product("h200_sxm", "wgmma_tma", {{"BM", 256}, {"BN", 64}}, 2);
    check_product("h200_sxm", "wgmma_tma", {{"BN", 192}, {"STAGES", 3}}, 2);
    check_product("h200_sxm", "wgmma_warp_specialized", {}, 5, 5);  // three tiles, and two
    check_product("h200_sxm", "wgmma_warp_specialized", {{"TYPE", bf16}, {"PERSISTENT", 0}}, 6);
    check_product("h200_sxm", "wgmma_warp_specialized", {{"BM", 256}, {"BN", 192}, {"STAGES", 3}}, 2, 3);
    check_product("h200_sxm", "wgmma_warp_specialized", with(small, "PERSISTENT", 0), 4);
    check_product("h200_sxm", "wgmma_warp_specialized", small, 7, 10);  // a group of 8 tiles, and of 2
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
