// The shipped generations carry the documented launch limits, field by field.
#include <catch2/catch.hpp>

#include "tests/model/launch/documented_limits.h"

using namespace gpumodel;
using gpumodel::test::arch_of;
using gpumodel::test::documented_arch;
using gpumodel::test::documented_capabilities;

TEST_CASE("shipped specs hold the documented launch limits", "[spec][occupancy]") {
    for (const int cc : documented_capabilities()) {
        INFO("cc " << cc);
        const auto documented = documented_arch(cc);
        const auto& want = documented.sm;
        const auto& have = arch_of(cc).sm;
        CHECK(arch_of(cc).cc == documented.cc);
        CHECK(have.max_warps == want.max_warps);
        CHECK(have.max_threads == want.max_threads);
        CHECK(have.max_blocks == want.max_blocks);
        CHECK(have.max_threads_per_block == want.max_threads_per_block);
        CHECK(have.sub_partitions == want.sub_partitions);
        CHECK(have.register_file.size == want.register_file.size);
        CHECK(have.register_file.max_per_block == want.register_file.max_per_block);
        CHECK(have.register_file.max_per_thread == want.register_file.max_per_thread);
        CHECK(have.register_file.allocation_unit == want.register_file.allocation_unit);
        CHECK(have.register_file.allocation == want.register_file.allocation);
        CHECK(have.register_file.warp_granularity == want.register_file.warp_granularity);
        CHECK(have.register_file.double_unit_counts == want.register_file.double_unit_counts);
        CHECK(have.shared_memory.carveouts_bytes == want.shared_memory.carveouts_bytes);
        CHECK(have.shared_memory.max_per_block_bytes == want.shared_memory.max_per_block_bytes);
        CHECK(have.shared_memory.max_per_block_optin_bytes == want.shared_memory.max_per_block_optin_bytes);
        CHECK(have.shared_memory.allocation_unit_bytes == want.shared_memory.allocation_unit_bytes);
        CHECK(have.shared_memory.reserved_per_block_bytes == want.shared_memory.reserved_per_block_bytes);
        CHECK(have.max_barriers == want.max_barriers);
    }
}
