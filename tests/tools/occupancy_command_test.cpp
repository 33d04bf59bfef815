// gpumodel occupancy as a user runs it. Expected numbers: published examples and the arithmetic beside
// them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

TEST_CASE("occupancy: one launch, three formats", "[cli][occupancy]") {
    // 64 registers: 2048 per warp, 8 warps per sub-partition's 16384, 32 warps, 4 blocks of 8.
    const auto text = run_gpumodel("occupancy --arch sm_70 --threads 256 --registers 64 --shared 8192");
    CHECK(text.exit_code == 0);
    CHECK_THAT(text.out, Catch::Contains("blocks per SM  4\n"));
    CHECK_THAT(text.out, Catch::Contains("limited by     registers\n"));
    CHECK_THAT(text.out, Catch::Contains("16 registers fewer: one more block (at 48)\n"));
    const auto json = nlohmann::json::parse(
        run_gpumodel("occupancy --arch sm_70 --threads 256 --registers 64 --shared 8192 --format json").out);
    CHECK(json["schema_version"] == 1);
    CHECK(json["metadata"]["tool"] == "gpumodel");
    CHECK(json["blocks_per_sm"] == 4);
    CHECK(json["occupancy"] == 0.5);
    CHECK(json["limiters"] == std::vector<std::string>{"registers"});
    CHECK(json["limits_blocks"]["shared_memory"] == 12);
    const auto csv =
        run_gpumodel("occupancy --arch sm_70 --threads 256 --registers 64 --shared 8192 --format csv");
    CHECK_THAT(csv.out, Catch::StartsWith("arch,threads,registers,shared,blocks_per_sm,limiter,occupancy,"));
    CHECK_THAT(csv.out, Catch::Contains("\nv100_sxm2,256,64,8192,4,registers,0.5,"));
}

TEST_CASE("occupancy: what does not fit is a result", "[cli][occupancy]") {
    const auto result = run_gpumodel("occupancy --arch k40 --threads 1024 --registers 65");
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, Catch::Contains("blocks per SM  0\n"));
    CHECK_THAT(result.out,
               Catch::Contains("73728 registers per block asked (65 per thread, rounded), 65536 allowed"));
}

TEST_CASE("occupancy: carve-out, barriers and overrides", "[cli][occupancy]") {
    const auto blocks = [](const std::string& arguments) {
        return nlohmann::json::parse(
            run_gpumodel("occupancy --format json " + arguments).out)["blocks_per_sm"];
    };
    CHECK(blocks("--arch sm_70 --threads 256 --registers 64 --shared 40960 --carveout 25") == 1);  // H25
    CHECK(blocks("--arch sm_90 --threads 64 --registers 32 --barriers 16") == 4);                  // 64 / 16
    CHECK(blocks("--arch sm_70 --threads 64 --registers 32 --set sm.max_blocks=7") == 7);
}

TEST_CASE("occupancy: job files", "[cli][occupancy]") {
    const auto run = [](const std::string& table, const std::string& format) {
        return run_shell("printf '" + table + "' | {gpumodel} occupancy --arch sm_70 --jobs - --format " +
                         format);
    };
    const auto csv =
        run("name,threads,registers,shared\\na,256,32,0\\n\"b,c\",1024,65,0\\nd,2000,1,1\\n", "csv");
    CHECK(csv.exit_code == 0);
    CHECK(csv.out ==
          "name,threads,registers,shared,blocks_per_sm,limiter,occupancy\n"
          "a,256,32,0,8,warps+registers,1\n"
          "\"b,c\",1024,65,0,0,registers,0\n"
          "d,2000,1,1,0,warps,0\n");
    const auto json = nlohmann::json::parse(run("threads,registers,shared\\n256,32,0\\n", "json").out);
    CHECK(json["rows"][0]["blocks_per_sm"] == 8);
    const auto bad = run("threads,registers,shared\\n256,x,0\\n0,1,q\\n", "csv");
    CHECK(bad.exit_code == 2);
    CHECK(bad.out.empty());
    CHECK(bad.err ==
          "stdin:2:5: registers: 'x' is not a whole number\n"
          "stdin:3:1: threads: 0 is out of range; allowed 1 to 2147483647\n"
          "stdin:3:5: shared: 'q' is not a whole number\n");
}

TEST_CASE("occupancy: sweeps print the cliffs", "[cli][occupancy]") {
    // Of 16384 registers per sub-partition, w warps of 256-register units: 8 blocks up to 32 registers per
    // thread, 6 up to 40, 5 up to 48, 4 up to 64, 3 up to 80, 2 up to 128, 1 up to 255.
    const auto result =
        run_gpumodel("occupancy --arch h200_sxm --threads 256 --sweep registers --format csv");
    CHECK(result.exit_code == 0);
    CHECK(result.out ==
          "arch,sweep,up_to,blocks_per_sm,active_warps,occupancy\n"
          "h200_sxm,registers,32,8,64,1\n"
          "h200_sxm,registers,40,6,48,0.75\n"
          "h200_sxm,registers,48,5,40,0.625\n"
          "h200_sxm,registers,64,4,32,0.5\n"
          "h200_sxm,registers,80,3,24,0.375\n"
          "h200_sxm,registers,128,2,16,0.25\n"
          "h200_sxm,registers,255,1,8,0.125\n");
    CHECK_THAT(run_gpumodel("occupancy --arch k40 --registers 32 --sweep threads").out,
               Catch::Contains("threads"));
    CHECK_THAT(run_gpumodel("occupancy --arch k40 --threads 128 --registers 32 --sweep shared").out,
               Catch::Contains("0 to 3072      16      64    100.0 %"));
}

TEST_CASE("occupancy: all option faults at once", "[cli][occupancy][bad]") {
    const auto result = run_gpumodel(
        "occupancy --arch sm_7 --threads 0 --registers x --shared -5 --carveout 200 --sweep foo");
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err ==
          "--sweep: 'foo' is none of registers, shared, threads\n"
          "--threads: 0 is out of range; allowed 1 to 2147483647\n"
          "--registers: 'x' is not a whole number\n"
          "--shared: -5 is out of range; allowed 0 to 2147483647\n"
          "--carveout: 200 is out of range; allowed 0 to 100\n"
          "sm_7: unknown architecture; nearest: sm_70\n");
    CHECK(run_gpumodel("occupancy").err ==
          "--threads: give the threads per block, or --jobs FILE\n"
          "--registers: give the registers per thread, or --jobs FILE\n"
          "--arch: give the architecture: a product (gpumodel arch list), a generation or a YAML file\n");
    CHECK(run_gpumodel("occupancy --arch k40 --jobs x.csv --threads 3 --sweep shared").err ==
          "--jobs: threads, registers and shared memory come from the job file, not from options\n"
          "--jobs: excludes --sweep\n");
}
