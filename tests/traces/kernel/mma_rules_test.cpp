// Every rule of mma_* rejects, and says which with which values; what parameters of theirs imply.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/support/program_checks.h"

using namespace gpumodel;
using gpumodel::test::program_of;
using gpumodel::test::rejection;

namespace mma_rules_test {
namespace {

struct Rejected {
    std::string family;
    ParamValues params;
    ProblemShape shape;
    std::string reason;
};

const ProblemShape cube{1024, 1024, 1024};

void check_all(const std::vector<Rejected>& cases, int cc) {
    for (const Rejected& c : cases) {
        CHECK(rejection(c.family, c.params, c.shape, cc) == c.reason);
    }
}

std::vector<std::string> messages(const Family& family, const ParamValues& given) {
    try {
        (void)resolve_params(family, given);
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        std::vector<std::string> texts;
        for (const Diagnostic& diagnostic : error.diagnostics()) {
            texts.push_back(to_string(diagnostic));
        }
        return texts;
    }
    return {};
}

}  // namespace

TEST_CASE("tensor-core families: every rule is named", "[unit][families]") {
    const ProblemShape odd{1024, 1024, 1000};
    check_all(
        {{"mma_direct", {{"WM", 24}}, cube, "WM = 24 must be a multiple of 16"},
         {"mma_direct", {{"WN", 8}}, cube, "WN = 8 must be a multiple of 16"},
         {"mma_direct", {{"BM", 48}}, cube, "BM = 48 must be a multiple of WM = 32"},
         {"mma_direct", {{"BN", 80}}, cube, "BN = 80 must be a multiple of WN = 32"},
         {"mma_direct",
          {{"BM", 1024}, {"BN", 1024}, {"WM", 16}, {"WN", 16}},
          cube,
          "threads per block = 32*(BM/WM)*(BN/WN) = 131072 must be at most the maximum of the architecture = "
          "1024"},
         {"mma_direct", {}, odd, "K = 1000 must be a multiple of 16"},
         {"mma_shared", {{"BK", 24}}, cube, "BK = 24 must be a multiple of 16"},
         {"mma_shared", {{"BN", 96}, {"WN", 48}}, cube, "THREADS = 128 must be a multiple of BN/8 = 12"},
         {"mma_swizzled",
          {{"BM", 192}, {"BN", 32}, {"BK", 48}},
          {192, 32, 48},
          "BK = 48 must be 16, 32 or a multiple of 64: whole lines of 128 bytes"},
         {"mma_shared",
          {{"BK", 16}, {"BM", 64}, {"BN", 512}, {"WN", 64}},
          {1024, 1024, 1024},
          "BM*BK = 1024 must be a multiple of 8*THREADS = 2048"},
         {"mma_shared", {{"PAD", 4}}, cube, "PAD = 4 must be a multiple of 8"},
         {"mma_shared", {}, odd, "K = 1000 must be a multiple of BK = 32"},
         {"mma_shared",
          {{"BK", 128}},
          cube,
          "static shared memory per block = 69632 must be at most the limit in bytes = 49152"},
         {"mma_swizzled",
          {{"BK", 96}, {"BM", 192}, {"WM", 96}, {"BN", 192}, {"WN", 96}},
          {192, 192, 192},
          "THREADS = 128 must be a multiple of BK/8 = 12"},
         {"mma_async",
          {{"STAGES", 8}, {"BK", 64}},
          cube,
          "shared memory per block = 2*STAGES*(BM + BN)*BK = 262144 must be at most what a block of the "
          "architecture may have = 101376"},
         {"mma_async",
          {{"TYPE", 1}, {"ACC", 1}},
          cube,
          "ACC=f16 needs TYPE=f16: products of bf16 are added up in f32"},
         {"mma_direct",
          {{"TYPE", 2}, {"ACC", 1}},
          cube,
          "ACC=f16 needs TYPE=f16: products of tf32 are added up in f32"},
         {"mma_direct",
          {{"TYPE", 3}, {"ACC", 0}},
          cube,
          "ACC=f32 needs TYPE=f16, bf16 or tf32: products of int8 are added up in s32"},
         {"mma_direct", {{"ACC", 2}}, cube, "ACC=s32 needs TYPE=int8: products of f16 are added up in f32"},
         {"mma_direct", {{"TYPE", 3}}, {1024, 1024, 1040}, "K = 1040 must be a multiple of 32"},
         {"mma_direct", {{"TYPE", 2}}, {1024, 1024, 1028}, "K = 1028 must be a multiple of 8"},
         {"mma_shared", {{"TYPE", 3}, {"BK", 48}}, cube, "BK = 48 must be a multiple of 32"},
         {"mma_shared", {{"TYPE", 3}, {"PAD", 8}}, cube, "PAD = 8 must be a multiple of 16"},
         {"mma_shared",
          {{"TYPE", 2}, {"BM", 384}, {"WM", 96}, {"BK", 24}},
          {384, 384, 384},
          "THREADS = 512 must be a multiple of BK/4 = 6"},
         {"mma_shared",
          {{"TYPE", 3}, {"BK", 32}, {"BM", 64}, {"BN", 64}, {"WM", 16}, {"WN", 16}},
          cube,
          "BM*BK = 2048 must be a multiple of 16*THREADS = 8192"},
         {"mma_swizzled",
          {{"TYPE", 3}, {"BM", 192}, {"WM", 96}, {"BK", 192}, {"BN", 192}, {"WN", 64}},
          {192, 192, 192},
          "BK = 192 must be 32, 64 or a multiple of 128: whole lines of 128 bytes"},
         {"mma_double", {{"BK", 16}}, cube, "BK = 16 must be a multiple of 32"},
         {"mma_double", {{"TYPE", 3}, {"BK", 32}}, cube, "BK = 32 must be a multiple of 64"},
         {"mma_async",
          {{"TYPE", 3}, {"STAGES", 8}},
          cube,
          "shared memory per block = STAGES*(BM + BN)*BK = 131072 must be at most what a block of the "
          "architecture may have = 101376"}},
        80);
    CHECK(rejection("mma_direct", {{"TYPE", 2}}, cube, 75) ==
          "TYPE=tf32 needs compute capability 8.0 or later; the target has 7.5");
    CHECK(program_of("mma_direct", {{"TYPE", 3}}, cube, 75).grid.x == 16);
    CHECK(rejection("mma_shared", {{"TYPE", 1}}, cube, 75) ==
          "TYPE=bf16 needs compute capability 8.0 or later; the target has 7.5");
    CHECK(rejection("mma_async", {}, cube, 75) ==
          "mma_async needs compute capability 8.0 or later; the target has 7.5");
    CHECK(rejection("mma_direct", {}, cube, 61) ==
          "mma_direct needs compute capability 7.0 or later; the target has 6.1");
    CHECK(rejection("mma_shared", {{"TYPE", 3}}, cube, 70) ==
          "TYPE=int8 needs compute capability 7.5 or later; the target has 7.0");
    CHECK(program_of("mma_swizzled", {}, cube, 70).grid.x == 8);
}

TEST_CASE("parameters with words take and print them", "[unit][families]") {
    const Family& family = *find_family("mma_async");
    CHECK(param_value("TYPE", "bf16") == 1);
    CHECK(param_value("ACC", "f32") == 0);
    CHECK(param_value("UNROLL", "auto") == 0);
    CHECK(param_value("BM", "64") == 64);
    CHECK(!param_value("BM", "f16"));
    CHECK(!param_value("TYPE", "fp8"));
    const auto params = resolve_params(family, {{"TYPE", 1}, {"STAGES", 3}});
    CHECK(canonical_params(family, params) == "BM=128;BN=128;BK=32;WM=64;WN=64;STAGES=3;TYPE=bf16;ACC=f32");
    CHECK(messages(family, {{"TYPE", 4}}) ==
          std::vector<std::string>{"-p: TYPE: is 4; allowed: f16, bf16, tf32, int8"});
    CHECK(messages(*find_family("wgmma_tma"), {{"TYPE", 4}}) ==
          std::vector<std::string>{"-p: TYPE: is 4; allowed: f16, bf16, tf32, int8"});
}

TEST_CASE("parameters of a type's own size follow it", "[unit][families]") {
    const auto resolved = [](const std::string& name, const ParamValues& given) {
        const Family& family = *find_family(name);
        return canonical_params(family, resolve_params(family, given));
    };
    CHECK(resolved("mma_shared", {{"TYPE", 2}}) == "BM=128;BN=128;BK=16;WM=64;WN=32;PAD=4;TYPE=tf32;ACC=f32");
    CHECK(resolved("mma_shared", {{"TYPE", 3}}) ==
          "BM=128;BN=128;BK=64;WM=64;WN=32;PAD=16;TYPE=int8;ACC=s32");
    CHECK(resolved("mma_shared", {{"TYPE", 3}, {"PAD", 0}, {"BK", 128}, {"ACC", 0}}) ==
          "BM=128;BN=128;BK=128;WM=64;WN=32;PAD=0;TYPE=int8;ACC=f32");
    CHECK(resolved("mma_direct", {{"TYPE", 3}}) == "BM=64;BN=64;WM=32;WN=32;TYPE=int8;ACC=s32");
}

}  // namespace mma_rules_test
