// Texture and surface instructions: what kernels compute from textures, against the programming guide's rules
// restated here, and where their accesses go.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "base/diagnostics.h"
#include "tests/support/temporary_folder.h"
#include "tests/traces/data/data_kernel.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

const std::vector<std::string> texture_archs{"textures_sm_35", "textures_sm_50", "textures_sm_61",
                                             "textures_sm_70", "textures_sm_75", "textures_sm_86",
                                             "textures_sm_90", "textures_sm_120"};

struct Run {
    std::string kernel;
    Dim3 grid, block;
    std::string arguments;
};

template <class T>
std::vector<T> computed(const std::string& arch, const Run& run, std::size_t number = 0) {
    auto launch = launch_of(run.grid, run.block, run.arguments);
    launch.keeps_results = true;
    const auto all = execute_grid(data_kernel(arch, run.kernel), launch);
    const auto& array = all.at(number);
    CHECK(array.unknown_bytes == 0);
    std::vector<T> values(array.bytes.size() / sizeof(T));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

int clamped(int at, int size) {
    return std::min(std::max(at, 0), size - 1);
}

// The sectors that a kernel's texture accesses touch, in block 0.
class SectorSink final : public WarpSink {
public:
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent& event) override {
        if (event.array == array) {
            accesses.push_back({});
            lanes.push_back(std::popcount(event.active));
            for (unsigned lane = 0; lane < 32; ++lane) {
                if ((event.active >> lane & 1U) != 0) {
                    accesses.back().insert(event.address[lane] / 32);
                }
            }
        }
    }
    int array = 1;
    std::vector<std::set<std::int64_t>> accesses;
    std::vector<int> lanes;
};

SectorSink texture_accesses(const std::string& arch, const Run& run) {
    const auto source =
        make_sass_source(data_kernel(arch, run.kernel), launch_of(run.grid, run.block, run.arguments));
    SectorSink sink;
    source->run_block({0, 0, 0}, sink);
    return sink;
}

std::vector<std::set<std::int64_t>> texture_sectors(const std::string& arch, const Run& run) {
    return texture_accesses(arch, run).accesses;
}

}  // namespace

TEST_CASE("a texture's contents may come from a file") {
    const TemporaryFolder folder;
    const auto path = (folder.path() / "row.bin").string();
    std::vector<float> row(100);
    for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = 3 * static_cast<float>(i);
    }
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(4 * row.size()));
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto read = computed<float>(
            arch, {"linear_1d", {2, 1, 1}, {64, 1, 1}, "ptr:400B=zeros,tex(f32,100,@" + path + "),100"});
        CHECK(read == row);
    }
}

TEST_CASE("tex1Dfetch reads the element that its index names") {
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto one = computed<float>(
            arch, {"linear_1d", {2, 1, 1}, {64, 1, 1}, "ptr:400B=zeros,tex(f32,100,iota:f32),100"});
        const auto four = computed<float>(
            arch, {"linear_vec4", {1, 1, 1}, {64, 1, 1}, "ptr:1024B,tex(f32x4,64,iota:f32),64"});
        for (std::size_t i = 0; i < 100; ++i) {
            CHECK(one[i] == static_cast<float>(i));
        }
        for (std::size_t i = 0; i < 256; ++i) {
            CHECK(four[i] == static_cast<float>(i));
        }
        // indices that device memory gives: 0, 1, 2, ... of the given array
        const auto gathered =
            computed<float>(arch, {"gather_1d",
                                   {1, 1, 1},
                                   {32, 1, 1},
                                   "ptr:128B,tex(f32,100,iota:f32),ptr:128B=random:3:0..99,32"});
        const auto index = launch_of({1, 1, 1}, {1, 1, 1}, "ptr:128B=random:3:0..99").arguments.list[0].data;
        for (std::size_t i = 0; i < 32; ++i) {
            CHECK(gathered[i] == static_cast<float>(index->read(static_cast<std::int64_t>(4 * i), 4)));
        }
    }
}

