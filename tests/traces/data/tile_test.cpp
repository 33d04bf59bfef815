// Copies of tensors' tiles (tensor/tiles.cu): what they leave in shared and in device memory, the swizzle,
// what lies outside of the tensor, and what tmap() refuses.
#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "base/diagnostics.h"
#include "tests/traces/data/given_bytes.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

const SassFunction& tile_kernel(const std::string& name) {
    static const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/tests/traces/data/tensor/tiles.sass.gz");
    const auto* found = module.find(name);
    REQUIRE(found != nullptr);
    return *found;
}

// Element (x, y, z) of a tensor of 16-bit numbers: its own number, never 0.
std::uint16_t element(int x, int y, int z) {
    return static_cast<std::uint16_t>(1 + x + 40 * y + 400 * z);
}

// 40 x 30 x 3 elements, rows 96 bytes apart, planes 3072.
Bytes tensor() {
    Bytes bytes(3 * 3072);
    for (int z = 0; z < 3; ++z) {
        for (int y = 0; y < 30; ++y) {
            for (int x = 0; x < 40; ++x) {
                const auto number = element(x, y, z);
                std::memcpy(bytes.data() + z * 3072 + y * 96 + 2 * x, &number, 2);
            }
        }
    }
    return bytes;
}

SassLaunch tile_launch(const std::string& map, const std::string& rest) {
    SassLaunch launch;
    launch.block = {64, 1, 1};
    launch.dynamic_shared_bytes = 4096;
    launch.arguments = parse_arguments("M=tmap(" + map + ")," + rest);
    launch.arguments.list[0].data = std::make_shared<GivenBytes>(tensor());
    return launch;
}

SassLaunch launch_with(const std::string& arguments) {
    SassLaunch launch;
    launch.block = {64, 1, 1};
    launch.dynamic_shared_bytes = 4096;
    launch.arguments = parse_arguments(arguments);
    if (launch.arguments.list[0].data == nullptr) {
        launch.arguments.list[0].data = std::make_shared<GivenBytes>(tensor());
    }
    return launch;
}

std::vector<std::uint16_t> loaded(const std::string& kernel, const std::string& map, const std::string& at,
                                  int bytes) {
    const auto launch =
        tile_launch(map, at + "," + std::to_string(bytes) + ",out=ptr:" + std::to_string(bytes) + "B");
    const auto arrays = execute_grid(tile_kernel(kernel), launch);
    CHECK(arrays.at(5).unknown_bytes == 0);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(bytes / 2));
    REQUIRE(arrays[5].bytes.size() == static_cast<std::size_t>(bytes));
    std::memcpy(values.data(), arrays[5].bytes.data(), static_cast<std::size_t>(bytes));
    return values;
}

std::string refusal(const std::string& kernel, const SassLaunch& launch) {
    try {
        static_cast<void>(execute_grid(tile_kernel(kernel), launch));
    } catch (const InputError& error) {
        return to_string(error.diagnostics().front());
    }
    return "";
}

std::string argument_fault(const std::string& text) {
    try {
        static_cast<void>(parse_arguments(text));
    } catch (const InputError& error) {
        return to_string(error.diagnostics().front());
    }
    return "";
}

const std::string two = "ptr:9216B,u16,40x30,96,";

}  // namespace

TEST_CASE("a tile of two dimensions lies row by row, zero outside of the tensor") {
    const auto values = loaded("load_2d", two + "16x8,none", "32,-2,0", 256);
    for (int row = 0; row < 8; ++row) {
        for (int column = 0; column < 16; ++column) {
            const int x = 32 + column, y = -2 + row;
            INFO(row << ", " << column);
            CHECK(values[static_cast<std::size_t>(16 * row + column)] ==
                  (x < 40 && y >= 0 ? element(x, y, 0) : 0));
        }
    }
}

