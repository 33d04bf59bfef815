// Programs as the fold makes them: variants, planes of blocks, narrow and local accesses, atomics, several
// sites of one unrolled loop. Expected values by enumeration of the addresses.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

#include "arch_specs/loader.h"
#include "model/memory/traffic.h"

using namespace gpumodel;

namespace {

using AddressOf = std::function<std::int64_t(const Coord&, int)>;

AccessSite make_site(MemorySpace space, AccessKind kind, int bytes, AddressOf address) {
    AccessSite site;
    site.name = "site";
    site.array = space == MemorySpace::global ? "data" : "";
    site.space = space;
    site.kind = kind;
    site.role = SiteRole::none;
    site.vector_words = std::max(1, bytes / 4);
    site.words = site.vector_words;
    site.sub_word_bytes = bytes < 4 ? bytes : 0;
    site.address = std::move(address);
    return site;
}

// A loop of `trips` trips around one segment with code.
std::vector<Node> loop_body(int threads, std::int64_t trips, std::vector<AccessSite> sites) {
    Segment segment;
    segment.name = "code";
    segment.thread_end = threads;
    segment.sites = std::move(sites);
    segment.code.edit().resize(segment.sites.size());
    Interval interval;
    interval.segments.push_back(std::move(segment));
    Loop loop;
    loop.trips = trips;
    loop.body.emplace_back(std::move(interval));
    std::vector<Node> nodes;
    nodes.emplace_back(std::move(loop));
    return nodes;
}

KernelProgram launch(const Dim3& grid, int threads) {
    KernelProgram program;
    program.grid = grid;
    program.block = {threads, 1, 1};
    program.resources.threads = threads;
    program.arrays.push_back({"data", 0, true, true});
    return program;
}

// Blocks, trips and warps of one site: calls visit(coordinates with the warp's first thread).
void for_each_warp(const AnalysedSite& s, const std::function<void(const Coord&)>& visit) {
    Coord at;
    const auto& b = s.box;
    for (at.block_z = b.begin.z; at.block_z < b.end.z; ++at.block_z) {
        for (at.block_y = b.begin.y; at.block_y < b.end.y; ++at.block_y) {
            for (at.block_x = b.begin.x; at.block_x < b.end.x; ++at.block_x) {
                for (at.loop[0] = 0; at.loop[0] < s.loops.trips[0]; ++at.loop[0]) {
                    for (at.thread = s.segment->thread_begin; at.thread < s.segment->thread_end;
                         at.thread += 32) {
                        visit(at);
                    }
                }
            }
        }
    }
}

std::vector<std::int64_t> lanes_of(const AnalysedSite& s, const Coord& warp) {
    std::vector<std::int64_t> list;
    for (int lane = 0; lane < 32 && warp.thread + lane < s.segment->thread_end; ++lane) {
        Coord at = warp;
        at.thread += lane;
        if (s.site->is_active(at, 0)) {
            list.push_back(s.site->address(at, 0));
        }
    }
    return list;
}

double sectors_by_hand(const AnalysedSite& s) {
    double sectors = 0;
    for_each_warp(s, [&](const Coord& warp) {
        std::set<std::int64_t> distinct;
        for (const auto a : lanes_of(s, warp)) {
            for (int byte = 0; byte < s.site->bytes_per_lane(); ++byte) {
                distinct.insert((a + byte) / 32);
            }
        }
        sectors += static_cast<double>(distinct.size());
    });
    return sectors;
}

// Accesses of at most 4 bytes: the most distinct words of a bank.
double wavefronts_by_hand(const AnalysedSite& s) {
    double wavefronts = 0;
    for_each_warp(s, [&](const Coord& warp) {
        std::map<std::int64_t, std::set<std::int64_t>> words;
        for (const auto a : lanes_of(s, warp)) {
            words[a / 4 % 32].insert(a / 4);
        }
        std::size_t worst = 0;
        for (const auto& [bank, distinct] : words) {
            worst = std::max(worst, distinct.size());
        }
        wavefronts += static_cast<double>(worst);
    });
    return wavefronts;
}

std::vector<AnalysedSite> analyse(const KernelProgram& program, const ArchSpec& arch) {
    const auto flat = flatten(program);
    return analyse_sites(flat, arch);
}

double launch_sectors(const AnalysedSite& s) {
    return s.blocks * s.statistics.trips * s.statistics.sectors;
}

}  // namespace

