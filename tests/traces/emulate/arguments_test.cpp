#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "traces/emulate/prepare/kernel_arguments.h"

using namespace gpumodel;
using Type = KernelArgument::Type;

TEST_CASE("thousands of empty arguments are one fault, and more than a kernel takes another", "[unit][bug]") {
    const auto faults_of = [](const std::string& text) {
        try {
            (void)parse_arguments(text);
        } catch (const InputError& error) {
            return error.diagnostics();
        }
        return std::vector<Diagnostic>{};
    };
    const auto commas = faults_of(std::string(4999, ','));
    REQUIRE(commas.size() == 1);
    CHECK(commas[0].key == "arg0");
    CHECK_THAT(commas[0].message, Catch::StartsWith("one of 5000 empty values; allowed: "));
    const auto between = faults_of("1,,nonsense,,");
    REQUIRE(between.size() == 2);
    CHECK(between[0].key == "arg1");
    CHECK_THAT(between[0].message, Catch::StartsWith("one of 3 empty values"));
    CHECK(between[1].key == "arg2");
    const auto single = faults_of("1,,2");
    REQUIRE(single.size() == 1);
    CHECK_THAT(single[0].message, Catch::StartsWith("empty value; allowed: "));
    std::string words = "1";
    for (int i = 1; i < 8191; ++i) {
        words += ",1";
    }
    CHECK(parse_arguments(words).list.size() == 8191);
    const auto many = faults_of(words + ",1,nonsense");
    REQUIRE(many.size() == 1);
    CHECK(many[0].message == "more than 8191 arguments; a kernel takes at most 32764 bytes");
}

TEST_CASE("parameters are laid out with C's alignment") {
    const auto arguments = parse_arguments("4096, 0.5f,ptr:64MiB,7, n=4096L,-1,0.5,0xffffffff");
    struct Row {
        Type type;
        std::int64_t offset;
    };
    // int, float, pointer, int, (padding) long, int, (padding) double, unsigned
    const std::vector<Row> expected{{Type::int32, 0},    {Type::float32, 4}, {Type::pointer, 8},
                                    {Type::int32, 16},   {Type::int64, 24},  {Type::int32, 32},
                                    {Type::float64, 40}, {Type::int32, 48}};
    REQUIRE(arguments.list.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(arguments.list[i].type == expected[i].type);
        CHECK(arguments.list[i].offset == expected[i].offset);
    }
    CHECK(arguments.bytes == 52);
    CHECK(arguments.list[0].integer == 4096);
    CHECK(arguments.list[1].number == 0.5);
    CHECK(arguments.list[2].allocation_bytes == 64 * 1024 * 1024);
    CHECK(arguments.list[2].name == "arg2");
    CHECK(arguments.list[4].name == "n");
    CHECK(arguments.list[5].integer == -1);
    CHECK(arguments.list[7].integer == 0xffffffffLL);
    CHECK(parse_arguments("").list.empty());
    CHECK(parse_arguments("1e3").list[0].type == Type::float64);
    CHECK(parse_arguments("ptr").list[0].allocation_bytes == 0);
}

TEST_CASE("all faulty parameters are reported at once") {
    try {
        static_cast<void>(parse_arguments("4294967296,,ptr:64,ptr:0 B,abc,1=2,n=1,n=2,9e99f,12x,0x1p3L"));
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        std::vector<std::string> keys;
        for (const auto& fault : error.diagnostics()) {
            CHECK(fault.file == "--args");
            keys.push_back(fault.key);
        }
        CHECK(keys == std::vector<std::string>{"arg0", "arg1", "arg2", "arg3", "arg4", "arg5", "n", "arg8",
                                               "arg9", "arg10"});
    }
}
