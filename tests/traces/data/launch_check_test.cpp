// What a listing made with -elf says of a launch: parameters, registers, shared memory.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/traces/data/data_kernel.h"
#include "traces/emulate/prepare/program_from_sass.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

SassFunction without_description(const SassFunction& function) {
    auto plain = function;
    plain.resources.reset();
    return plain;
}

std::string refusal(const SassFunction& function, const std::string& arguments) {
    try {
        static_cast<void>(make_sass_source(function, launch_of({1, 1, 1}, {64, 1, 1}, arguments)));
    } catch (const InputError& error) {
        std::string text;
        for (const auto& diagnostic : error.diagnostics()) {
            text += to_string(diagnostic) + "\n";
        }
        return text;
    }
    return "";
}

}  // namespace

TEST_CASE("the description of a kernel is read: parameters, registers, shared memory") {
    // spmv_csr takes five pointers and an int; histogram_shared has 256 counters of 4 bytes
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const auto& spmv = data_kernel(arch, "spmv_csr").resources.value();
        REQUIRE(spmv.parameters.size() == 6);
        for (int i = 0; i < 6; ++i) {
            const auto& parameter = spmv.parameters[static_cast<std::size_t>(i)];
            CHECK(parameter.ordinal == i);
            CHECK(parameter.offset == 8 * i);
            CHECK(parameter.bytes == (i < 5 ? 8 : 4));
        }
        const auto& histogram = data_kernel(arch, "histogram_shared");
        const auto context = launch_context(histogram, launch_of({1, 1, 1}, {64, 1, 1}, "ptr,ptr,1"));
        CHECK(context.resources.static_shared_bytes == 1024);
        CHECK(context.resources.registers_source == "listing (-elf)");
        // what is allocated holds at least what the code uses
        const auto used =
            launch_context(without_description(histogram), launch_of({1, 1, 1}, {64, 1, 1}, "ptr,ptr,1"));
        CHECK(used.resources.registers_source == "listing, highest register used");
        CHECK(context.resources.registers_per_thread >= used.resources.registers_per_thread);
        CHECK(context.resources.registers_per_thread <= used.resources.registers_per_thread + 8);
    }
}

TEST_CASE("arguments of another number, order or size are refused by name") {
    using Catch::Contains;
    for (const auto& arch : listing_archs) {
        const auto& gather = data_kernel(arch, "gather");  // (const float*, const int*, float*, int)
        INFO(arch);
        CHECK(refusal(gather, "ptr,ptr,ptr,100").empty());
        CHECK_THAT(refusal(gather, "ptr,ptr,ptr"), Contains("arg3: is missing: the kernel has 4 parameters"));
        CHECK_THAT(refusal(gather, "ptr,ptr,ptr,100,7"), Contains("arg4: is one too many"));
        CHECK_THAT(refusal(gather, "ptr,ptr,ptr,n=100L"),
                   Contains("n: is int64 of 8 bytes, where the kernel's parameter 3 has 4: 4096 or 0.5f"));
        const auto swapped = refusal(gather, "n=100,in=ptr,ptr,out=ptr");
        CHECK_THAT(swapped, Contains("n: is int32 of 4 bytes") && Contains("out: is ptr of 8 bytes"));
        // one of another size moves those behind it, which are as the kernel takes them
        const auto wide = refusal(gather, "n=1.5,ptr,out=ptr,7");
        CHECK_THAT(wide, !Contains("missing") && !Contains("too many") && !Contains("out:"));
    }
}

TEST_CASE("a structure of 128 bytes may come value by value: not every such parameter is a tensor map") {
    // spmv_csr, its int taken for a structure of that size
    auto function = data_kernel("sm_90", "spmv_csr");
    auto& last = function.resources.value().parameters.back();
    last.bytes = 128;
    const auto rows = data_kernel("sm_90", "spmv_csr").resources.value().parameters.back().offset;
    std::string values = "ptr,ptr,ptr,ptr,ptr";
    for (int i = 0; i < 32; ++i) {
        values += ",64";
    }
    CHECK(rows == 40);
    CHECK(refusal(function, values).find("tmap(...)") == std::string::npos);
    CHECK(refusal(function, "ptr,ptr,ptr,ptr,ptr,64").find("tmap(...)") != std::string::npos);
}

TEST_CASE("without a description the code says that a pointer is read as an int") {
    using Catch::Contains;
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const auto gather = without_description(data_kernel(arch, "gather"));
        CHECK(refusal(gather, "ptr,ptr,ptr,100").empty());
        CHECK_THAT(refusal(gather, "ptr,ptr,ptr,n=ptr"),
                   Contains("n: is ptr, but the code reads its lower 4"));
        CHECK_THAT(refusal(gather, "ptr,ptr,ptr"), Contains("reads the parameter at byte 24"));
    }
}

TEST_CASE("shared memory beyond what is reserved and given is refused") {
    // two arrays: 2048 bytes, all of which a block reads and writes
    for (const auto& arch : listing_archs) {
        INFO(arch);
        auto function = data_kernel(arch, "matrix_product");
        const auto launch = launch_of({1, 1, 1}, {16, 16, 1}, "ptr,ptr,ptr,16");
        CHECK(program_from_sass(function, launch).resources.static_shared_bytes == 2048);
        function.resources->shared_bytes -= 1024;
        CHECK_THROWS_WITH(program_from_sass(function, launch), Catch::Contains("at least 1024"));
        auto with_dynamic = launch;
        with_dynamic.dynamic_shared_bytes = 1024;
        CHECK_NOTHROW(program_from_sass(function, with_dynamic));
    }
}

TEST_CASE("blocks that given data steer are not taken to follow the first ones") {
    // all work in one block in the middle: block 37 of 64 has rows of 50, the others none
    const auto& spmv = data_kernel("sm_80", "spmv_csr");
    std::vector<int> row(64 * 64 + 1);
    for (std::size_t r = 0; r < 64 * 64; ++r) {
        row[r + 1] = row[r] + (r / 64 == 37 ? 50 : 0);
    }
    auto launch = launch_of({64, 1, 1}, {64, 1, 1}, "ptr:16388B=zeros,ptr:12800B=iota,ptr,ptr,ptr,4096");
    struct Rows final : GivenData {
        explicit Rows(std::vector<int> values) : rows(std::move(values)) {}
        [[nodiscard]] std::int64_t bytes() const override {
            return static_cast<std::int64_t>(4 * rows.size());
        }
        [[nodiscard]] std::uint64_t read(std::int64_t offset, int count) const override {
            return count == 4 ? static_cast<std::uint32_t>(rows.at(static_cast<std::size_t>(offset / 4))) : 0;
        }
        std::vector<int> rows;
    };
    launch.arguments.list[0].data = std::make_shared<Rows>(row);
    const auto program = program_from_sass(spmv, launch);
    CHECK(program.unknown_data.empty());
    bool alone = false;
    for (const auto& variant : program.variants) {
        alone = alone || (variant.blocks.begin.x == 37 && variant.blocks.count() == 1);
    }
    CHECK(alone);
}
