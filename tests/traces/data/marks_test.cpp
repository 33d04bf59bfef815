// Real kernels whose path or addresses hang on memory: what is marked, with which instruction, when nobody
// gives the data, and that nothing is when it is given or only becomes stored values.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/traces/data/data_kernel.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

using What = UnknownData::What;

struct Expected {
    What what;
    std::string opcodes;  // one of them must be marked so: "LDG LD" by generations
};

struct Case {
    std::string kernel;
    Dim3 grid, block;
    std::string unknown;  // --args without data
    std::vector<Expected> marks;
    std::string given;  // with data; "" = as yet none that ends
    bool kepler = true;
};

const std::vector<Case>& data_cases() {
    static const std::string load = "LDG LD";
    static const std::vector<Case> cases{
        {"gather",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,100",
         {{What::address, load}},
         "ptr,ptr:400B=random:0..99,ptr,100"},
        {"scatter",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,100",
         {{What::address, "STG ST"}},
         "ptr,ptr:400B=iota,ptr,100"},
        {"spmv_csr",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,ptr,ptr,100",
         {{What::branch, "BRA EXIT NOP SYNC"}},
         "ptr:404B=iota,ptr:4KiB=random:0..99,ptr,ptr,ptr,100"},
        {"histogram_global",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,1000,64",
         {{What::address, "RED ATOM ATOMG REDG"}},
         "ptr:4KiB=random:0..100000:u32,ptr,1000,64"},
        {"histogram_shared",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,1000",
         {{What::address, "ATOMS LDSLK"}},
         "ptr:4KiB=random:0..255:u8,ptr,1000"},
        {"bfs_step",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,ptr,0,100",
         {{What::branch, "EXIT"}, {What::branch, "BRA EXIT NOP SYNC"}},
         "ptr:404B=iota,ptr:4KiB=random:0..99,ptr:400B=random:-1..0,ptr:4B=zeros,0,100"},
        {"cas_add",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,100,3",
         {{What::trips, "BRA EXIT"}},
         "ptr:800B=random:0..1:f64,ptr:24B=zeros,100,3",
         false},
        {"compact",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,100",
         {{What::branch, "EXIT"}},
         "ptr:400B=random:-1..1:f32,ptr,ptr:4B=zeros,100"},
        {"bitonic_step",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,2,4",
         {{What::branch, "EXIT BRA"}},
         "ptr:512B=random:0..1000,2,4"},
        {"binary_search",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,1000,100",
         {{What::address, load}, {What::trips, "BRA BRK"}},
         "ptr:4KiB=iota,ptr:400B=random:0..1000,ptr,1000,100"},
        {"hash_probe",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,ptr,255,100",
         {{What::address, load}},
         "ptr:1KiB=iota,ptr,ptr:400B=random:0..255,ptr,255,100"},
        {"list_walk",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,9,100",
         {{What::address, load}},
         "ptr:400B=random:0..99,ptr,9,100"},
        {"by_kind",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,128",
         {{What::branch, "BRA"}},
         "ptr:512B=random:0..2,ptr,ptr,128"},
        {"shared_index",
         {2, 1, 1},
         {256, 1, 1},
         "ptr,ptr,ptr",
         {{What::address, load}},
         "ptr:2KiB=random:0..511,ptr,ptr"},
        {"shuffled_index",
         {2, 1, 1},
         {256, 1, 1},
         "ptr,ptr,ptr",
         {{What::address, load}},
         "ptr:2KiB=random:0..511,ptr,ptr"},
        {"local_index",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,ptr,3",
         {{What::address, load}},
         "ptr:8KiB=random:0..511,ptr,ptr,3"},
        {"early_exit", {2, 1, 1}, {64, 1, 1}, "ptr,ptr", {{What::branch, "EXIT"}}, "ptr:4B=zeros,ptr"},
        {"escape_time",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,30",
         {{What::trips, "BRA BRK EXIT"}},
         "ptr:1KiB=random:-1..1:f32,ptr,30"},
        {"any_active",
         {2, 1, 1},
         {64, 1, 1},
         "ptr,ptr,10",
         {{What::branch, "EXIT"}},
         "ptr:512B=random:0..1,ptr,10"},
        {"count_block",
         {2, 1, 1},
         {128, 1, 1},
         "ptr,ptr,ptr",
         {{What::predicate, "STG ST"}},
         "ptr:1KiB=random:0..20,ptr,ptr"},
    };
    return cases;
}

const SassInstruction& at(const SassFunction& function, std::uint32_t address) {
    return function.instructions.at(function.index_at(address).value());
}

bool has_mark(const Executed& executed, const SassFunction& function, const Expected& expected) {
    return std::any_of(executed.marks.begin(), executed.marks.end(), [&](const UnknownData& mark) {
        return mark.what == expected.what &&
               (' ' + expected.opcodes + ' ').find(' ' + at(function, mark.address).opcode + ' ') !=
                   std::string::npos;
    });
}

std::string listed(const Executed& executed) {
    std::string text;
    for (const auto& mark : executed.marks) {
        text += std::string(to_string(mark.what)) + " " + mark.instruction + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("what hangs on memory that nobody gave is marked, with its instruction") {
    CHECK(data_cases().size() >= 15);
    for (const auto& arch : listing_archs) {
        for (const auto& c : data_cases()) {
            const auto& function = data_kernel(arch, c.kernel);
            const auto executed = execute(function, launch_of(c.grid, c.block, c.unknown));
            INFO(arch << " " << c.kernel << "\n" << listed(executed));
            for (const auto& expected : c.marks) {
                INFO(to_string(expected.what) << " " << expected.opcodes);
                CHECK(has_mark(executed, function, expected));
            }
            for (const auto& mark : executed.marks) {
                const auto& instruction = at(function, mark.address);
                CHECK(mark.instruction.find(instruction.mnemonic()) != std::string::npos);
            }
        }
    }
}

TEST_CASE("data that are given decide without a mark") {
    for (const auto& arch : listing_archs) {
        for (const auto& c : data_cases()) {
            if (arch == "sm_35" && !c.kepler) {
                continue;
            }
            const auto executed = execute(data_kernel(arch, c.kernel), launch_of(c.grid, c.block, c.given));
            INFO(arch << " " << c.kernel << "\n" << listed(executed));
            CHECK(executed.marks.empty());
        }
    }
}

TEST_CASE("values that are only stored mark nothing") {
    const std::vector<std::pair<std::string, std::string>> kernels{
        {"saxpy", "ptr,ptr,2.0f,1000"}, {"matrix_product", "ptr,ptr,ptr,64"}, {"reduction", "ptr,ptr,5000"},
        {"block_scan", "ptr,ptr"},      {"transpose", "ptr,ptr,60,50"},       {"stencil", "ptr,ptr,70,40"},
        {"softmax", "ptr,ptr,300"},     {"relu_root", "ptr,ptr,1000"},        {"atomic_sum", "ptr,ptr,1000"},
    };
    for (const auto& arch : listing_archs) {
        for (const auto& [kernel, arguments] : kernels) {
            const bool square = kernel == "matrix_product" || kernel == "transpose" || kernel == "stencil";
            const Dim3 block = square ? Dim3{16, 16, 1} : Dim3{kernel == "softmax" ? 128 : 256, 1, 1};
            const auto executed = execute(data_kernel(arch, kernel), launch_of({4, 4, 1}, block, arguments));
            INFO(arch << " " << kernel << "\n" << listed(executed));
            CHECK(executed.marks.empty());
        }
    }
}
