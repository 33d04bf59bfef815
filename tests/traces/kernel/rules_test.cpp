// Every validity rule rejects, and says which rule with which values.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/support/program_checks.h"

using namespace gpumodel;
using gpumodel::test::program_of;
using gpumodel::test::rejection;
using gpumodel::test::target_sm;

namespace {

struct Rejected {
    std::string family;
    ParamValues params;
    ProblemShape shape;
    std::string reason;
};

const ProblemShape cube{1024, 1024, 1024};

void check_all(const std::vector<Rejected>& cases, int cc = 70) {
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

TEST_CASE("shapes that tiles do not cover are rejected", "[unit][families]") {
    check_all({{"smem", {}, {100, 1024, 1024}, "M = 100 must be a multiple of BS = 32"},
               {"smem", {}, {1024, 100, 1024}, "N = 100 must be a multiple of BS = 32"},
               {"smem", {}, {1024, 1024, 100}, "K = 100 must be a multiple of BS = 32"},
               {"blocktile1d", {}, {1024, 96, 1024}, "N = 96 must be a multiple of BN = 64"},
               {"blocktile2d", {}, {192, 1024, 1024}, "M = 192 must be a multiple of BM = 128"},
               {"vectorized", {}, {1024, 1024, 1020}, "K = 1020 must be a multiple of BK = 8"},
               {"warptile", {}, {1024, 1024, 8}, "K = 8 must be a multiple of BK = 16"},
               {"doublebuffer_split", {}, {1024, 1000, 1024}, "N = 1000 must be a multiple of BN = 128"},
               {"ab_shared", {}, {1024, 1024, 64}, "K = 64 must equal the guide's tile width = 32"},
               {"ab_simple", {}, {1024, 1000, 32}, "N = 1000 must be a multiple of 32"},
               {"aat_padded", {}, {1024, 512, 32}, "N = 512 must equal M = 1024"},
               {"offset_copy", {}, {10, 10, 1}, "M*N = 100 must be a multiple of the block size = 256"},
               {"transpose_shared", {}, {33, 64, 1}, "M = 33 must be a multiple of the tile side = 32"},
               {"naive", {}, {0, 5, 5}, "M = 0, N = 5, K = 5 must be positive"}});
}

TEST_CASE("thread tiles must match the block tile", "[unit][families]") {
    check_all(
        {{"smem", {{"BS", 12}}, cube, "BS*BS = 144 must be a multiple of the warp size = 32"},
         {"blocktile1d", {{"TM", 7}}, cube, "BM = 64 must be a multiple of TM = 7"},
         {"blocktile1d", {{"BK", 16}}, cube, "BM*BK = 1024 must equal BM*BN/TM = 512"},
         {"blocktile1d", {{"BM", 32}, {"TM", 8}, {"BK", 8}}, cube, "BN*BK = 512 must equal BM*BN/TM = 256"},
         {"blocktile1d",
          {{"BM", 8}, {"BN", 8}, {"BK", 1}},
          cube,
          "BM*BN/TM = 8 must be a multiple of the warp size = 32"},
         {"blocktile2d", {{"TM", 24}}, cube, "BM = 128 must be a multiple of TM = 24"},
         {"blocktile2d", {{"TN", 24}}, cube, "BN = 128 must be a multiple of TN = 24"},
         {"blocktile2d",
          {{"BM", 16}, {"BN", 16}},
          cube,
          "BM*BN/(TM*TN) = 4 must be a multiple of the warp size = 32"},
         {"blocktile2d", {{"BK", 48}}, cube, "BM*BN/(TM*TN) = 256 must be a multiple of BK = 48"},
         {"blocktile2d",
          {{"BM", 64}, {"BN", 256}, {"TM", 16}},
          cube,
          "BM*BN/(TM*TN) = 128 must be a multiple of BN = 256"},
         {"blocktile2d", {{"BK", 1}}, cube, "BM = 128 must be a multiple of threads/BK = 256"},
         {"blocktile2d", {{"BM", 256}, {"BK", 2}}, cube, "BK = 2 must be a multiple of threads/BN = 4"},
         {"vectorized", {{"BK", 6}}, cube, "BK = 6 must be a multiple of 4"},
         {"vectorized", {{"BN", 130}}, cube, "BN = 130 must be a multiple of 4"},
         {"vectorized", {{"TN", 2}}, cube, "TN = 2 must be a multiple of 4"},
         {"vectorized", {{"TM", 24}}, cube, "BM = 128 must be a multiple of TM = 24"},
         {"vectorized", {{"TN", 12}}, cube, "BN = 128 must be a multiple of TN = 12"},
         {"vectorized",
          {{"BM", 16}, {"BN", 16}},
          cube,
          "BM*BN/(TM*TN) = 4 must be a multiple of the warp size = 32"},
         {"vectorized", {{"BK", 16}}, cube, "BM*BK = 2048 must equal 4*threads = 1024"},
         {"bank_extracol", {{"BM", 64}, {"TM", 4}}, cube, "BM*BK = 512 must equal 4*threads = 1024"},
         {"vectorized",
          {{"BM", 256}, {"TM", 16}, {"BK", 4}},
          cube,
          "BN*BK = 512 must equal 4*threads = 1024"},
         {"bank_linearize", {{"TM", 4}}, cube, "BM*BK = 1024 must equal 4*threads = 2048"}});
}

TEST_CASE("autotuned's rules", "[unit][families]") {
    check_all(
        {{"autotuned", {{"BK", 12}}, cube, "1024 must be a multiple of BK = 12"},
         {"autotuned", {{"BN", 192}}, cube, "1024 must be a multiple of BN = 192"},
         {"autotuned", {{"BN", 64}, {"TN", 8}}, cube, "BN = 64 must be a multiple of 16*TN = 128"},
         {"autotuned", {{"BM", 64}}, cube, "BM = 64 must be a multiple of 16*TM = 128"},
         {"autotuned", {{"BM", 64}, {"TM", 4}, {"BK", 8}}, cube, "BM*BK = 512 must be a multiple of 1024"},
         {"autotuned", {{"BN", 64}, {"TN", 4}, {"BK", 8}}, cube, "BN*BK = 512 must be a multiple of 1024"}});
}

TEST_CASE("warptile's rules", "[unit][families]") {
    check_all(
        {{"warptile", {{"THREADS", 100}}, cube, "THREADS = 100 must be a multiple of the warp size = 32"},
         {"warptile", {{"WN", 48}}, cube, "BN = 128 must be a multiple of WN = 48"},
         {"warptile", {{"WM", 48}}, cube, "BM = 128 must be a multiple of WM = 48"},
         {"warptile", {{"THREADS", 256}}, cube, "THREADS = 256 must equal 32*(BN/WN)*(BM/WM) = 128"},
         {"warptile",
          {{"WNITER", 8}, {"TM", 16}},
          cube,
          "WM*WN = 4096 must be a multiple of 32*TM*TN*WNITER = 16384"},
         {"warptile",
          {{"BM", 64}, {"BN", 192}, {"WM", 32}, {"WN", 96}, {"WNITER", 1}, {"TM", 4}},
          cube,
          "WM = 32 must be a multiple of WMITER = 6"},
         {"warptile",
          {{"WN", 32}, {"WM", 128}, {"WNITER", 8}, {"TN", 8}, {"TM", 2}},
          cube,
          "WN/WNITER = 4 must be a multiple of TN = 8"},
         {"warptile",
          {{"WM", 8}, {"WN", 256}, {"BM", 16}, {"BN", 512}, {"TM", 16}, {"WNITER", 1}},
          cube,
          "WM/WMITER = 8 must be a multiple of TM = 16"},
         {"warptile", {{"BK", 96}}, cube, "4*THREADS = 512 must be a multiple of BK = 96"},
         {"warptile",
          {{"BM", 64}, {"WM", 32}, {"WN", 64}, {"TM", 8}, {"WNITER", 2}},
          cube,
          "BM = 64 must be a multiple of 16*TM = 128"},
         {"warptile",
          {{"BK", 4}, {"THREADS", 256}, {"WM", 32}, {"WNITER", 2}},
          cube,
          "BM*BK = 512 must be a multiple of 4*THREADS = 1024"},
         {"doublebuffer",
          {{"BK", 4}, {"BM", 256}, {"THREADS", 256}},
          cube,
          "BN*BK = 512 must be a multiple of 4*THREADS = 1024"},
         {"doublebuffer_split",
          {{"THREADS", 32}},
          cube,
          "THREADS/2 = 16 must be a multiple of the warp size = 32"},
         {"cublas_sgemm", {{"BM", 48}}, cube, "BM = 48 must be a multiple of 32"},
         {"cublas_sgemm", {{"BM", 96}}, cube, "BM = 96 must be a multiple of the warp tile's rows = 64"},
         {"cublas_sgemm", {{"BN", 96}}, cube, "8*BM = 1024 must be a multiple of threads = 192"}});
}

TEST_CASE("limits of the launch", "[unit][families]") {
    check_all({{"blocktile2d",
                {{"TM", 4}, {"TN", 2}, {"BK", 16}},
                cube,
                "threads per block = 2048 must be at most the maximum of the architecture = 1024"},
               {"doublebuffer",
                {{"BK", 32}},
                cube,
                "static shared memory per block = 65536 must be at most the limit in bytes = 49152"}});
    CHECK(rejection("doublebuffer_async", {}, cube, 75) ==
          "doublebuffer_async needs compute capability 8.0 or later; the target has 7.5");
    CHECK(rejection("warptile", {}, {128 * 65536L, 1024, 1024}) ==
          "grid y = 65536 must be at most the limit of the architecture = 65535");
    CHECK(rejection("offset_copy", {}, {4096, 4096, 1}, 20) ==
          "grid x = 65536 must be at most the limit of the architecture = 65535");
    Target gt200 = target_sm(13);
    gt200.max_threads_per_block = 512;
    const Family& naive = *find_family("naive");
    CHECK(lower_tiles(naive, resolve_params(naive, {}), cube, gt200).infeasible_reason ==
          "threads per block = 1024 must be at most the maximum of the architecture = 512");
}

TEST_CASE("parameters are checked by name and range, all faults at once", "[unit][families]") {
    const Family& warptile = *find_family("warptile");
    CHECK(messages(warptile, {{"WNITR", 2}, {"BM", 0}, {"TM", 4}}) ==
          std::vector<std::string>{"-p: BM: is 0; allowed: 1 to 1024",
                                   "-p: WNITR: warptile has no such parameter; nearest: WNITER"});
    CHECK(messages(*find_family("bank_linearize"), {{"BK", 16}}) ==
          std::vector<std::string>{"-p: BK: is 16; only 8 is valid"});
    CHECK(messages(*find_family("transpose_naive"), {{"BM", 16}}) ==
          std::vector<std::string>{"-p: BM: transpose_naive has no such parameter"});
    CHECK(resolve_params(warptile, {{"BK", 8}}).at("BK") == 8);
    CHECK(resolve_params(warptile, {{"BK", 8}}).at("WNITER") == 4);
    CHECK(canonical_params(*find_family("blocktile1d"),
                           resolve_params(*find_family("blocktile1d"), {{"TM", 4}})) ==
          "BM=64;BN=64;BK=8;TM=4;UNROLL=auto");
    CHECK(find_family("warptiles") == nullptr);
}

TEST_CASE("derived parameters may be given where they say what the others imply", "[unit][families]") {
    const auto accepted = [](const std::string& name, const ParamValues& given, const ParamValues& plain) {
        const Family& family = *find_family(name);
        INFO(name);
        CHECK(messages(family, given).empty());
        CHECK(resolve_params(family, given) == resolve_params(family, plain));
    };
    accepted("vectorized", {{"THREADS", 256}}, {});
    accepted("blocktile2d", {{"TN", 4}, {"THREADS", 512}}, {{"TN", 4}});
    accepted("blocktile1d", {{"THREADS", 512}, {"TN", 1}}, {});
    accepted("smem", {{"BS", 16}, {"THREADS", 256}, {"BM", 16}, {"BN", 16}, {"BK", 16}}, {{"BS", 16}});
    accepted("autotuned",
             {{"BM", 64}, {"TM", 4}, {"THREADS", 256}, {"WM", 64}, {"WN", 128}, {"WMITER", 1}, {"WNITER", 1}},
             {{"BM", 64}, {"TM", 4}});
    accepted("warptile", {{"WMITER", 1}, {"WSUBM", 64}, {"WSUBN", 16}}, {});
    accepted("cublas_sgemm", {{"BM", 64}, {"BN", 64}, {"THREADS", 64}, {"BK", 8}}, {{"BM", 64}, {"BN", 64}});
    accepted("naive", {{"THREADS", 1024}, {"BM", 32}, {"BN", 32}}, {});
    accepted("ab_shared", {{"THREADS", 1024}, {"TILE_DIM", 32}}, {});
    accepted("transpose_padded", {{"THREADS", 256}, {"TILE_DIM", 32}, {"BLOCK_ROWS", 8}}, {});
    accepted("offset_copy", {{"THREADS", 256}}, {});

    CHECK(messages(*find_family("vectorized"), {{"BM", 64}, {"THREADS", 256}}) ==
          std::vector<std::string>{"-p: THREADS: is 256; only 128 is valid, which is BM*BN/(TM*TN)"});
    CHECK(messages(*find_family("autotuned"), {{"THREADS", 128}, {"WNITER", 2}}) ==
          std::vector<std::string>{"-p: THREADS: is 128; only 256 is valid",
                                   "-p: WNITER: is 2; only 1 is valid, which is BN/(16*TN)"});
    CHECK(messages(*find_family("warptile"), {{"WSUBM", 32}}) ==
          std::vector<std::string>{"-p: WSUBM: is 32; only 64 is valid, which is WM/WMITER"});
    CHECK(messages(*find_family("smem"), {{"THREAD", 256}}) ==
          std::vector<std::string>{"-p: THREAD: smem has no such parameter; nearest: THREADS"});
    // 128*128/(24*8) is no number of threads: the rule about TM says so.
    const ParamValues broken{{"TM", 24}, {"THREADS", 85}};
    CHECK(rejection("blocktile2d", broken, cube, 70) == "BM = 128 must be a multiple of TM = 24");
}

TEST_CASE("THREADS as a family derives it is the block that it launches", "[unit][families]") {
    for (const Family& family : families()) {
        const DerivedParam* threads = find_derived(family, "THREADS");
        if (threads == nullptr) {
            continue;
        }
        INFO(family.name);
        const ParamValues params = resolve_params(family, {});
        const auto made = lower_tiles(family, params, family.default_shape,
                                      target_sm(family.only_target.empty() ? 80 : 90));
        REQUIRE(made.program);
        CHECK(threads->value(params) == made.program->resources.threads);
    }
    const Family& library = *find_family("cublas_sgemm");
    for (const auto& [bm, bn, threads] : {std::tuple{128, 64, 128}, {64, 64, 64}, {32, 128, 256}}) {
        const ParamValues params = resolve_params(library, {{"BM", bm}, {"BN", bn}});
        CHECK(find_derived(library, "THREADS")->value(params) == threads);
    }
}

TEST_CASE("launch shapes of the definitions", "[unit][families]") {
    const auto check = [](const std::string& family, Dim3 grid, Dim3 block, std::int64_t shared) {
        const KernelProgram p = program_of(family, {}, {256, 512, 32}, 80);
        INFO(family);
        CHECK(p.grid == grid);
        CHECK(p.block == block);
        CHECK(p.resources.threads == block.count());
        CHECK(p.resources.static_shared_bytes == shared);
    };
    check("naive", {8, 16, 1}, {32, 32, 1}, 0);
    check("coalesced", {8, 16, 1}, {1024, 1, 1}, 0);
    check("smem", {8, 16, 1}, {1024, 1, 1}, 8192);
    check("blocktile1d", {8, 4, 1}, {512, 1, 1}, 4096);
    check("blocktile2d", {4, 2, 1}, {256, 1, 1}, 8192);
    check("vectorized", {4, 2, 1}, {256, 1, 1}, 8192);
    check("bank_linearize", {4, 2, 1}, {256, 1, 1}, 8192);
    check("bank_extracol", {4, 2, 1}, {256, 1, 1}, 4096 + 8 * 133 * 4);
    check("autotuned", {4, 2, 1}, {256, 1, 1}, 16384);
    check("warptile", {4, 2, 1}, {128, 1, 1}, 16384);
    check("doublebuffer", {4, 2, 1}, {128, 1, 1}, 32768);
    check("doublebuffer_split", {4, 4, 1}, {256, 1, 1}, 24576);
    check("doublebuffer_async", {4, 2, 1}, {128, 1, 1}, 32768 + 16);
    check("ab_simple", {16, 8, 1}, {32, 32, 1}, 0);
    check("ab_coalesced", {16, 8, 1}, {32, 32, 1}, 4096);
    check("ab_shared", {16, 8, 1}, {32, 32, 1}, 8192);
    check("offset_copy", {512, 1, 1}, {256, 1, 1}, 0);
    check("stride_copy", {512, 1, 1}, {256, 1, 1}, 0);
    check("transpose_naive", {16, 8, 1}, {32, 8, 1}, 0);
    check("transpose_shared", {16, 8, 1}, {32, 8, 1}, 4096);
    check("transpose_padded", {16, 8, 1}, {32, 8, 1}, 33 * 32 * 4);
    // Library tiles have the threads of NVIDIA's kernels (v100_pcie_cublas_sgemm.csv).
    const auto library_threads = [](std::int64_t bm, std::int64_t bn) {
        return program_of("cublas_sgemm", {{"BM", bm}, {"BN", bn}}, {256, 256, 32}).resources.threads;
    };
    CHECK(library_threads(128, 128) == 256);
    CHECK(library_threads(128, 64) == 128);
    CHECK(library_threads(64, 64) == 64);
    CHECK(library_threads(32, 128) == 256);
    CHECK(library_threads(128, 32) == 256);
}
