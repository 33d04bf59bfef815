// Traffic of whole launches: closed forms, and a fully associative LRU cache fed access by access.
#include <catch2/catch.hpp>
#include <list>
#include <map>

#include "tests/support/micro.h"
#include "traces/codegen/generate.h"
#include "traces/kernel/family.h"

namespace l2_replay_test {

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr std::int64_t tile_bytes = 32 * 16;

// Each block of one warp accesses `trips` tiles of its own, or, with block_stride 0, the same as all others.
KernelProgram tiles(AccessKind kind, std::int64_t blocks, std::int64_t trips, std::int64_t block_stride,
                    int words = 4, std::int64_t lane_stride = 16) {
    const auto access = kind == AccessKind::store ? store(MemorySpace::global, 8, 1, words)
                                                  : load(MemorySpace::global, 8, 0, words);
    const auto at_site = site(MemorySpace::global, kind, words, [=](const Coord& at) {
        return at.thread * lane_stride + at.loop[0] * 32 * lane_stride + at.block_x * block_stride;
    });
    auto program = looped({access, arithmetic(OpClass::iadd, 3, {8}), branch()}, trips, 1, {at_site});
    return with_grid(program, blocks);
}

Traffic traffic(const KernelProgram& program, const ArchSpec& arch, L2State state) {
    SimOptions options;
    options.l2 = state;
    const auto result = simulate(program, arch, options);
    REQUIRE(result.status == SimStatus::ok);
    return result.traffic;
}

std::int64_t wave_of(const KernelProgram& program, const ArchSpec& arch) {
    const auto waves = simulate(program, arch).waves;
    return std::int64_t{waves.blocks_per_sm} * waves.sm_count;
}

// What the definition says of a launch, access by access.
class BruteForce {
public:
    BruteForce(const KernelProgram& program, std::int64_t capacity_bytes, std::int64_t wave)
        : program_(program), lines_(capacity_bytes / 128) {
        for (std::int64_t first = 0; first < program.grid.count(); first += wave) {
            first_ = first;
            end_ = std::min(first + wave, program.grid.count());
            run(program.body, 0, {});
        }
    }
    double fetched_bytes = 0, written_back_bytes = 0;

private:
    struct Line {
        unsigned valid = 0, dirty = 0;
        std::list<std::pair<int, std::int64_t>>::iterator place;
    };

    void run(const std::vector<Node>& nodes, std::size_t depth, Coord at) {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                for (std::int64_t trip = 0; trip < loop->trips; ++trip) {
                    at.loop[depth] = trip;
                    run(loop->body, depth + 1, at);
                }
                at.loop[depth] = 0;
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                for (auto b = first_; b < end_; ++b) {
                    at.block_x = b % program_.grid.x;
                    at.block_y = b / program_.grid.x;
                    run(segment, at);
                }
            }
        }
    }
    void run(const Segment& segment, Coord at) {
        for (const auto& s : segment.sites) {
            for (int t = segment.thread_begin; s.space == MemorySpace::global && t < segment.thread_end;
                 ++t) {
                at.thread = t;
                for (int w = 0; w < s.words; ++w) {
                    touch(s, s.address(at, w));
                }
            }
        }
    }
    void touch(const AccessSite& s, std::int64_t address) {
        int array = 0;
        for (std::size_t a = 0; a < program_.arrays.size(); ++a) {
            array = program_.arrays[a].name == s.array ? static_cast<int>(a) : array;
        }
        const std::pair key{array, address / 128};
        auto& line = known_[key];
        if (line.valid == 0 && line.dirty == 0) {
            recent_.push_front(key);
        } else {
            recent_.splice(recent_.begin(), recent_, line.place);
        }
        line.place = recent_.begin();
        const unsigned sector = 1U << static_cast<unsigned>(address % 128 / 32);
        if (s.kind == AccessKind::store) {
            line.dirty |= sector;
        } else if (((line.valid | line.dirty) & sector) == 0) {
            line.valid |= sector;
            fetched_bytes += 32;
        }
        if (static_cast<std::int64_t>(recent_.size()) > lines_) {
            for (auto dirty = known_.at(recent_.back()).dirty; dirty != 0; dirty &= dirty - 1) {
                written_back_bytes += 32;
            }
            known_.erase(recent_.back());
            recent_.pop_back();
        }
    }

    const KernelProgram& program_;
    std::int64_t lines_;
    std::int64_t first_ = 0, end_ = 0;
    std::map<std::pair<int, std::int64_t>, Line> known_;
    std::list<std::pair<int, std::int64_t>> recent_;
};

}  // namespace

TEST_CASE("a cold streaming read brings each byte from DRAM once", "[l2]") {
    for (const char* name : {"k40", "v100_sxm2", "h200_sxm"}) {
        const auto a = arch(name);
        const auto t = traffic(tiles(AccessKind::load, 96, 8, 8 * tile_bytes), a, L2State::cold);
        CHECK(t.dram_read_bytes == 96 * 8 * tile_bytes);
        CHECK(t.l2_read_bytes == 96 * 8 * tile_bytes);
        CHECK(t.dram_write_bytes == 0);
        CHECK(t.dram_wait_fraction == 1);
    }
}

TEST_CASE("a launch finds what the one before left, if it fits", "[l2]") {
    const auto program = tiles(AccessKind::load, 256, 16, 16 * tile_bytes);  // 2 MiB
    const auto large = arch("v100_sxm2");
    CHECK(traffic(program, large, L2State::warm).dram_read_bytes == 0);
    const auto small = arch("v100_sxm2", {"l2.size=512 KiB"});
    CHECK(traffic(program, small, L2State::warm).dram_read_bytes ==
          Approx(256 * 16 * tile_bytes).epsilon(0.01));
}