TEST_CASE("tex2D reads the texel that its coordinates lie in, clamped at the edges") {
    constexpr int w = 50, h = 20;
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto blurred = computed<float>(
            arch, {"blur_2d", {2, 3, 1}, {32, 8, 1}, "ptr:4000B,tex(f32,50x20,iota:f32,clamp),50,20"});
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                float sum = 0;
                for (int j = -1; j <= 1; ++j) {
                    for (int i = -1; i <= 1; ++i) {
                        sum += static_cast<float>(clamped(y + j, h) * w + clamped(x + i, w));
                    }
                }
                CHECK(blurred[static_cast<std::size_t>(y * w + x)] == sum);
            }
        }
        // outside of a border texture is zero
        const auto framed = computed<float>(
            arch, {"blur_2d", {2, 3, 1}, {32, 8, 1}, "ptr:4000B,tex(f32,50x20,iota:f32,border),50,20"});
        CHECK(framed[0] == 0 + 1 + 50 + 51);
    }
}

TEST_CASE("normalized coordinates, wrapping, bytes as fractions and the linear filter") {
    for (const auto& arch : texture_archs) {
        INFO(arch);
        // bytes 0, 1, 2, ... of a texture of 8x8 texels of 4 bytes, twice along each axis
        const auto scaled = computed<std::uint8_t>(
            arch, {"scale_2d",
                   {1, 2, 1},
                   {16, 8, 1},
                   "ptr:1024B,tex(u8x4,8x8,iota:u8,wrap,normalized,unorm),16,16,0.125f,0.125f"});
        for (int y = 0; y < 16; ++y) {
            for (int x = 0; x < 16; ++x) {
                for (int c = 0; c < 4; ++c) {
                    const int texel = 4 * (y % 8 * 8 + x % 8) + c;
                    const auto value = scaled[static_cast<std::size_t>(4 * (y * 16 + x) + c)];
                    CHECK(value == static_cast<int>(static_cast<float>(texel) / 255.0F * 255.0F));
                }
            }
        }
        // a ramp is its own linear interpolation, but for weights of 8 bits; s = 0.3 i
        const auto ramp = computed<float>(
            arch, {"one_d", {1, 1, 1}, {32, 1, 1}, "ptr:128B,tex(f32,64,iota:f32,linear),0.3f"});
        for (int i = 0; i < 32; ++i) {
            const double at = 0.3 * i;
            CHECK(ramp[static_cast<std::size_t>(i)] ==
                  Approx(std::max(0.0, at - 0.5) + at + 0.5).margin(2.0 / 256));
        }
    }
}

TEST_CASE("mipmap level 0, four texels at once, volumes and layers") {
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto levels = computed<float>(
            arch, {"lod_2d", {2, 4, 1}, {32, 1, 1}, "ptr:1024B=zeros,tex(f32,64x4,iota:f32),64"});
        const auto four = computed<float>(
            arch, {"gather_2d", {2, 3, 1}, {31, 1, 1}, "ptr:4096B=zeros,tex(f32,64x4,iota:f32),64"});
        for (int y = 0; y < 3; ++y) {
            for (int x = 0; x < 62; ++x) {
                CHECK(levels[static_cast<std::size_t>(64 * y + x)] == static_cast<float>(2 * (64 * y + x)));
                // (x + 0.5, y + 0.5) is the middle of texel x, y: a filter there reads it and the next ones
                const auto at = [&](int dx, int dy) {
                    return static_cast<float>(64 * clamped(y + dy, 4) + clamped(x + dx, 64));
                };
                const auto* texels = &four[static_cast<std::size_t>(4 * (64 * y + x))];
                CHECK(texels[0] == at(0, 1));
                CHECK(texels[1] == at(1, 1));
                CHECK(texels[2] == at(1, 0));
                CHECK(texels[3] == at(0, 0));
            }
        }
        const auto volume = computed<float>(
            arch, {"volume", {1, 4, 1}, {32, 1, 1}, "ptr:512B,tex(f32,32x4x5,iota:f32),32,4,5"});
        const auto layers = computed<float>(
            arch, {"layers", {1, 4, 1}, {32, 1, 1}, "ptr:512B,tex(f32,32x4x5,iota:f32,layered),32,3"});
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 32; ++x) {
                const int first = 32 * y + x;
                CHECK(volume[static_cast<std::size_t>(first)] ==
                      static_cast<float>(5 * first + 128 * (1 + 2 + 3 + 4)));
                // the same object read as rows: row 0 of its layer
                CHECK(layers[static_cast<std::size_t>(first)] ==
                      static_cast<float>(first + 3 * 128 + x + 3 * 128));
            }
        }
    }
}

