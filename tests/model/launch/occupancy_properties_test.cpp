// Properties that hold for any launch: more of a resource never gains a block, next steps are tight,
// cliffs are where the block count changes.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "model/launch/occupancy.h"
#include "tests/model/launch/documented_limits.h"

namespace occupancy_properties_test {

using namespace gpumodel;
using gpumodel::test::arch_of;
using gpumodel::test::documented_capabilities;

namespace {

int blocks_of(const ArchSpec& arch, const OccupancyRequest& request) {
    return compute_occupancy(arch, request).blocks_per_sm;
}

class Requests {
public:
    explicit Requests(unsigned seed) : random_(seed) {}
    OccupancyRequest next(const ArchSpec& arch) {
        OccupancyRequest request;
        request.threads_per_block = 1 + up_to(arch.sm.max_threads_per_block + 40);
        request.registers_per_thread = up_to(arch.sm.register_file.max_per_thread + 4);
        const auto& shared = arch.sm.shared_memory;
        const auto most = shared.max_per_block_optin_bytes.value_or(shared.max_per_block_bytes);
        request.shared_bytes_per_block = up_to(1) == 0 ? up_to(static_cast<int>(most) + 600) : up_to(9000);
        request.barriers_per_block = 1 + up_to(3);
        if (up_to(2) == 0) {
            request.carveout_percent = up_to(100);
        }
        return request;
    }

private:
    int up_to(int n) { return static_cast<int>(random_() % (static_cast<unsigned>(n) + 1U)); }
    std::mt19937 random_;
};

// The smallest decrement that gains a block, by trying every one of them in steps of `step`.
template <typename Set>
std::optional<std::int64_t> search(const ArchSpec& arch, const OccupancyRequest& request, std::int64_t value,
                                   std::int64_t lowest, std::int64_t step, Set set) {
    const int blocks = blocks_of(arch, request);
    auto trial = request;
    for (std::int64_t fewer = step; value - fewer >= lowest; fewer += step) {
        set(trial, value - fewer);
        if (blocks_of(arch, trial) > blocks) {
            return fewer;
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> widen(std::optional<int> value) {
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

}  // namespace

TEST_CASE("more of a resource never gains a block", "[property][occupancy]") {
    for (const int cc : documented_capabilities()) {
        const auto& arch = arch_of(cc);
        Requests requests(static_cast<unsigned>(cc));
        for (int i = 0; i < 2000; ++i) {
            auto request = requests.next(arch);
            request.carveout_percent.reset();  // a hint may be overruled by a larger request
            const int blocks = blocks_of(arch, request);
            auto more = request;
            more.registers_per_thread += 1 + i % 16;
            CHECK(blocks_of(arch, more) <= blocks);
            more = request;
            more.shared_bytes_per_block += 1 + i;
            CHECK(blocks_of(arch, more) <= blocks);
            more = request;
            more.threads_per_block += 1 + i % 100;
            CHECK(blocks_of(arch, more) <= blocks);
            more = request;
            more.barriers_per_block += 1 + i % 8;
            CHECK(blocks_of(arch, more) <= blocks);
        }
    }
}

TEST_CASE("next steps are the smallest changes that gain a block", "[property][occupancy]") {
    for (const int cc : documented_capabilities()) {
        const auto& arch = arch_of(cc);
        Requests requests(1000U + static_cast<unsigned>(cc));
        for (int i = 0; i < 60; ++i) {
            const auto request = requests.next(arch);
            const auto ours = compute_occupancy(arch, request);
            INFO("cc " << cc << ", threads " << request.threads_per_block << ", registers "
                       << request.registers_per_thread << ", shared " << request.shared_bytes_per_block
                       << ", hint " << request.carveout_percent.value_or(-1));
            const auto registers =
                search(arch, request, request.registers_per_thread, 1, 1,
                       [](auto& trial, std::int64_t v) { trial.registers_per_thread = static_cast<int>(v); });
            CHECK(widen(ours.registers_fewer_for_next_block) == registers);
            const auto threads =
                search(arch, request, request.threads_per_block, 1, 1,
                       [](auto& trial, std::int64_t v) { trial.threads_per_block = static_cast<int>(v); });
            CHECK(widen(ours.threads_fewer_for_next_block) == threads);
        }
    }
}

TEST_CASE("the next step in shared memory is tight to the byte", "[property][occupancy]") {
    for (const int cc : documented_capabilities()) {
        const auto& arch = arch_of(cc);
        Requests requests(2000U + static_cast<unsigned>(cc));
        for (int i = 0; i < 40; ++i) {
            auto request = requests.next(arch);
            INFO("cc " << cc << ", shared " << request.shared_bytes_per_block << ", hint "
                       << request.carveout_percent.value_or(-1));
            const auto fewer = compute_occupancy(arch, request).shared_bytes_fewer_for_next_block;
            const auto set = [](auto& trial, std::int64_t v) { trial.shared_bytes_per_block = v; };
            // The allocation unit is a multiple of 128 everywhere, so steps of 64 bytes miss no size.
            const auto coarse = search(arch, request, request.shared_bytes_per_block, 0, 64, set);
            REQUIRE(fewer.has_value() ==
                    (coarse || search(arch, request, request.shared_bytes_per_block, 0,
                                      std::max<std::int64_t>(request.shared_bytes_per_block, 1), set)));
            if (!fewer) {
                continue;
            }
            const int blocks = blocks_of(arch, request);
            auto trial = request;
            trial.shared_bytes_per_block = request.shared_bytes_per_block - *fewer;
            CHECK(blocks_of(arch, trial) > blocks);
            trial.shared_bytes_per_block += 1;
            CHECK(blocks_of(arch, trial) <= blocks);
            CHECK((!coarse || (*fewer <= *coarse && *coarse - *fewer < 64)));
        }
    }
}

TEST_CASE("a block above the per-block limit fits once it is back at the limit", "[unit][occupancy]") {
    OccupancyRequest request;
    request.threads_per_block = 64;
    request.registers_per_thread = 32;
    request.shared_bytes_per_block = 50000;  // 48 KiB = 49152 allowed, though the SM holds more
    for (const int cc : {35, 37, 52, 60}) {
        INFO("cc " << cc);
        const auto ours = compute_occupancy(arch_of(cc), request);
        CHECK(ours.blocks_per_sm == 0);
        CHECK(ours.shared_bytes_fewer_for_next_block == 50000 - 49152);
    }
}

TEST_CASE("cliffs are the values at which the number of blocks changes", "[property][occupancy]") {
    OccupancyRequest request;
    request.threads_per_block = 256;
    request.registers_per_thread = 40;
    request.shared_bytes_per_block = 4096;
    for (const int cc : documented_capabilities()) {
        const auto& arch = arch_of(cc);
        INFO("cc " << cc);
        auto trial = request;
        const auto registers = occupancy_cliffs(arch, request, OccupancyAxis::registers);
        REQUIRE(!registers.empty());
        CHECK(registers.back().up_to == arch.sm.register_file.max_per_thread);
        int value = 1;
        for (const auto& step : registers) {
            for (; value <= step.up_to; ++value) {
                trial.registers_per_thread = value;
                CHECK(blocks_of(arch, trial) == step.blocks_per_sm);
            }
        }
        trial = request;
        std::int64_t bytes = 0;
        for (const auto& step : occupancy_cliffs(arch, request, OccupancyAxis::shared_memory)) {
            for (; bytes <= step.up_to; bytes += 61) {
                trial.shared_bytes_per_block = bytes;
                CHECK(blocks_of(arch, trial) == step.blocks_per_sm);
            }
        }
        trial.shared_bytes_per_block = bytes;
        CHECK(blocks_of(arch, trial) == 0);
        trial = request;
        int threads = 1;
        for (const auto& step : occupancy_cliffs(arch, request, OccupancyAxis::threads)) {
            for (; threads <= step.up_to; ++threads) {
                trial.threads_per_block = threads;
                CHECK(blocks_of(arch, trial) == step.blocks_per_sm);
                CHECK((threads + 31) / 32 * step.blocks_per_sm == step.active_warps);
            }
        }
        CHECK(threads == arch.sm.max_threads_per_block + 1);
    }
}

}  // namespace occupancy_properties_test
