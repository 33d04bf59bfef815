// Which of a warp's diverged lanes goes on when, against an H200 (validate/microbench/give_way): each lane's
// tries, and who else was active behind its last one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/csv_table.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

namespace give_way_test {

using namespace gpumodel;

struct Row {
    std::int32_t tries;
    std::uint32_t mask, inside;
    std::int32_t took, left, began;
};
constexpr std::size_t lanes = 32;

struct Kernel {
    std::string name, symbol, arguments;  // after lanes_per_word
    std::size_t rows;                     // the argument with them
};

const std::vector<Kernel> kernels{
    {"lock_fence", "4lockILNS_4FormE0E", ",{reads},ptr:1MiB=zeros,ptr:4KiB=zeros", 4},
    {"lock_plain", "4lockILNS_4FormE1E", ",{reads},ptr:1MiB=zeros,ptr:4KiB=zeros", 4},
    {"lock_sleep", "4lockILNS_4FormE2E", ",{reads},ptr:1MiB=zeros,ptr:4KiB=zeros", 4},
};

std::vector<Row> emulated(const SassModule& module, const Kernel& kernel, const std::string& lanes_per_word,
                          const std::string& reads) {
    const auto function =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(kernel.symbol) != std::string::npos; });
    REQUIRE(function != module.functions.end());
    auto rest = kernel.arguments;
    if (const auto at = rest.find("{reads}"); at != std::string::npos) {
        rest.replace(at, std::strlen("{reads}"), reads);
    }
    SassLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {lanes, 1, 1};
    launch.arguments = parse_arguments("ptr:1MiB=zeros," + lanes_per_word + rest);
    const auto arrays = execute_grid(*function, launch);
    std::vector<Row> rows(lanes);
    const auto& bytes = arrays.at(kernel.rows).bytes;
    REQUIRE(bytes.size() >= lanes * sizeof(Row));
    std::memcpy(rows.data(), bytes.data(), lanes * sizeof(Row));
    return rows;
}

TEST_CASE("lanes of a warp take turns at locks as they do on the H200", "[emulate]") {
    const auto module = read_sass_file(GPUMODEL_SOURCE_DIR "/validate/microbench/give_way/sm_90.sass.gz");
    const auto table = read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_give_way.csv").rows;
    REQUIRE(table.size() % lanes == 0);
    std::size_t launches = 0;
    for (std::size_t first = 0; first < table.size(); first += lanes) {
        const auto& row = table[first];
        const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                         [&](const Kernel& k) { return k.name == row[0].text; });
        if (kernel == kernels.end()) {
            continue;  // swaps, flag: whoever gets on waits for the others here until these get nowhere
        }
        ++launches;
        const auto rows = emulated(module, *kernel, row[1].text, row[2].text);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const auto& measured = table[first + lane];
            CAPTURE(kernel->name, row[1].text, row[2].text, lane);
            CHECK(rows[lane].mask == std::stoul(measured[5].text, nullptr, 16));
            CHECK(rows[lane].inside == std::stoul(measured[6].text, nullptr, 16));
            CHECK(rows[lane].tries == std::stoi(measured[4].text));
        }
    }
    CHECK(launches == 24);
}

}  // namespace give_way_test
