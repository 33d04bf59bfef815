// The tensor-core families on the command line: words, what is shipped, what is refused. Without a compiler,
// so that it is the same on every machine.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string small_product = " --compile never -m 512 -n 512 -k 256 ";

CommandResult on(const std::string& arch, const std::string& rest) {
    return run_gpumodel("predict --arch " + arch + small_product + rest);
}

// Of all loads of a launch from shared memory.
std::string conflicts(const std::string& arch, const std::string& rest) {
    const auto text = on(arch, "--model analytic " + rest).out;
    const std::string name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
    const auto at = text.find(name);
    const auto from = text.find_first_not_of(' ', at + name.size());
    return at == std::string::npos ? "none" : text.substr(from, text.find('\n', from) - from);
}

}  // namespace

TEST_CASE("predict: defaults of the tensor-core families are shipped from Ampere on", "[predict][tensor]") {
    for (const auto* arch : {"a100_sxm4_40gb", "rtx_a6000", "rtx_4090", "h200_sxm"}) {
        for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled", "mma_async", "mma_double"}) {
            const auto result = on(arch, "--model analytic --format json --kernel " + std::string(family));
            INFO(arch << ' ' << family << '\n' << result.err);
            REQUIRE(result.exit_code == 0);
            CHECK(nlohmann::json::accept(result.out));
            CHECK(result.out.find("\"shipped\"") != std::string::npos);
            CHECK(result.out.find("TYPE=f16;ACC=f32") != std::string::npos);
        }
    }
}

TEST_CASE("predict: Volta and Turing have the defaults of those without asynchronous copies",
          "[predict][tensor]") {
    for (const auto* arch : {"v100_sxm2", "t4"}) {
        for (const auto* family : {"mma_direct", "mma_shared", "mma_swizzled"}) {
            const auto result = on(arch, "--model analytic --kernel " + std::string(family));
            INFO(arch << ' ' << family << '\n' << result.err);
            REQUIRE(result.exit_code == 0);
            CHECK(result.out.find("shipped compiled code") != std::string::npos);
            CHECK(result.out.find("(tensor FP16, FP32 sums)") != std::string::npos);
        }
    }
}

TEST_CASE("predict: the warp groups' products are shipped for Hopper alone", "[predict][tensor]") {
    for (const auto* family : {"wgmma_tma", "wgmma_warp_specialized"}) {
        const std::string rest = "--model analytic --format json --kernel " + std::string(family);
        const auto hopper = on("h200_sxm", rest);
        INFO(family << '\n' << hopper.err);
        REQUIRE(hopper.exit_code == 0);
        CHECK(hopper.out.find("\"shipped\"") != std::string::npos);
        for (const auto* arch : {"a100_sxm4_40gb", "b200"}) {
            const auto other = on(arch, rest);
            CHECK(other.exit_code == 3);
            CHECK(other.out.find(std::string(family) + " needs sm_90a") != std::string::npos);
        }
    }
}

// Half of FP16's peak and twice it: 132 SMs, 4096 FLOP a cycle, 1.8 GHz.
TEST_CASE("predict: warp groups multiply TF32 and 8-bit integers", "[predict][tensor]") {
    for (const auto* family : {"wgmma_tma", "wgmma_warp_specialized"}) {
        const auto tf32 = on("h200_sxm", fmt::format("--kernel {} -p TYPE=tf32", family));
        INFO(family << tf32.err);
        CHECK(tf32.out.find("BK=32;") != std::string::npos);
        CHECK(tf32.out.find("peak of 486.6 TFLOP/s (tensor, warp groups)") != std::string::npos);
        const auto whole = on("h200_sxm", fmt::format("--kernel {} -p TYPE=int8", family));
        CHECK(whole.out.find("BK=128;") != std::string::npos);
        CHECK(whole.out.find("peak of 1.946 PFLOP/s (tensor, warp groups)") != std::string::npos);
    }
    const auto depth = on("h200_sxm", "--kernel wgmma_tma -p TYPE=int8 -p BK=64");
    CHECK(depth.exit_code == 3);
    CHECK(depth.out.find("BK = 64 must be a multiple of the columns of a swizzled box of 128 bytes = 128") !=
          std::string::npos);
}