TEST_CASE("blocks that share a tile fetch it once and all wait for it", "[l2]") {
    const auto a = arch("v100_sxm2");
    const auto t = traffic(tiles(AccessKind::load, 80, 8, 0), a, L2State::cold);
    CHECK(t.dram_read_bytes == 8 * tile_bytes);
    CHECK(t.l2_read_bytes == 80 * 8 * tile_bytes);
    CHECK(t.dram_wait_fraction == 1);
    // in the second of two waves it is there
    const auto resident = wave_of(tiles(AccessKind::load, 80, 8, 0), a);
    const auto twice = traffic(tiles(AccessKind::load, 2 * resident, 8, 0), a, L2State::cold);
    CHECK(twice.dram_read_bytes == 8 * tile_bytes);
    CHECK(twice.dram_wait_fraction == 0.5);
}

TEST_CASE("stores stay in L2 until they are driven out", "[l2]") {
    const auto program = tiles(AccessKind::store, 256, 16, 16 * tile_bytes);  // 2 MiB
    const double bytes = 256 * 16 * tile_bytes;
    const auto large = traffic(program, arch("v100_sxm2"), L2State::warm);
    CHECK(large.l2_write_bytes == bytes);
    CHECK(large.dram_write_bytes == 0);
    const auto small = arch("v100_sxm2", {"l2.size=512 KiB"});
    CHECK(traffic(program, small, L2State::warm).dram_write_bytes == Approx(bytes).epsilon(0.01));
    CHECK(traffic(program, small, L2State::cold).dram_write_bytes ==
          Approx(bytes - 512 * 1024).epsilon(0.02));
    CHECK(traffic(program, small, L2State::warm).dram_read_bytes == 0);
}

TEST_CASE("sectors that stores leave incomplete are fetched when they leave", "[l2]") {
    // every second word
    const auto program = tiles(AccessKind::store, 256, 64, 64 * 256, 1, 8);
    const auto small = arch("v100_sxm2", {"l2.size=512 KiB"});
    const auto t = traffic(program, small, L2State::warm);
    CHECK(t.dram_write_bytes == Approx(256 * 64 * 256).epsilon(0.01));
    CHECK(t.dram_read_for_writes == t.dram_write_bytes);
    CHECK(t.dram_read_bytes == t.dram_read_for_writes);
}

TEST_CASE("pieces of a sector that a warp stores one after the other join in part", "[l2]") {
    const auto a = arch("h200_sxm");
    constexpr std::int64_t blocks = 3;
    const auto pieces = [&](std::int64_t from_trip_to_trip) {
        const auto at = site(MemorySpace::global, AccessKind::store, 1, [=](const Coord& c) {
            return c.thread * 8 + c.loop[0] * from_trip_to_trip + c.block_x * 4096;
        });
        const auto access = store(MemorySpace::global, 8, 1, 1);
        return traffic(
            with_grid(looped({access, arithmetic(OpClass::iadd, 3, {8}), branch()}, 2, 1, {at}), blocks), a,
            L2State::cold);
    };
    // 32 lanes 8 bytes apart: 8 sectors a trip, each with 16 of its 32 bytes; the second trip fills them
    const auto filled = pieces(4);
    CHECK(filled.l2_write_bytes == Approx(blocks * 2 * 8 * 32));
    CHECK(filled.l2_joined_write_bytes == Approx(blocks * 8 * 32 * 0.43 * 0.5));
    CHECK(pieces(1024).l2_joined_write_bytes == 0);  // other sectors
}

TEST_CASE("a small product moves what a fully associative LRU cache moves", "[l2]") {
    for (const char* size : {"192 KiB", "384 KiB", "1 MiB"}) {
        // global loads of the K40 pass L1 by
        const auto a = arch("k40", {std::string("l2.size=") + size});
        const auto& family = *find_family("smem");
        const auto lowered = lower_tiles(family, resolve_params(family, {}), {256, 256, 256}, target_of(a));
        auto program = generate_code(*lowered.program, target_of(a));
        program.resources = lowered.program->resources;
        const BruteForce oracle(*lowered.program, a.l2.size_bytes, wave_of(program, a));
        const auto t = traffic(program, a, L2State::cold);
        CAPTURE(size, oracle.fetched_bytes, oracle.written_back_bytes);
        CHECK(t.dram_read_bytes == Approx(oracle.fetched_bytes).epsilon(0.08));
        CHECK(t.dram_write_bytes == Approx(oracle.written_back_bytes).epsilon(0.1).margin(1024));
    }
}

TEST_CASE("reads of a cluster of SMs merge", "[l2]") {
    const auto part = [](const std::string& fraction, std::int64_t block_stride) {
        const auto a = arch("h200_sxm", {"l2.read_merging.fraction=" + fraction});
        const auto t = traffic(tiles(AccessKind::load, 132, 8, block_stride), a, L2State::warm);
        return t.l2_served_bytes / t.l2_read_bytes;
    };
    CHECK(part("1", 0) == Approx(9.0 / 132));  // 132 blocks in runs of 16
    CHECK(part("0.5", 0) == Approx(1 - 0.5 * (1 - 9.0 / 132)));
    CHECK(part("1", 8 * tile_bytes) == 1);
    const auto a = arch("v100_sxm2");
    const auto t = traffic(tiles(AccessKind::load, 132, 8, 0), a, L2State::warm);
    CHECK(t.l2_served_bytes == t.l2_read_bytes);  // nothing known of it
}

}  // namespace l2_replay_test
