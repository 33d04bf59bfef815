#include "model/memory/coalescing/coalescing_cc1.h"

#include <algorithm>
#include <bit>

#include "model/memory/coalescing/coalescing_lanes.h"

namespace gpumodel {

namespace {

constexpr int half_warp = 16;
constexpr int smallest_transaction_bytes = 32;
constexpr int largest_transaction_bytes = 128;

std::size_t lowest_lane(std::uint32_t lanes) {
    return static_cast<std::size_t>(std::countr_zero(lanes));
}

std::int64_t align_down(std::int64_t address, int unit) {
    return address - address % unit;
}

// Where word 0 of the half-warp would lie if lane k named word k; < 0 where no such window exists.
std::int64_t window_start(const WarpAccess& access, std::uint32_t lanes) {
    const int width = access.bytes_per_lane;
    const auto start_by = [&](std::size_t lane) {
        return access.address[lane] - static_cast<std::int64_t>(lane % half_warp) * width;
    };
    const auto start = start_by(lowest_lane(lanes));
    const int alignment = std::min(half_warp * width, largest_transaction_bytes);
    bool in_sequence = width >= 4 && start >= 0 && start % alignment == 0;
    for_each_lane(lanes, [&](std::size_t lane) { in_sequence = in_sequence && start_by(lane) == start; });
    return in_sequence ? start : -1;
}

// The part of a segment that a transaction must carry: halved while one half is untouched.
struct Extent {
    std::int64_t start = 0;
    int bytes = 0;
};
Extent shrink(const WarpAccess& access, std::uint32_t lanes, Extent extent) {
    while (extent.bytes > smallest_transaction_bytes) {
        const int half = extent.bytes / 2;
        bool lower = false;
        bool upper = false;
        for_each_lane(lanes, [&](std::size_t lane) {
            const bool in_upper = access.address[lane] >= extent.start + half;
            lower = lower || !in_upper;
            upper = upper || in_upper;
        });
        if (lower && upper) {
            break;
        }
        extent = {upper ? extent.start + half : extent.start, half};
    }
    return extent;
}

}  // namespace

void serve_half_warp_cc1_0(const WarpAccess& access, std::uint32_t lanes, TransactionSink& sink) {
    const auto start = window_start(access, lanes);
    if (start < 0) {
        for_each_lane(lanes, [&](std::size_t lane) {
            sink.add(align_down(access.address[lane], smallest_transaction_bytes),
                     smallest_transaction_bytes);
        });
        return;
    }
    const int window = half_warp * access.bytes_per_lane;
    const int bytes = std::min(window, largest_transaction_bytes);
    for (std::int64_t part = start; part < start + window; part += bytes) {
        bool touched = false;
        for_each_lane(lanes, [&](std::size_t lane) {
            touched = touched || align_down(access.address[lane], bytes) == part;
        });
        if (touched) {
            sink.add(part, bytes);
        }
    }
}

void serve_half_warp_cc1_2(const WarpAccess& access, std::uint32_t lanes, TransactionSink& sink) {
    const int segment =
        std::min(smallest_transaction_bytes * access.bytes_per_lane, largest_transaction_bytes);
    while (lanes != 0) {
        const auto start = align_down(access.address[lowest_lane(lanes)], segment);
        std::uint32_t served = 0;
        for_each_lane(lanes, [&](std::size_t lane) {
            if (align_down(access.address[lane], segment) == start) {
                served |= 1U << lane;
            }
        });
        const auto extent = shrink(access, served, {start, segment});
        sink.add(extent.start, extent.bytes);
        lanes &= ~served;
    }
}

}  // namespace gpumodel
