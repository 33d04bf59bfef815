// What people type who mean something else: the message says what to write.
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace near_misses_test {

TEST_CASE("what is nearly right is answered with what is right", "[cli][input]") {
    const std::string launch = "predict --arch k40 --kernel smem ";
    struct Case {
        std::string arguments, answer;
    };
    const std::vector<Case> cases{
        {launch + "-p BM 64", "unknown argument '64'; nearest: -p BM=64"},
        {launch + "--set l2.size 2MiB", "unknown argument '2MiB'; nearest: --set l2.size=2MiB"},
        {launch + "--M 2048", "unknown argument '--M'; nearest: -m"},
        {launch + "-m=2048", "-m: '=2048' is not a whole number; nearest: -m 2048"},
        {"kernels", "a subcommand is required: list, show"},
        {"arch", "a subcommand is required: list, show"},
    };
    for (const auto& [arguments, answer] : cases) {
        INFO(arguments);
        const auto result = run_gpumodel(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Catch::Contains(answer));
    }
}

TEST_CASE("a spec's file without its path is found for who forgot the path", "[cli][input]") {
    const TemporaryFolder folder;
    std::ofstream(folder.file("my_gpu.yaml")) << "extends: k40\n";
    for (const std::string name : {"my_gpu", "my_gpu.yaml"}) {
        INFO(name);
        const auto result = run_gpumodel("predict --arch " + name + " --kernel smem --brief", folder.path());
        const bool is_path = name.ends_with(".yaml");
        CHECK((result.exit_code == 2) == !is_path);
        CHECK((result.err.find("a file is given with its path: ./my_gpu.yaml") == std::string::npos) ==
              is_path);
    }
}

}  // namespace near_misses_test
