// What each microbenchmark should read on a GPU with a given spec, and which spec keys it determines: the
// equations of model/sim for the micro-program that the benchmark runs, in closed form, so that they can be
// inverted. (The simulator counts whole cycles and has no derivative; that both agree is tested.)
//
//   pipe_latency OP              sm.ops.OP.latency
//   pipe_throughput OP WARPS     sm.ops.OP.throughput * min(1, WARPS / schedulers); one chain per warp must
//                                fill the pipe: WARPS / schedulers * initiation interval >= latency
//   shared_latency BITS DEGREE   latency_BITS + (W - fewest) * max(conflict_latency + words *
//                                conflict_latency_per_word, cycles between wavefronts); fewest = 2 at
//                                128 bits
//   shared_throughput OP BITS DEGREE WARPS
//                                two and more warps per scheduler: max(W * w, min_cycles_per_request)
//                                  + extra_cycles_per_request, w = banks * bank width / bandwidth
//                                one storing warp: one wavefront per sub_partition_interval
//   register_banks READS SAME_BANK
//                                max(FFMA interval, SAME_BANK / reads_per_bank) per scheduler
//   global_latency BYTES         latency of the level that the footprint fits in whole; loads pass L1 by
//                                beyond 128 KiB
//   l2_bandwidth SMS THREADS BYTES_IN_FLIGHT (per SM)
//                                one SM: l2.read_bandwidth_per_sm; all SMs: l2.read_bandwidth
//   dram_bandwidth MODE BYTES_IN_FLIGHT (per SM)
//                                dram.bandwidth * read_efficiency or copy_efficiency
//   barrier WARPS                sm.barrier.latency + (WARPS - 1) * 32 / sm.barrier.throughput: one warp
//                                arrives after the other, SM-wide (H200 microbenchmarks: 14, 16, 20, 28, 44,
//                                76 cycles for 1, 2, 4, 8, 16, 32 warps)
//   block_launch BLOCKS          1 / launch.blocks_per_cycle
//   block_turnover THREADS       launch.block_turnover
//   launch_overhead GRID         launch.overhead
//   clock LOAD                   clock.sm
// W: wavefronts (model/memory/banks/bank_conflicts.h) where DEGREE lanes of every phase (32 lanes of 32 bits,
// 16 of 64, 8 of 128) meet in one of 32 four-byte banks, each lane with words of its own; 0 = all lanes on
// the same words.
//
// Rows in which something else may be the limit determine nothing and say why. A bandwidth is limited by
// latency until more bytes in flight no longer raise it: only rows within 5 % of the highest with the same
// SMS or MODE count, and only if there are two of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "validate/calibrate/microbenchmark.h"

namespace gpumodel {

struct RowContext {
    const MicrobenchmarkRow& row;
    const ArchSpec& base;                     // before calibration; decides which rows isolate their keys
    std::span<const MicrobenchmarkRow> rows;  // of the whole file
};

struct RowModel {
    std::vector<std::string> keys;                 // that the row determines; empty = none
    std::function<double(const ArchSpec&)> value;  // in the unit of the row's metric
    std::string unused;                            // why it determines nothing
};

enum class ParamKind : unsigned char { number, word };

struct BenchmarkParam {
    std::string_view name;
    ParamKind kind = ParamKind::number;
    std::vector<std::string_view> words;  // allowed; empty = any
};

struct Benchmark {
    std::string_view name;
    std::string_view metric;
    std::vector<BenchmarkParam> params;
    RowModel (*model)(const RowContext& at);
    std::vector<std::string> keys;  // all that it can determine
};

[[nodiscard]] std::span<const Benchmark> benchmarks();
[[nodiscard]] const Benchmark* find_benchmark(std::string_view name);

// Names of the benchmarks that can determine `key`.
[[nodiscard]] std::vector<std::string> benchmarks_of(std::string_view key);

}  // namespace gpumodel
