// Every family computes its definition: the access functions, run thread by thread, against a plain
// double-precision product (or copy), for many tile configurations and shapes.
#include <catch2/catch.hpp>

#include "tests/support/program_checks.h"

using namespace gpumodel;
using gpumodel::test::program_of;
using gpumodel::test::wrongs_of;

namespace {

struct Case {
    ParamValues params;
    ProblemShape shape;
};

void check_all(const std::string& family, const std::vector<Case>& cases, const std::vector<int>& targets) {
    for (const Case& c : cases) {
        for (const int cc : targets) {
            const KernelProgram program = program_of(family, c.params, c.shape, cc);
            INFO(family << " " << program.params << " on sm_" << cc << ", " << c.shape.m << " x " << c.shape.n
                        << " x " << c.shape.k);
            const Family& entry = *find_family(family);
            const auto wrongs = wrongs_of(program, resolve_params(entry, c.params));
            INFO((wrongs.empty() ? "" : wrongs.front()));
            CHECK(wrongs.size() == 0);
        }
    }
}

// All compilers whose code shape differs.
const std::vector<int> all_targets{35, 70, 80, 90};

ParamValues tile(std::int64_t bm, std::int64_t bn, std::int64_t bk, std::int64_t tm, std::int64_t tn,
                 std::int64_t unroll = 0) {
    return {{"BM", bm}, {"BN", bn}, {"BK", bk}, {"TM", tm}, {"TN", tn}, {"UNROLL", unroll}};
}

ParamValues warp(std::int64_t bm, std::int64_t bn, std::int64_t bk, std::int64_t wm, std::int64_t wn,
                 std::int64_t wniter, std::int64_t tm, std::int64_t tn, std::int64_t threads,
                 std::int64_t unroll = 0) {
    return {{"BM", bm},         {"BN", bn}, {"BK", bk}, {"WM", wm},           {"WN", wn},
            {"WNITER", wniter}, {"TM", tm}, {"TN", tn}, {"THREADS", threads}, {"UNROLL", unroll}};
}

std::vector<Case> warp_cases() {
    return {{{}, {128, 256, 32}},
            {{}, {256, 128, 48}},
            {{}, {128, 128, 16}},
            {warp(64, 64, 8, 32, 32, 2, 4, 4, 128), {128, 64, 24}},
            {warp(64, 128, 16, 32, 64, 2, 4, 4, 128), {64, 128, 80}},
            {warp(128, 64, 16, 64, 32, 2, 4, 4, 128), {128, 192, 32}},
            {warp(128, 128, 8, 64, 32, 1, 8, 8, 256), {128, 128, 40}},
            {warp(128, 128, 16, 32, 64, 2, 4, 4, 256), {128, 256, 64}},
            {warp(64, 64, 32, 32, 32, 1, 4, 4, 128, 4), {64, 64, 96}},
            {warp(64, 64, 16, 64, 64, 4, 4, 4, 32, 16), {128, 64, 32}}};
}

}  // namespace

TEST_CASE("naive and coalesced compute C for any shape", "[unit][families]") {
    const std::vector<Case> cases{{{}, {32, 32, 32}}, {{}, {64, 96, 40}}, {{}, {33, 31, 7}},
                                  {{}, {1, 1, 1}},    {{}, {5, 70, 3}},   {{{"UNROLL", 8}}, {70, 5, 17}}};
    check_all("naive", cases, all_targets);
    check_all("coalesced", cases, all_targets);
}

TEST_CASE("smem computes C", "[unit][families]") {
    check_all("smem",
              {{{}, {64, 96, 128}},
               {{}, {32, 32, 32}},
               {{{"BS", 16}}, {48, 32, 80}},
               {{{"BS", 8}}, {24, 40, 16}},
               {{{"BS", 24}}, {48, 24, 72}},
               {{{"UNROLL", 1}}, {32, 64, 64}},
               {{{"UNROLL", 4}}, {64, 32, 64}},
               {{{"UNROLL", 8}, {"BS", 16}}, {32, 32, 32}}},
              all_targets);
}