TEST_CASE("variants count with the blocks that run them", "[oracle][memory]") {
    const auto arch = load_arch("v100_sxm2");
    auto program = launch({11, 7, 3}, 96);
    const auto address = [](const Coord& at, int) {
        return 4 * at.thread + 36 * at.block_x + 4400 * at.block_y + 71000 * at.block_z + 20 * at.loop[0];
    };
    const auto body = [&](std::int64_t trips, bool cut) {
        auto site = make_site(MemorySpace::global, AccessKind::load, 4, address);
        if (cut) {
            site.lanes_fixed = true;
            site.active = [](const Coord& at) { return at.thread % 32 < 21; };
        }
        return loop_body(96, trips, {site});
    };
    program.variants.push_back({{{0, 0, 0}, {10, 7, 3}}, body(9, false)});
    program.variants.push_back({{{10, 0, 0}, {11, 4, 3}}, body(9, true)});
    program.variants.push_back({{{10, 4, 0}, {11, 7, 3}}, body(5, true)});
    program.body = program.variants.front().body;
    const auto sites = analyse(program, arch);
    REQUIRE(sites.size() == 3);
    double blocks = 0;
    for (const auto& s : sites) {
        CHECK(launch_sectors(s) == Approx(sectors_by_hand(s)));
        blocks += s.blocks;
    }
    CHECK(blocks == 11 * 7 * 3);
}

TEST_CASE("narrow accesses keep their place within a word", "[oracle][memory]") {
    for (const auto* name : {"v100_sxm2", "k40"}) {
        const auto arch = load_arch(name);
        for (const int bytes : {1, 2}) {
            for (const int stride : {1, 3, 5, 34}) {
                auto program = launch({6, 1, 1}, 64);
                const auto address = [=](const Coord& at, int) {
                    return bytes * (stride * at.thread + 7 * at.block_x + 13 * at.loop[0] + 3);
                };
                program.body = loop_body(64, 8,
                                         {make_site(MemorySpace::global, AccessKind::load, bytes, address),
                                          make_site(MemorySpace::shared, AccessKind::load, bytes, address)});
                const auto sites = analyse(program, arch);
                INFO(name << ", " << bytes << " bytes, stride " << stride);
                CHECK(launch_sectors(sites[0]) == Approx(sectors_by_hand(sites[0])));
                if (arch.sm.shared_memory.rule == SharedMemoryRule::cc5_x) {
                    const auto& s = sites[1];
                    CHECK(s.blocks * s.statistics.trips * s.statistics.wavefronts ==
                          Approx(wavefronts_by_hand(s)));
                }
            }
        }
    }
}

TEST_CASE("local memory of a warp lies side by side", "[unit][memory]") {
    const auto arch = load_arch("v100_sxm2");
    for (const int bytes : {4, 8, 16}) {
        auto program = launch({1, 1, 1}, 128);
        program.body = loop_body(
            128, 16, {make_site(MemorySpace::local, AccessKind::store, bytes, [bytes](const Coord& at, int) {
                return 32 + bytes * at.loop[0];
            })});
        auto sites = analyse(program, arch);
        REQUIRE(sites.size() == 1);
        // all lanes at one offset: as many sectors as the data has
        CHECK(sites[0].statistics.sectors == Approx(4 * bytes));
        CHECK(sites[0].footprint.bytes_per_block == Approx(128.0 * bytes * 16));
        const auto waves = deal_blocks(1, arch.sm_count, 1);
        const auto traffic = analyse_traffic(program, sites, waves, arch, 1 << 16, L2State::cold);
        CHECK(traffic.l2_write_bytes == Approx(128.0 * bytes * 16));
        CHECK(traffic.unique_bytes == 0);
    }
}

TEST_CASE("shared atomics on one address follow each other", "[unit][memory]") {
    const auto arch = load_arch("v100_sxm2");
    for (const int distinct : {1, 2, 8, 32}) {
        auto program = launch({1, 1, 1}, 32);
        program.body = loop_body(
            32, 1, {make_site(MemorySpace::shared, AccessKind::atomic, 4, [=](const Coord& at, int) {
                return 4 * (at.thread % distinct);
            })});
        const auto sites = analyse(program, arch);
        CHECK(sites[0].statistics.wavefronts == 32 / distinct);
    }
}

