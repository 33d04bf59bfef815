// Site statistics, footprints and DRAM traffic against brute force: every address of every thread,
// block and loop trip of small launches, put into sets.
#include "model/memory/traffic.h"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

#include "arch_specs/loader.h"
#include "traces/codegen/make_program.h"

using namespace gpumodel;

namespace {

struct Launch {
    std::string kernel;
    ParamValues params;
    ProblemShape shape;
};

// Shapes small enough to enumerate, with grids that are neither square nor a multiple of a wave.
const std::vector<Launch>& launches() {
    static const std::vector<Launch> list{
        {"naive", {}, {96, 64, 40}},
        {"naive", {}, {75, 83, 24}},
        {"coalesced", {}, {64, 96, 40}},
        {"coalesced", {}, {70, 45, 20}},
        {"smem", {}, {96, 64, 64}},
        {"blocktile1d", {}, {128, 192, 32}},
        {"blocktile2d", {}, {256, 384, 16}},
        {"vectorized", {}, {384, 256, 24}},
        {"autotuned", {{"BM", 64}, {"BN", 64}, {"BK", 16}, {"TM", 4}, {"TN", 4}}, {192, 128, 32}},
        {"warptile", {}, {256, 384, 48}},
        {"doublebuffer", {}, {256, 256, 64}},
        {"doublebuffer_split", {}, {128, 256, 64}},
        {"cublas_sgemm", {}, {256, 384, 24}},
        {"cublas_sgemm", {}, {200, 161, 24}},
        {"ab_simple", {}, {96, 64, 32}},
        {"ab_shared", {}, {96, 64, 32}},
        {"stride_copy", {{"STRIDE", 2}}, {64, 64, 1}},
        {"transpose_naive", {}, {96, 64, 1}},
        {"transpose_padded", {}, {96, 64, 1}},
    };
    return list;
}

KernelProgram program_of(const Launch& launch, const ArchSpec& arch) {
    const auto* family = find_family(launch.kernel);
    REQUIRE(family != nullptr);
    auto result =
        make_program(*family, resolve_params(*family, launch.params), launch.shape, target_of(arch));
    INFO(launch.kernel << ": " << result.infeasible_reason);
    REQUIRE(result.program.has_value());
    return *result.program;
}

// Calls `visit` with the coordinates of every block and loop trip of the site (thread 0).
void for_each_trip(const KernelProgram& program, const LoopContext& loops,
                   const std::function<void(const Coord&)>& visit) {
    for (std::int64_t by = 0; by < program.grid.y; ++by) {
        for (std::int64_t bx = 0; bx < program.grid.x; ++bx) {
            Coord coord;
            coord.block_x = bx;
            coord.block_y = by;
            std::function<void(int)> loop = [&](int depth) {
                if (depth == loops.depth) {
                    visit(coord);
                    return;
                }
                const auto d = static_cast<std::size_t>(depth);
                for (coord.loop[d] = 0; coord.loop[d] < loops.trips[d]; ++coord.loop[d]) {
                    loop(depth + 1);
                }
            };
            loop(0);
        }
    }
}

struct BruteForce {
    double accesses = 0, sectors = 0, wavefronts = 0;                 // of the launch
    std::map<std::int64_t, std::set<std::int64_t>> sectors_of_block;  // by block id
};

// Wavefronts of one phase by definition: the largest number of distinct words in a bank.
int scalar_wavefronts(const std::vector<std::int64_t>& addresses) {
    std::map<std::int64_t, std::set<std::int64_t>> words;
    for (const auto a : addresses) {
        words[(a / 4) % 32].insert(a / 4);
    }
    std::size_t worst = 0;
    for (const auto& [bank, distinct] : words) {
        worst = std::max(worst, distinct.size());
    }
    return static_cast<int>(worst);
}

BruteForce enumerate(const KernelProgram& program, const AnalysedSite& s) {
    BruteForce result;
    for_each_trip(program, s.loops, [&](const Coord& at) {
        auto& block = result.sectors_of_block[at.block_x + at.block_y * program.grid.x];
        for (int first = s.segment->thread_begin; first < s.segment->thread_end; first += 32) {
            for (int a = 0; a < s.site->accesses(); ++a) {
                std::set<std::int64_t> sectors;
                std::vector<std::int64_t> addresses;
                for (int t = first; t < std::min(first + 32, s.segment->thread_end); ++t) {
                    Coord coord = at;
                    coord.thread = t;
                    if (!s.site->is_active(coord, a * s.site->vector_words)) {
                        continue;
                    }
                    const auto address = s.site->address(coord, a * s.site->vector_words);
                    addresses.push_back(address);
                    for (int byte = 0; byte < s.site->bytes_per_lane(); byte += 4) {
                        sectors.insert((address + byte) / 32);
                    }
                }
                result.accesses += addresses.empty() ? 0 : 1;
                result.sectors += static_cast<double>(sectors.size());
                result.wavefronts += scalar_wavefronts(addresses);
                block.insert(sectors.begin(), sectors.end());
            }
        }
    });
    return result;
}

}  // namespace

