// Schema rows of the SM: limits, schedulers, register file, shared memory, barriers, instruction caches.
#include "arch_specs/schema/schema_rows.h"

namespace gpumodel::schema_rows {

namespace {

void add_limit_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "sm.warp_size", D::count, Need::always, 32, 32, "lanes of a warp",
        [](auto& s) -> auto& { return s.sm.warp_size; }));
    rows.push_back(row(
        "sm.max_warps", D::count, Need::always, 1, 256, "resident warps",
        [](auto& s) -> auto& { return s.sm.max_warps; }));
    rows.push_back(row(
        "sm.max_threads", D::count, Need::always, 32, 8192, "resident threads",
        [](auto& s) -> auto& { return s.sm.max_threads; }));
    rows.push_back(row(
        "sm.max_blocks", D::count, Need::always, 1, 256, "resident blocks",
        [](auto& s) -> auto& { return s.sm.max_blocks; }));
    rows.push_back(row(
        "sm.max_threads_per_block", D::count, Need::always, 32, 4096, "threads of a block",
        [](auto& s) -> auto& { return s.sm.max_threads_per_block; }));
    rows.push_back(row(
        "sm.max_barriers", D::count, Need::always, 0, 1024, "named barriers; 0 = no limit",
        [](auto& s) -> auto& { return s.sm.max_barriers; }));
    rows.push_back(row(
        "sm.sub_partitions", D::count, Need::always, 1, 16,
        "parts that the register file and the warps are divided into",
        [](auto& s) -> auto& { return s.sm.sub_partitions; }));
    rows.push_back(row(
        "sm.schedulers", D::count, Need::always, 1, 16, "warp schedulers",
        [](auto& s) -> auto& { return s.sm.schedulers; }));
    rows.push_back(row(
        "sm.dispatch_units_per_scheduler", D::count, Need::always, 1, 4,
        "instructions a scheduler can send per issue",
        [](auto& s) -> auto& { return s.sm.dispatch_units_per_scheduler; }));
    rows.push_back(row(
        "sm.rotates_blocks", Need::optional,
        "a block's first warp goes to the scheduler behind that of the block before it",
        [](auto& s) -> auto& { return s.sm.rotates_blocks; }));
    rows.push_back(row(
        "sm.issue_interval", D::cycles, Need::always, 1, 64, "cycles between two issues of one scheduler",
        [](auto& s) -> auto& { return s.sm.issue_interval_cycles; }));
    rows.push_back(row(
        "sm.scheduler_policy", Need::always, "which ready warp issues",
        [](auto& s) -> auto& { return s.sm.scheduler_policy; }));
    rows.push_back(row(
        "sm.branch_latency", D::cycles, Need::always, 1, 1000,
        "taken backward branch until the same warp issues its target",
        [](auto& s) -> auto& { return s.sm.branch_latency_cycles; }));
    rows.push_back(row(
        "sm.branch_run_ahead", D::count, Need::optional, 1, 8,
        "instructions decoded ahead of issue: a branch is on its way when the one so many before it issues",
        [](auto& s) -> auto& { return s.sm.branch_run_ahead; }));
    rows.push_back(row(
        "sm.branch_latency_least", D::cycles, Need::optional, 1, 1000,
        "taken branch whose target has long been on its way; absent = sm.branch_latency",
        [](auto& s) -> auto& { return s.sm.branch_latency_least_cycles; }));
    rows.push_back(row(
        "sm.reconvergence", D::cycles, Need::optional, 0, 200,
        "what a warp waits where its paths meet, beyond the instruction's own delay; absent = 0",
        [](auto& s) -> auto& { return s.sm.reconvergence_cycles; }));
    rows.push_back(row(
        "sm.indirect_branch", D::cycles, Need::optional, 0, 200,
        "what a jump to where a register says takes beyond a taken branch; absent = 0",
        [](auto& s) -> auto& { return s.sm.indirect_branch_cycles; }));
    rows.push_back(row(
        "sm.memory_queue_depth", D::count, Need::optional, 1, 1024,
        "memory instructions that wait per scheduler",
        [](auto& s) -> auto& { return s.sm.memory_queue_depth; }));
    rows.push_back(row(
        "sm.source_release.load", D::cycles, Need::optional, 1, 1000,
        "issue of a load until its address registers may be overwritten",
        [](auto& s) -> auto& { return s.sm.source_release.load_cycles; }));
    rows.push_back(row(
        "sm.source_release.store", D::cycles, Need::optional, 1, 1000,
        "issue of a 32-bit store until its registers may be overwritten",
        [](auto& s) -> auto& { return s.sm.source_release.store_cycles; }));
    rows.push_back(row(
        "sm.source_release.store_per_word", D::cycles, Need::optional, 0, 1000,
        "added per further word of a store",
        [](auto& s) -> auto& { return s.sm.source_release.store_per_word_cycles; }));
    rows.push_back(row(
        "sm.group_products.register_gap", D::cycles, Need::optional, 0, 1000,
        "between a warp group's products (HGMMA) whose A is in registers",
        [](auto& s) -> auto& { return s.sm.group_products.register_gap_cycles; }));
    rows.push_back(row(
        "sm.group_products.queued", D::count, Need::optional, 1, 16,
        "products of warp groups that a sub-partition takes before the first has begun",
        [](auto& s) -> auto& { return s.sm.group_products.queued; }));
    rows.push_back(row(
        "sm.group_products.clock_droop", D::ratio, Need::optional, 0, 0.5,
        "part of the clock that warp groups' products lose where they fill the tensor pipe, random operands",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_bf16", D::ratio, Need::optional, 0, 0.5,
        "the same of BF16 operands; absent = clock_droop",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_bf16; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_tf32", D::ratio, Need::optional, 0, 0.5,
        "the same of TF32 operands; absent = clock_droop",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_tf32; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_int8", D::ratio, Need::optional, 0, 0.5,
        "the same of 8-bit integers; absent = clock_droop",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_int8; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_per_byte", D::ratio, Need::optional, 0, 0.5,
        "the same for each byte per cycle of clock.sm that comes into an SM beside them",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_per_byte; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_spared", D::ratio, Need::optional, 0, 0.5,
        "what of both together the clock does not lose",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_spared; }));
    rows.push_back(row(
        "sm.group_products.clock_droop_delay", D::seconds, Need::optional, 0, 1e-3,
        "from a launch's begin until the clock droops",
        [](auto& s) -> auto& { return s.sm.group_products.clock_droop_delay_seconds; }));
    rows.push_back(row(
        "sm.copy_engine.bulk_bandwidth", D::bytes_per_cycle, Need::optional, 1, 4096,
        "bulk copies (UBLKCP) of one SM, data in L2; no limit without it",
        [](auto& s) -> auto& { return s.sm.copy_engine.bulk_bytes_per_cycle; }));
    rows.push_back(row(
        "sm.copy_engine.tensor_bandwidth", D::bytes_per_cycle, Need::optional, 1, 4096,
        "tensor copies (UTMALDG) of one SM, data in L2; no limit without it",
        [](auto& s) -> auto& { return s.sm.copy_engine.tensor_bytes_per_cycle; }));
    rows.push_back(row(
        "sm.copy_engine.interval", D::cycles, Need::optional, 0, 1000,
        "between the begins of two copies of one SM",
        [](auto& s) -> auto& { return s.sm.copy_engine.interval_cycles; }));
    rows.push_back(row(
        "sm.copy_engine.latency_saved", D::cycles, Need::optional, 0, 1000,
        "what copies arrive at their barrier earlier than an L2 load in registers",
        [](auto& s) -> auto& { return s.sm.copy_engine.latency_saved_cycles; }));
    rows.push_back(row(
        "sm.dual_issue.supported", Need::always, "two instructions of one warp per issue",
        [](auto& s) -> auto& { return s.sm.dual_issue.supported; }));
    rows.push_back(row(
        "sm.barrier.latency", D::cycles, Need::always, 0, 10000,
        "release of a block barrier after the last arrival",
        [](auto& s) -> auto& { return s.sm.barrier.latency_cycles; }));
    rows.push_back(row(
        "sm.barrier.throughput", D::threads_per_cycle, Need::always, 1, 4096,
        "threads that can arrive per cycle, one warp of the SM after the other",
        [](auto& s) -> auto& { return s.sm.barrier.threads_per_cycle; }));
    rows.push_back(row(
        "sm.barrier.data_pipe", D::cycles, Need::optional, 0, 1000,
        "cycles of the pipe of shared memory that a block's release takes",
        [](auto& s) -> auto& { return s.sm.barrier.data_pipe_cycles; }));
}