TEST_CASE("surfaces are read and written in bytes") {
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const Run copy{
            "surface_copy", {2, 3, 1}, {32, 8, 1}, "surf(f32,50x20,iota:f32),surf(f32,50x20),50,20"};
        const Run wide{"surface_vec", {1, 2, 2}, {16, 1, 1}, "surf(f32x4,16,iota:f32),surf(f32x4,16x2x2),16"};
        if (arch == "textures_sm_35") {
            CHECK_THROWS_WITH(computed<float>(arch, copy, 1), Catch::Contains("SUCLAMP accesses a surface"));
            continue;
        }
        const auto copied = computed<float>(arch, copy, 1);
        for (std::size_t i = 0; i < 1000; ++i) {
            CHECK(copied[i] == static_cast<float>(i));
        }
        auto launch = launch_of(wide.grid, wide.block, wide.arguments);
        launch.keeps_results = true;
        const auto all = execute_grid(data_kernel(arch, wide.kernel), launch);
        std::vector<float> values(all[1].bytes.size() / 4);
        std::memcpy(values.data(), all[1].bytes.data(), all[1].bytes.size());
        CHECK(all[1].unknown_bytes == 0);
        for (std::size_t i = 0; i < 256; ++i) {
            CAPTURE(i);
            CHECK(values[i] == static_cast<float>(i % 64));
        }
    }
}

TEST_CASE("texture objects that lie in device memory, another one in every other lane") {
    // objects are 256 + the number of their argument
    const std::string handles = "ptr:16B=random:1:260..261:i64";
    const auto data = launch_of({1, 1, 1}, {1, 1, 1}, handles).arguments.list[0].data;
    REQUIRE(data->read(0, 8) != data->read(8, 8));
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto result = computed<float>(
            arch, {"by_lane",
                   {1, 1, 1},
                   {32, 1, 1},
                   "ptr:128B," + handles + ",0.5f,1.5f,tex(f32,40x3,iota:f32),tex(f32,50x4,iota:f32)"});
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const int width = data->read(static_cast<std::int64_t>(8 * (lane % 2)), 8) == 260 ? 40 : 50;
            CHECK(result[lane] == static_cast<float>(width + static_cast<int>(lane)));
        }
    }
}

TEST_CASE("a texture's extents can be asked for") {
    for (const auto* arch : {"textures_sm_35", "textures_sm_50", "textures_sm_61", "textures_sm_70",
                             "textures_sm_75", "textures_sm_86"}) {
        INFO(arch);
        CHECK(computed<int>(arch, {"query", {1, 1, 1}, {1, 1, 1}, "ptr:4B,tex(f32,640x480)"})[0] ==
              640 * 480);
    }
}

TEST_CASE("a row of a linear texture lies in a line, one of an array in sectors of two rows") {
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto row =
            texture_sectors(arch, {"linear_1d", {1, 1, 1}, {32, 1, 1}, "ptr:128B,tex(f32,100),32"});
        REQUIRE(row.size() == 1);
        CHECK(row[0] == std::set<std::int64_t>{0, 1, 2, 3});
        // 8 texels of 4 rows: 2 columns of sectors by 2 pairs of rows
        const auto tile = texture_sectors(
            arch, {"scale_2d", {1, 1, 1}, {8, 4, 1}, "ptr:4KiB,tex(f32x4,64x64),64,64,1f,1f"});
        REQUIRE(tile.size() == 1);
        CHECK(tile[0].size() == 16);  // 16 bytes a texel: a sector holds one of each of two rows
        const auto line = texture_sectors(
            arch, {"scale_2d", {1, 1, 1}, {32, 1, 1}, "ptr:4KiB,tex(f32x4,64x64,pitch),64,64,1f,1f"});
        CHECK(line[0].size() == 16);
        const auto array = texture_sectors(
            arch, {"scale_2d", {1, 1, 1}, {32, 1, 1}, "ptr:4KiB,tex(f32x4,64x64),64,64,1f,1f"});
        CHECK(array[0].size() == 32);
    }
}