TEST_CASE("a swizzle moves 16-byte chunks within the rows of a tile") {
    // chunk c of row r: 128 bytes c ^ (r mod 8), 64 bytes c ^ (r / 2 mod 4), 32 bytes c ^ (r / 4 mod 2)
    for (const int width : {32, 64}) {
        const int columns = width / 2, rows = 16;
        const auto values = loaded("load_2d", two + std::to_string(columns) + "x16," + std::to_string(width),
                                   "8,3,0", width * rows);
        for (int row = 0; row < rows; ++row) {
            const int with = width == 64 ? row / 2 % 4 : row / 4 % 2;
            for (int column = 0; column < columns; ++column) {
                const int chunk = column / 8 ^ with;
                INFO(width << ": " << row << ", " << column);
                CHECK(values[static_cast<std::size_t>(columns * row + 8 * chunk + column % 8)] ==
                      element(8 + column, 3 + row, 0));
            }
        }
    }
    const auto values = loaded("load_2d", "ptr:9216B,u32,24x30,96,32x16,128", "0,0,0", 2048);
    for (int row = 0; row < 16; ++row) {
        for (int word = 0; word < 20; ++word) {
            const auto chunk = static_cast<std::size_t>(word / 4 ^ row % 8);
            CHECK(values[static_cast<std::size_t>(64 * row + 2 * (word % 4)) + 8 * chunk] ==
                  element(2 * word, row, 0));
        }
    }
}

TEST_CASE("tiles of one and of three dimensions") {
    const auto line = loaded("load_1d", "ptr:9216B,u16,40,-,32,none", "4,0,0", 64);
    for (int column = 0; column < 32; ++column) {
        CHECK(line[static_cast<std::size_t>(column)] == element(4 + column, 0, 0));
    }
    const auto values = loaded("load_3d", "ptr:9216B,u16,40x30x3,96x3072,8x4x2,none", "8,5,1", 128);
    for (int i = 0; i < 64; ++i) {
        CHECK(values[static_cast<std::size_t>(i)] == element(8 + i % 8, 5 + i / 8 % 4, 1 + i / 32));
    }
}

TEST_CASE("a tile of five dimensions; dimensions may interleave: columns of 16 side by side, then rows") {
    const auto values =
        loaded("load_5d", "ptr:9216B,u16,40x30x3x1x1,96x3072x9216x9216,8x4x2x1x1,none", "8,5,1", 128);
    const auto halves = loaded("load_3d", "ptr:9216B,u16,16x30x2,96x32,16x4x2,none", "0,5,0", 256);
    for (int i = 0; i < 64; ++i) {
        CHECK(values[static_cast<std::size_t>(i)] == element(8 + i % 8, 5 + i / 8 % 4, 1 + i / 32));
    }
    for (int i = 0; i < 128; ++i) {
        CHECK(halves[static_cast<std::size_t>(i)] == element(i % 16 + 16 * (i / 64), 5 + i / 16 % 4, 0));
    }
}

TEST_CASE("a tensor map in device memory, which the kernel has the address of") {
    auto launch = launch_with("M=ptr=tmap(" + two + "16x8,none),32,3,256,out=ptr:256B");
    const auto arrays = execute_grid(tile_kernel("load_by_address"), launch);
    REQUIRE(arrays.at(4).bytes.size() == 256);
    for (int i = 0; i < 128; ++i) {
        std::uint16_t value = 0;
        std::memcpy(&value, arrays[4].bytes.data() + 2 * i, 2);
        CHECK(value == (i % 16 < 8 ? element(32 + i % 16, 3 + i / 16, 0) : 0));
    }
}