void add_register_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "sm.register_file.size", D::count, Need::always, 1024, 1 << 22, "32-bit registers",
        [](auto& s) -> auto& { return s.sm.register_file.size; }));
    rows.push_back(row(
        "sm.register_file.max_per_block", D::count, Need::always, 1024, 1 << 22, "registers of one block",
        [](auto& s) -> auto& { return s.sm.register_file.max_per_block; }));
    rows.push_back(row(
        "sm.register_file.max_per_thread", D::count, Need::always, 1, 1024, "registers of one thread",
        [](auto& s) -> auto& { return s.sm.register_file.max_per_thread; }));
    rows.push_back(row(
        "sm.register_file.allocation_unit", D::count, Need::always, 1, 65536, "registers per allocation step",
        [](auto& s) -> auto& { return s.sm.register_file.allocation_unit; }));
    rows.push_back(row(
        "sm.register_file.allocation", Need::always, "what the step applies to",
        [](auto& s) -> auto& { return s.sm.register_file.allocation; }));
    rows.push_back(row(
        "sm.register_file.warp_granularity", D::count, Need::always, 1, 16,
        "warps of a block are rounded up to this for registers",
        [](auto& s) -> auto& { return s.sm.register_file.warp_granularity; }));
    rows.push_back(row(
        "sm.register_file.double_unit_counts", D::count, Need::optional, 1, 1024,
        "registers per thread that use twice the unit",
        [](auto& s) -> auto& { return s.sm.register_file.double_unit_counts; }));
    rows.push_back(row(
        "sm.register_file.bank_map", Need::always, "which bank holds register r",
        [](auto& s) -> auto& { return s.sm.register_file.bank_map; }));
    rows.push_back(row(
        "sm.register_file.banks", D::count, Need::with_banks, 1, 64, "banks per sub-partition",
        [](auto& s) -> auto& { return s.sm.register_file.banks; }));
    rows.push_back(row(
        "sm.register_file.bank_width", D::bytes, Need::with_banks, 4, 16,
        "bytes per lane and read of one bank",
        [](auto& s) -> auto& { return s.sm.register_file.bank_width_bytes; }));
    rows.push_back(row(
        "sm.register_file.reads_per_bank", D::reads_per_cycle, Need::with_banks, 0.25, 8,
        "warp-wide registers one bank delivers per cycle",
        [](auto& s) -> auto& { return s.sm.register_file.reads_per_bank_per_cycle; }));
    rows.push_back(row(
        "sm.register_file.reuse_cache", Need::always, "operand reuse flags exist",
        [](auto& s) -> auto& { return s.sm.register_file.reuse_cache; }));
    rows.push_back(row(
        "sm.register_file.operand_slack", D::cycles, Need::optional, 1, 64,
        "issue until the reads of operands A and B must be done",
        [](auto& s) -> auto& { return s.sm.register_file.operand_slack_cycles; }));
    rows.push_back(row(
        "sm.register_file.third_operand_slack", D::cycles, Need::optional, 1, 64,
        "issue until the read of operand C must be done",
        [](auto& s) -> auto& { return s.sm.register_file.third_operand_slack_cycles; }));
    rows.push_back(row(
        "sm.register_file.conflicts_hold_scheduler", Need::optional,
        "an instruction that waits for ports lets no other warp issue",
        [](auto& s) -> auto& { return s.sm.register_file.conflicts_hold_scheduler; }));
    rows.push_back(row(
        "sm.register_file.load_write_back", Need::optional,
        "registers that loads deliver take cycles of the banks' ports",
        [](auto& s) -> auto& { return s.sm.register_file.load_write_back; }));
    rows.push_back(row(
        "sm.register_file.wide_pass", D::cycles, Need::optional, 0, 16,
        "IMAD.WIDE and IMAD.HI keep the ports for so long in each of two passes over their operands",
        [](auto& s) -> auto& { return s.sm.register_file.wide_pass_cycles; }));
}

