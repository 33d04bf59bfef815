// Schema rows of the global-memory path: L1, read-only cache, L2, DRAM.
#include "arch_specs/schema/schema_rows.h"

namespace gpumodel::schema_rows {

namespace {

void add_l1_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "l1.unified", D::bytes, Need::always, 0, 1 << 24,
        "L1, with the shared-memory array where unified; 0 B = none",
        [](auto& s) -> auto& { return s.l1.unified_bytes; }));
    rows.push_back(row(
        "l1.unified_with_shared", Need::with_l1, "L1 gets what the carve-out leaves",
        [](auto& s) -> auto& { return s.l1.unified_with_shared; }));
    rows.push_back(row(
        "l1.line", D::bytes, Need::with_l1, 32, 1024, "line",
        [](auto& s) -> auto& { return s.l1.line_bytes; }));
    rows.push_back(row(
        "l1.sector", D::bytes, Need::with_l1, 32, 1024, "unit of a fill",
        [](auto& s) -> auto& { return s.l1.sector_bytes; }));
    rows.push_back(row(
        "l1.associativity", D::count, Need::optional, 1, 4096, "ways",
        [](auto& s) -> auto& { return s.l1.associativity; }));
    rows.push_back(row(
        "l1.caches_global_loads", Need::with_l1, "plain global loads use L1 by default",
        [](auto& s) -> auto& { return s.l1.caches_global_loads; }));
    rows.push_back(row(
        "l1.latency", D::cycles, Need::with_l1, 1, 10000, "hit, load to use",
        [](auto& s) -> auto& { return s.l1.latency_cycles; }));
    rows.push_back(row(
        "l1.local_latency", D::cycles, Need::optional, 1, 10000,
        "the same, of memory of a thread's own; without it as all other",
        [](auto& s) -> auto& { return s.l1.local_latency_cycles; }));
    rows.push_back(row(
        "l1.bandwidth", D::bytes_per_cycle, Need::with_l1, 1, 4096, "hits, per SM",
        [](auto& s) -> auto& { return s.l1.bandwidth_bytes_per_cycle; }));
    rows.push_back(row(
        "l1.min_cycles_per_request", D::cycles, Need::with_l1, 1, 64, "floor per global warp load",
        [](auto& s) -> auto& { return s.l1.min_cycles_per_request; }));
    rows.push_back(row(
        "l1.extra_cycles_per_request", D::cycles, Need::with_l1, 0, 64,
        "charge per global warp load beyond its wavefronts",
        [](auto& s) -> auto& { return s.l1.extra_cycles_per_request; }));
    rows.push_back(row(
        "l1.tag_lines_per_cycle", D::lines_per_cycle, Need::with_l1, 0.25, 64,
        "distinct lines of one load that the tags resolve per cycle",
        [](auto& s) -> auto& { return s.l1.tag_lines_per_cycle; }));
    rows.push_back(row(
        "l1.store_buffer", D::bytes, Need::optional, 32, 1 << 24,
        "stored data that waits for L2 before stores hold up the data pipe",
        [](auto& s) -> auto& { return s.l1.store_buffer_bytes; }));
    rows.push_back(row(
        "l1.miss_lines_per_cycle", D::lines_per_cycle, Need::optional, 0.0625, 64,
        "lines that one SM requests from L2 per cycle, with one to four sectors each",
        [](auto& s) -> auto& { return s.l1.miss_lines_per_cycle; }));
    rows.push_back(row(
        "l1.copy_lines_per_cycle", D::lines_per_cycle, Need::optional, 0.0625, 64,
        "lines that threads' asynchronous copies past L1 (LDGSTS.BYPASS) ask for per cycle; they hold the "
        "data "
        "pipe meanwhile",
        [](auto& s) -> auto& { return s.l1.copy_lines_per_cycle; }));
    rows.push_back(row(
        "read_only.size", D::bytes, Need::always, 0, 1 << 24,
        "separate read-only (texture) cache; 0 B = none, or part of L1",
        [](auto& s) -> auto& { return s.read_only.size_bytes; }));
    rows.push_back(row(
        "read_only.line", D::bytes, Need::with_read_only, 32, 1024, "line",
        [](auto& s) -> auto& { return s.read_only.line_bytes; }));
    rows.push_back(row(
        "read_only.latency", D::cycles, Need::with_read_only, 1, 10000, "hit, load to use",
        [](auto& s) -> auto& { return s.read_only.latency_cycles; }));
}

