// What products of a warp group compute, against a plain product on the host: compiled kernels
// (tensor/warp_groups.cu) in every type and layout (tensor/group_cases.h). check_groups.cu runs the same
// cases on a GPU.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/traces/data/given_bytes.h"
#include "tests/traces/data/tensor/group_cases.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

const SassFunction& kernel(const std::string& name) {
    static const auto module =
        read_sass_file(GPUMODEL_SOURCE_DIR "/tests/traces/data/tensor/warp_groups.sass.gz");
    const auto* found = module.find(name);
    REQUIRE(found != nullptr);
    return *found;
}

std::string sized(std::size_t bytes) {
    return "ptr:" + std::to_string(bytes) + "B";
}

Bytes execute(const group_cases::Case& c, const group_cases::Problem& p) {
    const auto a = c.a_in_registers ? sized(p.registers.size()) : std::to_string(p.a) + "L";
    SassLaunch launch;
    launch.block = {128, 1, 1};
    launch.arguments =
        parse_arguments(sized(p.image.size()) + "," + std::to_string(p.image.size() / 4) + "," + a + "," +
                        std::to_string(static_cast<std::int64_t>(p.b)) + "L," + sized(p.old.size()) + "," +
                        sized(p.old.size()) + "," + (c.adds ? "1" : "0"));
    auto& list = launch.arguments.list;
    list[0].data = std::make_shared<GivenBytes>(p.image);
    list[2].data = c.a_in_registers ? std::make_shared<GivenBytes>(p.registers) : nullptr;
    list[4].data = std::make_shared<GivenBytes>(p.old);
    const auto written = execute_grid(kernel(c.kernel), launch);
    CHECK(written.at(5).unknown_bytes == 0);
    return written.at(5).bytes;
}

}  // namespace

TEST_CASE("products of warp groups in every type and layout") {
    for (const auto& c : group_cases::all()) {
        INFO(c.kernel << ", A " << 16 * c.width_a << " bytes wide, B " << 16 * c.width_b << ", slice "
                      << c.slice);
        const auto problem = group_cases::make(c);
        const auto values = group_cases::results(c, execute(c, problem));
        CHECK(values == problem.expected);
    }
}