// Without merging on the way: of each step a block's A, and its part of B.
TEST_CASE("predict: what blocks of a cluster share comes from L2 once", "[predict][tensor]") {
    for (const std::int64_t blocks : {1, 2, 4}) {
        const std::int64_t a = 128 * 64 * 2, b = 64 * 256 * 2, tiles = 4 * 2, steps = 256 / 64;
        const auto sectors = fmt::format("{} sector", tiles * steps * (a + b / blocks) / 32);
        for (const auto* model : {"simulate", "analytic"}) {
            const auto result =
                on("h200_sxm", fmt::format("--kernel wgmma_warp_specialized -p CLUSTER={} --model {} --set "
                                           "l2.read_merging.fraction=0 --metrics "
                                           "lts__t_sectors_srcunit_tex_op_read.sum",
                                           blocks, model));
            INFO(model << blocks << result.out << result.err);
            CHECK(result.out.find("  " + sectors) != std::string::npos);
        }
    }
}

TEST_CASE("predict: words of TYPE and ACC", "[predict][tensor]") {
    const auto text = on("h200_sxm", "--kernel mma_shared -p TYPE=bf16");
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("TYPE=bf16;ACC=f32") != std::string::npos);
    CHECK(text.out.find("the tensor pipes are busy") != std::string::npos);
    CHECK(text.out.find("of the FP32 peak") == std::string::npos);
    CHECK(text.out.find("TFLOP/s (tensor FP16, FP32 sums); the tensor pipes are busy") != std::string::npos);
    const auto whole = on("h200_sxm", "--kernel mma_shared --model analytic -p TYPE=int8");
    CHECK(whole.out.find("BK=64;WM=64;WN=32;PAD=16;TYPE=int8;ACC=s32") != std::string::npos);
    CHECK(whole.out.find("(tensor INT8); the tensor pipes are busy") != std::string::npos);
    const auto unknown = on("h200_sxm", "--kernel mma_shared -p TYPE=f61 -p BM=f16");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("TYPE: 'f61' is none of f16, bf16, tf32, int8; nearest: f16") !=
          std::string::npos);
    CHECK(unknown.err.find("BM: 'f16' is not a whole number") != std::string::npos);
}

TEST_CASE("predict: tiles without code and GPUs without the instructions are refused", "[predict][tensor]") {
    const auto tile = on("a100_sxm4_40gb", "--kernel mma_async -p BM=32 -p WM=16 -p BN=64 -p WN=16 -p BK=64");
    CHECK(tile.exit_code == 3);
    CHECK(tile.out.find("neither compiled nor shipped for sm_80: --compile always") != std::string::npos);
    const auto pascal = on("p100_sxm2", "--kernel mma_direct");
    CHECK(pascal.exit_code == 3);
    CHECK(pascal.out.find("mma_direct needs compute capability 7.0 or later") != std::string::npos);
    const auto volta = on("v100_sxm2", "--kernel mma_direct -p TYPE=int8");
    CHECK(volta.exit_code == 3);
    CHECK(volta.out.find("TYPE=int8 needs compute capability 7.5 or later") != std::string::npos);
    const auto stages = on("rtx_4090", "--kernel mma_async -p STAGES=8");
    CHECK(stages.exit_code == 3);
    CHECK(stages.out.find("2*STAGES*(BM + BN)*BK = 131072") != std::string::npos);
    const auto persistent = on("h200_sxm", "--kernel wgmma_warp_specialized -p CLUSTER=4 -p PERSISTENT=1");
    CHECK(persistent.exit_code == 3);
    CHECK(persistent.out.find("PERSISTENT=1 needs CLUSTER=1 or 2, not 4") != std::string::npos);
}