void add_texture_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "texture.sample_rate", D::lanes_per_cycle, Need::optional, 0.25, 128,
        "texels of up to 8 bytes that one SM samples (TEX); absent = no limit",
        [](auto& s) -> auto& { return s.texture.sample_lanes_per_cycle; }));
    rows.push_back(row(
        "texture.fetch_rate", D::lanes_per_cycle, Need::optional, 0.25, 128,
        "the same by texel number (TLD), and surface reads of 4 bytes; absent = no limit",
        [](auto& s) -> auto& { return s.texture.fetch_lanes_per_cycle; }));
    rows.push_back(row(
        "texture.lines_per_cycle", D::lines_per_cycle, Need::optional, 0.0625, 64,
        "distinct lines of one texture instruction; absent = no limit",
        [](auto& s) -> auto& { return s.texture.lines_per_cycle; }));
    rows.push_back(row(
        "texture.sample_latency", D::cycles, Need::optional, 1, 10000,
        "of a sample that hits; absent = a load's",
        [](auto& s) -> auto& { return s.texture.sample_latency_cycles; }));
    rows.push_back(row(
        "texture.fetch_latency", D::cycles, Need::optional, 1, 10000,
        "of a fetch that hits; absent = a load's",
        [](auto& s) -> auto& { return s.texture.fetch_latency_cycles; }));
}

void add_l2_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "l2.size", D::bytes, Need::product, 0, 1 << 30, "data cache of the GPU; 0 B = none",
        [](auto& s) -> auto& { return s.l2.size_bytes; }));
    rows.push_back(row(
        "l2.line", D::bytes, Need::with_l2, 32, 1024, "line",
        [](auto& s) -> auto& { return s.l2.line_bytes; }));
    rows.push_back(row(
        "l2.sector", D::bytes, Need::with_l2, 32, 1024, "unit of a transfer",
        [](auto& s) -> auto& { return s.l2.sector_bytes; }));
    rows.push_back(row(
        "l2.associativity", D::count, Need::optional, 1, 4096, "ways",
        [](auto& s) -> auto& { return s.l2.associativity; }));
    rows.push_back(row(
        "l2.halves", D::count, Need::optional, 1, 2,
        "parts, each with SMs and DRAM of its own; what SMs of both read is kept in both; absent = 1",
        [](auto& s) -> auto& { return s.l2.halves; }));
    rows.push_back(row(
        "l2.sms_per_half_run", D::count, Need::optional, 1, 1024,
        "SMs of consecutive blocks that are attached to one half (a GPC)",
        [](auto& s) -> auto& { return s.l2.sms_per_half_run; }));
    rows.push_back(row(
        "l2.latency", D::cycles, Need::with_l2, 1, 10000, "hit, load to use (in the SM's own half)",
        [](auto& s) -> auto& { return s.l2.latency_cycles; }));
    rows.push_back(row(
        "l2.far_latency", D::cycles, Need::optional, 1, 10000,
        "hit in the other half (where l2.halves is absent: every hit)",
        [](auto& s) -> auto& { return s.l2.far_latency_cycles; }));
    rows.push_back(row(
        "l2.far_read_bandwidth", D::bytes_per_cycle, Need::optional, 1, 1e6,
        "reads of what only the other half holds, both halves together; absent = no limit",
        [](auto& s) -> auto& { return s.l2.far_read_bytes_per_cycle; }));
    rows.push_back(row(
        "l2.latency_spread", D::cycles, Need::optional, 0, 10000,
        "nearest to farthest slice of a half, in latency",
        [](auto& s) -> auto& { return s.l2.latency_spread_cycles; }));
    rows.push_back(row(
        "l2.read_bandwidth", D::bytes_per_cycle, Need::with_l2, 1, 1e6, "reads reached, whole GPU",
        [](auto& s) -> auto& { return s.l2.read_bytes_per_cycle; }));
    rows.push_back(row(
        "l2.read_bandwidth_per_sm", D::bytes_per_cycle, Need::with_l2, 1, 4096, "limit of one SM's port",
        [](auto& s) -> auto& { return s.l2.read_bytes_per_cycle_per_sm; }));
    rows.push_back(row(
        "l2.write_bandwidth", D::bytes_per_cycle, Need::with_l2, 1, 1e6, "writes reached, whole GPU",
        [](auto& s) -> auto& { return s.l2.write_bytes_per_cycle; }));
    rows.push_back(row(
        "l2.write_bandwidth_per_sm", D::bytes_per_cycle, Need::optional, 1, 4096, "writes of one SM alone",
        [](auto& s) -> auto& { return s.l2.write_bytes_per_cycle_per_sm; }));
    rows.push_back(row(
        "l2.read_merging.sms", D::count, Need::optional, 1, 1024,
        "SMs of a cluster (GPC) in which reads of the same data merge on their way to L2",
        [](auto& s) -> auto& { return s.l2.read_merging.sms; }));
    rows.push_back(row(
        "l2.read_merging.sms_per_tpc", D::count, Need::with_merging, 1, 64,
        "a grid of fewer blocks than TPCs puts one on each",
        [](auto& s) -> auto& { return s.l2.read_merging.sms_per_tpc; }));
    rows.push_back(row(
        "l2.read_merging.fraction", D::ratio, Need::with_merging, 0, 1,
        "part of the reads of data under way that come in time to merge",
        [](auto& s) -> auto& { return s.l2.read_merging.fraction; }));
    rows.push_back(row(
        "l2.read_merging.drift", D::cycles, Need::optional, 1e3, 1e9,
        "of resident blocks, after which half as many merge where SMs run several; absent = as many",
        [](auto& s) -> auto& { return s.l2.read_merging.drift_cycles; }));
}

}  // namespace

