// Rows of the caches, DRAM, launches and the clock.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "validate/calibrate/forward_rows.h"

namespace gpumodel::forward {
namespace {

// A footprint within this part of a cache stays in it whatever the replacement, the carve-out and the
// neighbours; one of this many times its size finds next to nothing there. Estimated.
constexpr double held_part = 0.5;
constexpr double missed_multiple = 4;

// Rates this near to the highest count as no longer growing. Estimated.
constexpr double plateau = 0.95;

// The benchmark's loads bypass L1 for larger footprints.
constexpr double largest_cached_footprint = 128 * 1024;

// L1 beside the smallest carve-out; 0 where plain loads pass it by.
double l1_bytes(const ArchSpec& arch) {
    return arch.l1.caches_global_loads ? static_cast<double>(arch.l1.unified_bytes) : 0;
}

// What is wrong with the row as a measure of bandwidth; `group`: the parameter whose value it shares with the
// rows to compare it with.
std::string growth_fault(const RowContext& at, const std::string& group) {
    std::vector<double> rates;
    for (const auto& other : at.rows) {
        if (other.benchmark == at.row.benchmark && other.word(group) == at.row.word(group)) {
            rates.push_back(other.median);
        }
    }
    const double enough = plateau * *std::max_element(rates.begin(), rates.end());
    if (at.row.median < enough) {
        return "more bytes in flight reach a higher rate";
    }
    return std::count_if(rates.begin(), rates.end(), [=](double rate) { return rate >= enough; }) < 2
               ? "the rate still grows with the bytes in flight"
               : "";
}

}  // namespace

RowModel global_latency(const RowContext& at) {
    const double bytes = at.row.number("BYTES");
    const double l1 = l1_bytes(at.base);
    const auto l2 = static_cast<double>(at.base.l2.size_bytes);
    if (l1 > 0 && bytes <= std::min(held_part * l1, largest_cached_footprint)) {
        return {{"l1.latency"}, [](const ArchSpec& s) { return s.l1.latency_cycles; }, {}};
    }
    if (l2 > 0 && (l1 == 0 || bytes > largest_cached_footprint) && bytes <= held_part * l2) {
        return {{"l2.latency"}, [](const ArchSpec& s) { return s.l2.latency_cycles; }, {}};
    }
    if (bytes > largest_cached_footprint && bytes >= missed_multiple * l2) {
        return {{"dram.latency"}, [](const ArchSpec& s) { return s.dram.latency_cycles; }, {}};
    }
    return unused("the footprint spans two levels");
}

RowModel l2_bandwidth(const RowContext& at) {
    const double sms = at.row.number("SMS");
    const bool one = sms == 1;
    if (!one && sms != at.base.sm_count) {
        return unused("either one SM's port or the whole L2 may be the limit");
    }
    if (auto fault = growth_fault(at, "SMS"); !fault.empty()) {
        return unused(std::move(fault));
    }
    if (one) {
        return {{"l2.read_bandwidth_per_sm"},
                [](const ArchSpec& s) { return s.l2.read_bytes_per_cycle_per_sm; },
                {}};
    }
    return {{"l2.read_bandwidth"}, [](const ArchSpec& s) { return s.l2.read_bytes_per_cycle; }, {}};
}

RowModel dram_bandwidth(const RowContext& at) {
    const auto& mode = at.row.word("MODE");
    if (mode == "write") {
        return unused("no key for a stream of writes alone");
    }
    if (auto fault = growth_fault(at, "MODE"); !fault.empty()) {
        return unused(std::move(fault));
    }
    if (mode == "read") {
        return {{"dram.read_efficiency"},
                [](const ArchSpec& s) { return s.dram.bandwidth_bytes_per_second * s.dram.read_efficiency; },
                {}};
    }
    return {{"dram.copy_efficiency"},
            [](const ArchSpec& s) { return s.dram.bandwidth_bytes_per_second * s.dram.copy_efficiency; },
            {}};
}

RowModel block_launch(const RowContext&) {
    return {{"launch.blocks_per_cycle"}, [](const ArchSpec& s) { return 1 / s.launch.blocks_per_cycle; }, {}};
}

RowModel block_turnover(const RowContext&) {
    return {{"launch.block_turnover"}, [](const ArchSpec& s) { return s.launch.block_turnover_cycles; }, {}};
}

RowModel launch_overhead(const RowContext& at) {
    if (at.row.number("GRID") > at.base.sm_count) {
        return unused("more blocks than SMs: dispatch adds to the launch");
    }
    return {{"launch.overhead"}, [](const ArchSpec& s) { return s.launch.overhead_seconds * 1e6; }, {}};
}

RowModel clock(const RowContext& at) {
    if (at.row.word("LOAD") == "idle") {
        return unused("predictions are of a GPU under load");
    }
    return {{"clock.sm"}, [](const ArchSpec& s) { return s.clock.sm_hz; }, {}};
}

}  // namespace gpumodel::forward