TEST_CASE("tune and sweep take what is shipped and say what is not", "[tune][tensor]") {
    const auto tuned =
        run_gpumodel("tune --arch h200_sxm --kernel mma_async" + small_product +
                     "-p BM=64,128 -p BN=64,128 -p BK=32 -p WM=32,64 -p WN=32,64 -p STAGES=2,3");
    CHECK(tuned.exit_code == 0);
    CHECK(tuned.out.find("compiled code") != std::string::npos);
    CHECK(tuned.out.find("neither compiled nor shipped for sm_90") != std::string::npos);
    CHECK(tuned.out.find("expected loss unknown") != std::string::npos);
    const auto swept = run_gpumodel(
        "sweep --arch h200_sxm --kernel mma_async --compile never --sizes 512 -p STAGES=2,3,4,5 "
        "-p TYPE=f16");
    CHECK(lines_of(swept.out).size() == 5);
    const auto types = run_gpumodel(
        "sweep --arch h200_sxm --kernel mma_shared --compile never --sizes 512 -p TYPE=f16,tf32,int8");
    CHECK(lines_of(types.out).size() == 4);
    CHECK(types.out.find("BK=64;WM=64;WN=32;PAD=16;TYPE=int8;ACC=s32") != std::string::npos);
}

TEST_CASE("tune, sweep and kernels show know the types and clusters of warp groups", "[tune][tensor]") {
    const std::string family = "--arch h200_sxm --kernel wgmma_warp_specialized ";
    const auto tuned =
        run_gpumodel("tune " + family + small_product + "-p CLUSTER=1,2,4 -p BM=128 -p BN=256");
    CHECK(tuned.exit_code == 0);
    CHECK(tuned.out.find("PERSISTENT=0;RASTER=8;TYPE=f16;CLUSTER=4") != std::string::npos);
    const auto swept = run_gpumodel("sweep " + family +
                                    "--compile never --sizes 1024 -p TYPE=f16,tf32,int8 -p CLUSTER=1,2,4");
    CHECK(lines_of(swept.out).size() == 10);
    CHECK(swept.out.find("BK=128;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=int8;CLUSTER=4") !=
          std::string::npos);
    const auto shown = run_gpumodel("kernels show wgmma_warp_specialized --arch h200_sxm");
    CHECK(shown.out.find("RASTER=8;TYPE=int8;CLUSTER=2") != std::string::npos);
    CHECK(shown.out.find("CLUSTER is 1, 2 or 4") != std::string::npos);
}

TEST_CASE("predict: fragments come without bank conflicts, padded or swizzled", "[predict][tensor]") {
    for (const auto* family : {"mma_shared", "mma_swizzled"}) {
        for (const auto* type : {"f16", "tf32", "int8"}) {
            CHECK(conflicts("h200_sxm", fmt::format("--kernel {} -p TYPE={}", family, type)) == "0");
        }
        CHECK(conflicts("v100_sxm2", fmt::format("--kernel {}", family)) == "0");
    }
    // Rows of 64 bytes without padding: eight of them lie on two groups of banks, four tries each. A matrix
    // load takes 4 wavefronts, 16 then: three times as many conflicts as wavefronts without.
    const std::int64_t loads = 16 * 8 * (256 / 32) * (4 + 2);  // blocks, warps, products, of A and B
    CHECK(conflicts("h200_sxm", "--kernel mma_shared -p TYPE=int8 -p PAD=0") ==
          fmt::format("{}", 12 * loads));
}

TEST_CASE("tune: the default laid beside is of the type that was asked for", "[tune][tensor]") {
    const auto tuned = run_gpumodel("tune --arch h200_sxm --kernel mma_direct -p TYPE=int8" + small_product);
    CHECK(tuned.exit_code == 0);
    CHECK(tuned.out.find("TYPE=int8;ACC=s32") != std::string::npos);
    CHECK(tuned.out.find("TYPE=f16;ACC=f32  (default)") == std::string::npos);
}

TEST_CASE("kernels show: what is shipped of a family without a generator", "[kernels][tensor]") {
    const auto text = run_gpumodel("kernels show mma_async --arch rtx_4090");
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("TYPE       f16  (default f16, one of f16, bf16, tf32, int8)") != std::string::npos);
    CHECK(text.out.find("shipped: BM=128;BN=128;BK=32;WM=64;WN=64;STAGES=4;TYPE=f16;ACC=f32") !=
          std::string::npos);
}