void add_memory_rows(std::vector<Field>& rows) {
    add_l1_rows(rows);
    add_texture_rows(rows);
    add_l2_rows(rows);
    rows.push_back(row(
        "dram.capacity", D::bytes, Need::product, 1 << 20, 1e13, "size",
        [](auto& s) -> auto& { return s.dram.capacity_bytes; }));
    rows.push_back(row(
        "dram.bus_width", D::bits, Need::optional, 8, 65536, "data pins",
        [](auto& s) -> auto& { return s.dram.bus_width_bits; }));
    rows.push_back(row(
        "dram.data_rate", D::bits_per_second, Need::optional, 1e8, 1e11, "per pin",
        [](auto& s) -> auto& { return s.dram.data_rate_bits_per_second; }));
    rows.push_back(row(
        "dram.bandwidth", D::bytes_per_second, Need::product, 1e9, 1e14, "pin bandwidth",
        [](auto& s) -> auto& { return s.dram.bandwidth_bytes_per_second; }));
    rows.push_back(row(
        "dram.latency", D::cycles, Need::product, 1, 100000, "load to use, SM cycles",
        [](auto& s) -> auto& { return s.dram.latency_cycles; }));
    rows.push_back(row(
        "dram.read_efficiency", D::ratio, Need::product, 0.01, 1,
        "reached over pin bandwidth, reads only, ECC as in dram.ecc",
        [](auto& s) -> auto& { return s.dram.read_efficiency; }));
    rows.push_back(row(
        "dram.copy_efficiency", D::ratio, Need::product, 0.01, 1,
        "reached over pin bandwidth, one read and one write stream, ECC as in dram.ecc",
        [](auto& s) -> auto& { return s.dram.copy_efficiency; }));
    rows.push_back(row(
        "dram.queue_latency", D::cycles, Need::optional, 0, 10000,
        "wait of a read at busy / (1 - busy)^0.75 = 1; absent = none",
        [](auto& s) -> auto& { return s.dram.queue_latency_cycles; }));
    rows.push_back(row(
        "dram.turnaround_latency", D::cycles, Need::optional, 0, 100000,
        "wait of a read if DRAM did nothing but write; absent = none",
        [](auto& s) -> auto& { return s.dram.turnaround_latency_cycles; }));
    rows.push_back(row(
        "dram.latency_spread", D::cycles, Need::optional, 0, 10000,
        "nearest to farthest address, in latency; absent = none",
        [](auto& s) -> auto& { return s.dram.latency_spread_cycles; }));
    rows.push_back(row(
        "l2.access_size", D::bytes, Need::optional, 32, 128,
        "what a read or a store of fewer bytes of a line takes of the L2's bandwidth; absent = a sector",
        [](auto& s) -> auto& { return s.l2.access_bytes; }));
    rows.push_back(row(
        "dram.access_size", D::bytes, Need::optional, 32, 128, "fetched by L2 at once; absent = a sector",
        [](auto& s) -> auto& { return s.dram.access_bytes; }));
    rows.push_back(row(
        "dram.least_read", D::bytes, Need::optional, 0, 1024,
        "whose time a read of at most half a line takes; absent = its own bytes",
        [](auto& s) -> auto& { return s.dram.least_read_bytes; }));
    rows.push_back(row(
        "dram.least_write", D::bytes, Need::optional, 0, 1024,
        "whose time a write-back of at most half a line takes; absent = its own bytes",
        [](auto& s) -> auto& { return s.dram.least_write_bytes; }));
    rows.push_back(row(
        "dram.ecc", Need::product, "error correction on; its cost is in the efficiencies",
        [](auto& s) -> auto& { return s.dram.ecc; }));
}

}  // namespace gpumodel::schema_rows
