// The model of each benchmark's rows (forward_model.h), by the part of the GPU.
#pragma once

#include "validate/calibrate/forward_model.h"

namespace gpumodel::forward {

[[nodiscard]] RowModel pipe_latency(const RowContext& at);
[[nodiscard]] RowModel pipe_throughput(const RowContext& at);
[[nodiscard]] RowModel register_banks(const RowContext& at);
[[nodiscard]] RowModel barrier(const RowContext& at);

[[nodiscard]] RowModel shared_latency(const RowContext& at);
[[nodiscard]] RowModel shared_throughput(const RowContext& at);

[[nodiscard]] RowModel global_latency(const RowContext& at);
[[nodiscard]] RowModel l2_bandwidth(const RowContext& at);
[[nodiscard]] RowModel dram_bandwidth(const RowContext& at);

[[nodiscard]] RowModel block_launch(const RowContext& at);
[[nodiscard]] RowModel block_turnover(const RowContext& at);
[[nodiscard]] RowModel launch_overhead(const RowContext& at);
[[nodiscard]] RowModel clock(const RowContext& at);

// A row that determines nothing, and why.
[[nodiscard]] inline RowModel unused(std::string why) {
    return {{}, {}, std::move(why)};
}

}  // namespace gpumodel::forward
