// Device memory that is no parameter: variables of the module, the barrier of the grid, and calls that leave
// the entry, named. Of listings made with -elf: CUDA 11.8 has the addresses in the code, CUDA 13 (module_13)
// in constant bank 4.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "base/diagnostics.h"
#include "tests/traces/data/data_kernel.h"
#include "traces/emulate/prepare/program_from_sass.h"

namespace module_test {

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

const std::vector<std::string> archs{"module_sm_35",    "module_sm_50",  "module_sm_61",
                                     "module_sm_70",    "module_sm_80",  "module_sm_90",
                                     "module_13_sm_90", "module_sm_100", "module_sm_120"};

// Byte offsets by array.
class OffsetSink final : public WarpSink {
public:
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent& event) override {
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((event.active >> lane & 1U) != 0 && event.space == MemorySpace::global) {
                offsets[event.array].insert(event.address[lane]);
            }
        }
    }
    std::map<int, std::set<std::int64_t>> offsets;
};

// Accesses of warps, by array.
class AccessSink final : public WarpSink {
public:
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent& event) override {
        count[event.array] += event.space == MemorySpace::global ? 1 : 0;
    }
    std::map<int, int> count;
};

int array_named(const LaunchContext& context, const std::string& name) {
    for (std::size_t i = 0; i < context.arrays.size(); ++i) {
        if (context.arrays[i].name == name) {
            return static_cast<int>(i);
        }
    }
    return -2;
}

}  // namespace

TEST_CASE("__device__ variables are allocations of their own") {
    for (const auto& arch : archs) {
        INFO(arch);
        const auto& function = data_kernel(arch, "variables");
        const auto launch = launch_of({8, 1, 1}, {64, 1, 1}, "ptr:2KiB,512");
        const auto context = launch_context(function, launch);
        const auto table = array_named(context, "table"), counter = array_named(context, "counter");
        REQUIRE(table > 0);
        REQUIRE(counter > 0);
        CHECK(context.arrays[static_cast<std::size_t>(table)].bytes == 1024);
        CHECK(context.arrays[static_cast<std::size_t>(counter)].bytes == 4);
        const auto source = make_sass_source(function, launch);
        OffsetSink sink;
        source->run_block({5, 0, 0}, sink);  // elements 320 ... 383 of the output, 64 ... 127 of the table
        std::set<std::int64_t> expected;
        for (std::int64_t i = 64; i < 128; ++i) {
            expected.insert(4 * i);
        }
        CHECK(sink.offsets[table] == expected);
        CHECK(sink.offsets[counter] == std::set<std::int64_t>{0});
        CHECK(*sink.offsets[0].begin() == 4 * 320);
        CHECK(source->notes().empty());
    }
}

TEST_CASE("a barrier of the whole grid is passed, by one thread of each block, and said") {
    for (const auto& arch : archs) {
        INFO(arch);
        const auto& function = data_kernel(arch, "grid_sync");
        const auto launch = launch_of({6, 1, 1}, {64, 1, 1}, "ptr:4KiB,ptr:4KiB,384");
        const auto context = launch_context(function, launch);
        const auto barrier = array_named(context, "grid barrier");
        REQUIRE(barrier > 0);
        const auto source = make_sass_source(function, launch);
        OffsetSink sink;
        source->run_block({2, 0, 0}, sink);
        CHECK(sink.offsets[barrier] == std::set<std::int64_t>{4});
        CHECK(sink.offsets[0].size() == 64);  // read before the barrier, written behind it
        CHECK(sink.offsets[1].size() == 128);
        CHECK(source->unknown_data().empty());
        const auto program = program_from_sass(function, launch);
        CHECK(program.grid_barrier);
        CHECK(std::any_of(program.notes.begin(), program.notes.end(), [](const std::string& note) {
            return note.find("cooperative launch") != std::string::npos;
        }));
        CHECK_FALSE(
            program_from_sass(data_kernel(arch, "variables"), launch_of({1, 1, 1}, {32, 1, 1}, "ptr,32"))
                .grid_barrier);
    }
}

TEST_CASE("blocks of a cooperative launch go on for as many rounds as all of them together need") {
    constexpr int blocks = 8;
    const auto& function = data_kernel("grid_rounds_13_sm_90", "grid_rounds");
    const auto launch =
        launch_of({blocks, 1, 1}, {64, 1, 1}, "ptr:4KiB=random:99..99:i32,ptr:4KiB=zeros,ptr:4KiB=zeros");
    const auto source = make_sass_source(function, launch);
    for (const std::int64_t block : {1, 3, 7}) {
        AccessSink sink;
        source->run_block({block, 0, 0}, sink);
        CHECK(sink.count[0] + sink.count[1] == 3 * (blocks + 1));  // two loads and a store a round
    }
    CHECK(source->side_by_side().cycles > 0);
    const auto notes = program_from_sass(function, launch).notes;
    CHECK(std::none_of(notes.begin(), notes.end(), [](const std::string& note) {
        return note.find("taken for the last to come") != std::string::npos;
    }));
}

TEST_CASE("calls that leave the entry say what they call") {
    const auto refusal = [](const std::string& arch, const std::string& kernel,
                            const std::string& arguments) {
        try {
            static_cast<void>(
                execute(data_kernel(arch, kernel), launch_of({1, 1, 1}, {32, 1, 1}, arguments)));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("ran");
    };
    for (const auto& arch : archs) {
        INFO(arch);
        CHECK_THAT(refusal(arch, "prints", "8"), Catch::Contains("calls vprintf (printf)"));
        CHECK_THAT(refusal(arch, "allocates", "ptr:256B,8"), Catch::Contains("calls malloc"));
    }
}

}  // namespace module_test
