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

// examples/tensor/group_gemm.cu: tensor copies into a ring of four stages, five tiles along K.
TEST_CASE("the example with tensor copies and warp-group products computes its product") {
    static const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/examples/tensor/group_gemm.sass.gz");
    constexpr int m = 128, n = 256, k = 320;
    const auto number = [](int i, int at) { return ((i * 7 + at * 3) % 9 - 4) * 0.5; };
    const auto operand = [&](int rows, int first) {
        Bytes bytes(static_cast<std::size_t>(rows * k * 2));
        for (int i = 0; i < rows; ++i) {
            for (int at = 0; at < k; ++at) {
                group_cases::put(bytes, static_cast<std::size_t>((i * k + at) * 2),
                                 group_cases::bits_of(number(i + first, at), group_cases::Type::f16), 2);
            }
        }
        return bytes;
    };
    SassLaunch launch;
    launch.grid = {n / 128, m / 128, 1};
    launch.block = {128, 1, 1};
    launch.dynamic_shared_bytes = 131072;
    launch.arguments = parse_arguments(
        "A=tmap(ptr,f16,320x128,640,64x128,128),B=tmap(ptr,f16,320x256,640,64x128,128),"
        "C=ptr:131072B,256,320");
    launch.arguments.list[0].data = std::make_shared<GivenBytes>(operand(m, 0));
    launch.arguments.list[1].data = std::make_shared<GivenBytes>(operand(n, 5));
    const auto arrays = execute_grid(*module.find("group_gemm"), launch);
    CHECK(arrays.at(2).unknown_bytes == 0);
    std::vector<float> c(m * n), expected(m * n);
    REQUIRE(arrays[2].bytes.size() == c.size() * 4);
    std::memcpy(c.data(), arrays[2].bytes.data(), c.size() * 4);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int at = 0; at < k; ++at) {
                sum += number(i, at) * number(j + 5, at);
            }
            expected[static_cast<std::size_t>(i * n + j)] = static_cast<float>(sum);
        }
    }
    CHECK(c == expected);
}
