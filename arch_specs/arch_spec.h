// ArchSpec: what a GPU is. The loader (loader.h) builds one from YAML: inherited, overridden, checked,
// converted to the units in the field names and derived once; afterwards it is immutable and nothing
// looks anything up by name. Key paths in the YAML equal the field paths here, less the unit suffix
// (`sm.shared_memory.banks`, `l2.latency`), except where schema.h says otherwise.
//
// "Cycles" are SM clock cycles (the hot/shader clock on cc 1.x and 2.x). Optional fields are what the
// generation does not have or nobody has measured; the models must name them, never take them as zero.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/op_class.h"

namespace gpumodel {

struct ComputeCapability {
    int major = 0;
    int minor = 0;
    [[nodiscard]] int number() const { return major * 10 + minor; }  // 35, 70, 90
    friend bool operator==(const ComputeCapability&, const ComputeCapability&) = default;
};

// Which rule turns 32 addresses into memory transactions (model/memory/coalescing/coalescing.h implements
// them).
enum class CoalescingRule : unsigned char {
    cc1_0,  // half-warps, k-th lane must touch the k-th word of an aligned segment
    cc1_2,  // half-warps, greedy segments of 32/64/128 B that shrink to the touched half
    cc2_x,  // 128 B lines when cached in L1, 32 B segments when not
    cc3_x,  // L1 bypassed: 32 B sectors at L2; read-only path by 32 B sectors too
    cc5_x,  // as cc3_x, read-only data through the unified L1/texture cache
    cc6_x,  // 32 B sectors, L1 caches loads by default (6.x and later)
};

// How one shared-memory instruction is split into phases and what conflicts within a phase.
enum class SharedMemoryRule : unsigned char {
    cc1_x,  // 16 banks, half-warps, one broadcast word
    cc2_x,  // 32 banks x 4 B, multicast, 64-bit per half-warp, 128-bit per quarter-warp
    cc3_x,  // 32 banks x 8 B with 4- and 8-byte modes
    cc5_x,  // 32 banks x 4 B, lane-pair merging of 64- and 128-bit loads (H200 microbenchmarks)
};

enum class RegisterAllocation : unsigned char { block, warp };

// Which bank holds register r.
enum class RegisterBankMap : unsigned char {
    modulo,        // r mod banks (Volta and later)
    kepler_quads,  // 2*((r div 4) mod 2) + (r mod 2)  (Zhang et al., PPoPP 2017)
    unknown,       // not published
};

enum class SchedulerPolicy : unsigned char {
    loose_round_robin,
    greedy_then_oldest,
    greedy_then_youngest,
    greedy_then_highest_slot,
    two_way_chain
};

struct RegisterFile {
    std::int64_t size = 0;           // 32-bit registers per SM
    std::int64_t max_per_block = 0;  // registers
    int max_per_thread = 0;
    int allocation_unit = 0;  // registers per allocation step
    RegisterAllocation allocation = RegisterAllocation::warp;
    int warp_granularity = 1;  // warps per block are rounded up to this for register allocation
    std::vector<int>
        double_unit_counts;  // register counts that use twice the unit (cc 2.x, cuda_occupancy.h of CUDA 7.0)
    int banks = 0;           // per sub-partition
    int bank_width_bytes = 0;  // bytes per lane and read of one bank
    RegisterBankMap bank_map = RegisterBankMap::unknown;
    double reads_per_bank_per_cycle = 0;  // operand ports: warp-wide registers a bank delivers per cycle
    bool reuse_cache = false;             // operand reuse flags exist
    // An instruction issues when its reads of slots A and B can finish within `operand_slack` cycles and that
    // of C within `third_operand_slack`. Absent: the queue in front of the ports is not limited.
    std::optional<double> operand_slack_cycles;
    std::optional<double> third_operand_slack_cycles;
    std::optional<bool>
        conflicts_hold_scheduler;         // an instruction that waits for ports lets no other warp issue
    std::optional<bool> load_write_back;  // registers that loads deliver take cycles of the banks' ports
    // IMAD.WIDE and IMAD.HI read their operands in two passes that keep all banks for at least so long each.
    // Absent: once, as any instruction.
    std::optional<double> wide_pass_cycles;
};

struct SharedMemory {
    std::vector<std::int64_t> carveouts_bytes;              // selectable sizes per SM, ascending
    std::int64_t max_per_block_bytes = 0;                   // static limit
    std::optional<std::int64_t> max_per_block_optin_bytes;  // dynamic opt-in limit (cc 7.0 and later)
    std::int64_t allocation_unit_bytes = 0;
    std::int64_t reserved_per_block_bytes = 0;  // taken by the system (cc 8.0 and later)
    int banks = 0;
    std::vector<int> bank_widths_bytes;  // selectable bank modes; one entry unless cc 3.x
    int default_bank_width_bytes = 4;
    SharedMemoryRule rule = SharedMemoryRule::cc5_x;
    double bandwidth_bytes_per_cycle = 0;  // peak, per SM
    double latency_32_cycles = 0;          // load-to-use by access width, one wavefront (minimum count)
    double latency_64_cycles = 0;
    double latency_128_cycles = 0;
    double conflict_latency_cycles = 0;  // added latency per further wavefront
    std::optional<double>
        conflict_latency_per_word_cycles;      // the same, per further wavefront and word of width
    double min_cycles_per_request = 1;         // SM-level request stage (2 on GA10x)
    double extra_cycles_per_request = 0;       // measured overhead per LDS/STS (0.32 on Kepler)
    double sub_partition_interval_cycles = 1;  // one sub-partition may use the data pipe every so many cycles
};

struct OpTiming {
    Pipe pipe = Pipe::alu;
    double lanes_per_cycle = 0;  // results per cycle and SM (programming guide's throughput table)
    double latency_cycles = 0;   // dependent issue
    // Cycles that one warp instruction occupies its pipe in one sub-partition = 32*sub_partitions/lanes.
    double initiation_interval_cycles = 0;  // derived
};

// When a memory instruction has read its registers, so that a later one may overwrite them; from its issue.
struct SourceRelease {
    std::optional<double> load_cycles;
    std::optional<double> store_cycles;           // 32-bit
    std::optional<double> store_per_word_cycles;  // for each further word of width
};

// Matrix products of warp groups (HGMMA; sm_90), beside sm.ops.group_mma.
struct GroupProducts {
    std::optional<double> register_gap_cycles;  // between a group's products whose A is in registers
    std::optional<int> queued;                  // that a sub-partition takes before the first has begun
    // Part of the clock that is lost where products of random numbers fill the pipe: FP16, and the others;
    // that is lost per byte a cycle of clock.sm that comes into an SM; less what is lost of neither; after
    // so long.
    std::optional<double> clock_droop, clock_droop_bf16, clock_droop_tf32, clock_droop_int8;
    std::optional<double> clock_droop_per_byte, clock_droop_spared, clock_droop_delay_seconds;
};

// Bulk and tensor copies (UBLKCP, UTMALDG; sm_90 on).
struct CopyEngine {
    // One SM's, data in L2; absent = no limit.
    std::optional<double> bulk_bytes_per_cycle, tensor_bytes_per_cycle;
    std::optional<double> interval_cycles;       // between the begins of two copies
    std::optional<double> latency_saved_cycles;  // of an L2 load's: copies do without registers and L1
};

struct DualIssue {
    bool supported = false;
};

struct Barrier {
    double latency_cycles = 0;               // release after the last arrival
    double threads_per_cycle = 0;            // arrivals, one warp of the SM after the other
    std::optional<double> data_pipe_cycles;  // that the pipe of shared memory is taken for by a release
};

struct InstructionCache {
    std::optional<std::int64_t> l0_bytes;  // per sub-partition
    std::optional<std::int64_t> l1_bytes;  // per SM
    std::optional<std::int64_t> l2_bytes;  // shared with constants, where known
    std::optional<int> l1_ways, l2_ways;
    // Cycles per instruction of one sub-partition's fetch from each level, of all together from L2, and to
    // start at another place.
    std::optional<double> l1_fetch_cycles, l2_fetch_cycles, l2_port_cycles, memory_fetch_cycles;
    std::optional<double> restart_cycles;
};

struct Sm {
    int warp_size = 32;
    int max_warps = 0;
    int max_threads = 0;
    int max_blocks = 0;
    int max_threads_per_block = 0;
    int max_barriers = 0;    // named barriers per SM; 0 = no such limit
    int sub_partitions = 0;  // register-file and allocation partitions (1 on cc 1.x)
    int schedulers = 0;
    int dispatch_units_per_scheduler = 0;
    double issue_interval_cycles =
        1;  // cycles between two issues of one scheduler (4 on cc 1.x, 2 on cc 2.0)
    SchedulerPolicy scheduler_policy = SchedulerPolicy::loose_round_robin;
    // Each block's first warp goes to the scheduler behind that of the block before it where warps fill all
    // schedulers alike; absent = warp w goes to scheduler w modulo their number.
    std::optional<bool> rotates_blocks;
    double branch_latency_cycles = 0;  // taken backward branch, same warp
    // Instructions that are decoded ahead of issue, and the least that a taken branch takes where it has long
    // been known (model/sim/core/issue_core.h); absent = all take branch_latency.
    std::optional<int> branch_run_ahead;
    std::optional<double> branch_latency_least_cycles;
    // Beyond their stall counts or branches, until the warp goes on: where paths of a warp meet (BSYNC), and
    // jumps to where a register says (RET, BRX). Absent = nothing.
    std::optional<double> reconvergence_cycles, indirect_branch_cycles;
    std::optional<int> memory_queue_depth;  // memory instructions that wait per scheduler; absent = no limit
    SourceRelease source_release;
    GroupProducts group_products;
    CopyEngine copy_engine;
    RegisterFile register_file;
    SharedMemory shared_memory;
    DualIssue dual_issue;
    Barrier barrier;
    InstructionCache instruction_cache;
    std::array<std::optional<std::int32_t>, pipe_count> pipe_lanes;  // sm.pipes.<pipe>.lanes
    std::array<std::optional<OpTiming>, op_class_count> ops;  // sm.ops.<class>.{pipe,throughput,latency}
};

struct L1Cache {
    std::int64_t unified_bytes = 0;  // L1 + shared array where unified, else the largest L1 option; 0 = none
    bool unified_with_shared = false;  // capacity = unified - carve-out
    int line_bytes = 128;
    int sector_bytes = 32;
    std::optional<int> associativity;
    bool caches_global_loads = false;            // by default
    double latency_cycles = 0;                   // hit
    std::optional<double> local_latency_cycles;  // of local memory
    double bandwidth_bytes_per_cycle = 0;        // per SM
    double min_cycles_per_request = 1;           // floor per global warp load (2 on GA10x and Ada)
    double extra_cycles_per_request = 0;         // measured charge per LDG (0.7 Volta, 0.3 Hopper)
    double tag_lines_per_cycle = 4;              // distinct lines resolved per cycle
    // Stored data that waits for L2 before stores hold up the data pipe; absent = no limit.
    std::optional<std::int64_t> store_buffer_bytes;
    std::optional<double> miss_lines_per_cycle;  // lines that one SM requests from L2; absent = no limit
    std::optional<double> copy_lines_per_cycle;  // of copies past L1; absent = no limit
};

struct ReadOnlyCache {
    std::int64_t size_bytes = 0;  // 0 = none, or part of L1
    int line_bytes = 128;
    double latency_cycles = 0;
};

// The texture unit: TEX and TLD4 (samples), TLD (fetches by texel number), SULD and SUST (as fetches). Rates
// are of texels of up to 8 bytes, of surfaces 4; larger ones take as many passes. Absent = not known: no
// limit.
struct TextureUnitSpec {
    std::optional<double> sample_lanes_per_cycle, fetch_lanes_per_cycle;  // per SM
    std::optional<double> lines_per_cycle;                                // distinct lines of one instruction
    std::optional<double> sample_latency_cycles, fetch_latency_cycles;    // hit, coordinates to use
};

// Reads of SMs that lie next to each other merge on their way to L2 while the first one is under way.
struct ReadMerging {
    std::optional<int> sms;  // of a cluster (GPC) in which reads merge; absent = reads never merge
    int sms_per_tpc = 1;     // a grid of fewer blocks than TPCs puts one on each
    double fraction = 0;     // part of the reads of data under way that come in time to merge
    std::optional<double> drift_cycles;  // after which half of it is left; absent = blocks stay in step
};

struct L2Cache {
    std::int64_t size_bytes = 0;
    int line_bytes = 128;
    int sector_bytes = 32;
    std::optional<int> access_bytes;  // that a read of fewer of a line costs; absent = a sector
    std::optional<int> associativity;
    std::optional<int> halves;            // absent = 1; 2 on GA100, GH100: each SM reads through its own half
    std::optional<int> sms_per_half_run;  // SMs of consecutive blocks that lie in one half (a GPC)
    double latency_cycles = 0;            // the SM's own half, pointer chase
    // What only the other half holds. Where `halves` is absent: of every hit, whatever half serves it.
    std::optional<double> far_latency_cycles;
    std::optional<double>
        far_read_bytes_per_cycle;  // between the halves, both ways together; absent = no limit
    // Between the nearest and the farthest slice of the partition.
    std::optional<double> latency_spread_cycles;
    double read_bytes_per_cycle = 0;                     // whole GPU, measured, distinct data per SM
    double read_bytes_per_cycle_per_sm = 0;              // port limit of one SM
    double write_bytes_per_cycle = 0;                    // whole GPU
    std::optional<double> write_bytes_per_cycle_per_sm;  // one SM alone
    ReadMerging read_merging;
};

struct Dram {
    std::int64_t capacity_bytes = 0;
    std::optional<int> bus_width_bits;
    std::optional<double> data_rate_bits_per_second;  // per pin
    double bandwidth_bytes_per_second = 0;            // pin bandwidth
    double latency_cycles = 0;                        // load-to-use, SM cycles
    double read_efficiency = 0;                       // achieved / pin, pure reads
    double copy_efficiency = 0;                       // achieved / pin, one read and one write stream
    // What a read waits beyond the latency, by how busy DRAM is (model/memory/costs/behind_l1.h); absent = 0.
    std::optional<double> queue_latency_cycles;
    std::optional<double> turnaround_latency_cycles;
    std::optional<double> latency_spread_cycles;  // between the nearest and the farthest address; absent = 0
    std::optional<int> access_bytes;              // that L2 fetches at once; absent = a sector
    // Whose time a read or write of at most half a line takes, where the rest of the line is not wanted with
    // it: its row is opened for it alone. Absent = no more than its own bytes.
    std::optional<double> least_read_bytes, least_write_bytes;
    bool ecc = false;
};

struct LaunchCost {
    double overhead_seconds = 0;  // added by one launch to a back-to-back chain (event median)
    // Of a launch whose events and itself were all submitted before its stream went on (gpumodel-record).
    std::optional<double> held_overhead_seconds;
    double blocks_per_cycle = 0;  // GPU-wide dispatch rate
    // Standard deviation over SMs of when equal blocks end, per root of the cycles in which their busiest
    // unit idles.
    double sm_drift = 0;
    double block_turnover_cycles = 0;  // a freed block slot until its next block's first instruction
};

struct Clocks {
    double sm_hz = 0;                 // the clock that predictions use
    std::optional<double> tensor_hz;  // the most that launches with matrix products get, if below sm_hz
    std::optional<double> base_hz;
    std::optional<double> boost_hz;
    std::optional<double> memory_hz;
    // Of the run, not of the file (--clock): the most that any launch gets, and whether launches follow each
    // other for so long that the board's power limit holds.
    std::optional<double> most_hz;
    bool sustained = false;
};

// SMs lie in GPCs; the blocks of a cluster run in one. Which SMs of a die work differs from chip to chip.
struct Gpc {
    std::vector<int> sms;  // of each; empty = not known
};

// What the board draws (model/power/launch_power.h). Energies are those of random data at clock.sm; absent =
// not known, and then a launch that needs it has no power.
struct Power {
    std::optional<double> limit_watts;
    std::optional<double> idle_watts;  // with the clock up and nothing at work
    // of a thread's instruction; integer: also moves, comparisons, branches and addresses
    std::optional<double> fp32_joules, fp64_joules, fp16_joules, integer_joules, special_joules;
    // of a FLOP (or integer operation) of a warp's products by operands; of warp groups' of FP16, operands
    // read
    std::optional<double> f16_product_joules, tf32_product_joules, int8_product_joules, f64_product_joules,
        group_product_joules;
    // of a byte: through the shared-memory banks, through L1, between L2 and an SM, between DRAM and L2
    std::optional<double> shared_joules, l1_joules, l2_joules, dram_joules;
    std::optional<double> clock_exponent;  // the SMs' energies go with that power of the clock
    std::optional<double> error_band;      // nine of ten launches' power were within
};

// What the maker prints, to lay beside what the spec derives (`gpumodel arch check`).
struct Declared {
    std::optional<double> fp32_flops;
    std::optional<double> dram_bytes_per_second;
    std::optional<double> shared_bytes_per_second;
};

// Where a value came from.
struct Provenance {
    std::string text;        // as written: "1530 MHz"
    std::string source;      // "" = none given
    bool estimated = false;  // source begins with "estimated"
    std::string file;
    int line = 0;
    int column = 0;
};

struct ArchSpec {
    std::string name;            // "v100_sxm2"
    std::string marketing_name;  // "Tesla V100 SXM2"
    std::string generation;      // "sm_70"
    std::string
        requested_name;  // what the user typed ("sm_70"), so that output can say which product it meant
    // What that could also have meant: products of the same generation, of which this one is the default.
    std::vector<std::string> other_meanings;
    std::string file;          // path of the product's YAML
    std::string content_hash;  // of the product file, all it inherits, and the overrides
    ComputeCapability cc;
    int sm_count = 0;
    Gpc gpc;
    Clocks clock;
    Sm sm;
    L1Cache l1;
    ReadOnlyCache read_only;
    TextureUnitSpec texture;
    L2Cache l2;
    Dram dram;
    CoalescingRule coalescing_rule = CoalescingRule::cc6_x;
    LaunchCost launch;
    Power power;
    Declared declared;
    std::map<std::string, Provenance> provenance;  // by key path, resolved values only

    // Derived peaks (set by the loader).
    double peak_fp32_flops = 0;  // 2 * ffma lanes/clk/SM * sm_count * clock
    double peak_shared_bytes_per_second = 0;
    double peak_l2_bytes_per_second = 0;

    [[nodiscard]] const std::optional<OpTiming>& op(OpClass c) const {
        return sm.ops[static_cast<std::size_t>(c)];
    }
};

}  // namespace gpumodel