TEST_CASE("blocktile1d computes C", "[unit][families]") {
    const auto tile1d = [](std::int64_t side, std::int64_t bk, std::int64_t tm, std::int64_t unroll = 0) {
        return ParamValues{{"BM", side}, {"BN", side}, {"BK", bk}, {"TM", tm}, {"UNROLL", unroll}};
    };
    check_all("blocktile1d",
              {{{}, {128, 64, 24}},
               {{}, {64, 192, 8}},
               {tile1d(32, 4, 8), {64, 96, 12}},
               {tile1d(32, 8, 4), {96, 32, 40}},
               {tile1d(64, 16, 4), {64, 64, 48}},
               {tile1d(16, 2, 8), {32, 48, 6}},
               {tile1d(32, 16, 2), {32, 32, 64}},
               {tile1d(64, 8, 8, 1), {64, 128, 16}},
               {tile1d(64, 8, 8, 2), {64, 64, 16}}},
              all_targets);
}

TEST_CASE("blocktile2d computes C", "[unit][families]") {
    check_all("blocktile2d",
              {{{}, {128, 256, 16}},
               {{}, {256, 128, 24}},
               {tile(64, 64, 8, 8, 8), {64, 128, 32}},
               {tile(64, 64, 16, 4, 4), {128, 64, 48}},
               {tile(128, 64, 8, 8, 8), {128, 64, 16}},
               {tile(64, 128, 8, 4, 8), {64, 128, 40}},
               {tile(64, 64, 8, 8, 4), {64, 64, 24}},
               {tile(32, 32, 4, 4, 2), {64, 32, 12}},
               {tile(32, 32, 8, 1, 4), {32, 96, 16}},
               {tile(64, 64, 8, 8, 4, 4), {64, 64, 16}},
               {tile(64, 64, 8, 8, 4, 1), {64, 64, 16}}},
              all_targets);
}

TEST_CASE("vectorized and its bank variants compute C", "[unit][families]") {
    const std::vector<Case> cases{{{}, {128, 256, 16}},
                                  {{}, {256, 128, 24}},
                                  {tile(64, 64, 16, 4, 4), {64, 128, 48}},
                                  {tile(64, 64, 4, 8, 8), {128, 64, 20}},
                                  {tile(32, 32, 8, 4, 4), {96, 32, 40}},
                                  {tile(64, 64, 8, 8, 4), {64, 192, 16}},
                                  {tile(64, 64, 8, 4, 8), {64, 64, 32}},
                                  {tile(128, 128, 16, 8, 4), {128, 128, 16}},
                                  {tile(128, 128, 8, 8, 8, 1), {128, 128, 16}},
                                  {tile(128, 128, 8, 8, 8, 4), {128, 128, 24}}};
    check_all("vectorized", cases, all_targets);
    check_all("bank_extracol", cases, all_targets);
    check_all("bank_linearize",
              {{{}, {128, 256, 16}},
               {{}, {256, 128, 8}},
               {{}, {128, 128, 40}},
               {{{"UNROLL", 1}}, {128, 128, 16}},
               {{{"UNROLL", 4}}, {256, 256, 24}}},
              all_targets);
}

TEST_CASE("autotuned computes C", "[unit][families]") {
    check_all("autotuned",
              {{{}, {128, 256, 32}},
               {{}, {256, 128, 48}},
               {tile(64, 64, 16, 4, 4), {64, 128, 32}},
               {tile(128, 128, 16, 4, 4), {128, 128, 48}},
               {tile(64, 128, 16, 4, 4), {128, 128, 32}},
               {tile(128, 64, 16, 4, 4), {128, 128, 32}},
               {tile(128, 128, 8, 8, 4), {128, 256, 24}},
               {tile(256, 128, 16, 8, 8), {256, 128, 32}},
               {tile(256, 64, 32, 4, 4), {256, 64, 64}},
               {tile(128, 128, 32, 4, 4, 1), {128, 128, 64}},
               {tile(128, 128, 16, 4, 4, 16), {128, 128, 32}},
               {tile(128, 256, 16, 4, 8), {128, 256, 32}}},
              all_targets);
}

TEST_CASE("warptile computes C", "[unit][families]") {
    check_all("warptile", warp_cases(), all_targets);
}

TEST_CASE("doublebuffer computes C with one barrier per tile", "[unit][families]") {
    check_all("doublebuffer", warp_cases(), all_targets);
}