TEST_CASE("site statistics equal an enumeration of every warp access", "[oracle][memory]") {
    const auto arch = load_arch("v100_sxm2");
    std::size_t compared = 0;
    for (const auto& launch : launches()) {
        const auto program = program_of(launch, arch);
        const auto flat = flatten(program);
        const double blocks = static_cast<double>(program.grid.count());
        for (const auto& s : analyse_sites(flat, arch)) {
            INFO(launch.kernel << " site " << s.site->name << " in " << s.segment->name);
            const auto truth = enumerate(program, s);
            CHECK(s.statistics.accesses * s.statistics.trips * blocks == Approx(truth.accesses));
            if (s.site->space == MemorySpace::global) {
                CHECK(s.statistics.sectors * s.statistics.trips * blocks == Approx(truth.sectors));
            } else if (s.site->vector_words == 1) {
                CHECK(s.statistics.wavefronts * s.statistics.trips * blocks == Approx(truth.wavefronts));
            }
            ++compared;
        }
    }
    CHECK(compared > 60);
}

TEST_CASE("block footprints equal the set of sectors that a block touches", "[oracle][memory]") {
    const auto arch = load_arch("v100_sxm2");
    for (const auto& launch : launches()) {
        if (launch.shape.m % 32 != 0) {
            continue;  // footprints are those of an interior block; edge blocks touch less
        }
        const auto program = program_of(launch, arch);
        const auto flat = flatten(program);
        for (const auto& s : analyse_sites(flat, arch)) {
            if (s.site->space != MemorySpace::global) {
                continue;
            }
            INFO(launch.kernel << " site " << s.site->name << " in " << s.segment->name);
            const auto truth = enumerate(program, s);
            CHECK(s.footprint.bytes_per_block ==
                  Approx(32.0 * static_cast<double>(truth.sectors_of_block.at(0).size())));
        }
    }
}

TEST_CASE("DRAM reads without reuse between waves equal the distinct sectors of every wave",
          "[oracle][memory]") {
    auto arch = load_arch("v100_sxm2");
    arch.l2.size_bytes = 1;  // nothing survives from wave to wave
    arch.sm_count = 2;
    for (const auto& launch : launches()) {
        if (launch.shape.m % 32 != 0) {
            continue;
        }
        const auto program = program_of(launch, arch);
        const auto flat = flatten(program);
        for (const int blocks_per_sm : {1, 2}) {
            auto sites = analyse_sites(flat, arch);
            const auto waves = deal_blocks(program.grid.count(), arch.sm_count, blocks_per_sm);
            const auto traffic = analyse_traffic(program, sites, waves, arch, 1 << 20, L2State::warm);
            double distinct = 0;
            for (std::int64_t begin = 0; begin < waves.blocks; begin += arch.sm_count * blocks_per_sm) {
                std::map<std::string, std::set<std::int64_t>> touched;
                for (const auto& s : sites) {
                    if (s.site->space != MemorySpace::global || s.site->kind == AccessKind::store) {
                        continue;
                    }
                    const auto truth = enumerate(program, s);
                    for (std::int64_t b = begin;
                         b < std::min(begin + arch.sm_count * blocks_per_sm, waves.blocks); ++b) {
                        const auto& set = truth.sectors_of_block.at(b);
                        touched[s.site->array].insert(set.begin(), set.end());
                    }
                }
                for (const auto& [array, set] : touched) {
                    distinct += 32.0 * static_cast<double>(set.size());
                }
            }
            INFO(launch.kernel << " with " << blocks_per_sm << " blocks per SM");
            CHECK(traffic.dram_read_bytes == Approx(distinct));
        }
    }
}

TEST_CASE("a working set that fits in L2 reads DRAM only when cold", "[unit][memory]") {
    const auto arch = load_arch("v100_sxm2");
    const auto program = program_of({"warptile", {}, {512, 512, 512}}, arch);
    const auto flat = flatten(program);
    auto sites = analyse_sites(flat, arch);
    const auto waves = deal_blocks(program.grid.count(), arch.sm_count, 1);
    const auto warm = analyse_traffic(program, sites, waves, arch, 1 << 16, L2State::warm);
    const auto cold = analyse_traffic(program, sites, waves, arch, 1 << 16, L2State::cold);
    CHECK(warm.dram_read_bytes == 0);
    CHECK(warm.dram_write_bytes == 0);
    CHECK(cold.dram_read_bytes == Approx(3.0 * 512 * 512 * 4));  // A, B and the old C, once each
    CHECK(warm.unique_bytes == Approx(3.0 * 512 * 512 * 4));
}

TEST_CASE("L2 survival falls from the capacity to twice the capacity", "[unit][memory]") {
    CHECK(l2_miss_fraction(5e6, 6e6) == 0);
    CHECK(l2_miss_fraction(9e6, 6e6) == Approx(0.5));
    CHECK(l2_miss_fraction(13e6, 6e6) == 1);
}
