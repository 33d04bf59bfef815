#include "tests/model/launch/documented_limits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "arch_specs/loader.h"

namespace gpumodel::test {

namespace {

// One row of the table; sizes in KiB where the table has KB, the register file in registers.
struct Row {
    int capability, warps, blocks, threads_per_block;
    std::int64_t registers, registers_per_block;
    int register_unit, registers_per_thread, warp_granularity, sub_partitions;
    std::vector<std::int64_t> shared_kib;
    std::int64_t shared_per_block_kib, shared_optin_kib;  // 0: no opt-in
    std::int64_t shared_unit, shared_reserved;
    int barriers;  // 0: no limit known
};

// cc 6.0: the launch check rounds warps to 4, as on 6.1 (cuda_occupancy.h refuses what cannot run there).
const std::vector<Row>& rows() {
    static const std::vector<std::int64_t> ampere{0, 8, 16, 32, 64, 100};
    static const std::vector<std::int64_t> a100{0, 8, 16, 32, 64, 100, 132, 164};
    static const std::vector<std::int64_t> hopper{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    static const std::vector<Row> table{
        {10, 24, 8, 512, 8192, 8192, 256, 124, 2, 1, {16}, 16, 0, 512, 0, 0},
        {13, 32, 8, 512, 16384, 16384, 512, 124, 2, 1, {16}, 16, 0, 512, 0, 0},
        {20, 48, 8, 1024, 32768, 32768, 64, 63, 2, 2, {16, 48}, 48, 0, 128, 0, 0},
        {30, 64, 16, 1024, 65536, 65536, 256, 63, 4, 4, {16, 32, 48}, 48, 0, 256, 0, 0},
        {35, 64, 16, 1024, 65536, 65536, 256, 255, 4, 4, {16, 32, 48}, 48, 0, 256, 0, 0},
        {37, 64, 16, 1024, 131072, 65536, 256, 255, 4, 4, {80, 96, 112}, 48, 0, 256, 0, 0},
        {50, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, {64}, 48, 0, 256, 0, 64},
        {52, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, {96}, 48, 0, 256, 0, 64},
        {53, 64, 32, 1024, 65536, 32768, 256, 255, 4, 4, {64}, 48, 0, 256, 0, 64},
        {60, 64, 32, 1024, 65536, 65536, 256, 255, 4, 2, {64}, 48, 0, 256, 0, 64},
        {62, 64, 32, 1024, 65536, 32768, 256, 255, 4, 4, {64}, 48, 0, 256, 0, 64},
        {70, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, {0, 8, 16, 32, 64, 96}, 48, 96, 256, 0, 64},
        {72, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, {0, 8, 16, 32, 64, 96}, 48, 96, 256, 0, 64},
        {75, 32, 16, 1024, 65536, 65536, 256, 255, 4, 4, {32, 64}, 48, 64, 256, 0, 32},
        {80, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, a100, 48, 163, 128, 1024, 64},
        {86, 48, 16, 1024, 65536, 65536, 256, 255, 4, 4, ampere, 48, 99, 128, 1024, 16},
        {87, 48, 16, 1024, 65536, 65536, 256, 255, 4, 4, a100, 48, 163, 128, 1024, 16},
        {89, 48, 24, 1024, 65536, 65536, 256, 255, 4, 4, ampere, 48, 99, 128, 1024, 24},
        {90, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, hopper, 48, 227, 128, 1024, 64},
        {100, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, hopper, 48, 227, 128, 1024, 64},
        {103, 64, 32, 1024, 65536, 65536, 256, 255, 4, 4, hopper, 48, 227, 128, 1024, 64},
        {110, 48, 24, 1024, 65536, 65536, 256, 255, 4, 4, hopper, 48, 227, 128, 1024, 24},
        {120, 48, 24, 1024, 65536, 65536, 256, 255, 4, 4, ampere, 48, 99, 128, 1024, 24},
        {121, 48, 24, 1024, 65536, 65536, 256, 255, 4, 4, ampere, 48, 99, 128, 1024, 24},
    };
    return table;
}

void fill_registers(RegisterFile& file, const Row& row) {
    file.size = row.registers;
    file.max_per_block = row.registers_per_block;
    file.max_per_thread = row.registers_per_thread;
    file.allocation_unit = row.register_unit;
    file.allocation = row.capability < 20 ? RegisterAllocation::block : RegisterAllocation::warp;
    file.warp_granularity = row.warp_granularity;
    if (row.capability / 10 == 2) {
        file.double_unit_counts = {21, 22, 29, 30, 37, 38, 45, 46};
    }
}

void fill_shared(SharedMemory& shared, const Row& row) {
    for (const auto kib : row.shared_kib) {
        shared.carveouts_bytes.push_back(kib * 1024);
    }
    shared.max_per_block_bytes = row.shared_per_block_kib * 1024;
    if (row.shared_optin_kib > 0) {
        shared.max_per_block_optin_bytes = row.shared_optin_kib * 1024;
    }
    shared.allocation_unit_bytes = row.shared_unit;
    shared.reserved_per_block_bytes = row.shared_reserved;
}

}  // namespace

std::vector<int> documented_capabilities() {
    std::vector<int> capabilities;
    for (const auto& row : rows()) {
        capabilities.push_back(row.capability);
    }
    return capabilities;
}

ArchSpec documented_arch(int capability) {
    const auto row = std::find_if(rows().begin(), rows().end(),
                                  [&](const Row& candidate) { return candidate.capability == capability; });
    if (row == rows().end()) {
        throw std::invalid_argument("no documented limits for cc " + std::to_string(capability));
    }
    ArchSpec arch;
    arch.cc = {capability / 10, capability % 10};
    arch.sm.max_warps = row->warps;
    arch.sm.max_threads = row->warps * 32;
    arch.sm.max_blocks = row->blocks;
    arch.sm.max_threads_per_block = row->threads_per_block;
    arch.sm.max_barriers = row->barriers;
    arch.sm.sub_partitions = row->sub_partitions;
    fill_registers(arch.sm.register_file, *row);
    fill_shared(arch.sm.shared_memory, *row);
    return arch;
}

const ArchSpec& arch_of(int capability) {
    static std::map<int, ArchSpec> archs;
    const auto known = archs.find(capability);
    if (known != archs.end()) {
        return known->second;
    }
    return archs.emplace(capability, load_arch("sm_" + std::to_string(capability))).first->second;
}

}  // namespace gpumodel::test