TEST_CASE("a ring whose users arrive with tokens: its sums, and what each wait needs") {
    constexpr int tiles = 20, words = 512;
    auto launch = launch_with("in=ptr:81920B=iota:f32,out=ptr:4KiB,20");
    launch.grid = {2, 1, 1};
    launch.block = {384, 1, 1};
    const auto arrays = execute_grid(tile_kernel("token_ring"), launch);
    for (int i = 0; i < 2 * words; ++i) {
        float sum = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            sum += static_cast<float>((i / words * tiles + tile) * words + i % words);
        }
        float value = 0;
        std::memcpy(&value, arrays.at(1).bytes.data() + 4 * i, 4);
        REQUIRE(value == sum);
    }
    const auto program = program_from_sass(tile_kernel("token_ring"), launch);
    std::set<std::uint32_t> waits;  // their addresses
    each_segment(program.body, [&](const Segment& segment) {
        for (const auto& in : segment.code) {
            if (!in.arrivals_known || in.arrivals_warps == 0) {
                continue;
            }
            waits.insert(in.address);
            // eight warps that add up have arrived three times before the loop, the one that copies has not
            const bool adds_up = segment.thread_begin > 0;
            CHECK(in.arrivals_step == 2);
            CHECK(in.arrivals_from == (adds_up ? 0 : 2));
            CHECK(in.arrivals_warps == (adds_up ? 1 : 0xff0));
            CHECK(in.arrivals_first == (adds_up ? 2 : 3));
            CHECK(in.others_warps == (adds_up ? 0xff0 : 1));
            CHECK(in.others_first == (adds_up ? 4 : 5));
        }
    });
    CHECK(waits.size() == 2);
}

TEST_CASE("a stored tile leaves the tensor's surroundings as they are") {
    auto launch = tile_launch(two + "16x8,none", "32,26,in=ptr:256B,64");
    Bytes given(256);
    for (std::size_t i = 0; i < given.size(); ++i) {
        given[i] = static_cast<std::uint8_t>(200 - i / 2);
    }
    launch.arguments.list[3].data = std::make_shared<GivenBytes>(given);
    const auto arrays = execute_grid(tile_kernel("store_2d"), launch);
    auto expected = tensor();
    for (std::size_t row = 0; row < 4; ++row) {  // of 30 rows, from 26 on; of 40 columns, from 32 on
        std::memcpy(expected.data() + (26 + row) * 96 + 64, given.data() + 32 * row, 16);
    }
    CHECK(arrays.at(0).bytes == expected);
}

TEST_CASE("blocks of a cluster: a tile for both, ranks, and arrivals at each other's barriers") {
    auto launch = tile_launch(two + "16x8,none", "256,out=ptr:1KiB");
    launch.grid = {4, 1, 1};
    const auto arrays = execute_grid(tile_kernel("both_blocks"), launch);
    REQUIRE(arrays.at(2).bytes.size() == 1024);
    for (int block = 0; block < 4; ++block) {
        for (int i = 0; i < 64; ++i) {
            const int x = 8 * (block / 2) + 2 * i % 16, y = i / 8;
            std::uint32_t value = 0;
            std::memcpy(&value, arrays[2].bytes.data() + 256 * block + 4 * i, 4);
            INFO(block << ", " << i);
            CHECK(value == element(x, y, 0) + 0x10000U * (element(x + 1, y, 0) +
                                                          static_cast<std::uint32_t>(block % 2 + 32)));
        }
    }
    auto reads = launch_with("out=ptr:8B");
    reads.grid = {2, 1, 1};
    reads.arguments.list[0].data = nullptr;
    CHECK(refusal("other_memory", reads).find("another block of its cluster") != std::string::npos);
    launch.grid = {3, 1, 1};
    CHECK(refusal("both_blocks", launch).find("no whole clusters of 2 x 1 x 1") != std::string::npos);
}