// validate/data/h200_sxm_volumes.csv: cycles of a warp and SM over those of an unfiltered float.
TEST_CASE("how often a filter takes a warp's lanes follows from the object") {
    const auto filter = [](const std::string& kernel, const std::string& arguments) {
        const auto source = make_sass_source(data_kernel("textures_sm_90", kernel),
                                             launch_of({1, 1, 1}, {32, 1, 1}, arguments));
        TextureFilter found;
        for (const auto& instruction : source->code().instructions) {
            found = instruction.filter.passes > 0 ? instruction.filter : found;
        }
        return std::pair(int{found.passes}, int{found.planes});
    };
    const auto plane = [&](const std::string& texture) {
        return filter("scale_2d", "ptr:4KiB,tex(" + texture + "),64,64,1f,1f");
    };
    const auto volume = [&](const std::string& texture) {
        return filter("volume", "ptr:512B,tex(" + texture + "),32,4,5");
    };
    CHECK(plane("f32x4,64x64") == std::pair(2, 1));
    CHECK(plane("f32x4,64x64,linear") == std::pair(4, 1));
    CHECK(plane("u8x4,64x64,unorm,linear") == std::pair(1, 1));
    CHECK(volume("f32,32x4x5") == std::pair(1, 1));
    CHECK(volume("f32,32x4x5,linear") == std::pair(2, 2));
    CHECK(filter("linear_1d", "ptr:128B,tex(f32,100),32") == std::pair(0, 1));  // TLD has no filter
}

TEST_CASE("lanes beyond a border read zero and are counted as lanes inside") {
    const Run run{"one_d", {1, 1, 1}, {32, 1, 1}, "ptr:128B,tex(f32,8,iota:f32,border),1f"};
    for (const auto& arch : texture_archs) {
        INFO(arch);
        const auto values = computed<float>(arch, run);
        CHECK(values[20] == 0);
        CHECK(texture_accesses(arch, run).lanes == std::vector{32, 32});
    }
}

TEST_CASE("texture objects that are not given, or of two sizes in one instruction, are refused by name") {
    const auto message = [](const std::string& arch, const Run& run) -> std::string {
        try {
            (void)texture_sectors(arch, run);
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return "";
    };
    for (const auto& arch : texture_archs) {
        INFO(arch);
        CHECK_THAT(
            message(arch, {"linear_1d", {1, 1, 1}, {32, 1, 1}, "ptr:128B,77L,32"}),
            Catch::Contains("takes 0x4d for a texture or surface object") && Catch::Contains("NAME=tex("));
    }
}

TEST_CASE("textures on the command line: every fault has its words") {
    const auto fault = [](const std::string& text) -> std::string {
        try {
            (void)parse_arguments(text);
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return "";
    };
    CHECK_THAT(fault("t=tex(f32)"), Catch::Contains("needs a format and a shape"));
    CHECK_THAT(fault("tex(f32,10x10"), Catch::Contains("closing parenthesis"));
    CHECK_THAT(fault("tex(f32x3,10x10)"),
               Catch::Contains("'f32x3' is not understood") && Catch::Contains("x2 or x4"));
    CHECK_THAT(fault("tex(f32,10x0)"), Catch::Contains("out of range 1 to"));
    CHECK_THAT(fault("tex(f32,2x2x2x2)"), Catch::Contains("WIDTHxHEIGHTxDEPTH"));
    CHECK_THAT(fault("tex(f32,16,wrap)"), Catch::Contains("need normalized coordinates"));
    CHECK_THAT(fault("tex(u8,16,linear)"), Catch::Contains("linear needs floats"));
    CHECK_THAT(fault("tex(f32,16,unorm)"), Catch::Contains("unorm is for integers"));
    CHECK_THAT(fault("tex(f32,16,f32)"), Catch::Contains("second format"));
    CHECK_THAT(fault("surf(f32,16x16,clamp)"), Catch::Contains("no word of a surface"));
    CHECK_THAT(fault("tex(f32,131072x131072x131072)"), Catch::Contains("beyond 256 GiB"));
    const auto good = parse_arguments("a=tex(f16x4, 640x480x6, layered, clamp, random:3:0..1:f32), n=4");
    CHECK(good.list.size() == 2);
    CHECK(good.list[0].texture->format.bytes() == 8);
    CHECK(good.list[0].texture->dimensions == 2);
    CHECK(good.list[0].texture->extent == std::array<std::int64_t, 3>{640, 480, 6});
    CHECK(good.list[1].offset == 8);
}