TEST_CASE("global atomics go to L2 and come back", "[unit][memory]") {
    const auto arch = load_arch("v100_sxm2");
    auto program = launch({10, 1, 1}, 64);
    program.body = loop_body(64, 3,
                             {make_site(MemorySpace::global, AccessKind::atomic, 4,
                                        [](const Coord& at, int) { return 4 * at.thread; })});
    auto sites = analyse(program, arch);
    const auto waves = deal_blocks(10, arch.sm_count, 1);
    const auto traffic = analyse_traffic(program, sites, waves, arch, 1 << 16, L2State::warm);
    CHECK(traffic.l2_read_bytes == 10.0 * 3 * 64 * 4);
    CHECK(traffic.l2_write_bytes == 10.0 * 3 * 64 * 4);
    CHECK(traffic.l1_load_sectors == 0);
}

TEST_CASE("the sites of an unrolled loop share the data that they have in common", "[oracle][memory]") {
    const auto arch = load_arch("v100_sxm2");
    // a row walked by four loads per trip, and a stencil of three neighbours
    const auto row = [](int u) {
        return [u](const Coord& at, int) { return 4096 * at.thread + 16 * at.loop[0] + 4 * u; };
    };
    const auto stencil = [](int u) {
        return [u](const Coord& at, int) {
            return 4 * (at.thread + u) + 2048 * at.loop[0] + (std::int64_t{1} << 30);
        };
    };
    auto program = launch({1, 1, 1}, 64);
    std::vector<AccessSite> list;
    for (int u = 0; u < 4; ++u) {
        list.push_back(make_site(MemorySpace::global, AccessKind::load, 4, row(u)));
    }
    for (int u = 0; u < 3; ++u) {
        list.push_back(make_site(MemorySpace::global, AccessKind::load, 4, stencil(u)));
    }
    program.body = loop_body(64, 32, list);
    const auto sites = analyse(program, arch);
    for (const auto& [first, last] : {std::pair{0, 4}, std::pair{4, 7}}) {
        std::set<std::int64_t> distinct;
        double bytes = 0;
        for (int i = first; i < last; ++i) {
            const auto& s = sites[static_cast<std::size_t>(i)];
            bytes += s.footprint.bytes_per_block;
            for_each_warp(s, [&](const Coord& warp) {
                for (const auto a : lanes_of(s, warp)) {
                    distinct.insert(a / 32);
                }
            });
        }
        CHECK(bytes == Approx(32.0 * static_cast<double>(distinct.size())));
    }
}

TEST_CASE("waves of a grid with planes fetch the distinct sectors of every wave", "[oracle][memory]") {
    auto arch = load_arch("v100_sxm2");
    arch.l2.size_bytes = 1;  // nothing survives from wave to wave
    arch.sm_count = 2;
    const Dim3 grid{4, 3, 5};
    for (unsigned dimensions = 0; dimensions < 8; ++dimensions) {
        if (dimensions == 5) {
            continue;  // x and z without y: waves across planes are estimated
        }
        const auto address = [dimensions](const Coord& at, int) {
            return 4 * at.thread + ((dimensions & 1U) != 0 ? 1 << 10 : 0) * at.block_x +
                   ((dimensions & 2U) != 0 ? 1 << 14 : 0) * at.block_y +
                   ((dimensions & 4U) != 0 ? 1 << 18 : 0) * at.block_z;
        };
        auto program = launch(grid, 64);
        program.body = loop_body(64, 1, {make_site(MemorySpace::global, AccessKind::load, 4, address)});
        for (const int per_sm : {1, 2, 3}) {
            auto sites = analyse(program, arch);
            const auto waves = deal_blocks(grid.count(), arch.sm_count, per_sm);
            const auto traffic = analyse_traffic(program, sites, waves, arch, 1 << 16, L2State::warm);
            double bytes = 0;
            for (std::int64_t begin = 0; begin < grid.count(); begin += 2 * per_sm) {
                std::set<std::int64_t> starts;
                for (auto b = begin; b < std::min<std::int64_t>(begin + 2 * per_sm, grid.count()); ++b) {
                    Coord at;
                    at.block_x = b % grid.x;
                    at.block_y = b / grid.x % grid.y;
                    at.block_z = b / (grid.x * grid.y);
                    starts.insert(address(at, 0));
                }
                bytes += 256.0 * static_cast<double>(starts.size());
            }
            INFO("dimensions " << dimensions << ", " << per_sm << " blocks per SM");
            CHECK(traffic.dram_read_bytes == Approx(bytes));
        }
    }
}
