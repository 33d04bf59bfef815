// predict --resources-from: the compiler's word on registers and shared memory instead of the estimate.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/support/run_command.h"

namespace {

struct Resources {
    std::string registers, shared;
};

// What the log says of the first entry whose name has `part`.
Resources said_of(const std::string& path, const std::string& part) {
    std::ifstream file(path);
    REQUIRE(file);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::smatch found;
    const std::string entry = text.substr(text.find(part));
    REQUIRE(std::regex_search(entry, found, std::regex(R"(Used (\d+) registers,[^\n]* (\d+) bytes smem)")));
    return {found[1], found[2]};
}

}  // namespace

TEST_CASE("the compiler's log gives the registers and the shared memory", "[cli]") {
    const auto log = std::string(GPUMODEL_TEST_DATA) + "/../fuzz/corpus/resource_log/ptxas_13_0.txt";
    const auto said = said_of(log, "transpose_padded");
    const auto run = run_gpumodel(
        "predict --arch h200_sxm --kernel transpose_padded -m 256 -n 256 -k 256 --generated --model analytic "
        "--format csv --metrics registers_per_thread,shared_bytes_per_block --resources-from " +
        log);
    REQUIRE(run.exit_code == 0);
    CHECK(run.out.find("ok," + said.registers + "," + said.shared + "\n") != std::string::npos);
    // a log of other generations has no word on this one
    const auto other = std::string(GPUMODEL_TEST_DATA) + "/../fuzz/corpus/resource_log/ptxas_11_8.txt";
    const auto refused = run_gpumodel(
        "predict --arch h200_sxm --kernel transpose_padded -m 256 -n 256 -k 256 --resources-from " + other);
    CHECK(refused.exit_code == 3);
    CHECK(refused.err.find("no entry for `transpose_padded` on sm_90") != std::string::npos);
}
