// gpumodel memory as a user runs it, on the guides' examples.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

namespace {

nlohmann::json json_of(const std::string& arguments) {
    return nlohmann::json::parse(run_gpumodel("memory --format json " + arguments).out);
}

}  // namespace

TEST_CASE("memory: the guides' patterns", "[cli][memory]") {
    const auto stride = json_of("--arch sm_70 --stride 2");
    CHECK(stride["global"]["sectors"] == 8);
    CHECK(stride["global"]["efficiency"] == 0.5);
    CHECK(stride["shared"]["degree"] == 2);
    CHECK(json_of("--arch sm_70 --offset 4")["global"]["sectors"] == 5);
    CHECK(json_of("--arch c2050 --offset 4")["global"]["transactions"] == 2);
    CHECK(json_of("--arch c2050 --offset 4 --path l2")["global"]["transactions"] == 5);
    CHECK(json_of("--arch quadro_fx_5600 --offset 4")["global"]["transactions"] == 32);
    CHECK(json_of("--arch k40 --stride 2")["shared"]["wavefronts"] == 1);
    CHECK(json_of("--arch sm_70 --pitch 32 --column --store")["shared"]["wavefronts"] == 32);
    CHECK(json_of("--arch sm_70 --pitch 33 --column --store")["shared"]["wavefronts"] == 1);
    CHECK(json_of("--arch k40 --pitch 32 --column --bank-width 8")["shared"]["wavefronts"] == 16);
    CHECK(json_of("--arch sm_70 --stride 0 --active 0x1")["global"]["requested_bytes"] == 4);
}

TEST_CASE("memory: addresses typed, piped and from a file", "[cli][memory]") {
    const auto typed = json_of("--arch sm_70 --addresses 0,128,0x100 --space global");
    CHECK(typed["access"]["active_mask"] == 7);
    CHECK(typed["global"]["sectors"] == 3);
    CHECK(!typed.contains("shared"));
    const auto piped =
        run_shell("printf '0 4\\n128' | {gpumodel} memory --arch sm_70 --addresses - --format csv");
    CHECK(piped.exit_code == 0);
    CHECK_THAT(piped.out, Catch::Contains("\nv100_sxm2,load,4,3,l1,1,2,2,2,12,64,0.1875,32,4,1,2,1,2,1\n"));
    const auto bad = run_shell("printf '0 4\\n16,y' | {gpumodel} memory --arch sm_70 --addresses -");
    CHECK(bad.exit_code == 2);
    CHECK(bad.err == "stdin:2:4: --addresses: 'y' is not a whole number\n");
}

TEST_CASE("memory: the lane -> bank picture", "[cli][memory]") {
    const auto result = run_gpumodel("memory --arch sm_70 --space shared --addresses 0,128,4,4 -v");
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, Catch::Contains("  phase 0: up to 2 words in a bank\n    bank   0   1   2"));
    CHECK_THAT(result.out, Catch::Contains("\n    lane   0  2+   .   ."));
    CHECK_THAT(result.out, Catch::Contains("\n           1\n"));
}

TEST_CASE("memory: all option faults at once", "[cli][memory][bad]") {
    const auto result = run_gpumodel(
        "memory --arch sm_70 --space local --width 3 --active 0x1ffffffff --path l1 --store --bank-width 8 "
        "--pitch 3");
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err ==
          "--space: 'local' is none of global, shared, both\n"
          "--pitch: a column access needs both --pitch and --column\n"
          "--width: 3 is none of 1, 2, 4, 8, 16\n"
          "--active: 0x1ffffffff is out of range; allowed 0 to 4294967295\n"
          "--path: l1 is for loads; stores go to L2 by sectors\n"
          "--bank-width: 8 is not a bank width of v100_sxm2; allowed 4\n");
    CHECK(run_gpumodel("memory --arch sm_70 --offset 6").err ==
          "--width: lane 0: address 6 is not a multiple of the width 4\n");
    CHECK(run_gpumodel("memory --arch sm_70 --stride=-1").err ==
          "--stride: lane 1: address -4 is negative; raise --offset\n");
    CHECK(run_gpumodel("memory --arch sm_70 --addresses 0,4 --stride 2 --active 7").err ==
          "--addresses: excludes --stride, --offset, --pitch and --column\n"
          "--active: names lanes that have no address\n");
}