TEST_CASE("doublebuffer_async computes C", "[unit][families]") {
    check_all("doublebuffer_async", warp_cases(), {80, 90});
}

TEST_CASE("doublebuffer_split computes C for odd and even numbers of tiles", "[unit][families]") {
    check_all("doublebuffer_split",
              {{{}, {64, 128, 16}},
               {{}, {128, 128, 32}},
               {{}, {64, 256, 48}},
               {{}, {64, 128, 64}},
               {{}, {64, 128, 80}},
               {warp(64, 64, 16, 32, 32, 2, 4, 4, 128), {128, 64, 48}},
               {warp(128, 128, 16, 64, 64, 4, 8, 4, 128), {128, 128, 64}},
               {warp(128, 64, 16, 64, 32, 2, 4, 4, 128), {128, 128, 32}},
               {warp(128, 128, 16, 32, 64, 2, 4, 4, 256), {128, 128, 48}},
               {warp(64, 64, 32, 32, 32, 1, 4, 4, 128), {64, 64, 64}},
               {warp(64, 64, 16, 32, 64, 2, 4, 4, 64, 4), {64, 64, 48}}},
              all_targets);
}

TEST_CASE("the guide's products compute C", "[unit][families]") {
    for (const char* family : {"ab_simple", "ab_coalesced", "ab_shared"}) {
        check_all(family,
                  {{{}, {32, 32, 32}},
                   {{}, {96, 64, 32}},
                   {{}, {64, 128, 32}},
                   {{{"UNROLL", 1}}, {64, 32, 32}},
                   {{{"UNROLL", 8}}, {32, 96, 32}}},
                  all_targets);
    }
    for (const char* family : {"aat_simple", "aat_coalesced", "aat_padded"}) {
        check_all(family, {{{}, {32, 32, 32}}, {{}, {96, 96, 32}}, {{{"UNROLL", 1}}, {64, 64, 32}}},
                  all_targets);
    }
}

TEST_CASE("copies and transposes move every element once", "[unit][families]") {
    check_all("offset_copy",
              {{{}, {32, 32, 1}}, {{{"OFFSET", 0}}, {16, 48, 1}}, {{{"OFFSET", 17}}, {1, 512, 1}}}, {70});
    check_all("stride_copy",
              {{{}, {32, 32, 1}}, {{{"STRIDE", 1}}, {16, 48, 1}}, {{{"STRIDE", 32}}, {1, 512, 1}}}, {70});
    for (const char* family : {"transpose_naive", "transpose_shared", "transpose_padded"}) {
        check_all(family, {{{}, {32, 32, 1}}, {{}, {96, 64, 1}}, {{}, {32, 160, 1}}}, {70});
    }
}

TEST_CASE("cublas_sgemm computes C for any shape", "[unit][families]") {
    const auto tiles = [](std::int64_t bm, std::int64_t bn) { return ParamValues{{"BM", bm}, {"BN", bn}}; };
    check_all("cublas_sgemm",
              {{{}, {256, 128, 16}},
               {{}, {130, 127, 17}},
               {{}, {1, 1, 1}},
               {{}, {128, 128, 8}},
               {tiles(128, 64), {128, 128, 24}},
               {tiles(128, 64), {100, 70, 9}},
               {tiles(64, 64), {65, 64, 16}},
               {tiles(64, 128), {64, 130, 12}},
               {tiles(32, 128), {40, 200, 30}},
               {tiles(128, 32), {129, 33, 31}},
               {tiles(32, 32), {31, 33, 15}},
               {tiles(256, 128), {256, 128, 16}},
               {tiles(64, 32), {64, 96, 8}}},
              {35, 70, 90});
}

TEST_CASE("every family is covered by its default parameters", "[unit][families]") {
    CHECK(families().size() == 32);
    CHECK(generated_families().size() == 25);
    for (const Family& family : families()) {
        INFO(family.name);
        const ParamValues params = resolve_params(family, {});
        const FamilyResult result =
            lower_tiles(family, params, family.default_shape,
                        gpumodel::test::target_sm(family.only_target.empty() ? 80 : 90));
        INFO(result.infeasible_reason);
        CHECK(result.program.has_value());
    }
}