TEST_CASE("pairs of halves are rounded to nearest even, cut off, or 0 where they are negative") {
    struct Row {
        float value;
        std::uint32_t nearest, cut, positive, half;
    };
    const std::vector<Row> rows{{1.0F, 0x3f80, 0x3f80, 0x3f80, 0x3c00},
                                {1.00390625F, 0x3f80, 0x3f80, 0x3f80, 0x3c04},  // half way: to even
                                {1.01171875F, 0x3f82, 0x3f81, 0x3f82, 0x3c0c},  // half way: up
                                {-2.5F, 0xc020, 0xc020, 0, 0xc100},
                                {3.4e38F, 0x7f80, 0x7f7f, 0x7f80, 0x7c00},
                                {65520.0F, 0x4780, 0x477f, 0x4780, 0x7c00},
                                {1.0e-7F, 0x33d7, 0x33d6, 0x33d7, 0x0002},
                                {0.0F, 0, 0, 0, 0}};
    Bytes given(rows.size() * 4);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::memcpy(given.data() + 4 * i, &rows[i].value, 4);
    }
    auto launch = launch_with("in=ptr:32B=zeros,out=ptr:64B");
    launch.block = {4, 1, 1};
    launch.arguments.list[0].data = std::make_shared<GivenBytes>(given);
    const auto out = execute_grid(tile_kernel("pack_pairs"), launch).at(1).bytes;
    for (std::size_t thread = 0; thread < 4; ++thread) {
        const auto &a = rows[2 * thread], &b = rows[2 * thread + 1];
        std::uint32_t pairs[4];
        std::memcpy(pairs, out.data() + 16 * thread, sizeof pairs);
        CHECK(pairs[0] == (a.nearest << 16 | b.nearest));
        CHECK(pairs[1] == (a.cut << 16 | b.cut));
        CHECK(pairs[2] == (a.positive << 16 | b.positive));
        CHECK(pairs[3] == (a.half << 16 | b.half));
    }
}

TEST_CASE("a tile is counted by the sectors of its rows") {
    const auto program =
        program_from_sass(tile_kernel("load_2d"), tile_launch(two + "16x30,none", "0,0,0,960,out=ptr:960B"));
    double bytes = 0;
    each_segment(program.body, [&](const Segment& segment) {
        for (const auto& site : segment.sites) {
            for (int word = 0; site.array == "M" && word < site.words; word += site.vector_words) {
                for (int lane = 0; lane < 32; ++lane) {
                    Coord at;
                    at.thread = segment.thread_begin + lane;
                    bytes += site.is_active(at, word) ? 16 : 0;
                    if (site.is_active(at, word)) {
                        const int byte = word / 4 * 512 + lane * 16;
                        CHECK(site.address(at, word) == byte / 32 * 96 + byte % 32);
                    }
                }
            }
        }
    });
    CHECK(bytes == 960);
}

TEST_CASE("tensor maps that the driver or the emulation does not take are refused by name") {
    CHECK(refusal("multicast", tile_launch(two + "16x8,none", "0,0,256,out=ptr:256B"))
              .find("to block 1 of a cluster of 1") != std::string::npos);
    CHECK(refusal("load_3d", tile_launch(two + "16x8,none", "0,0,0,256,out=ptr:256B"))
              .find("3 dimensions, but M has 2") != std::string::npos);
    CHECK(argument_fault("tmap(ptr,u16,40x30,96,16x8)").find("5 values") != std::string::npos);
    CHECK(argument_fault("tmap(ptr,i7,40x30,96,16x8,none)").find("no type") != std::string::npos);
    CHECK(argument_fault("tmap(ptr,u16,40x30,100,16x8,none)").find("multiple of 16") != std::string::npos);
    CHECK(argument_fault("M=ptr=tmap(ptr,u16,40x30,96,16x8,48)").find("no swizzle") != std::string::npos);
    CHECK(argument_fault("M=ptr=iota").find("need a size") != std::string::npos);
    CHECK(argument_fault("tmap(ptr,u16,40x30,96,16x300,none)").find("no box") != std::string::npos);
    CHECK(argument_fault("tmap(ptr,u16,40x30,96,32x8,32)").find("more than the swizzle") !=
          std::string::npos);
    CHECK(argument_fault("tmap(ptr,u16,40x30,96,16x8,48)").find("no swizzle") != std::string::npos);
    CHECK(argument_fault("tmap(q,u16,40x30,96,16x8,none)").find("neither ptr") != std::string::npos);
    CHECK(argument_fault("tmap(ptr:1KiB,u16,40x30,96,16x8,none)").find("the allocation 1024") !=
          std::string::npos);
    CHECK(argument_fault("A=ptr:4KiB,tmap(A,u16,40x30,96,16x8,none)").empty());
}
