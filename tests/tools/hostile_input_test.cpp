// Past bugs of the command under hostile input: each of these once crashed, lied about success or was
// silently taken for something else.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

TEST_CASE("a result that cannot be written is not a success", "[cli][bug]") {
    for (const auto* command : {"predict --arch k40 --kernel naive -m 64", "arch check k40", "kernels list",
                                "predict --arch k40 --jobs jobs/mixed.csv --format csv"}) {
        INFO(command);
        const auto result = run_shell(std::string("{gpumodel} ") + command + " >/dev/full");
        CHECK(result.exit_code == 1);
        CHECK(result.err == "gpumodel: cannot write standard output\n");
    }
    const auto jobs = run_gpumodel("predict --arch k40 --jobs jobs/mixed.csv --format csv --out /dev/full");
    CHECK(jobs.exit_code == 2);
    CHECK(jobs.err == "/dev/full: --out: cannot write this file\n");
}

TEST_CASE("bytes that are no UTF-8 do not break json", "[cli][bug]") {
    const auto predicted = run_shell(
        "printf 'kernel,params,M,N,K\\nwarp\\377tile,,1,1,1\\n' | "
        "{gpumodel} predict --arch k40 --jobs - --format json");
    CHECK(predicted.exit_code == 0);
    const auto row = nlohmann::json::parse(predicted.out).at("predictions").at(0);
    CHECK(row.at("kernel") == "warp\xEF\xBF\xBDtile");
    const auto occupancy = run_shell(
        "printf 'threads,registers,shared,n\\377\\n32,32,0,\\376\\n' | "
        "{gpumodel} occupancy --arch k40 --jobs - --format json");
    CHECK(occupancy.exit_code == 0);
    CHECK(nlohmann::json::parse(occupancy.out).at("rows").size() == 1);
    const auto named = run_shell(
        "{gpumodel} predict --arch k40 --kernel naive -m 64 --format json --set marketing_name=$(printf "
        "'\\377')");
    CHECK(named.exit_code == 0);
    CHECK(nlohmann::json::parse(named.out).at("metadata").at("command_line").is_string());
}

TEST_CASE("an empty value is a fault, not a default", "[cli][bad]") {
    CHECK(run_gpumodel("predict --arch k40 --kernel naive -m '' --out ''").err ==
          "-m: the value is empty\n--out: the value is empty\n");
    CHECK(run_gpumodel("occupancy --arch k40 --threads 256 --registers 32 --shared ''").err ==
          "--shared: the value is empty\n");
    CHECK(run_gpumodel("arch show ''").err == "name: the value is empty\n");
}

TEST_CASE("predict reports the faults of all its options at once", "[cli][bad]") {
    const auto result = run_gpumodel(
        "predict --arch pentium --kernel wrptile -p BM=x -m 1e3 -n -5 -k 99999999999999999999999");
    CHECK(result.exit_code == 2);
    CHECK(result.err ==
          "pentium: unknown architecture\n"
          "-m: '1e3' is not a whole number\n"
          "-n: -5 is out of range; allowed 1 to 1048576\n"
          "-k: 99999999999999999999999 is out of range; allowed 1 to 1048576\n"
          "-p: BM: 'x' is not a whole number\n"
          "--kernel: wrptile: unknown kernel family; see 'gpumodel kernels list'; nearest: warptile\n");
    CHECK(run_gpumodel("predict --arch k40 --kernel naive --format xml").err ==
          "gpumodel: --format: 'xml' is none of text, json, csv, markdown\n"
          "Run 'gpumodel predict --help' for usage.\n");
    CHECK(run_gpumodel("arch show").err ==
          "gpumodel: name is required\nRun 'gpumodel arch show --help' for usage.\n");
}

TEST_CASE("more threads than cores are nothing to complain of", "[cli][bug]") {
    const std::string launch = " --arch k40 --kernel naive -m 64 -n 64 -k 64 --model analytic --threads 200";
    for (const std::string& command :
         {"sensitivity" + launch, "roofline" + launch,
          std::string("tune --arch k40 --kernel naive --sizes 64 --refine 1 --threads 200")}) {
        INFO(command);
        const auto result = run_gpumodel(command);
        CHECK(result.exit_code == 0);
        CHECK(result.err.empty());
    }
}

TEST_CASE("address lists that cannot be read or never end", "[cli][memory][bug]") {
    const auto folder = run_gpumodel("memory --arch k40 --addresses @jobs");
    CHECK(folder.exit_code == 2);
    CHECK(folder.err == "jobs: --addresses: cannot read this file\n");
    const auto endless = run_shell("timeout 20 {gpumodel} memory --arch k40 --addresses @/dev/zero");
    CHECK(endless.exit_code == 2);
    CHECK(endless.err == "/dev/zero: --addresses: more than 64 KiB; 32 addresses are shorter\n");
    const auto no_arch = run_gpumodel("memory --width 3");
    CHECK(no_arch.exit_code == 2);
    CHECK(no_arch.err ==
          "--width: 3 is none of 1, 2, 4, 8, 16\n"
          "--arch: give the architecture: a product (gpumodel arch list), a generation or a YAML file\n");
}

TEST_CASE("arch check goes through all names before it fails", "[cli][arch][bad]") {
    const auto unknown = run_gpumodel("arch check pentium k40");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err == "pentium: unknown architecture\n");
    CHECK_THAT(unknown.out, Catch::Contains("k40.yaml: ok"));
    const auto both = run_gpumodel("arch check pentium /dev/null ./nowhere.yaml");
    CHECK(both.exit_code == 3);
    CHECK(both.err ==
          "pentium: unknown architecture\n/dev/null: the file is empty\n./nowhere.yaml: no such file\n");
    CHECK(run_gpumodel("arch diff k40 sm_35").out == "k40 and k40: no differences\n");
}

TEST_CASE("an override that contradicts the spec is a usage error, a missing file is not", "[cli][bad]") {
    CHECK(run_gpumodel("predict --arch k40 --kernel naive --set sm.pipes.fma.lanes=1").exit_code == 2);
    CHECK(run_gpumodel("predict --arch gtx_280 --kernel naive --set 'l2.size=1 MiB'").exit_code == 2);
    CHECK(run_gpumodel("predict --arch ./nowhere.yaml --kernel naive").exit_code == 3);
    CHECK(run_gpumodel("predict --arch nowhere --kernel naive").exit_code == 2);
}

TEST_CASE("a sweep's occupancy holds for every value of its row", "[cli][occupancy][bug]") {
    // 16 blocks of one warp are 16 of the K40's 64 warps, of two warps 32.
    const auto result = run_gpumodel("occupancy --arch k40 --registers 32 --sweep threads --format csv");
    CHECK_THAT(result.out, Catch::Contains("k40,threads,32,16,16,0.25\nk40,threads,64,16,32,0.5\n"));
}