void add_shared_size_rows(std::vector<Field>& rows) {
    constexpr double largest = 1 << 24;
    rows.push_back(row(
        "sm.shared_memory.carveouts", D::bytes, Need::always, 0, largest, "selectable sizes per SM",
        [](auto& s) -> auto& { return s.sm.shared_memory.carveouts_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.max_per_block", D::bytes, Need::always, 1024, largest,
        "limit of static shared memory",
        [](auto& s) -> auto& { return s.sm.shared_memory.max_per_block_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.max_per_block_optin", D::bytes, Need::optional, 1024, largest,
        "limit of dynamic shared memory after opting in",
        [](auto& s) -> auto& { return s.sm.shared_memory.max_per_block_optin_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.allocation_unit", D::bytes, Need::always, 1, 65536, "step of an allocation",
        [](auto& s) -> auto& { return s.sm.shared_memory.allocation_unit_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.reserved_per_block", D::bytes, Need::always, 0, 65536,
        "taken by the system from every block's share",
        [](auto& s) -> auto& { return s.sm.shared_memory.reserved_per_block_bytes; }));
}

void add_shared_timing_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "sm.shared_memory.rule", Need::always, "phases and conflicts of an access",
        [](auto& s) -> auto& { return s.sm.shared_memory.rule; }));
    rows.push_back(row(
        "sm.shared_memory.banks", D::count, Need::always, 4, 1024, "banks",
        [](auto& s) -> auto& { return s.sm.shared_memory.banks; }));
    rows.push_back(row(
        "sm.shared_memory.bank_widths", D::bytes, Need::always, 1, 64, "selectable bank widths",
        [](auto& s) -> auto& { return s.sm.shared_memory.bank_widths_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.default_bank_width", D::bytes, Need::always, 1, 64,
        "bank width unless the program asks otherwise",
        [](auto& s) -> auto& { return s.sm.shared_memory.default_bank_width_bytes; }));
    rows.push_back(row(
        "sm.shared_memory.bandwidth", D::bytes_per_cycle, Need::always, 1, 65536, "peak per SM",
        [](auto& s) -> auto& { return s.sm.shared_memory.bandwidth_bytes_per_cycle; }));
    rows.push_back(row(
        "sm.shared_memory.latency_32", D::cycles, Need::always, 1, 10000,
        "32-bit load to use, fewest wavefronts",
        [](auto& s) -> auto& { return s.sm.shared_memory.latency_32_cycles; }));
    rows.push_back(row(
        "sm.shared_memory.latency_64", D::cycles, Need::always, 1, 10000,
        "64-bit load to use, fewest wavefronts",
        [](auto& s) -> auto& { return s.sm.shared_memory.latency_64_cycles; }));
    rows.push_back(row(
        "sm.shared_memory.latency_128", D::cycles, Need::always, 1, 10000,
        "128-bit load to use, fewest wavefronts",
        [](auto& s) -> auto& { return s.sm.shared_memory.latency_128_cycles; }));
    rows.push_back(row(
        "sm.shared_memory.conflict_latency", D::cycles, Need::always, 0, 1000,
        "added latency per further wavefront",
        [](auto& s) -> auto& { return s.sm.shared_memory.conflict_latency_cycles; }));
    rows.push_back(row(
        "sm.shared_memory.conflict_latency_per_word", D::cycles, Need::optional, 0, 100,
        "added latency per further wavefront and word of width",
        [](auto& s) -> auto& { return s.sm.shared_memory.conflict_latency_per_word_cycles; }));
    rows.push_back(row(
        "sm.shared_memory.min_cycles_per_request", D::cycles, Need::always, 1, 64,
        "floor of the SM's request stage",
        [](auto& s) -> auto& { return s.sm.shared_memory.min_cycles_per_request; }));
    rows.push_back(row(
        "sm.shared_memory.extra_cycles_per_request", D::cycles, Need::always, 0, 64,
        "charge per shared load or store beyond its wavefronts",
        [](auto& s) -> auto& { return s.sm.shared_memory.extra_cycles_per_request; }));
    rows.push_back(row(
        "sm.shared_memory.sub_partition_interval", D::cycles, Need::always, 1, 64,
        "one sub-partition may use the data pipe every so many cycles",
        [](auto& s) -> auto& { return s.sm.shared_memory.sub_partition_interval_cycles; }));
}

void add_instruction_cache_rows(std::vector<Field>& rows) {
    constexpr double largest = 1 << 24;
    rows.push_back(row(
        "sm.instruction_cache.l0", D::bytes, Need::optional, 64, largest,
        "nearest instruction cache, per sub-partition",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l0_bytes; }));
    rows.push_back(row(
        "sm.instruction_cache.l1", D::bytes, Need::optional, 64, largest, "instruction cache of the SM",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l1_bytes; }));
    rows.push_back(row(
        "sm.instruction_cache.l2", D::bytes, Need::optional, 64, largest, "next level, shared with constants",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l2_bytes; }));
    rows.push_back(row(
        "sm.instruction_cache.l1_ways", D::count, Need::optional, 1, 4096, "places of a line in l1",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l1_ways; }));
    rows.push_back(row(
        "sm.instruction_cache.l2_ways", D::count, Need::optional, 1, 4096, "places of a line in l2",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l2_ways; }));
    constexpr double slowest = 1000;
    rows.push_back(row(
        "sm.instruction_cache.l1_fetch", D::cycles, Need::optional, 0, slowest,
        "cycles per instruction that a sub-partition fetches from the SM's instruction cache",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l1_fetch_cycles; }));
    rows.push_back(row(
        "sm.instruction_cache.l2_fetch", D::cycles, Need::optional, 0, slowest,
        "cycles per instruction from the next level",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l2_fetch_cycles; }));
    rows.push_back(row(
        "sm.instruction_cache.l2_port", D::cycles, Need::optional, 0, slowest,
        "cycles per instruction from the next level, of all sub-partitions together",
        [](auto& s) -> auto& { return s.sm.instruction_cache.l2_port_cycles; }));
    rows.push_back(row(
        "sm.instruction_cache.memory_fetch", D::cycles, Need::optional, 0, slowest,
        "cycles per instruction from behind the instruction caches",
        [](auto& s) -> auto& { return s.sm.instruction_cache.memory_fetch_cycles; }));
    rows.push_back(row(
        "sm.instruction_cache.restart", D::cycles, Need::optional, 0, slowest,
        "cycles until the first instruction after a jump out of the nearest cache",
        [](auto& s) -> auto& { return s.sm.instruction_cache.restart_cycles; }));
}

}  // namespace

void add_sm_rows(std::vector<Field>& rows) {
    add_limit_rows(rows);
    add_register_rows(rows);
    add_shared_size_rows(rows);
    add_shared_timing_rows(rows);
    add_instruction_cache_rows(rows);
}

}  // namespace gpumodel::schema_rows
